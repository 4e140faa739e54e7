"""The planner's numbers are those of the model that is then loaded."""

import msgspec
import pytest
import torch

from engine import device
from engine.memory import planner
from engine.memory.planner import plan
from engine.model.config import MobaConfig, RopeConfig
from engine.protocol import DeviceInfo, ModelSettings, Note
from engine.weights import describe, load

GIB = 2**30


@pytest.fixture
def machine(monkeypatch):
    """machine(free): a CPU with so many bytes free."""

    def of(free, precisions=("bf16", "int8", "fp32")):
        info = DeviceInfo("cpu", "a processor", 64 * GIB, free, precisions)
        monkeypatch.setattr(planner, "choose", lambda wanted: info)
        return info

    return of


@pytest.mark.parametrize("precision", ["fp32", "bf16", "int8"])
def test_weights_and_rows_are_exact(small_model, precision):
    loaded = load(small_model, precision, "cpu")
    planned = plan(small_model, ModelSettings(str(small_model), precision, window=300, device="cpu"))
    assert planned.weights == loaded.bytes
    caches = loaded.decoder.make_caches(300)
    loaded.decoder.read(torch.zeros(1, 300, dtype=torch.int64), caches, logits="none")
    assert planned.kv == caches.bytes() == 300 * 30 * 2 * 3 * 64 * loaded.decoder.dtype.itemsize
    parts = (planned.weights, planned.kv, planned.state, planned.activations, planned.overhead)
    assert planned.needed == sum(parts)


def test_everything_fits_a_large_machine(small_model, machine):
    machine(16 * GIB)
    planned = plan(small_model, ModelSettings(str(small_model)))
    assert (planned.window, planned.largest, planned.native_window, planned.fits) == (8192, 8192, 8192, True)
    assert (planned.precision, planned.notes) == ("bf16", ())


def test_the_largest_window_is_the_largest(small_model, machine):
    machine(16 * GIB)
    description = describe(small_model)
    full = plan(description, ModelSettings(str(small_model)))
    machine(full.needed - 50 * 2**20)
    planned = plan(description, ModelSettings(str(small_model)))
    assert 512 < planned.largest < 8192
    assert planned.window == planned.largest
    assert planned.largest % planner.WINDOW_STEP == 0
    assert planned.fits
    assert [note.code for note in planned.notes] == ["window_memory"]
    more = plan(description, ModelSettings(str(small_model), window=planned.largest + planner.WINDOW_STEP))
    assert not more.fits
    assert more.largest == planned.largest
    assert plan(description, ModelSettings(str(small_model)), held=50 * 2**20).largest == 8192


def test_nothing_fits_a_machine_without_room(small_model, machine):
    machine(100 * 2**20)
    planned = plan(small_model, ModelSettings(str(small_model)))
    assert (planned.largest, planned.window, planned.fits) == (0, 512, False)


def test_a_window_above_the_native_one_is_brought_down_aloud(small_model, machine):
    machine(16 * GIB)
    planned = plan(small_model, ModelSettings(str(small_model), window=100_000))
    assert planned.window == 8192
    assert [note.code for note in planned.notes] == ["window_native"]


def test_a_model_made_for_little_is_taken_as_it_is(small_model, machine):
    machine(16 * GIB)
    description = describe(small_model)
    tiny = msgspec.structs.replace(description, config=msgspec.structs.replace(description.config, window=200))
    planned = plan(tiny, ModelSettings("tiny"))
    assert (planned.window, planned.largest) == (200, 200)


@pytest.mark.parametrize("method", ["yarn", "ntk"])
@pytest.mark.parametrize(("window", "factor"), [(8193, 2), (20_000, 3), (65_536, 8)])
def test_an_extension_allows_more_than_the_native_window(window, factor, method, small_model, machine):
    machine(16 * GIB)
    planned = plan(small_model, ModelSettings(str(small_model), window=window, extension=method))
    assert (planned.window, planned.native_window, planned.largest, planned.fits) == (window, 8192, 65_536, True)
    assert planned.kv == window * 30 * 2 * 3 * 64 * 2
    told = {"factor": str(factor), "native": "8192", "window": str(window), "method": method}
    assert planned.notes == (Note("extended", told),)


@pytest.mark.parametrize("window", [300, 8192])
def test_an_extension_that_is_not_needed_changes_nothing(window, small_model, machine):
    machine(16 * GIB)
    plain = plan(small_model, ModelSettings(str(small_model), window=window))
    extended = plan(small_model, ModelSettings(str(small_model), window=window, extension="yarn"))
    assert extended == msgspec.structs.replace(plain, largest=65_536)
    assert extended.notes == ()


def test_an_extension_ends_at_eight_windows(small_model, machine):
    machine(16 * GIB)
    planned = plan(small_model, ModelSettings(str(small_model), window=100_000, extension="ntk"))
    assert planned.window == 65_536
    assert [note.code for note in planned.notes] == ["window_extended", "extended"]
    assert planned.notes[0].values == {"asked": "100000", "window": "65536"}


def test_the_largest_extended_window_is_what_memory_holds(small_model, machine):
    description = describe(small_model)
    machine(GIB)
    planned = plan(description, ModelSettings(str(small_model), extension="yarn"))
    assert 8192 < planned.largest < 65_536
    assert planned.window == planned.largest
    assert [note.code for note in planned.notes] == ["extended"]
    more = planned.largest + planner.WINDOW_STEP
    assert not plan(description, ModelSettings(str(small_model), window=more, extension="yarn")).fits
    machine(100 * 2**20)
    planned = plan(description, ModelSettings(str(small_model), extension="yarn"))
    assert (planned.largest, planned.window, planned.fits) == (0, 512, False)


@pytest.mark.parametrize(
    ("code", "kind", "changed"),
    [
        ("not_extended_scaled", "llama3", {"rope": RopeConfig(divisors=(2.0,) * 32)}),
        ("not_extended_scaled", "yarn", {"rope": RopeConfig(kind="yarn", factor=4.0, original_window=2048)}),
        ("not_extended_sliding", "default", {"mixers": ("sliding",) * 30, "sliding_window": 4096}),
    ],
)
def test_what_cannot_be_extended_says_so(code, kind, changed, small_model, machine):
    machine(16 * GIB)
    description = describe(small_model)
    other = msgspec.structs.replace(description, config=msgspec.structs.replace(description.config, **changed))
    for window in (None, 20_000):
        planned = plan(other, ModelSettings("other", window=window, extension="yarn"))
        assert (planned.window, planned.largest) == (8192, 8192)
        assert planned.notes == (Note(code, {"method": "yarn", "native": "8192", "kind": kind}),)
    assert plan(other, ModelSettings("other", window=4000, extension="yarn")).notes == ()


def test_what_segments_of_a_long_text_take(small_model, machine):
    config = describe(small_model).config
    assert planner.kv_token(config, 2) == 2 * 30 * 3 * 64 * 2
    assert planner.kv_token_int8(config) == 2 * 30 * 3 * (64 + 4)
    settings, half = ModelSettings("any"), ModelSettings("any", memory=0.5)  # of 64 GiB
    assert planner.reading_budget(machine(4 * GIB), settings, GIB) == 2 * GIB
    assert planner.reading_budget(machine(60 * GIB), half, 2 * GIB) == 15 * GIB
    assert planner.reading_budget(machine(0), settings, GIB) == 256 * 2**20


def test_no_more_than_a_share_of_the_memory(small_model, machine):
    """What is free counts where it is less."""
    info = machine(16 * GIB)
    description, share = describe(small_model), 300 * 2**20 / (64 * GIB)
    full = plan(description, ModelSettings(str(small_model), memory=0.5))
    some = plan(description, ModelSettings(str(small_model), memory=share))
    assert (full.available, full.window) == (info.free, 8192)
    assert some.available == pytest.approx(300 * 2**20, abs=1)
    assert not some.fits
    assert some.advice


def test_what_it_is_made_of(small_model):
    planned = plan(small_model, ModelSettings(str(small_model)))
    assert (planned.layers, planned.theta, planned.stored) == ({"full": 30}, 100_000.0, "Q4_1")


def test_a_card_keeps_what_a_repeated_token_makes(small_model):
    config = describe(small_model).config
    cpu, card = (DeviceInfo(kind, "one", 64 * GIB, 64 * GIB, ("bf16", "int8")) for kind in ("cpu", "cuda"))
    kept = planner.graph_bytes(config, "bf16", 2)
    here, there = (planner.needs(config, "bf16", machine, 4096) for machine in (cpu, card))
    assert there.activations - here.activations == there.total - here.total == kept
    # Queries of 30 layers, logits, and what 32 programs find for each of 3 key heads, 3 query heads being taken as 16
    assert kept > planner.POOL + 4 * (30 * 9 * 64 + 49152 + 3 * 32 * 16 * (64 + 2))
    assert planner.graph_bytes(config, "int8", 2) == kept + 2 * planner.CARD_TILE
    large = planner.largest_window(config, "bf16", card, there.total, 2048, 8192)
    assert large == 4096, "else it would not be counted where windows are chosen"
    other = msgspec.structs.replace(config, mixers=("moba", *config.mixers[1:]), moba=MobaConfig(512, 3))
    here, there = (planner.needs(other, "bf16", machine, 4096) for machine in (cpu, card))
    assert there.activations == here.activations, "where nothing is captured"


def test_precisions_follow_the_machine(small_model, machine):
    machine(16 * GIB, ("fp32", "int8"))
    assert plan(small_model, ModelSettings(str(small_model))).precision == "fp32"
    asked = plan(small_model, ModelSettings(str(small_model), precision="bf16"))
    assert [note.code for note in asked.notes] == ["bf16_slow_here"]


def test_this_machine():
    (*_, cpu) = device.devices()
    assert cpu.kind == "cpu"
    assert 0 < cpu.free <= cpu.memory
    assert cpu.precisions[0] in ("bf16", "fp32")
    parts = device.memory_parts(cpu, weights=100, kv=20, state=3)
    assert parts.total == cpu.memory
    assert parts.weights + parts.kv + parts.state + parts.other + parts.free == parts.total
    assert device.process_bytes() > 10**7
