"""A checkpoint's tensors to a decoder: one copy, in the precision asked for, a few rows at a time."""

from collections.abc import Callable

import torch
from torch import Tensor

from engine.model.config import ModelConfig
from engine.model.decoder import Decoder, Layer, Stopped
from engine.model.layers import MLP, Embedding, Linear, Norm
from engine.model.mixers import FullAttention, SlidingAttention
from engine.protocol import Precision
from engine.weights import names
from engine.weights.checkpoint import Checkpoint
from engine.weights.quantize import per_row
from kernels.dense_linear import DenseLinear
from kernels.low_bit_linear import Int8Linear

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
        weight, scales = self._matrix([names.EMBEDDING])
        embedding = Embedding(weight, scales, self.dtype)
        self.bytes += weight.nbytes + (0 if scales is None else scales.nbytes)
        layers = [self._layer(config, number) for number in range(config.layers)]
        norm = self._norm(names.NORM)
        head = self._wrapped(weight, scales, None) if config.tied else self._linear([names.HEAD], biased=False)
        return Decoder(config, embedding, layers, norm, head, self.dtype, self.device)

    def _layer(self, config: ModelConfig, number: int) -> Layer:
        prefix = names.layer(number)
        attention, mlp = prefix + "self_attn.", prefix + "mlp."
        qkv = self._linear([f"{attention}{part}_proj.weight" for part in "qkv"], biased=config.qkv_bias)
        out = self._linear([attention + "o_proj.weight"], biased=config.out_bias)
        mixer = SlidingAttention if config.mixers[number] == "sliding" else FullAttention
        return Layer(
            self._norm(prefix + "input_layernorm.weight"),
            mixer(config, qkv, out, self._qk_norm(attention) if config.qk_norm else None),
            self._norm(prefix + "post_attention_layernorm.weight"),
            MLP(
                self._linear([mlp + "gate_proj.weight", mlp + "up_proj.weight"], biased=config.mlp_bias),
                self._linear([mlp + "down_proj.weight"], biased=config.mlp_bias),
            ),
        )

    def _linear(self, weights: list[str], *, biased: bool) -> Linear:
        """One product from matrices that share their input, stacked in the order given."""
        weight, scales = self._matrix(weights)
        bias = None
        if biased:
            bias = torch.cat([self._vector(name.removesuffix("weight") + "bias") for name in weights])
        linear = self._wrapped(weight, scales, bias)
        self.bytes += linear.nbytes
        return linear

    def _wrapped(self, weight: Tensor, scales: Tensor | None, bias: Tensor | None) -> Linear:
        return DenseLinear(weight, bias) if scales is None else Int8Linear(weight, scales, bias)

    def _norm(self, name: str) -> Norm:
        weight = self._vector(name)
        self.bytes += weight.nbytes
        return Norm(weight, self.checkpoint.config.norm_epsilon)

    def _qk_norm(self, prefix: str) -> Norm:
        """Both norms' weights for every head [Hq + Hkv, D], so that q and k pass through one operation."""
        config = self.checkpoint.config
        q, k = self._vector(prefix + "q_norm.weight"), self._vector(prefix + "k_norm.weight")
        weight = torch.cat((q.expand(config.heads, -1), k.expand(config.kv_heads, -1)))
        self.bytes += weight.nbytes
        return Norm(weight, config.norm_epsilon)

    def _vector(self, name: str) -> Tensor:
        size = self.checkpoint.tensors[name].shape[0]
        vector = torch.empty(size, dtype=self.dtype, device=self.device)
        vector.copy_(self._rows(name, 0, size))
        return vector

    def _matrix(self, weights: list[str]) -> tuple[Tensor, Tensor | None]:
        """Matrices stacked by rows: [out, in], with the rows' scales [out] when the precision is int8."""
        shapes = [self.checkpoint.tensors[name].shape for name in weights]
        rows, columns = sum(shape[0] for shape in shapes), shapes[0][1]
        int8 = self.precision == "int8"
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

    def _rows(self, name: str, start: int, end: int) -> Tensor:
        if self._stopped():
            raise Stopped
        stored = self.checkpoint.tensors[name]
        rows = self.checkpoint.rows(name, start, end)
        self._done += (stored.end - stored.start) * (end - start) // stored.shape[0]
        self._progress(self._done, self._total)
        return rows
