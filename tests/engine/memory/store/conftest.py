"""A store in a folder that is not there yet, and rows to put in it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.memory.store import Made, Store

MADE = Made("f" * 64, "bf16", "e" * 64, "d" * 64, "parallel", "model", "a model")


@pytest.fixture
def made() -> Made:
    return MADE


@pytest.fixture
def whole() -> Made:
    return replace(MADE, mode="whole")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "readings"


@pytest.fixture
def store(folder: Path) -> Store:
    return Store(folder)


@pytest.fixture
def rows():
    """Rows of `count` tokens, no two alike, in every dtype that caches have; with their tokens."""

    def make(count: int = 40, seed: int = 1) -> tuple[np.ndarray, dict[str, torch.Tensor]]:
        generator = torch.Generator().manual_seed(seed)
        noise = torch.randn(1, 2, count, 8, generator=generator)
        tensors = {
            "0.keys": noise.bfloat16(),
            "0.values": (noise * 30).to(torch.int8),
            "0.scales": noise[..., 0].float(),
            "1.keys": noise.bfloat16().transpose(1, 2),  # not contiguous
        }
        return torch.randint(0, 50_000, (count,), generator=generator).numpy().astype(np.int32), tensors

    return make


@pytest.fixture
def put(store: Store, made: Made, rows):
    """Saves a block and returns its key and its tokens."""

    def save(seed: int, count: int = 40) -> tuple[str, np.ndarray]:
        ids, tensors = rows(count, seed)
        return store.put(made, ids, tensors), ids

    return save
