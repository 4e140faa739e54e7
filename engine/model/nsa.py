"""NSA layers: a compressed, a selected and a sliding branch, added by gates (arXiv 2502.11089).

Each branch has keys and values of its own, all turned by their positions. What the compressed branch sees of a window
is made of its rows as they are kept; the keys are those that are attended to, turned ones (equation 7).
"""

from torch import Tensor
from torch.nn import functional

from engine.memory.nsa_rows import NsaRows
from engine.model.config import NSA_BRANCHES, ModelConfig
from engine.model.layers import Linear, Norm, added, plus
from engine.model.mixers import slide
from kernels import block_scores, nsa, row_wise
from kernels.native.program import interrupted


class WindowMLP:
    """down(silu(up(rows + position))) of a window's rows, one after the other: [.., kernel * D] -> [.., D]."""

    def __init__(self, position: Tensor, up: Linear, down: Linear) -> None:
        self.position, self.up, self.down = position, up, down

    def __call__(self, rows: Tensor, kernel: int, stride: int) -> Tensor:
        """[B, Hkv, S, D] -> [B, Hkv, n, D] of the windows that are whole."""
        batch, heads, count, width = rows.shape
        if count < kernel:
            return rows.new_empty(batch, heads, 0, width)
        windows = rows.unfold(2, kernel, stride).transpose(3, 4).flatten(3) + self.position
        return self.down.read(functional.silu(self.up.read(windows)))


class NsaAttention:
    """`qkv` holds the rows of q, of the branches' keys, and of their values; `gate_up` and `gate_down` the gates' MLP;
    `qk_norm`, where a model has it, is the norm of each q head and each branch's k heads, its weight [Hq + 3 Hkv, D].
    """

    def __init__(
        self,
        config: ModelConfig,
        qkv: Linear,
        out: Linear,
        gate_up: Linear,
        gate_down: Linear,
        mlps: tuple[WindowMLP, WindowMLP],
        qk_norm: Norm | None,
    ) -> None:
        sizes = config.nsa
        assert sizes is not None
        self.qkv, self.out, self.gate_up, self.gate_down, self.mlps = qkv, out, gate_up, gate_down, mlps
        self.qk_norm = qk_norm
        self.sizes = sizes
        self.heads, self.kv_heads, self.width = config.heads, config.kv_heads, config.head_width
        self.turned = config.heads + len(NSA_BRANCHES) * config.kv_heads
        self.scale, self.branch_scale = config.head_width**-0.5, config.branch_scale
        self.blocks = block_scores.Blocks(
            kernel=sizes.kernel,
            stride=sizes.stride,
            block=sizes.block,
            initial=sizes.initial,
            local=sizes.local,
            count=sizes.topk,
            pooling="overlap",
        )

    def linears(self) -> list[Linear]:
        """Those of every token."""
        return [self.qkv, self.gate_up, self.gate_down, self.out]

    def read(
        self, x: Tensor, norm: Norm, cos: Tensor, sin: Tensor, cache: NsaRows, at: int, keep: int
    ) -> Tensor | None:
        """x [B, T, hidden] to rows `at`...; the last `keep` tokens with the mix of their norms [B, keep, hidden], None
        when `keep` is 0. x is changed."""
        batch, tokens, _ = x.shape
        normed = norm(x)
        q = self._store(self.qkv.read(normed).view(batch, tokens, -1, self.width), cos, sin, cache, at)
        if not keep:
            return None
        first, row, count = tokens - keep, at + tokens - keep, at + tokens
        q = q[:, :, first:]
        keys, values = cache.compressed.entries(count, self._make)
        chosen = self._choose(q, keys, row)
        compressed = nsa.read(q, keys, values, row, self.sizes.kernel, self.sizes.stride, self.scale)
        selected = cache.selected.held.attend_chosen(q, chosen, row, self.sizes.block, self.scale)
        sliding = slide(q, cache.sliding.held, count, self.sizes.window, self.scale)
        gates = self.gate_down.read(functional.silu(self.gate_up.read(normed[:, first:]))).sigmoid()
        gates = gates.view(batch, keep, -1, self.heads).permute(2, 0, 3, 1)[..., None]  # [3, B, Hq, keep, 1]
        mixed = compressed * gates[0] + selected * gates[1] + sliding * gates[2]
        return added(self.out, mixed.transpose(1, 2).reshape(batch, keep, -1), x[:, first:], self.branch_scale)

    def write(self, x: Tensor, norm: Norm, cos: Tensor, sin: Tensor, cache: NsaRows, at: int) -> Tensor:
        """x [B, hidden], one token each, to row `at` -> x + the mix of its norm [B, hidden]; fp32."""
        interrupted()  # nothing here is recorded with the products of a token
        batch, sizes = x.shape[0], self.sizes
        heads = self.qkv.write(x, norm.row).view(batch, 1, -1, self.width)
        q = self._store(heads, cos[None], sin[None], cache, at)  # [B, Hq, 1, D]
        keys, values = cache.compressed.entries(at + 1, self._make)
        chosen = self._choose(q, keys, at)[:, :, 0]
        compressed = nsa.write(q[:, :, 0], keys, values, at, sizes.kernel, sizes.stride, self.scale)
        selected = cache.selected.held.write_chosen(q[:, :, 0], chosen, at, sizes.block, self.scale)
        sliding = cache.sliding.held.write(q[:, :, 0], at, sizes.window, self.scale)
        gates = self.gate_down.write(functional.silu(self.gate_up.write(x, norm.row))).sigmoid()
        gates = gates.view(batch, -1, self.heads, 1)
        mixed = compressed * gates[:, 0] + selected * gates[:, 1] + sliding * gates[:, 2]
        return plus(x, self.out.write(mixed.reshape(batch, -1)), self.branch_scale)

    def _store(self, heads: Tensor, cos: Tensor, sin: Tensor, cache: NsaRows, at: int) -> Tensor:
        """Heads [B, T, Hq + 6 Hkv, D] to rows `at`... of all branches -> the queries [B, Hq, T, D]."""
        qk_norm = None if self.qk_norm is None else self.qk_norm.row
        turned = row_wise.turn(heads, self.turned, qk_norm, cos, sin).transpose(1, 2)
        q, *rows = turned.split((self.heads, *[self.kv_heads] * (2 * len(NSA_BRANCHES))), 1)
        for branch, keys, values in zip(
            cache.branches, rows[: len(NSA_BRANCHES)], rows[len(NSA_BRANCHES) :], strict=True
        ):
            branch.store(keys, values, at)
        return q

    def _make(self, keys: Tensor, values: Tensor) -> tuple[Tensor, ...]:
        """Entries of the windows that are whole of keys and values [B, Hkv, S, D]."""
        return tuple(
            mlp(rows, self.sizes.kernel, self.sizes.stride) for mlp, rows in zip(self.mlps, (keys, values), strict=True)
        )

    def _choose(self, q: Tensor, keys: Tensor, row: int) -> Tensor:
        """Blocks of queries [B, Hq, T, D], the first of which is this row, by entries' keys."""
        return block_scores.choose(q, keys, keys[:, :, :0], row, self.blocks, self.scale, "exact")
