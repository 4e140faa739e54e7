"""The planner's numbers are those of the model that is then loaded."""

import msgspec
import pytest
import torch

from engine import device
from engine.memory import planner
from engine.memory.planner import plan
from engine.protocol import DeviceInfo, ModelSettings
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
