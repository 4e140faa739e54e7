"""Looking for words in the texts of all items: the index says where they may be, the texts say where they are."""

import asyncio
import math
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import attrgetter, itemgetter
from pathlib import Path

from msgspec import Struct

from app.data.document import Heading, Item
from app.data.found import FoundText, FoundTexts, TextPlace
from app.services.addresses import address
from app.services.library import Library
from app.services.problem import Problem
from app.services.spots import Spot, excerpt, query, spots
from app.services.text_index import OVERLAP, Piece, TextIndex, folded

TEXTS, PLACES = 20, 3
"""Shown at first: so many texts, so many places of each."""
TEXTS_LOOKED, PIECES_LOOKED = 200, 2000
"""More than these are not looked through for one search; texts that may hold the words most often go first."""
NEAR = 200
"""Characters between words that are about one thing."""


class Wanted(Struct, frozen=True):
    """`weights`: what each word tells, rare ones more. `pieces`: of each item, those to look through for all words
    together, or a list for each word when they stand `apart`. `more`: not everything is among them."""

    words: tuple[str, ...]
    weights: tuple[float, ...]
    pieces: dict[str, list[list[Piece]]]
    apart: bool
    more: bool


class Match(Struct, frozen=True):
    """A piece of a text and where the words are in it, in order."""

    rank: float
    spots: tuple[Spot, ...]


def _ignore(done: int, total: int) -> None:
    """Nobody asked for progress."""


class TextSearch:
    """Over the items of `library` that are not removed."""

    def __init__(self, library: Library, index: TextIndex) -> None:
        self._library = library
        self._index = index

    async def waiting(self) -> list[Item]:
        """Items whose text is not in the index yet, the newest first."""
        whole = await asyncio.to_thread(self._index.whole)
        return [item for item in self._library.items() if item.id not in whole]

    async def bring_up_to_date(self, on_progress: Callable[[int, int], None] = _ignore) -> None:
        """Take in what is missing, step by step in another thread; `on_progress` hears characters done and in all.

        What was taken in stays so when this is cancelled. A text that cannot be opened is passed over: who opens it is
        told so. Raises `DatabaseProblem`.
        """
        await self._library.purge()  # what an earlier run of the program still owed
        waiting = await self.waiting()
        total, before = sum(item.characters for item in waiting), 0
        for item in waiting:
            try:
                text = self._library.text(item.id)
                breaks = [span.start for span in self._library.spans(item.id)]
            except (KeyError, Problem):
                text, breaks = "", []
            done = 0
            while done < len(text):
                on_progress(before + done, total)
                done = await asyncio.to_thread(self._index.take_in, item.id, text, breaks)
                if not self._library.holds(item.id):  # it was forgotten meanwhile
                    await self._library.purge()
                    break
            before += item.characters
        on_progress(total, total)

    async def search(
        self, asked: str, texts: int = TEXTS, places: int = PLACES, within: Collection[str] | None = None
    ) -> FoundTexts:
        """The best `texts` that hold all the words, with the best `places` of each; words between quotation marks are
        one. `within`: of these items alone. Raises `DatabaseProblem`."""
        words = query(asked)
        if not words:
            return FoundTexts()
        items = {item.id: item for item in self._library.items() if within is None or item.id in within}
        holding = await asyncio.to_thread(lambda: [self._index.holding(word) for word in words])
        weights = tuple(1 / math.log2(2 + len(numbers)) for numbers in holding)
        pieces, more = await asyncio.to_thread(self._together, holding, frozenset(items))
        shown = await self._looked(Wanted(words, weights, pieces, False, more), items, places)
        if len(words) > 1 and len(shown) < texts:
            others = frozenset(items) - {one.item for one in shown}
            pieces, more_apart = await asyncio.to_thread(self._apart, holding, others)
            shown += await self._looked(Wanted(words, weights, pieces, True, False), items, places)
            more = more or more_apart
        waiting = sum(item.id in items for item in await self.waiting())
        return FoundTexts(tuple(shown[:texts]), more or len(shown) > texts, waiting)

    def _together(
        self, holding: Sequence[set[int]], items: Collection[str]
    ) -> tuple[dict[str, list[list[Piece]]], bool]:
        """The pieces that may hold all words; and whether there are more."""
        shared = set.intersection(*holding)
        texts = [id for id in self._index.counts(shared) if id in items]
        found: dict[str, list[list[Piece]]] = {}
        left = PIECES_LOOKED
        for id in texts[:TEXTS_LOOKED]:
            pieces = self._index.places(id, shared)
            if left:
                found[id] = [pieces[:left]]
            if len(pieces) > left:
                return found, True
            left -= len(pieces)
        return found, len(texts) > TEXTS_LOOKED

    def _apart(self, holding: Sequence[set[int]], items: Collection[str]) -> tuple[dict[str, list[list[Piece]]], bool]:
        """Of texts that may hold all words, the pieces that may hold each of them; and whether there are more."""
        each = [self._index.counts(numbers) for numbers in holding]
        texts = [id for id in each[0] if id in items and all(id in one for one in each)]
        found = {id: [self._index.places(id, numbers) for numbers in holding] for id in texts[:TEXTS]}
        return found, len(texts) > TEXTS

    async def _looked(self, wanted: Wanted, items: Mapping[str, Item], places: int) -> list[FoundText]:
        """What is there of it, the best first."""
        headings = {id: self._library.headings(id) for id in wanted.pieces}
        found = await asyncio.to_thread(_look_through, wanted, items, headings)
        ranked = sorted(found.items(), key=lambda one: (one[1][0].rank, items[one[0]].added), reverse=True)
        return [self._shown(items[id], matches, places, wanted) for id, matches in ranked]

    def _shown(self, item: Item, matches: Sequence[Match], places: int, wanted: Wanted) -> FoundText:
        text, spans = _text(item), self._library.spans(item.id)
        headings = self._library.headings(item.id)
        shown = []
        for match in matches[:places]:
            start, end = match.spots[0]
            snippet, marks = excerpt(text, match.spots)
            shown.append(TextPlace(address(item, spans, headings, start, end), snippet, marks))
        return FoundText(item.id, item.name, tuple(shown), len(matches), wanted.more, wanted.apart)


def _look_through(
    wanted: Wanted, items: Mapping[str, Item], headings: Mapping[str, Sequence[Heading]]
) -> dict[str, list[Match]]:
    """By item, the pieces that really hold the words, the best first; where they stand apart one piece, that of the
    rarest word. No database is asked, so that this may run in any thread."""
    found: dict[str, list[Match]] = {}
    for id, pieces in wanted.pieces.items():
        text = _text(items[id])
        if wanted.apart:
            matches = _apart(text, wanted, pieces)
        else:
            made = [_match(text, piece, wanted, headings[id]) for piece in pieces[0]]
            matches = [match for match in made if match is not None]
        if matches:
            found[id] = sorted(matches, key=attrgetter("rank"), reverse=True)
    return found


def _match(text: str, piece: Piece, wanted: Wanted, headings: Sequence[Heading]) -> Match | None:
    """The piece, when all words are in it: the better the oftener, the rarer and the nearer, and under headings that
    say them too."""
    found = _here([spots(text, piece, word) for word in wanted.words], piece.end)
    if not found:
        return None
    rank = sum(weight * len(each) / (len(each) + 1) for weight, each in zip(wanted.weights, found, strict=True))
    first, last = (bisect_left(headings, at, key=attrgetter("start")) for at in (piece.start, piece.end))
    title = folded(" ".join(heading.title for heading in headings[first:last]))
    rank += sum(weight for weight, word in zip(wanted.weights, wanted.words, strict=True) if word in title)
    firsts = [each[0][0] for each in found]
    rank += wanted.weights[0] / (1 + (max(firsts) - min(firsts)) / NEAR)
    return Match(rank, tuple(sorted(spot for each in found for spot in each)))


def _here(found: Sequence[Sequence[Spot]], end: int) -> list[list[Spot]]:
    """The spots of each word before `end`; or where some are only behind it, those of all words that are near it on
    either side. Nothing when neither has all words."""
    inside = [[spot for spot in each if spot[0] < end] for each in found]
    if all(inside):
        return inside
    if all(each and each[-1][0] >= end for each in found):
        return []  # all of them are in what comes next
    near = [[spot for spot in each if spot[0] >= end - OVERLAP] for each in found]
    return near if all(near) else []


def _apart(text: str, wanted: Wanted, pieces: Sequence[Sequence[Piece]]) -> list[Match]:
    """The first place of the word that tells most, when each of them is somewhere in the text."""
    firsts = [
        next((found for piece in held if (found := spots(text, piece, word))), None)
        for word, held in zip(wanted.words, pieces, strict=True)
    ]
    if None in firsts:
        return []
    weight, chosen = max(zip(wanted.weights, firsts, strict=True), key=itemgetter(0))
    return [Match(weight, tuple(chosen or ()))]


def _text(item: Item) -> str:
    """Nothing of a text that is not where it was: who opens it is told so."""
    try:
        return Path(item.path).read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return ""
