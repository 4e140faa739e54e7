"""Sparse layers: every query group reads the blocks of rows that score best for it (InfLLM-v2, arXiv 2509.24663)."""

from torch import Tensor

from engine.memory.sparse_rows import SparseRows, geometry
from engine.model.config import ModelConfig
from engine.model.gate import Output
from engine.model.layers import Linear, Norm
from kernels import row_wise
from kernels.row import Place


class SparseAttention:
    """`qkv` holds the rows of q, k and v in that order. Prompts below a length are read densely, see `SparseRows`."""

    def __init__(self, config: ModelConfig, qkv: Linear, output: Output) -> None:
        sparse = config.sparse
        assert sparse is not None
        self.qkv, self.output = qkv, output
        self.heads, self.kv_heads, self.width = config.heads, config.kv_heads, config.head_width
        self.scale = config.head_width**-0.5
        self.rotated = sparse.rotated
        self.blocks = geometry(sparse)

    def linears(self) -> list[Linear]:
        return [self.qkv, *self.output.linears()]

    def read(
        self, x: Tensor, norm: Norm, cos: Tensor, sin: Tensor, cache: SparseRows, at: int, keep: int
    ) -> Tensor | None:
        """x [B, T, hidden] to rows `at`...; the last `keep` tokens with the mix of their norms [B, keep, hidden], None
        when `keep` is 0. x is changed."""
        batch, tokens, _ = x.shape
        normed = norm(x)
        heads = self.qkv.read(normed).view(batch, tokens, -1, self.width)
        q, k, v = self._heads(heads, cos, sin).transpose(1, 2).split((self.heads, self.kv_heads, self.kv_heads), 1)
        held = cache.store(k, v, at)
        cache.asked(q, at + tokens)
        if not keep:
            return None
        first = tokens - keep
        q = q[:, :, first:]
        cache.looked(q[:, :, -1])
        if cache.runs():
            chosen = cache.choose(q, at + first, at + tokens, self.scale)
            cache.chose(chosen[:, :, -1].clone(), at + tokens)
            mixed = held.attend_chosen(q, chosen, at + first, self.blocks.block, self.scale)
        else:
            mixed = held.attend(q, at + tokens, self.scale)
        return self.output.read(mixed.transpose(1, 2).reshape(batch, keep, -1), normed[:, first:], x[:, first:])

    def write(self, x: Tensor, norm: Norm, cos: Tensor, sin: Tensor, cache: SparseRows, at: Place) -> Tensor:
        """x [B, hidden], one token each, to row `at` -> x + the mix of its norm [B, hidden]; fp32."""
        batch = x.shape[0]
        heads = self.qkv.write(x, norm.row).view(batch, 1, -1, self.width)
        turned = self._heads(heads, cos[None], sin[None]).transpose(1, 2)
        q, k, v = turned.split((self.heads, self.kv_heads, self.kv_heads), 1)
        held = cache.store(k, v, at)
        cache.queries = q[:, :, 0]
        if cache.sparsely:
            chosen = cache.choose(q, at, at + 1, self.scale)[:, :, 0]
            cache.chose(chosen, at + 1)
            mixed = held.write_chosen(q[:, :, 0], chosen, at, self.blocks.block, self.scale)
        else:
            mixed = held.write(q[:, :, 0], at, None, self.scale)
        return self.output.write(mixed.reshape(batch, -1), x, norm)

    def _heads(self, heads: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """[B, T, Hq + 2 Hkv, D], queries and keys turned where the model does so."""
        return row_wise.turn(heads, self.heads + self.kv_heads, None, cos, sin) if self.rotated else heads
