"""Lightning layers: linear attention with a fixed decay a head, over a state of one size (arXiv 2401.04658)."""

import torch
from torch import Tensor

from engine.memory.states import State
from engine.model.config import ModelConfig
from engine.model.gate import Output
from engine.model.layers import Linear, Norm
from kernels import lightning_attention, row_wise
from kernels.row import Place


class LightningAttention:
    """`qkv` holds the rows of q, k and v in that order; `qk_norm` is the norm of each q and k head, its weight
    [2 H, D].

    Decays are the same in all layers.
    """

    def __init__(self, config: ModelConfig, qkv: Linear, output: Output, qk_norm: Norm | None) -> None:
        assert config.lightning is not None
        self.qkv, self.output, self.qk_norm = qkv, output, qk_norm
        self.heads, self.width = config.lightning.heads, config.head_width
        self.scale = config.lightning.scale
        self.rotated = config.lightning.rotated
        self._slopes = lightning_attention.slopes(self.heads)

    def linears(self) -> list[Linear]:
        return [self.qkv, *self.output.linears()]

    def read(self, x: Tensor, norm: Norm, cos: Tensor, sin: Tensor, cache: State, at: int, keep: int) -> Tensor | None:
        """x [B, T, hidden] after what the state holds; the last `keep` tokens with the mix of their norms
        [B, keep, hidden], None when `keep` is 0. x is changed."""
        batch, tokens, _ = x.shape
        normed = norm(x)
        cache.runs()
        heads = self._turned(self.qkv.read(normed).view(batch, tokens, -1, self.width), cos, sin)
        q, k, v = heads.transpose(1, 2).split(self.heads, 1)
        mixed = lightning_attention.read(q, k, v, self._slopes_on(x), cache.begin(), self.scale)  # [B, H, T, D]
        if not keep:
            return None
        first = tokens - keep
        mixed = mixed[:, :, first:].transpose(1, 2).reshape(batch, keep, -1)
        return self.output.read(mixed, normed[:, first:], x[:, first:])

    def write(self, x: Tensor, norm: Norm, cos: Tensor, sin: Tensor, cache: State, at: Place) -> Tensor:
        """x [B, hidden], one token each -> x + the mix of its norm [B, hidden]; fp32."""
        batch = x.shape[0]
        heads = self.qkv.write(x, norm.row).view(batch, 1, -1, self.width)
        q, k, v = self._turned(heads, cos[None], sin[None])[:, 0].split(self.heads, 1)
        state = cache.now if isinstance(at, Tensor) else cache.begin()
        mixed = lightning_attention.write(q, k, v, self._slopes_on(x), state, self.scale)  # [B, H, D]
        return self.output.write(mixed.reshape(batch, -1), x, norm)

    def _turned(self, heads: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """q and k of [B, T, 3 H, D], normed and turned where the model does so."""
        qk_norm = None if self.qk_norm is None else self.qk_norm.row
        if not self.rotated:
            cos, sin = torch.ones_like(cos), torch.zeros_like(sin)
        return row_wise.turn(heads, 2 * self.heads, qk_norm, cos, sin)

    def _slopes_on(self, x: Tensor) -> Tensor:
        self._slopes = self._slopes.to(x.device)
        return self._slopes
