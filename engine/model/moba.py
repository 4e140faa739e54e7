"""MoBA layers: every query reads the blocks of rows whose mean keys suit it best (arXiv 2502.13189)."""

from torch import Tensor

from engine.memory.moba_rows import MobaRows
from engine.model.config import ModelConfig
from engine.model.layers import Linear, Norm, plus
from engine.model.mixers import FullAttention
from kernels import moba, row_wise
from kernels.native.program import interrupted


class MobaAttention(FullAttention):
    """The weights of full attention, and no others. Written tokens choose as read ones do."""

    def __init__(self, config: ModelConfig, qkv: Linear, out: Linear, qk_norm: Norm | None) -> None:
        super().__init__(config, qkv, out, qk_norm)
        assert config.moba is not None
        self.block, self.topk = config.moba.block, config.moba.topk

    def write(self, x: Tensor, norm: Norm, cos: Tensor, sin: Tensor, cache: MobaRows, at: int) -> Tensor:  # type: ignore[override]
        """x [B, hidden], one token each, to row `at` -> x + the mix of its norm [B, hidden]; fp32."""
        interrupted()  # nothing here is recorded with the products of a token
        batch = x.shape[0]
        heads = self.qkv.write(x, norm.row).view(batch, 1, -1, self.width)
        qk_norm = None if self.qk_norm is None else self.qk_norm.row
        turned = row_wise.turn(heads, self.turned, qk_norm, cos[None], sin[None]).transpose(1, 2)
        q, k, v = turned.split((self.heads, self.kv_heads, self.kv_heads), 1)
        held = cache.store(k, v, at)
        cache.queries = q[:, :, 0]
        chosen = moba.choose(q, cache.means(at + 1), at, self.block, self.topk)[:, :, 0]
        mixed = held.write_by_head(q[:, :, 0], chosen, at, self.block, self.scale).reshape(batch, -1)
        return plus(x, self.out.write(mixed), self.branch_scale)

    def _attend(self, q: Tensor, cache: MobaRows, count: int) -> Tensor:
        at = count - q.shape[2]
        chosen = moba.choose(q, cache.means(count), at, self.block, self.topk)
        return cache.held.attend_by_head(q, chosen, at, self.block, self.scale)
