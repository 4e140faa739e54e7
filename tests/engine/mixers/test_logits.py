"""Models of MoBA, NSA and sparse layers against their twin: any length, any pieces, written as read."""

import pytest
import torch

WITHIN = 1e-4
MIXED = ("full", "moba", "nsa", "sparse")
COUNT = 170
FULL = pytest.mark.full


def read(decoder, ids, piece, form="model"):
    caches = decoder.make_caches(len(ids), form=form)
    pieces = [torch.tensor([ids[start : start + piece]]) for start in range(0, len(ids), piece)]
    return torch.cat([decoder.read(part, caches, logits="all", prompt=len(ids))[0] for part in pieces])


def written(decoder, ids, form="model"):
    """Token by token, with compiled products where they can be had."""
    for linear in (decoder.head, *(linear for layer in decoder.layers for linear in layer.linears())):
        linear.use("native" if "native" in linear.products else linear.product)
    caches = decoder.make_caches(len(ids), form=form)
    return torch.stack([decoder.write(torch.tensor([id]), caches, prompt=len(ids))[0] for id in ids])


@pytest.mark.parametrize("piece", [pytest.param(1, marks=FULL), 37, 64, COUNT])
def test_pieces(piece, checkpoint, expected, distance):
    model = checkpoint(*MIXED)
    assert distance(read(model.load(), model.ids(COUNT), piece), expected(model, model.ids(COUNT))) < WITHIN


@pytest.mark.parametrize("count", [1, 8, 15, *(pytest.param(count, marks=FULL) for count in (7, 16, 65))])
def test_lengths(count, checkpoint, expected, distance):
    model = checkpoint(*MIXED)
    assert distance(read(model.load(), model.ids(count), count), expected(model, model.ids(count))) < WITHIN


def test_what_is_written_is_as_if_it_were_read(checkpoint, expected, distance):
    model = checkpoint(*MIXED)
    assert distance(written(model.load(), model.ids(COUNT)), expected(model, model.ids(COUNT))) < WITHIN


def test_choosing_is_not_seeing_all(checkpoint, expected, distance):
    """Or nothing else here would prove that blocks are chosen."""
    model = checkpoint("moba", "moba")
    everything = checkpoint("moba", "moba", moba={"block_size": 16, "topk": 99})
    own = checkpoint("moba", "moba", moba={"block_size": 16, "topk": 1})
    of = {each.path: expected(each, each.ids(COUNT)) for each in (model, everything, own)}
    assert distance(of[model.path], of[everything.path]) > 0.05
    assert distance(of[model.path], of[own.path]) > 0.05


def test_with_as_many_blocks_as_there_are_it_is_full_attention(checkpoint, distance):
    moba, full = checkpoint("moba", "moba", moba={"block_size": 16, "topk": 11}), checkpoint("full", "full")
    assert moba.weights.keys() == full.weights.keys()
    ids = moba.ids(100)
    assert distance(read(moba.load(), ids, 50), read(full.load(), ids, 50)) < 1e-5
    assert distance(written(moba.load(), ids), written(full.load(), ids)) < 1e-5


QWEN3 = {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3"}
CHANGES = [
    pytest.param(("nsa", "moba"), {"num_key_value_heads": 1}, marks=FULL),
    pytest.param(("nsa", "moba"), {"num_key_value_heads": 4}, marks=FULL),
    (("moba", "nsa"), QWEN3),
    pytest.param(("nsa", "moba", "sparse"), {"attention_bias": True}, marks=FULL),
    pytest.param(("nsa",), {}, marks=FULL),
    pytest.param(("moba",), {}, marks=FULL),
    (("moba", "full"), {"moba": {"block_size": 7, "topk": 4}}),
]


@pytest.mark.parametrize(("mixers", "changed"), CHANGES, ids=str)
def test_other_forms(mixers, changed, checkpoint, expected, distance):
    model = checkpoint(*mixers, **changed)
    ids = model.ids(120)
    assert distance(read(model.load(), ids, 50), expected(model, ids)) < WITHIN
    assert distance(written(model.load(), ids), expected(model, ids)) < WITHIN


def test_rows_as_bytes_are_near_and_written_as_read(checkpoint, expected, distance):
    model = checkpoint("moba", "nsa")
    ids = model.ids(120)
    whole = read(model.load(), ids, 120, "int8")
    assert 1e-5 < distance(whole, expected(model, ids)) < 0.1
    assert distance(read(model.load(), ids, 37, "int8"), whole) < 1e-4
    assert distance(written(model.load(), ids, "int8"), whole) < 1e-4


@pytest.mark.parametrize("precision", ["bf16", *(pytest.param(name, marks=FULL) for name in ("int8", "int4"))])
def test_other_precisions_are_near(precision, checkpoint, expected, distance):
    model = checkpoint(*MIXED)
    ids = model.ids(100)
    assert (
        1e-4 < distance(read(model.load(precision), ids, 60), expected(model, ids)) < {"int4": 0.6}.get(precision, 0.1)
    )
