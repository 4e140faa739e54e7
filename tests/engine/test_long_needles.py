"""Numbers planted in texts that are longer than the small model's window are found, wherever they stand."""

import pytest

from engine.bench_desk import Desk
from engine.bench_needles import Grid, run
from engine.protocol import ModelSettings, ReadingSettings

pytestmark = pytest.mark.whole

CONTROL = 4096
BEYOND = (32768, 65536, 131072)
ASKED = 500
"""Tokens that a question may read besides segments: itself after the joined ones, and the template's."""


@pytest.fixture(scope="module")
def bench_desk(tmp_path_factory, small_model):
    return Desk(tmp_path_factory.mktemp("needles"), ModelSettings(str(small_model)))


def asked(bench_desk, **grid):
    return run(bench_desk, Grid(**grid), lambda done, total: None)


def test_numbers_beyond_the_window_are_found_and_little_is_read_again(bench_desk):
    reading = ReadingSettings(segment=1000)
    report = asked(bench_desk, lengths=(9000,), seeds=(1,), depths=(0.15, 0.85), forms=(False,), reading=reading)
    assert report["missed"] == []
    for cell in report["cells"]:
        assert cell["mode"] == "parallel"
        assert cell["rank"] == 1
    # The segments of the needle, and those that it was taken out of again: fewer than three on average
    assert sum(cell["read"] for cell in report["cells"]) < 2 * (2 * 3 * 1000 + ASKED)


@pytest.mark.full
@pytest.mark.parametrize(("length", "kv"), [*((length, "model") for length in BEYOND), (BEYOND[-1], "int8")])
def test_nineteen_of_twenty_are_found_at_every_length(bench_desk, length, kv):
    report = asked(bench_desk, lengths=(length,), reading=ReadingSettings(kv=kv))
    plain, hard = report["rows"]
    assert plain["mode"] == hard["mode"] == "parallel"
    assert plain["found"] >= 0.95 * plain["of"], report["missed"]
    assert hard["found"] >= 0.8 * hard["of"], report["missed"]


@pytest.mark.full
def test_the_control_read_whole(bench_desk):
    report = asked(bench_desk, lengths=(CONTROL,), reading=ReadingSettings(mode="whole"))
    plain, hard = report["rows"]
    assert plain["mode"] == hard["mode"] == "whole"
    assert plain["found"] >= 0.95 * plain["of"], report["missed"]
    assert hard["of"] == 30
