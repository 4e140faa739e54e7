"""Small checkpoints of both formats, written by the formats' own libraries, and their ingredients."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor

CONFIG: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "vocab_size": 40,
    "hidden_size": 256,
    "intermediate_size": 256,
    "num_hidden_layers": 2,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "max_position_embeddings": 64,
    "rms_norm_eps": 1e-5,
    "rope_theta": 10000.0,
}
WIDTH = 32
SHAPES: dict[str, tuple[int, ...]] = {
    "model.embed_tokens.weight": (40, 256),
    "model.norm.weight": (256,),
    "lm_head.weight": (40, 256),
} | {
    f"model.layers.{layer}.{name}.weight": shape
    for layer in range(2)
    for name, shape in {
        "input_layernorm": (256,),
        "self_attn.q_proj": (256, 256),
        "self_attn.k_proj": (128, 256),
        "self_attn.v_proj": (128, 256),
        "self_attn.o_proj": (256, 256),
        "post_attention_layernorm": (256,),
        "mlp.gate_proj": (256, 256),
        "mlp.up_proj": (256, 256),
        "mlp.down_proj": (256, 256),
    }.items()
}


@pytest.fixture(scope="session")
def tensors() -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(1)
    return {name: torch.randn(shape, generator=generator) * 0.1 for name, shape in SHAPES.items()}


@pytest.fixture
def folder(tmp_path: Path, tensors: dict[str, Tensor]) -> Path:
    """A whole checkpoint that the tests then spoil."""
    path = tmp_path / "model"
    path.mkdir()
    (path / "config.json").write_text(json.dumps(CONFIG))
    save_file(tensors, path / "model.safetensors")
    return path


def interleaved(name: str, array: np.ndarray) -> np.ndarray:
    """As converters store the q and k rows of a Llama: the two halves of a head in turns."""
    if "q_proj" not in name and "k_proj" not in name:
        return array
    out = np.empty_like(array)
    for head in range(0, len(array), WIDTH):
        out[head : head + WIDTH : 2] = array[head : head + WIDTH // 2]
        out[head + 1 : head + WIDTH : 2] = array[head + WIDTH // 2 : head + WIDTH]
    return out


@pytest.fixture
def write_gguf(tmp_path: Path, tensors: dict[str, Tensor]) -> Callable[..., Path]:
    """write_gguf(stored=..., drop=..., extra=..., arch=...): matrices go through `stored(array)` to (array, type);
    `extra(writer)` adds to the file."""
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, 2)

    def written(
        stored: Callable[[np.ndarray], tuple[np.ndarray, gguf.GGMLQuantizationType | None]] = lambda array: (
            array,
            None,
        ),
        *,
        drop: tuple[str, ...] = (),
        extra: Callable[[gguf.GGUFWriter], None] = lambda writer: None,
        arch: str = "llama",
        metadata: bool = True,
    ) -> Path:
        path = tmp_path / "model.gguf"
        writer = gguf.GGUFWriter(path, arch)
        if metadata:
            writer.add_context_length(64)
            writer.add_embedding_length(256)
            writer.add_block_count(2)
            writer.add_feed_forward_length(256)
            writer.add_head_count(8)
            writer.add_head_count_kv(4)
            writer.add_layer_norm_rms_eps(1e-5)
            writer.add_rope_freq_base(10000.0)
            writer.add_array("tokenizer.ggml.tokens", ["a", "bc", "日本"])
            writer.add_array("tokenizer.ggml.scores", [0.5, 1.5])
        extra(writer)
        for name, tensor in tensors.items():
            gguf_name = names.get_name(name, (".weight",))
            if gguf_name in drop:
                continue
            array, kind = tensor.numpy(), None
            if arch == "llama":
                array = interleaved(name, array)
            if array.ndim == 2:
                array, kind = stored(array)
            writer.add_tensor(gguf_name, array, raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        return path

    return written
