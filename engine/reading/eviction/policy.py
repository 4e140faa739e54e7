"""What a policy is asked."""

from typing import Protocol

from torch import Tensor


class Policy(Protocol):
    """Of one chain. Layers are those that see all of a text, counted in their order from 0.

    `observes`: it is to be told of queries. `renumbers`: rows that are left take positions 0, 1, ... in their order.
    """

    observes: bool
    renumbers: bool

    def observe(self, layer: int, queries: Tensor, count: int) -> None:
        """Queries [Hq, T, D] of the newest T of `count` rows, which are there. Counts once it is settled."""
        ...

    def settle(self) -> None:
        """All layers were told of the same tokens."""
        ...

    def scores(self, first: int, last: int, places: int) -> Tensor:
        """What rows `first` to `last` are worth, fp32 [layers, Hkv, last - first]; `places` of them will stay."""
        ...

    def kept(self, rows: Tensor) -> None:
        """Of all rows these [layers, Hkv, n] were left."""
        ...

    def mark(self, at: int) -> None:
        """So many tokens were read, and the text may be taken back to there."""
        ...

    def back(self, count: int) -> None:
        """Tokens are taken back, all but the first `count`, or all: what was observed of them is of another text."""
        ...


class Unmoved:
    """A policy that needs to be told nothing."""

    observes = False
    renumbers = False

    def observe(self, layer: int, queries: Tensor, count: int) -> None:
        """Nothing is made of it."""

    def settle(self) -> None:
        """Nothing was kept."""

    def kept(self, rows: Tensor) -> None:
        """Scores come from rows as they are."""

    def mark(self, at: int) -> None:
        """There is nothing to remember."""

    def back(self, count: int) -> None:
        """Nothing was observed."""
