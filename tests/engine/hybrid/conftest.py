"""Small random checkpoints in MiniCPM-SALA's released form."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from engine.weights import hub_config, load, names
from tests.engine.hybrid.twin import LIGHTNING, Twin

SPARSE = "minicpm4"
CONFIG: dict[str, Any] = {
    "architectures": ["MiniCPMSALAForCausalLM"],
    "model_type": "minicpm_sala",
    "auto_map": {"AutoModelForCausalLM": "modeling_minicpm_sala.MiniCPMSALAForCausalLM"},
    "hidden_size": 64,
    "num_hidden_layers": 6,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "intermediate_size": 96,
    "vocab_size": 160,
    "hidden_act": "silu",
    "rms_norm_eps": 1e-6,
    "rope_theta": 10000.0,
    "rope_scaling": None,
    "max_position_embeddings": 4096,
    "attention_bias": False,
    "tie_word_embeddings": False,
    "scale_emb": 12,
    "scale_depth": 1.4,
    "dim_model_base": 256,
    "mup_denominator": 32,
    "qk_norm": True,
    "use_output_norm": True,
    "use_output_gate": True,
    "attn_use_rope": False,
    "attn_use_output_gate": True,
    "lightning_nh": 4,
    "lightning_nkv": 4,
    "lightning_head_dim": 16,
    "lightning_scale": "1/sqrt(d)",
    "lightning_use_rope": True,
    "mixer_types": [SPARSE, LIGHTNING, LIGHTNING, SPARSE, LIGHTNING, SPARSE],
    "sparse_config": {
        "kernel_size": 8,
        "kernel_stride": 4,
        "init_blocks": 1,
        "block_size": 16,
        "window_size": 64,
        "topk": 4,
        "use_nope": False,
        "dense_len": 128,
    },
}


class Checkpoint:
    """`path`: a folder with it."""

    def __init__(self, path: Path, seed: int, **changed: Any) -> None:
        sizes = CONFIG["sparse_config"] | changed.pop("sparse_config", {})
        self.path, self.config = path, CONFIG | changed | {"sparse_config": sizes}
        path.mkdir(parents=True)
        (path / "config.json").write_text(json.dumps(self.config))
        random = torch.Generator().manual_seed(seed)
        self.weights = {}
        for name, shape in names.expected(hub_config.parse(path / "config.json")).items():
            drawn = torch.randn(shape, generator=random)
            self.weights[name] = 1 + 0.2 * drawn if len(shape) == 1 else drawn * 1.5 / shape[1] ** 0.5
        self.weights[names.EMBEDDING] *= 0.5
        save_file(self.weights, path / "model.safetensors")

    def twin(self, normaliser: str = "coarse") -> Twin:
        return Twin(self.weights, self.config, normaliser)

    def load(self, precision: str = "fp32"):
        return load(self.path, precision, "cpu").decoder  # type: ignore[arg-type]

    def ids(self, count: int, seed: int = 5) -> list[int]:
        random = torch.Generator().manual_seed(seed)
        return torch.randint(self.config["vocab_size"], (count,), generator=random).tolist()


@pytest.fixture(autouse=True)
def one_thread():
    """Operations on so small a model cost less than what two threads say to each other about them."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def distance():
    """Norm of the difference over norm of the second."""

    def measure(ours: torch.Tensor, theirs: torch.Tensor) -> float:
        theirs = theirs.double()
        return ((ours.double() - theirs).norm() / theirs.norm()).item()

    return measure


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory):
    """Made once for each seed and what is changed in the configuration."""
    made: dict[str, Checkpoint] = {}

    def make(seed: int = 0, **changed: Any) -> Checkpoint:
        key = json.dumps([seed, changed], sort_keys=True)
        if key not in made:
            made[key] = Checkpoint(tmp_path_factory.mktemp("sala") / "model", seed, **changed)
        return made[key]

    return make
