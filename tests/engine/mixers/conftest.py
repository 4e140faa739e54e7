"""Small random checkpoints whose layers are full, MoBA, NSA and sparse."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from engine.weights import hub_config, load, names
from tests.engine.hybrid.conftest import distance, one_thread
from tests.engine.mixers.twin import Twin

__all__ = ["distance", "one_thread"]

MOBA = {"block_size": 16, "topk": 3}
NSA = {
    "kernel_size": 8,
    "kernel_stride": 4,
    "compress_size": 24,
    "block_size": 16,
    "topk": 5,
    "init_blocks": 1,
    "local_blocks": 2,
    "window_size": 40,
    "gate_size": 12,
}
SPARSE = {
    "kernel_size": 8,
    "kernel_stride": 4,
    "init_blocks": 1,
    "block_size": 16,
    "window_size": 32,
    "topk": 3,
    "dense_len": 64,
}
GIVEN = {"moba": ("moba", MOBA), "nsa": ("nsa", NSA), "sparse": ("sparse_config", SPARSE)}
CONFIG: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 48,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "intermediate_size": 64,
    "vocab_size": 160,
    "hidden_act": "silu",
    "rms_norm_eps": 1e-6,
    "rope_theta": 10000.0,
    "rope_scaling": None,
    "max_position_embeddings": 4096,
    "tie_word_embeddings": False,
}


class Checkpoint:
    """`path`: a folder with it. `mixers`: of its layers."""

    def __init__(self, path: Path, mixers: tuple[str, ...], **changed: Any) -> None:
        given = dict(GIVEN[kind] for kind in mixers if kind in GIVEN)
        self.path = path
        self.config = CONFIG | given | {"num_hidden_layers": len(mixers), "mixer_types": list(mixers)} | changed
        path.mkdir(parents=True)
        (path / "config.json").write_text(json.dumps(self.config))
        random = torch.Generator().manual_seed(0)
        self.weights = {}
        for name, shape in names.expected(hub_config.parse(path / "config.json")).items():
            drawn = torch.randn(shape, generator=random)
            plain = name.endswith((".bias", ".position"))
            self.weights[name] = (
                drawn * 1.5 / shape[1] ** 0.5 if len(shape) == 2 else 0.3 * drawn if plain else 1 + 0.2 * drawn
            )
        save_file(self.weights, path / "model.safetensors")

    def twin(self) -> Twin:
        return Twin(self.weights, self.config)

    def load(self, precision: str = "fp32"):
        return load(self.path, precision, "cpu").decoder  # type: ignore[arg-type]

    def ids(self, count: int, seed: int = 5) -> list[int]:
        random = torch.Generator().manual_seed(seed)
        return torch.randint(self.config["vocab_size"], (count,), generator=random).tolist()


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory):
    """Made once for its mixers and what is changed in the configuration."""
    made: dict[str, Checkpoint] = {}

    def make(*mixers: str, **changed: Any) -> Checkpoint:
        key = json.dumps([mixers, changed], sort_keys=True)
        if key not in made:
            made[key] = Checkpoint(tmp_path_factory.mktemp("mixers") / "model", mixers, **changed)
        return made[key]

    return make


@pytest.fixture(scope="session")
def expected():
    """The twin's logits [T, vocab] of so many tokens, computed once for each model."""
    made: dict[tuple[Path, tuple[int, ...]], torch.Tensor] = {}

    def of(model: Checkpoint, ids) -> torch.Tensor:
        key = model.path, tuple(ids)
        if key not in made:
            made[key] = model.twin().read(list(ids))
        return made[key]

    return of
