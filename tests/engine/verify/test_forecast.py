"""How long a verification takes is told before it begins: longer for more, shorter for what is faster."""

import dataclasses
from typing import get_args

import pytest
import verify_double as doubles
from msgspec.structs import replace

from engine.protocol import Calibration, ReadingSettings
from engine.verify import Desk, Pace, expected_seconds, plan
from engine.verify.texts import made_up
from engine.verify_names import TestName

DENSE = doubles.Double().loaded
SMALL = replace(DENSE, window=8192, calibration=Calibration(2000, 64, "shared", 1, 0.3, 500))
HOW, PACE = ReadingSettings(), Pace(1000, 1000.0, 40.0)


def test_more_takes_longer_and_a_faster_computer_shorter():
    quick, standard, full = (expected_seconds(plan(t, SMALL), SMALL, HOW, PACE) for t in ("quick", "standard", "full"))
    assert 60 < quick < standard / 3 < full / 9
    twice = expected_seconds(plan("quick", SMALL), SMALL, HOW, Pace(1000, 2000.0, 80.0))
    assert twice == pytest.approx(quick / 2)


def test_what_is_read_in_segments_takes_longer_by_its_length_and_whole_by_more():
    def layers(loaded, length: int) -> float:
        how = dataclasses.replace(plan("full", loaded, length), tests=("layers",))
        return expected_seconds(how, loaded, HOW, PACE)

    assert layers(SMALL, 65536) / layers(SMALL, 32768) == pytest.approx(2, abs=0.05)
    assert layers(DENSE, 65536) / layers(DENSE, 32768) > 2.5


def test_each_test_costs_something_but_that_of_a_policy_which_is_off():
    how = plan("standard", SMALL)
    for name in get_args(TestName):
        alone = expected_seconds(dataclasses.replace(how, tests=(name,)), SMALL, HOW, PACE)
        assert (alone > 1) == (name != "policy"), name


async def test_the_pace_is_of_a_text_that_was_read_just_now(tmp_path):
    double = doubles.Double()
    desk = Desk(double, tmp_path, "seed", local=double, prose=made_up(100), clock=lambda: double.now)
    pace = await desk.pace()
    assert pace.reading == pytest.approx(1000, rel=0.05)
