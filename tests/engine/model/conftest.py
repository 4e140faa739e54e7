"""Tiny random checkpoints, written by transformers itself, and its logits for them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from torch import Tensor

SIZES = {
    "vocab_size": 120,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "max_position_embeddings": 128,
    "initializer_range": 0.2,
    "bos_token_id": None,
    "eos_token_id": None,
}
FAMILIES = {"llama": "Llama", "mistral": "Mistral", "qwen2": "Qwen2", "qwen3": "Qwen3"}

Make = Callable[..., tuple[Path, transformers.PreTrainedModel]]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """make(family, **configuration) -> the folder and transformers' model. Options: `shard`, `dtype`."""

    def made(family: str, *, shard: str = "1GB", dtype: torch.dtype = torch.float32, **options: Any) -> Any:
        torch.manual_seed(7)
        config = getattr(transformers, FAMILIES[family] + "Config")(**SIZES | options)
        model = getattr(transformers, FAMILIES[family] + "ForCausalLM")(config).eval()
        for parameter in model.parameters():
            if parameter.ndim == 1:  # norms are all ones and biases all zeros until somebody trains them
                torch.nn.init.uniform_(parameter.data, 0.5, 1.5)
        model = model.to(dtype)
        folder = tmp_path / family
        model.save_pretrained(folder, max_shard_size=shard)
        return folder, model

    return made


@pytest.fixture
def tokens() -> Tensor:
    """[1, 100] ids."""
    return torch.randint(0, SIZES["vocab_size"], (1, 100), generator=torch.Generator().manual_seed(3))


@pytest.fixture
def reference() -> Callable[[transformers.PreTrainedModel, Tensor], Tensor]:
    """transformers' logits of all positions, float32 [B, T, vocab], read in one piece."""

    @torch.inference_mode()
    def logits(model: transformers.PreTrainedModel, ids: Tensor) -> Tensor:
        return model(ids).logits.float()

    return logits


@pytest.fixture
def distance() -> Callable[[Tensor, Tensor], float]:
    """Norm of the difference over the norm of the second; NaN is below nothing."""
    return lambda ours, theirs: ((ours - theirs).norm() / theirs.norm()).item()
