"""GPTQ checkpoints of every kind: what was packed is read again, and runs as it is stored."""

import json

import pytest
import torch
from safetensors.torch import save_file

from engine.memory import planner
from engine.weights import BadModel, describe, gptq, load, open_checkpoint
from kernels.dispatch import relative
from kernels.group_linear import GroupLinear, cpu

MATRIX = "model.layers.1.self_attn.k_proj.weight"
VARIANTS = [
    (bits, group, sym, ordered, version)
    for bits in (4, 8)
    for group in (-1, 32, 64, 128)
    for sym, ordered, version in ((True, False, 1), (False, True, 2), (False, False, 1), (True, True, 2))
]


def quantised(weight, bits, group, *, sym, ordered, version, random):
    """The parts of a matrix, made the plain way, and what they stand for."""
    rows, columns = weight.shape
    size = columns if group == -1 else group
    index = torch.arange(columns) // size
    if ordered:
        index = index[torch.randperm(columns, generator=random)]
    steps = torch.randint(0, 1 << bits, (rows, columns), generator=random)
    zeros = torch.full((rows, columns // size), 1 << bits - 1)
    if not sym:
        zeros = torch.randint(int(version == 1), 1 << bits, zeros.shape, generator=random)
    scales = (0.2 * torch.rand(zeros.shape, generator=random) / (1 << bits)).half()
    made = (steps - zeros[:, index]) * scales[:, index].float()
    return gptq.stored(steps, zeros, scales, index, bits, version), made


@pytest.fixture
def checkpoint(tmp_path, tensors):
    """checkpoint(bits, group, sym, ordered, version): a folder, and its matrices as floats."""
    from .conftest import CONFIG

    def made(bits, group, sym, ordered, version, how=None):
        folder = tmp_path / "quantised"
        folder.mkdir(exist_ok=True)
        random = torch.Generator().manual_seed(bits + group + version)
        kept, floats = {}, {}
        for name, tensor in tensors.items():
            if name.endswith("_proj.weight"):
                about = {"sym": sym, "ordered": ordered, "version": version, "random": random}
                parts, floats[name] = quantised(tensor, bits, group, **about)
                kept |= {f"{name.removesuffix('.weight')}.{part}": each for part, each in parts.items()}
            else:
                kept[name] = floats[name] = tensor
        save_file(kept, folder / "model.safetensors")
        told = {"quant_method": "gptq", "bits": bits, "group_size": group, "sym": sym, "desc_act": ordered}
        told |= {"checkpoint_format": "gptq" if version == 1 else "gptq_v2"}
        (folder / "config.json").write_text(json.dumps(CONFIG | {"quantization_config": told}))
        return folder, floats

    return made


@pytest.mark.parametrize("bits", [4, 8])
def test_words(bits):
    numbers = torch.randint(0, 1 << bits, (64, 5), generator=torch.Generator().manual_seed(0), dtype=torch.uint8)
    words = gptq.woven(numbers, bits)
    assert words.dtype is torch.int32
    assert words.shape == (64 * bits // 32, 5)
    assert words[0, 0] & (1 << bits) - 1 == numbers[0, 0]
    assert words[0, 3] >> bits & (1 << bits) - 1 == numbers[1, 3]
    assert torch.equal(gptq.unwoven(words, bits), numbers)


def test_a_symmetric_zero_of_the_first_version_is_a_known_word():
    zeros = torch.full((8, 1), 8)
    parts = gptq.stored(torch.zeros(8, 32), zeros, zeros.half(), torch.zeros(32), 4)
    assert parts["qzeros"].tolist() == [[0x77777777]]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_what_was_packed_is_read_again(variant, checkpoint):
    folder, floats = checkpoint(*variant)
    opened = open_checkpoint(folder)
    stored = opened.tensors[MATRIX]
    assert (stored.shape, stored.ordered) == ((128, 256), variant[3] and variant[1] != -1)
    for start, end in ((0, 128), (5, 77), (31, 33)):
        expected = floats[MATRIX][start:end]
        assert torch.allclose(opened.rows(MATRIX, start, end), expected, rtol=1e-6)
        groups = opened.groups(MATRIX, start, end)
        assert relative(GroupLinear(groups, torch.float32).dequantized(), expected) < 1e-3
        assert groups.bits == variant[0]
        assert relative(groups.in_order(expected), cpu.dequantized(groups, torch.float32)) < 1e-3


@pytest.mark.parametrize("variant", VARIANTS[::7], ids=str)
def test_it_runs_as_it_is_stored(variant, checkpoint):
    folder, floats = checkpoint(*variant)
    whole = folder.parent / "whole"
    whole.mkdir()
    config = json.loads((folder / "config.json").read_text())
    del config["quantization_config"]
    (whole / "config.json").write_text(json.dumps(config))
    save_file({name: tensor.contiguous() for name, tensor in floats.items()}, whole / "model.safetensors")
    ids = torch.arange(30)
    results = []
    for path, precision in ((whole, "fp32"), (folder, "fp32"), (folder, "auto")):
        loaded = load(path, precision, "cpu")
        decoder = loaded.decoder
        caches = decoder.make_caches(31)
        read = decoder.read(ids[None], caches, logits="last")
        results.append(torch.cat((read, decoder.write(ids[:1], caches))))
    assert relative(results[1], results[0]) < 1e-4
    assert relative(results[2], results[0]) < 0.05
    bits = variant[0]
    assert loaded.precision == f"int{bits}"
    assert {linear.kind for linear in decoder.layers[0].linears()} == {f"int{bits} in groups"}
    assert decoder.head.parts[0].kind == "dense", "it was left alone"
    described = describe(folder)
    counted = planner.weight_bytes(described.config, f"int{bits}", decoder.dtype.itemsize, described.tensors)
    assert counted == loaded.bytes


def test_settings_beside_the_configuration(checkpoint):
    folder, floats = checkpoint(4, 64, True, False, 1)
    config = json.loads((folder / "config.json").read_text())
    told = config.pop("quantization_config")
    del told["quant_method"]
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "quantize_config.json").write_text(json.dumps(told))
    assert torch.allclose(open_checkpoint(folder).rows(MATRIX, 0, 128), floats[MATRIX], rtol=1e-6)


@pytest.mark.parametrize(
    ("part", "spoilt", "words"),
    [
        ("qzeros", None, "has no qzeros"),
        ("scales", torch.ones(3, 128), "do not fit"),
        ("g_idx", torch.arange(256, dtype=torch.int32) // 64 - 1, "negative"),
        ("g_idx", torch.zeros(256, dtype=torch.int32), "different sizes"),
        ("qweight", torch.zeros(32, 128), "right kinds"),
    ],
)
def test_parts_that_do_not_fit_are_refused(part, spoilt, words, checkpoint):
    from safetensors.torch import load_file

    folder, _ = checkpoint(4, 64, True, False, 1)
    tensors = load_file(folder / "model.safetensors")
    name = f"{MATRIX.removesuffix('.weight')}.{part}"
    if spoilt is None:
        del tensors[name]
    else:
        tensors[name] = spoilt
    save_file(tensors, folder / "model.safetensors")
    with pytest.raises(BadModel, match=words):
        load(folder, "auto", "cpu")
