"""Weights of 4 bits: a checkpoint's own blocks moved and never rounded again, floats rounded, and what they take."""

import gguf
import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType as Type

from engine.memory import planner
from engine.weights import describe, load, open_checkpoint
from engine.weights.quantize import in_groups
from kernels.dispatch import relative
from kernels.group_linear import cpu

MATRIX = "model.layers.1.self_attn.k_proj.weight"
BLOCKS = {Type.Q4_0: 18, Type.Q4_1: 20, Type.Q4_K: 144}


def blocks(kind, random):
    """Any bytes as blocks, with scales that are numbers of a model's size."""

    def stored(array):
        block, size = gguf.GGML_QUANT_SIZES[kind]
        data = random.integers(0, 256, (array.shape[0], array.shape[1] // block, size), dtype=np.uint8)
        count = 1 if kind is Type.Q4_0 else 2
        size = 0.0003 if kind is Type.Q4_K else 0.01
        scales = random.normal(0, size, (*data.shape[:2], count)).astype(np.float16)
        data[:, :, : 2 * count] = scales.view(np.uint8)
        return data.reshape(len(data), -1), kind

    return stored


def groups_of(linear):
    return [part.weight for part in linear.parts]


@pytest.mark.parametrize("kind", BLOCKS)
def test_blocks_of_a_gguf_file_are_groups(kind, write_gguf):
    checkpoint = open_checkpoint(write_gguf(blocks(kind, np.random.default_rng(3))))
    expected = checkpoint.rows(MATRIX, 5, 77)
    made = cpu.dequantized(checkpoint.groups(MATRIX, 5, 77), torch.float32)
    if kind is Type.Q4_K:  # products of a scale and six bits, in fp16
        assert relative(made, expected) < 3e-4
    else:
        assert torch.allclose(made, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("kind", BLOCKS)
def test_a_model_of_such_blocks(kind, write_gguf):
    path = write_gguf(blocks(kind, np.random.default_rng(3)))
    ids = torch.arange(30)[None]
    results = []
    for precision in ("fp32", "int4"):
        loaded = load(path, precision, "cpu")
        results.append(loaded.decoder.read(ids, loaded.decoder.make_caches(30), logits="all"))
    assert relative(results[1], results[0]) < 0.05
    assert {linear.kind for linear in loaded.decoder.layers[0].linears()} == {"int4 in groups"}
    assert loaded.writing in loaded.candidates


@pytest.mark.parametrize("kind", [None, *BLOCKS, Type.Q8_0])
def test_the_planner_counts_them(kind, write_gguf):
    path = (
        write_gguf(lambda array: (array, None))
        if kind is None
        else write_gguf(
            blocks(kind, np.random.default_rng(3))
            if kind in BLOCKS
            else lambda array: (gguf.quantize(array, kind), kind)
        )
    )
    described, loaded = describe(path), load(path, "int4", "cpu")
    element = loaded.decoder.dtype.itemsize
    assert planner.weight_bytes(described.config, "int4", element, described.tensors) == loaded.bytes


def test_as_int8_they_stay_as_they_are(write_gguf):
    path = write_gguf(blocks(Type.Q4_1, np.random.default_rng(3)))
    ids = torch.arange(30)[None]
    kept, own = (load(path, precision, "cpu") for precision in ("int8", "int4"))
    read = [each.decoder.read(ids, each.decoder.make_caches(30), logits="all") for each in (kept, own)]
    assert torch.equal(*read)
    assert "four_bits_kept" in {note.code for note in kept.notes} - {note.code for note in own.notes}
    described = describe(path)
    element = kept.decoder.dtype.itemsize
    assert planner.weight_bytes(described.config, "int8", element, described.tensors) == kept.bytes


def test_some_parts_of_a_product_in_blocks_and_some_not(write_gguf):
    """v is stored in more bits than q and k, as by llama.cpp's K_M mixtures."""
    random = np.random.default_rng(3)
    number = iter(range(1000))

    def stored(array):
        if array.shape == (128, 256) and next(number) % 2:
            return gguf.quantize(array, Type.Q8_0), Type.Q8_0
        return blocks(Type.Q4_1, random)(array)

    path = write_gguf(stored)
    loaded, exact = load(path, "int4", "cpu"), load(path, "fp32", "cpu").decoder
    decoder = loaded.decoder
    assert [linear.kind for linear in decoder.layers[0].linears()][:2] == ["int4 in groups", "int8"]
    ids = torch.arange(30)
    caches, others = decoder.make_caches(30), exact.make_caches(30)
    read = [each.read(ids[None, :20], kept, logits="last") for each, kept in ((decoder, caches), (exact, others))]
    assert relative(*read) < 0.05
    for id in ids[20:, None]:
        assert relative(decoder.write(id, caches), exact.write(id, others)) < 0.05
    described = describe(path)
    element = decoder.dtype.itemsize
    assert planner.weight_bytes(described.config, "int4", element, described.tensors) == loaded.bytes


@pytest.mark.parametrize(("bits", "most"), [(4, 0.1), (8, 0.01)])
@pytest.mark.parametrize("group", [32, 64, 128])
def test_rounding_to_groups(group, bits, most, tensors):
    weight = tensors[MATRIX].clone()
    weight[0] = 0
    weight[1] = 1e-5 * torch.arange(256)
    weight[2] = 3.0
    made = in_groups(weight, bits, group)
    again = cpu.dequantized(made, torch.float32)
    assert relative(again, weight) < most
    assert torch.equal(again[0], weight[0])
    assert torch.equal(again[2], weight[2])
    # Half a step is the most that a weight can be wrong by, but for what fp16 makes of the first and the last
    step = made.scales.float().repeat_interleave(group, 1)
    last = (1 << bits) - 1
    ends = (step * last + weight.abs()) * 2**-11 + last * 2**-24
    assert ((again - weight).abs() <= 0.5 * step + ends).all()


def test_int4_of_floats(folder):
    ids = torch.arange(30)[None]
    results = []
    for precision in ("fp32", "int4"):
        loaded = load(folder, precision, "cpu")
        results.append(loaded.decoder.read(ids, loaded.decoder.make_caches(30), logits="all"))
    assert 0.001 < relative(results[1], results[0]) < 0.3
    assert loaded.decoder.head.parts[0].kind == "int8"
