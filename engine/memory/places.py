"""Whose rows are whose, once heads have dropped some of their own choice: row numbers, tokens and positions apart."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Places:
    """int32 [layers, Hkv, rows], on the CPU. `tokens`: which of the text's tokens, from 0, each row is of.
    `positions`: that its key is turned to."""

    tokens: Tensor
    positions: Tensor

    @classmethod
    def alike(cls, layers: int, heads: int, positions: Sequence[int], first: int) -> "Places":
        """Of rows that all heads hold: tokens `first` and on."""
        tokens = torch.arange(first, first + len(positions), dtype=torch.int32)
        own = torch.tensor(positions, dtype=torch.int32)
        return cls(tokens.expand(layers, heads, -1), own.expand(layers, heads, -1))

    @property
    def count(self) -> int:
        """Rows, of each head as many."""
        return self.tokens.shape[2]

    def followed(self, later: "Places") -> "Places":
        return Places(torch.cat((self.tokens, later.tokens), 2), torch.cat((self.positions, later.positions), 2))

    def taken(self, rows: Tensor) -> "Places":
        """Rows [layers, Hkv, n] of these."""
        return Places(self.tokens.gather(2, rows), self.positions.gather(2, rows))

    def common(self) -> "array[int]":
        """Position of each row; -1 where it is not the same of all heads."""
        flat = self.positions.flatten(0, 1)
        alike = (flat == flat[0]).all(0) & (self.tokens.flatten(0, 1) == self.tokens[0, 0]).all(0)
        return array("q", torch.where(alike, flat[0], -1).tolist())
