"""Rows as bytes: seen as what they stand for, however they came there, and half as large."""

import pytest
import torch

from engine.memory import planner
from engine.memory.held import ByteRows, ModelRows
from engine.memory.planner import plan
from engine.protocol import ModelSettings
from kernels import row_bytes

CPU = torch.device("cpu")
WIDTH, HEADS = 32, 2


def made(count, seed=0, dtype=torch.float32):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(2, 1, HEADS, count, WIDTH, generator=generator).to(dtype)


def stood_for(rows):
    return row_bytes.unpack(*row_bytes.pack(rows), rows.dtype)


@pytest.fixture
def held():
    """100 rows, and what they stand for as the model would hold it."""
    rows = ByteRows(1, HEADS, WIDTH, torch.float32, CPU)
    exact = ModelRows(1, HEADS, WIDTH, torch.float32, CPU, in_order=True)
    keys, values = made(100)
    for one in (rows, exact):
        one.grow(150, 0)
    rows.put(keys[:, :, :37], values[:, :, :37], 0)
    rows.put(keys[:, :, 37:], values[:, :, 37:], 37)
    exact.put(stood_for(keys), stood_for(values), 0)
    return rows, exact


def test_a_row_is_what_it_stands_for(held):
    rows, exact = held
    for one, other in zip(rows.part(20, 100), exact.part(20, 100), strict=True):
        assert torch.equal(one, other)
    assert rows.bytes() == 2 * 150 * HEADS * (WIDTH + 4)


def test_growing_keeps_what_is_held(held):
    rows, _ = held
    before = [part.clone() for part in rows.part(0, 100)]
    rows.grow(300, 100)
    assert rows.allocated == 300
    assert all(map(torch.equal, rows.part(0, 100), before))


def test_queries_see_the_same_as_over_rounded_rows(held):
    rows, exact = held
    q = made(3, 1)[0].repeat_interleave(2, 1)
    torch.testing.assert_close(rows.attend(q, 100, 0.2), exact.attend(q, 100, 0.2), rtol=1e-5, atol=1e-6)
    for window in (None, 30):
        one, other = (held.write(q[:, :, 0], 89, window, 0.2) for held in (rows, exact))
        torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("at", "chosen"),
    [
        (99, [[0, 2, 5, 6], [1, 2, 3, 6]]),
        (96, [[0, 2, 5, 6], [1, 2, 3, 6]]),
        (20, [[0, 1, -1, -1], [0, 1, -1, -1]]),
        (0, [[0, -1, -1, -1], [0, -1, -1, -1]]),
    ],
)
def test_chosen_blocks_are_those_of_rounded_rows(held, at, chosen):
    rows, exact = held
    q = made(1, 2)[0].repeat_interleave(2, 1)
    blocks = torch.tensor([chosen], dtype=torch.int32)
    one, other = (part.write_chosen(q[:, :, 0], blocks, at, 16, 0.2) for part in (rows, exact))
    torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-6)
    one, other = (part.attend_chosen(q, blocks[:, :, None], at, 16, 0.2) for part in (rows, exact))
    torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-6)


def test_saved_rows_are_the_same_bytes(held):
    rows, _ = held
    other = ByteRows(1, HEADS, WIDTH, torch.float32, CPU)
    other.grow(120, 0)
    other.take({name: tensor.clone() for name, tensor in rows.tensors(0, 100).items()})
    assert all(map(torch.equal, other.part(0, 100), rows.part(0, 100)))


def test_the_plan_counts_them_exactly(small_model):
    about = ModelSettings(str(small_model), "int8", window=300, device="cpu", kv="int8")
    planned = plan(small_model, about)
    assert (
        planned.kv == 300 * 30 * 2 * 3 * (64 + 4) == 300 * planner.kv_token_int8(planner.describe(small_model).config)
    )
