"""Every type of GGUF against the gguf package's own round trip, and the rows that its converters interleave."""

import gguf
import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType as Type

from engine.weights import BadModel, describe, load, open_checkpoint

ROUNDS_TRIP = [Type.F32, Type.F16, Type.BF16, Type.Q8_0, Type.Q4_0, Type.Q4_1, Type.Q5_0, Type.Q5_1]
BLOCKS_ONLY = [Type.Q2_K, Type.Q3_K, Type.Q4_K, Type.Q5_K, Type.Q6_K]
"""The package reads these and does not write them: any bytes are blocks, of which some are not numbers."""
ERROR = {Type.F32: 0, Type.F16: 1e-3, Type.BF16: 1e-2, Type.Q8_0: 1e-2, Type.Q5_0: 0.06, Type.Q5_1: 0.06}


def apart(name, array):
    """The inverse of the converters' permutation, written as they write it."""
    if "q_proj" not in name and "k_proj" not in name:
        return array
    return array.reshape(len(array) // 32, 16, 2, -1).swapaxes(1, 2).reshape(array.shape)


@pytest.mark.parametrize("kind", ROUNDS_TRIP)
def test_types_that_round_trip(kind, write_gguf, tensors):
    path = write_gguf(lambda array: (gguf.quantize(array, kind), kind))
    checkpoint = open_checkpoint(path)
    for name, tensor in tensors.items():
        rows = checkpoint.rows(name, 0, tensor.shape[0]).float()
        assert rows.shape == tensor.shape
        assert (rows - tensor).norm() <= ERROR.get(kind, 0.12) * tensor.norm()
        if tensor.ndim == 2:
            expected = gguf.dequantize(gguf.quantize(tensor.numpy(), kind), kind)
            assert np.array_equal(rows.numpy(), expected)


@pytest.mark.parametrize("kind", BLOCKS_ONLY)
def test_types_that_are_only_read(kind, write_gguf, tensors):
    block, size = gguf.GGML_QUANT_SIZES[kind]
    random = np.random.default_rng(2)
    written = []

    def stored(array):
        data = random.integers(0, 256, (array.shape[0], array.shape[1] // block * size), dtype=np.uint8)
        written.append(data)
        return data, kind

    checkpoint = open_checkpoint(write_gguf(stored))
    matrices = [name for name, tensor in tensors.items() if tensor.ndim == 2]
    for name, data in zip(matrices, written, strict=True):
        with np.errstate(all="ignore"):
            rows = checkpoint.rows(name, 0, len(data)).numpy()
            assert np.array_equal(rows, apart(name, gguf.dequantize(data, kind)), equal_nan=True)


@pytest.mark.parametrize("name", ["model.layers.1.self_attn.k_proj.weight", "model.layers.1.mlp.up_proj.weight"])
def test_any_rows_can_be_read_alone(name, write_gguf):
    checkpoint = open_checkpoint(write_gguf(lambda array: (gguf.quantize(array, Type.Q4_1), Type.Q4_1)))
    whole = checkpoint.rows(name, 0, 128)
    for start, end in ((0, 1), (5, 77), (31, 33), (100, 128)):
        assert torch.equal(checkpoint.rows(name, start, end), whole[start:end])


def test_both_formats_hold_the_same_model(folder, write_gguf):
    ids = torch.arange(30)[None]
    results = []
    for path in (folder, write_gguf()):
        decoder = load(path, "fp32", "cpu").decoder
        results.append(decoder.read(ids, decoder.make_caches(30), logits="all"))
    assert torch.allclose(*results, atol=1e-5)


def test_rows_of_other_families_are_not_interleaved(write_gguf, tensors):
    name = "model.layers.0.self_attn.q_proj.weight"

    def norms(writer):
        for layer in range(2):
            for part in "qk":
                writer.add_tensor(f"blk.{layer}.attn_{part}_norm.weight", np.ones(32, np.float32))

    checkpoint = open_checkpoint(write_gguf(arch="qwen3", extra=norms))
    assert checkpoint.config.qk_norm
    assert torch.equal(checkpoint.rows(name, 0, 256), tensors[name])


def test_what_the_metadata_says_of_positions(write_gguf):
    factors = np.linspace(1, 8, 16, dtype=np.float32)
    rope = open_checkpoint(write_gguf(extra=lambda w: w.add_tensor("rope_freqs.weight", factors))).config.rope
    assert (rope.kind, rope.divisors) == ("default", tuple(factors.tolist()))

    def yarn(writer):
        writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
        writer.add_rope_scaling_factor(4.0)
        writer.add_rope_scaling_orig_ctx_len(64)

    config = open_checkpoint(write_gguf(extra=yarn)).config
    assert (config.rope.kind, config.rope.factor, config.window) == ("yarn", 4.0, 256)


def test_an_output_matrix_that_is_missing_is_the_embedding(write_gguf):
    assert open_checkpoint(write_gguf(drop=("output.weight",))).config.tied
    assert not open_checkpoint(write_gguf()).config.tied


def test_a_folder_around_one_file(write_gguf):
    path = write_gguf()
    (path.parent / "config.json").write_text("{}")  # hubs keep one beside GGUF files, too
    assert describe(path.parent).config == describe(path).config
    (path.parent / "another.gguf").write_bytes(b"")
    with pytest.raises(BadModel, match="several GGUF files"):
        describe(path.parent)
