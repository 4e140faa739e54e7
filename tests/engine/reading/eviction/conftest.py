"""Chains that forget, and a twin in double precision that is told which rows they kept, and nothing else."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

from engine.chain import Chain
from engine.protocol import Eviction
from engine.reading.eviction import policies, statistics

WINDOW = 512


def ids(count: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 120, count, np.int32)


@pytest.fixture
def make_chain() -> Callable[..., Chain]:
    """make_chain(model, how, form="model"): an empty one; `how` None: one that keeps everything."""

    def made(model, how: Eviction | None, form: str = "model") -> Chain:
        decoder = model.decoder
        if how is None:
            return Chain(decoder, WINDOW, form)

        def means():
            return statistics.measured(decoder, ids(200, 77), 64)

        return Chain(
            decoder,
            WINDOW,
            form,
            prune=lambda caches: policies.pruning(how, caches, decoder.config, WINDOW, means),
        )

    return made


class Follower:
    """The twin's rows of every layer, kept and dropped as the chain says."""

    def __init__(self, model, chain: Chain) -> None:
        self.twin, self.chain = model.twin, chain
        self.rows = None
        self.tokens = None  # of each row, [layers, Hkv, rows]

    def read(self, some: np.ndarray, first: int) -> Tensor:
        """Logits [T, vocab] of tokens that the chain has read from position `first` on, before it dropped any more."""
        count = self.chain.caches.length() + self.chain.caches.dropped
        logits, own, _ = self.twin.read(some, first, self.rows)
        together = type(own[0]).together
        self.rows = own if self.rows is None else [together(pair) for pair in zip(self.rows, own, strict=True)]
        new = torch.arange(count - len(some), count).expand(len(own), len(own[0].keys), -1)
        self.tokens = new if self.tokens is None else torch.cat((self.tokens, new), 2)
        self._drop()
        return logits

    def _drop(self) -> None:
        """What the chain has dropped since, by tokens; positions are what the chain says they are."""
        places = self.chain.caches.places()
        for layer, rows in enumerate(self.rows):
            kept = torch.searchsorted(self.tokens[layer].contiguous(), places.tokens[layer].long().contiguous())
            taken = rows.taken(kept)
            assert torch.equal(self.tokens[layer].gather(1, kept), places.tokens[layer].long())
            self.rows[layer] = type(taken)(taken.keys, places.positions[layer].long(), taken.values)
        self.tokens = places.tokens.long()


@pytest.fixture
def follow() -> Callable[..., tuple[Tensor, Tensor]]:
    """follow(model, chain, text, piece, follower) -> logits of the last token by the chain and by the twin."""

    def followed(model, chain: Chain, text: np.ndarray, piece: int, follower: Follower) -> tuple[Tensor, Tensor]:
        at, first = 0, chain.caches.next_pos
        ours = theirs = None
        for done, logits in chain.read(text, piece, answer=True):
            theirs = follower.read(text[at:done], first)[-1]
            ours, at, first = logits, done, chain.caches.next_pos
        return ours, theirs

    return followed


@pytest.fixture
def make_follower() -> type[Follower]:
    return Follower
