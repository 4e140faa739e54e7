"""Rows of one segment in every layer, as they are kept between questions: they never grow and are never written to."""

from dataclasses import dataclass

import torch
from torch import Tensor

from engine.memory.caches import Caches
from engine.memory.held import Form
from kernels import full_attention, row_bytes


@dataclass(frozen=True)
class SegmentRows:
    """`keys`, `values` [L, Hkv, R, D]: as the model computes them, or int8 with `key_scales`, `value_scales` fp32
    [L, Hkv, R]. Keys are turned to positions 0 to R - 1."""

    keys: Tensor
    values: Tensor
    key_scales: Tensor | None = None
    value_scales: Tensor | None = None

    @classmethod
    def taken(cls, caches: Caches, text: int, count: int, form: Form) -> "SegmentRows":
        """Copies of the first `count` rows of text number `text` of the caches' batch: in this form, or as bytes where
        they are held so."""
        layers = [layer.held.tensors(text, count) for layer in caches]
        made = cls.of({name: torch.stack([layer[name] for layer in layers]) for name in layers[0]})
        return made.packed() if form == "int8" else made

    @classmethod
    def of(cls, tensors: dict[str, Tensor]) -> "SegmentRows":
        """From what `tensors` gave."""
        return cls(tensors["keys"], tensors["values"], tensors.get("key_scales"), tensors.get("value_scales"))

    def to(self, device: torch.device) -> "SegmentRows":
        """On this device; what is there already is not copied."""
        return SegmentRows.of({name: tensor.to(device) for name, tensor in self.tensors().items()})

    def tensors(self) -> dict[str, Tensor]:
        """By name, to be saved."""
        named = {
            "keys": self.keys,
            "values": self.values,
            "key_scales": self.key_scales,
            "value_scales": self.value_scales,
        }
        return {name: tensor for name, tensor in named.items() if tensor is not None}

    @property
    def form(self) -> Form:
        return "model" if self.key_scales is None else "int8"

    @property
    def count(self) -> int:
        return self.keys.shape[2]

    def bytes(self) -> int:
        return sum(tensor.nbytes for tensor in self.tensors().values())

    def packed(self) -> "SegmentRows":
        """As int8; what is so already as it is."""
        if self.form == "int8":
            return self
        (keys, key_scales), (values, value_scales) = row_bytes.pack(self.keys), row_bytes.pack(self.values)
        return SegmentRows(keys, values, key_scales, value_scales)

    def part(self, first: int, start: int, end: int) -> "SegmentRows":
        """Rows 0 to `first` and `start` to `end`, turned as they are: copies."""

        def taken(tensor: Tensor | None) -> Tensor | None:
            return None if tensor is None else torch.cat((tensor[:, :, :first], tensor[:, :, start:end]), 2)

        keys, values = taken(self.keys), taken(self.values)
        assert keys is not None
        assert values is not None
        return SegmentRows(keys, values, taken(self.key_scales), taken(self.value_scales))

    def layer(self, number: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """Keys and values [Hkv, R, D] of a layer in `dtype`."""
        keys, values = self.keys[number], self.values[number]
        if self.key_scales is None or self.value_scales is None:
            return keys, values
        return (
            row_bytes.unpack(keys, self.key_scales[number], dtype),
            row_bytes.unpack(values, self.value_scales[number], dtype),
        )

    def beside(self, number: int, q: Tensor, own_keys: Tensor, own_values: Tensor, scale: float) -> Tensor:
        """`full_attention.beside` over a layer's rows: q [1, Hq, T, D], own [1, Hkv, T, D] -> [1, Hq, T, D]."""
        keys, values = self.keys[number][None], self.values[number][None]
        if self.key_scales is None or self.value_scales is None:
            return full_attention.beside(q, keys, values, own_keys, own_values, scale)
        scales = self.key_scales[number][None], self.value_scales[number][None]
        return full_attention.beside_bytes(q, keys, scales[0], values, scales[1], own_keys, own_values, scale)
