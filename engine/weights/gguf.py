"""One GGUF file as a checkpoint. Tensors are dequantised a few rows at a time by the `gguf` package."""

import mmap
from pathlib import Path

import numpy as np
import torch
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType
from gguf.quants import dequantize
from msgspec.structs import replace
from torch import Tensor

from engine.protocol import Precision
from engine.weights import gguf_config, gguf_groups, gguf_header, names
from engine.weights.checkpoint import FLOATS, BadModel, Stored, check
from kernels.group_linear.packing import BLOCK, Groups

SUPPORTED = FLOATS.keys() | {
    *("Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1"),
    *("Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K"),
}
OF_MODEL = {"token_embd": names.EMBEDDING, "output_norm": names.NORM, "output": names.HEAD}
OF_LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
PERMUTED = ("self_attn.q_proj.weight", "self_attn.q_proj.bias", "self_attn.k_proj.weight", "self_attn.k_proj.bias")


class GgufCheckpoint:
    precision: Precision = "auto"

    def __init__(self, path: Path) -> None:
        """BadModel: whatever keeps the file from being a whole, supported checkpoint."""
        try:
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError:
            raise BadModel("the file is missing", path.name) from None
        except (OSError, ValueError) as error:  # ValueError: an empty file cannot be mapped
            raise BadModel(f"the file cannot be read: {error}", path.name) from None
        self._bytes = np.frombuffer(self._map, dtype=np.uint8)
        header = gguf_header.read(self._map, path)
        self.headers = {path: header.head}
        self.name = path.stem  # the name inside is the training run's more often than the model's
        self.tensors = _renamed(header.tensors, path)
        factors = {
            name: self._vector(header.tensors[f"{name}.weight"])
            for name in gguf_config.FACTORS
            if f"{name}.weight" in header.tensors
        }
        self.config = gguf_config.parse(header, self.tensors, factors, path)
        check(self.tensors, names.expected(self.config), path.name)
        # The converter of this family stores the two halves of each q and k head interleaved
        self._interleaved = self.config.architecture == "llama"

    def rows(self, name: str, start: int, end: int) -> Tensor:
        stored = self.tensors[name]
        rows = self._bytes_of(name, start, end)
        shape = (end - start, *stored.shape[1:])
        if stored.dtype in FLOATS:
            return rows.flatten().view(FLOATS[stored.dtype]).view(shape)
        kind = GGMLQuantizationType[stored.dtype]
        # All as one row: the library goes through a matrix by sixteen rows at a time
        return torch.from_numpy(dequantize(rows.view(1, -1).numpy(), kind)).view(shape)

    def groups(self, name: str, start: int, end: int) -> Groups:
        return gguf_groups.groups(self._bytes_of(name, start, end), self.tensors[name].dtype)

    def close(self) -> None:
        """The mapping ends with the last view of it."""
        del self._bytes, self._map

    def _bytes_of(self, name: str, start: int, end: int) -> Tensor:
        """Rows as they are stored, in the model's own order: uint8 [rows, bytes of a row], a copy."""
        stored = self.tensors[name]
        if self._interleaved and name.endswith(PERMUTED):
            width = self.config.head_width
            first = start // width * width
            heads = self._span(stored, first, -(-end // width) * width)
            apart = heads.unflatten(0, (-1, width // 2, 2)).transpose(1, 2).flatten(0, 2)
            return apart[start - first : end - first].contiguous()
        return self._span(stored, start, end)

    def _span(self, stored: Stored, start: int, end: int) -> Tensor:
        row_bytes = (stored.end - stored.start) // stored.shape[0]
        span = self._bytes[stored.start + start * row_bytes : stored.start + end * row_bytes]
        return torch.from_numpy(span.copy()).view(end - start, row_bytes)  # torch takes no read-only memory

    def _vector(self, stored: Stored) -> tuple[float, ...]:
        block, _ = GGML_QUANT_SIZES[GGMLQuantizationType[stored.dtype]]
        if stored.dtype not in FLOATS or block != 1 or len(stored.shape) != 1:
            raise BadModel("the factors of the positions are not plain numbers", stored.file.name)
        return tuple(self._span(stored, 0, stored.shape[0]).flatten().view(FLOATS[stored.dtype]).float().tolist())


def _renamed(tensors: dict[str, Stored], path: Path) -> dict[str, Stored]:
    renamed = {}
    for name, stored in tensors.items():
        stem, _, ending = name.rpartition(".")
        if stem in gguf_config.FACTORS or stem.endswith("attn_rot_embd"):
            continue
        if stored.dtype not in SUPPORTED:
            raise BadModel(f"{name} is stored as {stored.dtype}, which is not supported", path.name)
        if stored.dtype in gguf_groups.KINDS:
            stored = replace(stored, group=BLOCK)
        _, number, part = [*stem.split("."), "", ""][:3]
        if stem in OF_MODEL:
            renamed[OF_MODEL[stem]] = stored
        elif stem == f"blk.{number}.{part}" and number.isdecimal() and part in OF_LAYER:
            renamed[f"{names.layer(int(number))}{OF_LAYER[part]}.{ending}"] = stored
        else:
            renamed[name] = stored  # named as superfluous by the check
    return renamed
