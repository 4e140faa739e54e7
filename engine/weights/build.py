"""A checkpoint's tensors to a decoder: one copy, in the precision asked for, a few rows at a time."""

import itertools
from collections.abc import Callable

import torch
from torch import Tensor

from engine.model.config import NSA_BRANCHES, MixerKind, ModelConfig
from engine.model.decoder import Decoder, Layer, Stopped
from engine.model.gate import Output
from engine.model.layers import MLP, Embedding, Linear, Norm
from engine.model.lightning import LightningAttention
from engine.model.mixers import FullAttention, Mixer, SlidingAttention
from engine.model.moba import MobaAttention
from engine.model.nsa import NsaAttention, WindowMLP
from engine.model.sparse import SparseAttention
from engine.protocol import Precision
from engine.weights import names
from engine.weights.checkpoint import Checkpoint
from engine.weights.forms import Form, form
from engine.weights.quantize import in_groups, per_row
from kernels.dense_linear import DenseLinear
from kernels.group_linear import GroupLinear
from kernels.group_linear.packing import Groups
from kernels.low_bit_linear import Int8Linear
from kernels.stacked_linear import Part, StackedLinear

PLAIN: dict[MixerKind, type[FullAttention]] = {
    "full": FullAttention,
    "sliding": SlidingAttention,
    "moba": MobaAttention,
}
"""Mixers of queries, keys and values alone."""
CHUNK = 2 * 1024 * 1024
"""Elements converted at once: what loading needs beside the weights themselves."""


class Builder:
    """`dtype` is that of the activations; int8 weights have their scales in it."""

    def __init__(
        self,
        checkpoint: Checkpoint,
        precision: Precision,
        dtype: torch.dtype,
        device: torch.device,
        progress: Callable[[int, int], None],
        stopped: Callable[[], bool],
    ) -> None:
        self.checkpoint = checkpoint
        self.precision = precision
        self.dtype = dtype
        self.device = device
        self._progress = progress
        self._stopped = stopped
        self._done = 0
        self._total = sum(stored.end - stored.start for stored in checkpoint.tensors.values())
        self.bytes = 0
        """Of all weights built so far."""

    def decoder(self, config: ModelConfig) -> Decoder:
        """`config`: the checkpoint's own, or that with its positions stretched. Raises Stopped."""
        weight, scales = self._matrix([names.EMBEDDING], self._form(names.EMBEDDING))
        embedding = Embedding(weight, scales, self.dtype, config.embedding_scale)
        self.bytes += weight.nbytes + (0 if scales is None else scales.nbytes)
        layers = [self._layer(config, number) for number in range(config.layers)]
        norm = self._norm(names.NORM)
        head = self._wrapped(weight, scales, None) if config.tied else self._linear([names.HEAD], biased=False)
        return Decoder(config, embedding, layers, norm, head, self.dtype, self.device)

    def _layer(self, config: ModelConfig, number: int) -> Layer:
        prefix = names.layer(number)
        mlp = prefix + "mlp."
        return Layer(
            self._norm(prefix + "input_layernorm.weight"),
            self._mixer(config, config.mixers[number], prefix),
            self._norm(prefix + "post_attention_layernorm.weight"),
            MLP(
                self._linear([mlp + "gate_proj.weight", mlp + "up_proj.weight"], biased=config.mlp_bias),
                self._linear([mlp + "down_proj.weight"], biased=config.mlp_bias),
                config.branch_scale,
            ),
        )

    def _mixer(self, config: ModelConfig, kind: MixerKind, prefix: str) -> Mixer:
        attention = prefix + "self_attn."
        parts = [attention + name + ".weight" for name in ("q_proj", *names.kv_names(kind))]
        qkv = self._linear(parts, biased=config.qkv_bias)
        out = self._linear([attention + "o_proj.weight"], biased=config.out_bias)
        if kind in PLAIN:
            heads = (config.heads, config.kv_heads)
            return PLAIN[kind](config, qkv, out, self._qk_norm(attention, *heads) if config.qk_norm else None)
        if kind == "nsa":
            return self._nsa(config, prefix, qkv, out)
        name, lightning = names.gate_name(config, kind), config.lightning
        gate = None if name is None else self._linear([prefix + name], biased=False)
        if kind == "sparse":
            return SparseAttention(config, qkv, Output(out, gate, None, config.branch_scale))
        assert lightning is not None
        norm = self._norm(prefix + names.OUT_NORM) if lightning.out_normed else None
        qk_norm = self._qk_norm(attention, lightning.heads, lightning.heads) if lightning.normed else None
        return LightningAttention(config, qkv, Output(out, gate, norm, config.branch_scale), qk_norm)

    def _nsa(self, config: ModelConfig, prefix: str, qkv: Linear, out: Linear) -> NsaAttention:
        def pair(name: str) -> tuple[Linear, Linear]:
            up, down = (self._linear([f"{prefix}{name}{part}_proj.weight"], biased=False) for part in ("up", "down"))
            return up, down

        mlps = (WindowMLP(self._vector(prefix + name + "position"), *pair(name)) for name in names.NSA_MLP.values())
        keys, values = mlps
        self.bytes += keys.position.nbytes + values.position.nbytes
        heads = (config.heads, len(NSA_BRANCHES) * config.kv_heads)
        qk_norm = self._qk_norm(prefix + "self_attn.", *heads) if config.qk_norm else None
        return NsaAttention(config, qkv, out, *pair(names.NSA_GATE), (keys, values), qk_norm)

    def _linear(self, weights: list[str], *, biased: bool) -> Linear:
        """One product from matrices that share their input, stacked in the order given."""
        parts = []
        # Columns are sorted in an order of each matrix's own
        forms = {name: (self._form(name), name if self._form(name).ordered else "") for name in weights}
        for (own, _), alike in itertools.groupby(weights, forms.__getitem__):
            parts.append(self._part(list(alike), own, biased=biased))
            self.bytes += parts[-1].nbytes
        return parts[0] if len(parts) == 1 else StackedLinear(parts)

    def _part(self, weights: list[str], own: Form, *, biased: bool) -> Part:
        bias = None
        if biased:
            bias = torch.cat([self._vector(name.removesuffix("weight") + "bias") for name in weights])
        if own.group:
            return GroupLinear(self._groups(weights, own), self.dtype, bias)
        return self._wrapped(*self._matrix(weights, own), bias)

    def _form(self, name: str) -> Form:
        stored = self.checkpoint.tensors[name]
        return form(name, stored.shape, self.precision, stored)

    def _wrapped(self, weight: Tensor, scales: Tensor | None, bias: Tensor | None) -> Part:
        return DenseLinear(weight, bias) if scales is None else Int8Linear(weight, scales, bias)

    def _norm(self, name: str) -> Norm:
        weight = self._vector(name)
        self.bytes += weight.nbytes
        return Norm(weight, self.checkpoint.config.norm_epsilon)

    def _qk_norm(self, prefix: str, heads: int, kv_heads: int) -> Norm:
        """Both norms' weights for every head [Hq + Hkv, D], so that q and k pass through one operation."""
        q, k = self._vector(prefix + "q_norm.weight"), self._vector(prefix + "k_norm.weight")
        weight = torch.cat((q.expand(heads, -1), k.expand(kv_heads, -1)))
        self.bytes += q.nbytes + k.nbytes
        return Norm(weight, self.checkpoint.config.norm_epsilon)

    def _vector(self, name: str) -> Tensor:
        size = self.checkpoint.tensors[name].shape[0]
        vector = torch.empty(size, dtype=self.dtype, device=self.device)
        vector.copy_(self._rows(name, 0, size))
        return vector

    def _matrix(self, weights: list[str], own: Form) -> tuple[Tensor, Tensor | None]:
        """Matrices stacked by rows: [out, in], with the rows' scales [out] when they are int8."""
        shapes = [self.checkpoint.tensors[name].shape for name in weights]
        rows, columns = sum(shape[0] for shape in shapes), shapes[0][1]
        int8 = own.bits == 8
        matrix = torch.empty((rows, columns), dtype=torch.int8 if int8 else self.dtype, device=self.device)
        scales = torch.empty(rows, dtype=self.dtype, device=self.device) if int8 else None
        at = 0
        step = max(1, CHUNK // columns)
        for name, shape in zip(weights, shapes, strict=True):
            for start in range(0, shape[0], step):
                part = self._rows(name, start, min(start + step, shape[0]))
                place = slice(at, at + part.shape[0])
                if scales is None:
                    matrix[place] = part
                else:
                    matrix[place], scales[place] = per_row(part, self.dtype)
                at += part.shape[0]
        return matrix, scales

    def _groups(self, weights: list[str], own: Form) -> Groups:
        """Matrices stacked by rows, in groups: the checkpoint's own where they are stored so."""
        shapes = [self.checkpoint.tensors[name].shape for name in weights]
        rows, columns = sum(shape[0] for shape in shapes), shapes[0][1]
        values = torch.empty((rows, columns * own.bits // 8), dtype=torch.uint8, device=self.device)
        scales = torch.empty((rows, columns // own.group), dtype=torch.float16, device=self.device)
        made = Groups(values, scales, torch.empty_like(scales), own.group)
        at = 0
        step = max(1, CHUNK // columns)
        for name, shape in zip(weights, shapes, strict=True):
            for start in range(0, shape[0], step):
                end = min(start + step, shape[0])
                if self.checkpoint.tensors[name].group:
                    part = self.checkpoint.groups(name, start, end)
                    self._tell(name, end - start)
                else:
                    part = in_groups(self._rows(name, start, end), own.bits, own.group)
                place = made.some(slice(at, at + end - start))
                for to, new in zip(place[:3], part[:3], strict=True):
                    to.copy_(new)
                if part.order is not None:
                    made = made._replace(order=part.order.to(self.device))
                at += end - start
        return made

    def _rows(self, name: str, start: int, end: int) -> Tensor:
        rows = self.checkpoint.rows(name, start, end)
        self._tell(name, end - start)
        return rows

    def _tell(self, name: str, rows: int) -> None:
        """So many rows were read of a tensor. Raises Stopped."""
        if self._stopped():
            raise Stopped
        stored = self.checkpoint.tensors[name]
        self._done += (stored.end - stored.start) * rows // stored.shape[0]
        self._progress(self._done, self._total)
