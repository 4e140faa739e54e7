"""What the planner says would fit where the settings do not."""

import msgspec
import pytest

from engine.memory import planner
from engine.memory.planner import WINDOW_STEP, advice, needs, plan
from engine.protocol import DeviceInfo, ModelSettings
from engine.weights import describe

GIB = 2**30


@pytest.fixture
def card(monkeypatch):
    """card(free): a machine with so many bytes free."""

    def of(free, precisions=("bf16", "int8", "int4", "fp32")):
        info = DeviceInfo("cpu", "a processor", 64 * GIB, free, precisions)
        monkeypatch.setattr(planner, "choose", lambda wanted: info)
        return info

    return of


@pytest.fixture
def config(small_model):
    """Large enough for every precision to make a difference: 1.9 GB of weights in bf16, and a wide window."""
    return msgspec.structs.replace(
        describe(small_model).config,
        hidden=2048,
        intermediate=8192,
        heads=16,
        kv_heads=4,
        head_width=128,
        window=65_536,
    )


def test_the_least_harmful_change_comes_first(config, card):
    info = card(0)
    free = needs(config, "bf16", info, 8192).total
    told = advice(config, "bf16", info, free, planner.PIECE, 65_536)
    assert [one.change for one in told][:3] == ["window", "int8", "int4"]
    assert told[0].window == 8192
    for one, precision in zip(told, ("bf16", "int8", "int4"), strict=False):
        assert needs(config, precision, info, one.window).total <= free
        more = one.window + WINDOW_STEP
        assert one.window == 65_536 or needs(config, precision, info, more).total > free
    assert [one.window for one in told[:3]] == sorted(one.window for one in told[:3])


def test_what_helps_no_further_is_not_said(config, card):
    info = card(0)
    free = needs(config, "int8", info, 16_384).total
    told = advice(config, "bf16", info, free, planner.PIECE, 16_384)
    assert [one.change for one in told] in (["window", "int8"], ["int8"])
    assert next(one for one in told if one.change == "int8").window == 16_384, "all that was wanted"
    told = advice(config, "int8", info, free, planner.PIECE, 32_768)
    assert [one.change for one in told][:2] == ["window", "int4"]
    assert "int4" not in [one.change for one in advice(config, "int4", info, free, planner.PIECE, 10**6)]


def test_only_what_runs_here_is_advised(config, card):
    info = card(0, ("fp32", "int8"))
    free = needs(config, "fp32", info, 8192).total
    assert {one.change for one in advice(config, "fp32", info, free, planner.PIECE, 65_536)} <= {"window", "int8", "kv"}


def test_keys_and_values_as_int8_let_more_fit_and_are_told_once(config, card):
    info = card(0)
    free = needs(config, "int4", info, 8192).total
    told = advice(config, "int4", info, free, planner.PIECE, 65_536)
    assert [one.change for one in told] == ["window", "kv"]
    window = told[1].window
    assert needs(config, "int4", info, window, form="int8").total <= free
    assert needs(config, "int4", info, window + WINDOW_STEP, form="int8").total > free
    assert needs(config, "int4", info, window).total > free
    held = advice(config, "int4", info, free, planner.PIECE, 65_536, form="int8")
    assert [(one.change, one.window) for one in held] == [("window", window)]


def test_a_plan_carries_it(small_model, card):
    card(16 * GIB)
    assert plan(small_model, ModelSettings(str(small_model))).advice == ()
    full = plan(small_model, ModelSettings(str(small_model)))
    card(full.needed - 50 * 2**20)
    planned = plan(small_model, ModelSettings(str(small_model), window=8192))
    assert not planned.fits
    assert (planned.advice[0].change, planned.advice[0].window) == ("window", planned.largest)
    card(100 * 2**20)
    assert plan(small_model, ModelSettings(str(small_model))).advice == (), "nothing would"


def test_where_no_window_fits_a_smaller_precision_may(config, card, small_model):
    info = card(needs(config, "int8", card(0), 16_384).total)
    large = msgspec.structs.replace(describe(small_model), config=config, tensors={})
    planned = plan(large, ModelSettings("large", precision="fp32"))
    assert (planned.fits, planned.largest) == (False, 0)
    assert planned.advice[0].change == "int8"
    assert planned.advice[0].window >= 16_384
    assert info.free == planned.available
