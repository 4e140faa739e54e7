"""When a chain's rows go, and which of them stay whatever the policy says."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import torch
from torch import Tensor

from engine.memory.caches import Caches
from engine.model.config import ModelConfig
from engine.protocol import Eviction
from engine.reading.eviction import guard
from engine.reading.eviction.guard import RECENT, SINKS
from engine.reading.eviction.policy import Policy

TOGETHER = 32
"""Written tokens whose queries a policy is told of at once."""


class Pruning:
    """Of one chain with a policy. `full`: numbers, among the layers that keep rows, of those that choose what they
    keep; those that slide keep the newest rows, and nothing that they see is lost.

    A prompt begins with `plan`; each piece is read within `watching` and followed by `read`, each written token by
    `wrote`. Before tokens are taken back there is `keep`.
    """

    def __init__(self, how: Eviction, policy: Policy, caches: Caches, config: ModelConfig, window: int) -> None:
        self.how = how
        self.policy = policy
        self.full = guard.choosing(config)
        self.before: Callable[[], None] = lambda: None
        """Called when rows are about to go, for whoever looks at them."""
        self._caches, self._config, self._window = caches, config, window
        self.at_end, self.endless = guard.at_end(how), guard.endless(how)
        self._written: list[Tensor] = []  # [layers, Hq, D] each
        self.cut = 0
        """Tokens that were read when rows went last: what came before cannot be had back."""
        self._unseen = False
        self.plan(0)

    def plan(self, prompt: int) -> None:
        """What is read next makes a prompt of so many tokens."""
        self.budget = self.budget_of(prompt)
        self.slack = guard.slack(self.how, self._config, self.budget)

    def budget_of(self, prompt: int) -> int:
        """Rows that are kept of a prompt of so many tokens."""
        return guard.budget(self.how, self._config, prompt, self._window)

    def refuses(self, prompt: int) -> bool:
        """Whether such a prompt is not to be read."""
        return self.how.prompt == "refuse" and prompt > self.budget_of(prompt)

    @property
    def inactive(self) -> bool:
        """More was read than may be kept, and nothing was forgotten."""
        return self._caches.dropped == 0 and self._caches.length() > self.budget + self.slack

    @property
    def takes(self) -> bool:
        """Whether rows that were read without it are as good as its own."""
        return self.at_end and guard.again(self.how) is not None

    def piece(self, most: int) -> int:
        """Tokens of the next piece."""
        return min(most, self._caches.room()) if self.endless else most

    def rows(self, prompt: int, piece: int) -> int:
        """That there must be room for while a prompt is read."""
        return prompt if self.at_end else min(prompt, self.budget + self.slack + piece)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """While a piece is read the policy looks on. One that is cut short leaves no trace."""
        self._tell()
        layers = [self._caches.rows[number] for number in self.full] if self.policy.observes else []
        for number, layer in enumerate(layers):
            layer.observe = partial(self.policy.observe, number)
        try:
            yield
        finally:
            for layer in layers:
                layer.observe = None

    def read(self, *, ended: bool) -> None:
        """A piece was read. `ended`: the prompt with it."""
        self.policy.settle()
        rows = self._caches.length()
        if rows > self.budget if ended else not self.at_end and rows >= self.budget + self.slack:
            self.prune()

    @torch.inference_mode()
    def wrote(self) -> None:
        """A token was written."""
        if self.policy.observes:
            queries = [self._caches.rows[number].queries for number in self.full]
            self._written.append(torch.stack([one[0] for one in queries if one is not None]))
            if len(self._written) >= TOGETHER:
                self._tell()
        if self._caches.length() >= self.budget + self.slack:
            self.prune()

    def usable(self, common: int, prompt: int, held: int) -> int:
        """Of the `common` tokens that a prompt has with the `held` ones, those that need not be read again."""
        if common == held and not self._unseen:
            return common
        again = guard.again(self.how)
        if again is None:
            return 0
        common = min(common, max(0, prompt - again))
        return common if common >= self.cut else 0

    def keep(self, count: int, held: int) -> None:
        """All but the first `count` of the `held` tokens are taken back."""
        if count == held and not self._unseen:
            return
        self._written.clear()
        self._unseen = False
        self.policy.back(count)
        if count == 0:
            self.cut = 0

    def took(self) -> None:
        """Rows were taken that were read without the policy."""
        self.cut, self._unseen = 0, True
        self._written.clear()

    @torch.inference_mode()
    def prune(self) -> None:
        """Give up rows of every head until `budget` are left."""
        self._tell()
        self.before()
        caches, count = self._caches, self._caches.length()
        chosen = self._chosen(count)
        left = chosen.shape[2]
        rows = torch.arange(count - left, count, device=chosen.device).repeat(len(caches.rows), chosen.shape[1], 1)
        rows[self.full] = chosen
        caches.prune(rows.to(caches.device))
        self.policy.kept(chosen)
        if self.policy.renumbers:
            caches.renumber()
        self.cut = caches.length() + caches.dropped
        caches.shrink(self.budget + self.slack)

    def _chosen(self, count: int) -> Tensor:
        """Of so many rows those that stay, ascending [layers, Hkv, budget]."""
        first, last, places = SINKS, count - RECENT, self.budget - SINKS - RECENT
        worth = self.policy.scores(first, last, places)
        best = most(worth, places) + first
        sinks, recent = (torch.arange(*some, device=best.device) for some in ((SINKS,), (last, count)))
        heads = [part.expand(*best.shape[:2], -1) for part in (sinks, recent)]
        return torch.cat((heads[0], best, heads[1]), -1)

    def _tell(self) -> None:
        """The policy of the tokens that were written since."""
        if not self._written:
            return
        queries, self._written = torch.stack(self._written, 2), []  # [layers, Hq, T, D]
        for number, own in enumerate(queries):
            self.policy.observe(number, own, self._caches.length())
        self.policy.settle()


def most(worth: Tensor, places: int) -> Tensor:
    """Where the most worth is, so many places in ascending order."""
    # Stable, so that of two rows that are worth the same the older one stays on every machine
    return worth.sort(dim=-1, descending=True, stable=True).indices[..., :places].sort(-1).values
