"""Chains in memory, several under one budget, and on disk: whoever takes turns over two texts reads neither again."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from engine.chain import Chain, Prune, Regime
from engine.memory.caches import NONE, Caches
from engine.memory.held import Form
from engine.memory.store import Made, NotSaved, Store
from engine.memory.store.made import key
from engine.model.decoder import Decoder
from engine.protocol import Document, Eviction, Note, Selection
from engine.reading.eviction import guard
from engine.reading.eviction.pruning import Pruning
from engine.tokenizer import Ids

WASTED = 512
"""Rows of another text that are given up for a new one rather than beginning a chain of its own."""


Prepare = Callable[[Eviction, Caches], Pruning]


class Chains:
    """`budget`: bytes beside the chain in use, which always has room. `made`: what rows of a form depend on. `prepare`:
    makes a policy ready for the rows of a chain."""

    def __init__(
        self, decoder: Decoder, window: int, budget: int, made: Callable[[Form], Made], prepare: Prepare
    ) -> None:
        self.window = window
        self.budget = budget
        self.notes: list[Note] = []
        self.reopened = 0
        """Tokens of the chain given out last that came from disk just now."""
        self._decoder = decoder
        self._made = made
        self._prepare = prepare
        self._opened = made("model")
        """As what the chain given out last was on disk."""
        self._chains = [Chain(decoder, window)]
        """The one used last is the last."""
        self._aside: list[Chain] = []
        """Those of requests that another has taken over from, and that will go on."""
        self._saved: set[tuple[Store, str]] = set()
        """What was put on disk. Another conversation's reading of the same documents may have taken its place since:
        they do not write it anew with every question, one after the other."""

    @property
    def current(self) -> Chain:
        return self._chains[-1]

    def bytes(self) -> int:
        return sum(chain.bytes() for chain in self._chains)

    def state_bytes(self) -> int:
        """Of `bytes`, those of lightning layers' states and their copies."""
        return sum(chain.state_bytes() for chain in self._chains)

    @contextmanager
    def aside(self, chain: Chain) -> Iterator[None]:
        """While another request is worked on, this one's chain is neither written onto nor let go of. Where that leaves
        no room it is emptied instead, and whoever goes on with it sees that it holds less."""
        known = self.notes, self.reopened, self._opened
        self._aside.append(chain)
        try:
            yield
        finally:
            self._aside.remove(chain)
            self._chains = [*(one for one in self._chains if one is not chain), chain]
            self.notes, self.reopened, self._opened = known

    def chain_for(
        self,
        ids: Ids,
        documents: Sequence[Document],
        store: Store | None,
        form: Form = "model",
        how: Eviction | None = None,
        selection: Selection = NONE,
    ) -> Chain:
        """The chain that `ids` are read onto, its rows in this form: the one that shares most with them, from disk if
        that has more. One whose rows belong to another text is left alone as long as the budget has room for both.

        `how`: what of its rows is kept. Such a chain is another policy's never; of what was read without one it takes
        all that its policy need not have seen being read, where prompts are pruned at their end. `selection`: of rows,
        which what is read and written will look at; not beside a policy. ValueError: the layers cannot.
        """
        self.notes, self.reopened = [], 0
        alike = self._alike(form, how)
        if not alike:
            alike = [self._chain(form, how)]
            self._chains += alike
        busy = self._aside
        best = max(alike, key=lambda one: (one.usable(ids, None, selection), one not in busy, self._chains.index(one)))
        common = best.usable(ids, None, selection)
        if best in busy or len(best) - common > max(WASTED, common):
            shared, best = best, self._chain(form, how)
            common = min(common, shared.exact)
            if common and how is None:
                best.take(ids[:common], shared.rows(common), shared.saved_as(common))
            common = best.usable(ids, None, selection)
        else:
            self._chains.remove(best)
        self._chains.append(best)
        takes = how is None or _takes(best)
        if how is not None and takes:
            common = self._copy(best, ids, common, form)
        if store is not None and documents and takes and (reopened := self._reopen(best, ids, common, store)):
            self.reopened = reopened
            store.used(self._opened, _names(documents), self._seconds)
        best.select(selection)
        best.documents |= frozenset(_names(documents))
        self._let_go(best)
        return best

    def expected(
        self,
        ids: Ids,
        most: int,
        store: Store | None,
        form: Form = "model",
        how: Eviction | None = None,
        selection: Selection = NONE,
    ) -> tuple[int, int]:
        """Of the first `most` tokens of a prompt, those that `chain_for` would give it read, and of them those that
        would come from disk; with nothing changed or opened."""
        reused = max((chain.usable(ids, most, selection) for chain in self._alike(form, how)), default=0)
        if how is not None:
            again = guard.again(how) if guard.at_end(how) else None
            if again is None:
                return reused, 0
            most = min(most, max(0, len(ids) - again))
            reused = max(reused, *(chain.usable(ids, most, NONE) for chain in self._alike(form, None)), 0)
        if store is None:
            return reused, 0
        made = self._made(form)
        wanted = ids[: self.window if how is not None else min(most, self.window)]  # a policy's chain goes back in it
        regimes = {"", self.current.regime(len(ids), len(ids))}
        saved = max(store.longest_length(replace(made, regime=regime), wanted) for regime in regimes)
        saved = min(saved, most)
        return (saved, saved) if saved > reused else (reused, 0)

    def save(self, chain: Chain, count: int, documents: Sequence[Document], store: Store) -> None:
        """Keep the first `count` rows, which end with the last of these documents, unless they are kept. What goes
        wrong is noted, and that rows of a policy's choice, or made by looking at a selection, are not what others may
        go on from."""
        if chain.how is not None:
            self.notes.append(Note("not_saved_pruned"))
            return
        if count > chain.exact:
            self.notes.append(Note("selection_not_saved"))
            return
        if not chain.holds(count):
            return  # the states of its end were given up for others, and the text will be read again
        made, ids = replace(self._made(chain.form), regime=chain.saved_as(count)), chain.ids[:count]
        if (store, key(made, ids)) in self._saved or store.has(made, ids):
            return
        try:
            store.begin(chain.bytes_of(count))
            name = store.put(made, ids, chain.rows(count))
            store.keep(made, _names(documents), [name], count)
            self._saved.add((store, name))
        except NotSaved as problem:
            self.notes.append(Note(problem.code, problem.values))

    def forget(self, documents: Sequence[str] | None) -> None:
        """Let go of chains that hold text of these documents; None: of all."""
        self._saved.clear()
        gone = [c for c in self._chains if documents is None or not c.documents.isdisjoint(documents)]
        for chain in gone:
            self._chains.remove(chain)
        if not self._chains:
            self._chains.append(Chain(self._decoder, self.window))

    def give_back(self) -> None:
        """Memory is short: only the chain in use stays."""
        current = self.current
        self._chains = [*(one for one in self._aside if one is not current), current]
        for chain in self._aside:
            chain.release()

    def _let_go(self, best: Chain) -> None:
        """Of chains that are not in use, those used longest ago, until the rest keeps within the budget."""

        def over() -> bool:
            return self.bytes() - best.bytes() > self.budget

        for chain in [one for one in self._chains if one is not best and one not in self._aside]:
            if not over():
                return
            self._chains.remove(chain)
        for chain in self._aside:
            if over():
                chain.release()

    def _alike(self, form: Form, how: Eviction | None) -> list[Chain]:
        return [chain for chain in self._chains if chain.form == form and chain.how == how]

    def _chain(self, form: Form, how: Eviction | None) -> Chain:
        if how is None:
            return Chain(self._decoder, self.window, form)
        prune: Prune = lambda caches: self._prepare(how, caches)  # noqa: E731
        return Chain(self._decoder, self.window, form, prune=prune)

    def _copy(self, chain: Chain, ids: Ids, common: int, form: Form) -> int:
        """Rows that a chain holds which keeps all of them; tokens that are in `chain` then."""
        plain = max(self._alike(form, None), key=lambda one: one.usable(ids, None, NONE), default=None)
        count = 0 if plain is None else plain.usable(ids, None, NONE)
        if plain is None or count <= common:
            return common
        chain.copy(plain, count)
        return count

    def _reopen(self, chain: Chain, ids: Ids, common: int, store: Store) -> int:
        began, before = time.monotonic(), store.damaged
        self._opened = self._made(chain.form)
        block = store.longest_chain(self._opened, ids[: self.window])
        regime: Regime = chain.regime(len(ids), len(ids))
        if regime:  # short texts are read alike in both, and named so
            made = replace(self._opened, regime=regime)
            longer = store.longest_chain(made, ids[: self.window])
            if longer is not None and (block is None or len(longer.ids) > len(block.ids)):
                block, self._opened = longer, made
        tensors = block.open() if block is not None and len(block.ids) > common else None
        if store.damaged > before:
            self._saved.clear()
            self.notes.append(Note("reading_damaged", {"segments": str(store.damaged - before)}))
        if block is None or tensors is None:
            return 0
        chain.take(block.ids, tensors, regime)
        block.close()
        self._seconds = time.monotonic() - began
        return len(block.ids)


def _takes(chain: Chain) -> bool:
    """Whether rows that were read without its policy are as good as its own."""
    return chain.pruning is not None and chain.pruning.takes


def _names(documents: Sequence[Document]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(document.sha256 for document in documents))
