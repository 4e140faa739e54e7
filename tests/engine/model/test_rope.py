"""Angles, by position, however they are asked for."""

import pytest
import torch

from engine.model.config import ModelConfig, RopeConfig
from engine.model.rope import BLOCK, Rotation, frequencies, rotate

CONFIG = ModelConfig(
    architecture="llama",
    vocab=1,
    hidden=32,
    intermediate=1,
    layers=1,
    heads=2,
    kv_heads=1,
    head_width=16,
    norm_epsilon=1e-5,
    window=64,
    tied=True,
    mixers=("full",),
    rope=RopeConfig(theta=100.0, divisors=tuple(float(pair) for pair in range(1, 9))),
)


@pytest.fixture
def rotation():
    return Rotation(CONFIG, 10_000, torch.float32, torch.device("cpu"))


@pytest.mark.parametrize(("at", "count"), [(0, 1), (BLOCK - 3, 6), (700, 1200), (5, 2), (9_000, 1)])
def test_positions_in_any_order(at, count, rotation):
    """Pairs of a head are turned as complex numbers."""
    x = torch.randn(count, 3, 16, generator=torch.Generator().manual_seed(1))
    for position, many in ((0, 4), (at, count)):
        cos, sin = rotation.at(position, many)
    frequency = 100.0 ** -(torch.arange(8) / 8) / torch.arange(1, 9)
    turn = torch.polar(torch.ones(()), torch.arange(at, at + count)[:, None] * frequency)[:, None]
    expected = torch.complex(x[..., :8], x[..., 8:]) * turn
    assert torch.allclose(rotate(x, cos, sin), torch.cat((expected.real, expected.imag), -1), atol=1e-3)


def test_the_length_of_the_text_chooses_only_where_the_kind_says_so():
    plain, _ = frequencies(CONFIG, 10)
    assert torch.equal(plain, frequencies(CONFIG, 10_000)[0])
