"""How the tokens of a layer see those before them. Every mixer reads pieces and writes single tokens over one cache."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import Tensor
from torch.nn import functional

from engine.memory.caches import KeyValues
from engine.memory.held import Held
from engine.model.config import ModelConfig
from engine.model.layers import Linear, Norm, added, plus
from kernels import full_attention, row_wise
from kernels.row import Place

if TYPE_CHECKING:
    from engine.memory.rows import SegmentRows

QUERIES = 256
"""Queries of a sliding layer that are taken at once: bounds the mask to QUERIES x (window + QUERIES)."""


class Mixer(Protocol):
    """`cache` is of the kind that `Decoder.make_caches` makes for such a layer."""

    def read(
        self, x: Tensor, norm: Norm, cos: Tensor, sin: Tensor, cache: Any, at: int, keep: int
    ) -> Tensor | None: ...

    def write(self, x: Tensor, norm: Norm, cos: Tensor, sin: Tensor, cache: Any, at: Place) -> Tensor: ...

    def linears(self) -> list[Linear]: ...


class FullAttention:
    """Softmax attention over all rows so far, with grouped queries. `qkv` holds the rows of q, k and v in that order;
    `qk_norm`, where a model has it, is the norm of each q and k head, its weight [Hq + Hkv, D]."""

    def __init__(self, config: ModelConfig, qkv: Linear, out: Linear, qk_norm: Norm | None) -> None:
        self.qkv = qkv
        self.out = out
        self.qk_norm = qk_norm
        self.heads, self.kv_heads, self.width = config.heads, config.kv_heads, config.head_width
        self.turned = config.heads + config.kv_heads
        self.scale = config.head_width**-0.5
        self.branch_scale = config.branch_scale

    def linears(self) -> list[Linear]:
        return [self.qkv, self.out]

    def read(
        self, x: Tensor, norm: Norm, cos: Tensor, sin: Tensor, cache: KeyValues, at: int, keep: int
    ) -> Tensor | None:
        """x [B, T, hidden] to rows `at`...; the last `keep` tokens with the mix of their norms [B, keep, hidden], None
        when `keep` is 0. x is changed."""
        batch, tokens, _ = x.shape
        heads = self.qkv.read(norm(x)).view(batch, tokens, -1, self.width)
        qk_norm = None if self.qk_norm is None else self.qk_norm.row
        turned = row_wise.turn(heads, self.turned, qk_norm, cos, sin).transpose(1, 2)
        cache.store(turned[:, self.heads : self.turned], turned[:, self.turned :], at)
        cache.asked(turned[:, : self.heads], at + tokens)
        if not keep:
            return None
        cache.looked(turned[:, : self.heads, -1])
        q = turned[:, : self.heads, tokens - keep :]
        mixed = self._attend(q, cache, at + tokens)  # [B, Hq, keep, D]
        mixed = mixed.transpose(1, 2).reshape(batch, keep, -1)
        return added(self.out, mixed, x[:, tokens - keep :], self.branch_scale)

    def write(self, x: Tensor, norm: Norm, cos: Tensor, sin: Tensor, cache: KeyValues, at: Place) -> Tensor:
        """x [B, hidden], one token each, to row `at` -> x + the mix of its norm [B, hidden]; fp32."""
        heads = self.qkv.write(x, norm.row).view(x.shape[0], -1, self.width)
        held = cache.room_for(at)
        qk_norm = None if self.qk_norm is None else self.qk_norm.row
        bounds = cache.bounds(at)
        if bounds is None:
            mixed = held.step(heads, qk_norm, cos, sin, at, self._window(), self.scale)  # [B, Hq, D]
        else:
            assert not isinstance(at, Tensor)
            mixed = held.step_pages(heads, qk_norm, cos, sin, bounds[0], at, bounds[1], self.scale)
        cache.queries = heads[:, : self.heads]
        mixed = mixed.view(x.shape[0], -1)
        if self.branch_scale == 1:
            return self.out.write(mixed, onto=x)
        return plus(x, self.out.write(mixed), self.branch_scale)

    def beside(
        self,
        x: Tensor,
        norm: Norm,
        turns: Sequence[tuple[Tensor, Tensor]],
        segments: "Sequence[SegmentRows]",
        layer: int,
        keep: int,
        queries: Callable[[int, Tensor, Tensor], None] | None = None,
    ) -> Tensor:
        """x [B, T, hidden], or [1, T, hidden] when it is the same for all, after each of B segments' rows of layer
        number `layer`, at the cosines and sines `turns` of its positions there. Nothing is stored. The last `keep`
        tokens with the mix of their norms [B, keep, hidden]."""
        _, tokens, _ = x.shape
        heads = self.qkv.read(norm(x)).view(len(x), tokens, -1, self.width)
        qk_norm = None if self.qk_norm is None else self.qk_norm.row
        mixed = x.new_empty(len(segments), keep, self.heads * self.width)
        for number, (segment, (cos, sin)) in enumerate(zip(segments, turns, strict=True)):
            own = heads[number : number + 1] if len(x) > 1 or len(segments) == 1 else heads.clone()
            turned = row_wise.turn(own, self.turned, qk_norm, cos, sin).transpose(1, 2)
            q, k, v = turned.split((self.heads, self.kv_heads, self.kv_heads), 1)
            if queries is not None:
                queries(layer, q[0], k[0])
            seen = self._attend_beside(segment, layer, q, k, v)  # [1, Hq, T, D]
            mixed[number] = seen[0, :, tokens - keep :].transpose(0, 1).reshape(keep, -1)
        onto = x[:, tokens - keep :].expand(len(segments), -1, -1).contiguous()
        return added(self.out, mixed, onto, self.branch_scale)

    def _attend(self, q: Tensor, cache: Any, count: int) -> Tensor:
        """q [B, Hq, T, D], the newest of the `count` rows that the cache holds -> [B, Hq, T, D]."""
        return cache.attend(q, count, self.scale)

    def _attend_beside(self, segment: "SegmentRows", layer: int, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """q [1, Hq, T, D] and own k, v [1, Hkv, T, D] behind the segment's rows -> [1, Hq, T, D]."""
        return segment.beside(layer, q, k, v, self.scale)

    def _window(self) -> int | None:
        """Rows that a token sees, its own included; None: all."""
        return None


class SlidingAttention(FullAttention):
    """Attention over the newest `sliding_window` rows, the query's own included. All rows are kept, so that a chain can
    be trimmed to any length."""

    def __init__(self, config: ModelConfig, qkv: Linear, out: Linear, qk_norm: Norm | None) -> None:
        super().__init__(config, qkv, out, qk_norm)
        assert config.sliding_window is not None
        self.window = config.sliding_window

    def _attend_beside(self, segment: "SegmentRows", layer: int, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        keys, values = segment.layer(layer, q.dtype)
        keys, values = torch.cat((keys[None], k), 2), torch.cat((values[None], v), 2)
        return _slide(q, keys, values, self.window, self.scale)

    def _attend(self, q: Tensor, cache: KeyValues, count: int) -> Tensor:
        return slide(q, cache.held, count, self.window, self.scale)

    def _window(self) -> int | None:
        return self.window


def slide(q: Tensor, held: Held, count: int, window: int, scale: float) -> Tensor:
    """Queries [B, Hq, T, D], the newest of `count` rows, over the newest `window` rows of each -> [B, Hq, T, D]."""
    if count <= window:
        return held.attend(q, count, scale)
    first = max(0, count - q.shape[2] - window + 1)  # the first row that the first query sees
    return _slide(q, *held.part(first, count), window, scale)


def _slide(q: Tensor, k: Tensor, v: Tensor, window: int, scale: float) -> Tensor:
    """Over rows of which all are there that the queries, the newest of them, see."""
    tokens, rows = q.shape[2], k.shape[2]
    if rows <= window:
        return full_attention.read(q, k, v, scale)
    parts = []
    for start in range(0, tokens, QUERIES):
        end = min(start + QUERIES, tokens)
        first = max(0, rows - tokens + start - window + 1)  # first row that the first query sees
        last = rows - tokens + end
        own = torch.arange(rows - tokens + start, last, device=q.device)[:, None]
        row = torch.arange(first, last, device=q.device)
        seen = (row <= own) & (row > own - window)
        parts.append(
            functional.scaled_dot_product_attention(
                q[:, :, start:end],
                k[:, :, first:last],
                v[:, :, first:last],
                attn_mask=seen,
                scale=scale,
                enable_gqa=True,
            )
        )
    return torch.cat(parts, 2)
