"""A Longread elsewhere, verified over its local API: what can be known of it, and why the rest cannot."""

import dataclasses

from engine.protocol import ReadingSettings
from engine.remote import Remote
from engine.verify import Desk, plan, run
from engine.verify.texts import made_up

TESTS = ("tokens", "coverage", "precision", "layers", "saved", "leak", "memory")


async def test_of_a_longread_elsewhere_is_verified_what_can_be_known(small, tmp_path):
    remote = Remote(f"{small.address}/v1", model="longread", key="sk-all")
    desk = Desk(remote, tmp_path, "seed", ReadingSettings(mode="whole"), prose=made_up(100))
    how = dataclasses.replace(plan("quick", remote.loaded, 1500), tests=TESTS, rounds=1)
    report = await run(desk, how)
    found = {one.test: (one.verdict, one.reason) for one in report.outcomes}
    assert found == {
        "tokens": ("pass", "prompt_estimated"),
        "leak": ("pass", ""),
        "layers": ("skipped", "not_told"),
        **dict.fromkeys(("coverage", "precision", "saved", "memory"), ("skipped", "elsewhere")),
    }
    assert int(report.outcomes[0].values["said"]) > 1000
