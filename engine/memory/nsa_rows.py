"""What an NSA layer keeps of a text: keys and values of its three branches, and entries of the compressed one."""

from torch import Tensor

from engine.memory.caches import KeyValues
from engine.memory.held import Held
from engine.memory.windows import Make, Windows
from engine.model.config import NsaConfig


class CompressedRows(KeyValues):
    """Of the compressed branch: rows, and what stands for windows of them."""

    def __init__(self, held: Held, capacity: int, nsa: NsaConfig) -> None:
        super().__init__(held, capacity)
        self._entries = Windows(nsa.kernel, nsa.stride)

    def store(self, keys: Tensor, values: Tensor, at: int) -> Held:
        self.trim(at)
        return super().store(keys, values, at)

    def entries(self, count: int, make: Make) -> tuple[Tensor, ...]:
        """Keys and values [B, Hkv, n, D] of all windows that lie within the first `count` rows. `make`: what the layer
        makes of rows, always the same."""
        return self._entries.upto(self, count, make)

    def keep(self, rows: Tensor) -> None:
        raise ValueError("what stands for windows of rows would stand for others")

    def bytes(self) -> int:
        return super().bytes() + self._entries.bytes()

    def trim(self, rows: int) -> None:
        """Rows from `rows` on will be written anew."""
        self._entries.trim(rows)


class NsaRows:
    """The branches' rows, which are kept, saved and trimmed each like those of a layer of its own."""

    def __init__(self, compressed: CompressedRows, selected: KeyValues, sliding: KeyValues) -> None:
        self.compressed, self.selected, self.sliding = compressed, selected, sliding

    @property
    def branches(self) -> tuple[KeyValues, ...]:
        return self.compressed, self.selected, self.sliding

    def bytes(self) -> int:
        return sum(branch.bytes() for branch in self.branches)
