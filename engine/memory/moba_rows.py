"""Rows of a MoBA layer, with the means of their blocks' keys by which blocks are chosen."""

from torch import Tensor

from engine.memory.caches import KeyValues
from engine.memory.held import Held
from engine.memory.windows import Windows
from kernels import moba


class MobaRows(KeyValues):
    """`block`: rows of a block."""

    def __init__(self, held: Held, capacity: int, block: int) -> None:
        super().__init__(held, capacity)
        self._means = Windows(block, block, lambda keys, _: (moba.means(keys, block),))

    def store(self, keys: Tensor, values: Tensor, at: int) -> Held:
        self.trim(at)
        return super().store(keys, values, at)

    def means(self, count: int) -> Tensor:
        """Of the blocks that are whole within the first `count` rows: fp32 [B, Hkv, n, D]."""
        return self._means.upto(self, count)[0]

    def keep(self, rows: Tensor) -> None:
        raise ValueError("what stands for windows of rows would stand for others")

    def bytes(self) -> int:
        return super().bytes() + self._means.bytes()

    def trim(self, rows: int) -> None:
        """Rows from `rows` on will be written anew."""
        self._means.trim(rows)
