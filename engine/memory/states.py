"""What lightning layers keep of a text: a state of one size, and copies of it from places to which one may go back.

A state cannot be rewound: what has been added to it fades, and is never taken out again.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

STEP = 4096
"""Tokens after which a copy is taken on the way."""
COPIES = 2 * 2**30
"""Bytes of copies, at most, unless there are to be fewer."""
Kind = Literal["border", "prompt", "step"]
"""Where a copy was taken: at a document's end, at the end of a prompt, or on the way."""


class State:
    """One lightning layer's state, fp32 [B, H, D, D], key dims by value dims.

    A piece writes what comes after it into `next`; only `commit` puts that in its place, so that a piece which is cut
    short leaves no trace. Tokens whose operations are repeated change it where it is, always the same memory.
    """

    def __init__(self, batch: int, heads: int, width: int, device: torch.device) -> None:
        self.now = torch.zeros(batch, heads, width, width, device=device)
        self._next = torch.zeros_like(self.now)
        self._home = self.now
        """Where repeated operations look for it."""
        self._begun = False
        self.ran = 0
        """Calls of the layer over it."""

    def bytes(self) -> int:
        return self.now.nbytes + self._next.nbytes

    def begin(self) -> Tensor:
        """A copy of the state to be changed."""
        self._begun = True
        return self._next.copy_(self.now)

    def commit(self) -> None:
        """What was begun is the state."""
        if self._begun:
            self.now, self._next = self._next, self.now
        self._begun = False

    def settle(self) -> None:
        """The state is where repeated operations look for it, and nothing is begun."""
        self._begun = False
        if self.now is not self._home:
            self.now, self._next = self._home.copy_(self.now), self.now

    def keep(self) -> None:
        """A copy, for `restore`, before the state is changed where it is."""
        self._next.copy_(self.now)

    def restore(self) -> None:
        self.now.copy_(self._next)

    def runs(self) -> None:
        """Count a call of the layer."""
        self.ran += 1

    def wrote(self, row: int) -> None:
        """A token was written, perhaps by what was recorded of another."""
        self.runs()

    def put(self, state: Tensor) -> None:
        """[B, H, D, D], of any device."""
        self.now.copy_(state)

    def clear(self) -> None:
        self.now.zero_()


class Copies:
    """All layers' states [L, H, D, D] in the computer's own memory, by how many tokens they had read.

    `budget`: bytes. What is beyond it goes: first of those taken on the way every other one, then the oldest of those,
    then the oldest ends of prompts, then the oldest ends of documents.
    """

    def __init__(self, budget: int = COPIES) -> None:
        self.budget = budget
        self._at: list[int] = []
        self._kept: dict[int, tuple[Kind, Tensor]] = {}
        self._order: list[int] = []
        """Places in the order in which they were last of use."""

    def __contains__(self, at: int) -> bool:
        return at in self._kept

    def __len__(self) -> int:
        return len(self._at)

    def bytes(self) -> int:
        return sum(copy.nbytes for _, copy in self._kept.values())

    @property
    def places(self) -> tuple[int, ...]:
        return tuple(self._at)

    def keep(self, at: int, kind: Kind, states: Sequence[State]) -> None:
        """The states that `at` tokens have left."""
        if at not in self._kept:
            self.put(at, kind, torch.stack([state.now[0] for state in states]).cpu())
            return
        self._use(at)
        if kind != "step":
            self._kept[at] = kind, self._kept[at][1]

    def put(self, at: int, kind: Kind, copy: Tensor) -> None:
        """[L, H, D, D]."""
        if at not in self._kept:
            self._at.insert(bisect_right(self._at, at), at)
        self._kept[at] = kind, copy
        self._use(at)
        while len(self._at) > 1 and self.bytes() > self.budget:
            self._drop(self._least())

    def before(self, at: int) -> int:
        """The last place at or before `at`; 0, where every text begins, if there is none."""
        number = bisect_right(self._at, at)
        return self._at[number - 1] if number else 0

    def copy(self, at: int) -> Tensor:
        self._use(at)
        return self._kept[at][1]

    def kind(self, at: int) -> Kind:
        return self._kept[at][0]

    def trim(self, at: int) -> None:
        """Forget those beyond `at`."""
        for place in [place for place in self._at if place > at]:
            self._drop(place)

    def forget(self, at: int) -> None:
        """Those before `at`."""
        for place in [place for place in self._at if place < at]:
            self._drop(place)

    def _use(self, at: int) -> None:
        if at in self._order:
            self._order.remove(at)
        self._order.append(at)

    def _drop(self, at: int) -> None:
        self._at.remove(at)
        self._order.remove(at)
        del self._kept[at]

    def _least(self) -> int:
        """What is missed least. The newest is never dropped."""
        newest = self._order[-1]
        steps = [at for at in self._at if self._kept[at][0] == "step" and at != newest]
        if len(steps) > 2:  # the one with the nearest neighbours, so that what is left is spread
            return min(steps[1:-1], key=lambda at: (self._gap(at), self._order.index(at)))
        for kind in ("step", "prompt", "border"):
            some = [at for at in self._order if self._kept[at][0] == kind and at != newest]
            if some:
                return some[0]
        return self._order[0]

    def _gap(self, at: int) -> int:
        """From the place before to the place behind."""
        number = self._at.index(at)
        before = self._at[number - 1] if number else 0
        return self._at[min(number + 1, len(self._at) - 1)] - before
