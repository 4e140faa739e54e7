"""Documents to segments: each is read on its own, under a line that says what it is, and known by its own tokens."""

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct

from engine.prompt import Placed
from engine.protocol import Document, Place
from engine.reading.borders import borders, groups
from engine.reading.frame import Frame
from engine.tokenizer import Ids, Tokenizer

HEAD = 96
"""Tokens that are kept for the line over a segment, which says more than any other."""
LONGEST_LABEL = 48
"""Characters of a chapter's or file's name in that line."""
LONGEST_NAME = 40
"""Tokens of the document's name in that line, and of where in it the segment stands: names in some scripts take several
for each character."""


class Body(Struct, frozen=True):
    """Tokens `start` to `end` of document number `document` are a segment's ids from `at` on. Just before them stand
    `again` tokens of it that are in the segment before as well."""

    document: int
    start: int
    end: int
    at: int
    again: int = 0


class Segment(Struct, frozen=True):
    """`ids`: all that is read, of which the first `preamble` are the template's. `own`: tokens of documents that are
    in no segment before; `bodies` and `places`: where those stand. `key` names the segment by its ids."""

    ids: Ids
    preamble: int
    bodies: tuple[Body, ...]
    places: tuple[Place, ...]
    key: str

    @property
    def own(self) -> int:
        return sum(body.end - body.start for body in self.bodies)


def segments(frame: Frame, texts: Sequence[Placed], tokenizer: Tokenizer, longest: int, overlap: int) -> list[Segment]:
    """The frame's documents, whose texts are given, in segments of up to `longest` tokens beside the preamble.

    A long document is cut at ends of paragraphs; a segment begins with the last `overlap` tokens of the one before.
    Short ones that follow each other are put together. Documents never share a segment with parts of a long one.
    """
    room = max(longest - HEAD, 16)
    # What goes on of a text must be more than what is said again
    return _Cutter(frame, texts, tokenizer, room, min(overlap, longest // 4, room // 2)).segments()


class _Part(Struct, frozen=True):
    """Tokens `first` to `end` of a document under a title, those from `start` on for the first time."""

    title: str
    document: int
    first: int
    start: int
    end: int


class _Cutter:
    def __init__(self, frame: Frame, texts: Sequence[Placed], tokenizer: Tokenizer, longest: int, overlap: int) -> None:
        self._frame, self._texts, self._tokenizer = frame, texts, tokenizer
        self._longest, self._overlap = longest, overlap
        self._made: list[Segment] = []

    def segments(self) -> list[Segment]:
        short: list[int] = []
        for number, placed in enumerate(self._texts):
            if len(placed.ids) <= self._longest // 2:
                short.append(number)
                continue
            self._pack(short)
            short = []
            self._cut(number)
        self._pack(short)
        return self._made

    def _cut(self, number: int) -> None:
        placed = self._texts[number]
        tokens = len(placed.ids)
        # The overlap is not for texts that are in one piece anyway
        edges = [0]
        if tokens > self._longest:
            edges += borders(placed, self._longest - self._overlap)
        edges.append(tokens)
        for start, end in pairwise(edges):
            place = Place(number, placed.character(start), placed.character(end))
            title = self._title(self._frame.documents[number], place if len(edges) > 2 else None)
            first = max(0, start - self._overlap)
            self._add([_Part(title, number, first, start, end)], (place,))

    def _pack(self, numbers: list[int]) -> None:
        if not numbers:
            return
        titles = [self._title(self._frame.documents[number], None) for number in numbers]
        # With the line over each and an empty one behind it
        sizes = [
            len(self._texts[number].ids) + len(self._tokenizer.encode(title)) + 4
            for number, title in zip(numbers, titles, strict=True)
        ]
        names = [self._frame.documents[number].sha256 for number in numbers]
        edges = [0, *groups(sizes, names, self._longest), len(numbers)]
        for first, last in pairwise(edges):
            parts, places = [], []
            for title, number in zip(titles[first:last], numbers[first:last], strict=True):
                placed = self._texts[number]
                parts.append(_Part(title, number, 0, 0, len(placed.ids)))
                places.append(Place(number, 0, len(placed.text)))
            self._add(parts, tuple(places))

    def _add(self, parts: list[_Part], places: tuple[Place, ...]) -> None:
        frame, encode = self._frame, self._tokenizer.encode
        ids, bodies, length = [frame.preamble], [], len(frame.preamble)
        for number, part in enumerate(parts):
            space, opens = (frame.space, frame.opens) if number == 0 else ("", False)
            placed = self._texts[part.document]
            title = encode(space + part.title + "\n\n", opens=opens and not space)
            again = part.start - part.first
            bodies.append(Body(part.document, part.start, part.end, length + len(title) + again, again))
            added = [title, placed.ids[part.first : part.end]]
            if not _closed(placed, part.end):
                added.append(encode("\n\n"))
            ids += added
            length += sum(map(len, added))
        joined = np.concatenate(ids)
        key = hashlib.sha256(joined.astype("<i4").tobytes()).hexdigest()
        self._made.append(Segment(joined, len(frame.preamble), tuple(bodies), places, key))

    def _title(self, document: Document, place: Place | None) -> str:
        """`place`: for a part of a document, which says its pages as well."""
        title = f"Document: {self._shortened(document.name)}"
        if place is None or not document.labels:
            return title
        starts = [label.start for label in document.labels]
        first = max(0, bisect_right(starts, place.start) - 1)
        last = max(first, bisect_right(starts, place.end - 1) - 1)
        a, b = (document.labels[at].text[:LONGEST_LABEL] for at in (first, last))
        where = f"{document.unit} {a}" if first == last else f"{document.unit}s {a} to {b}"
        return f"{title}, {self._shortened(where)}"

    def _shortened(self, text: str) -> str:
        _, starts = self._tokenizer.encode_placed(text)
        return text if len(starts) <= LONGEST_NAME else text[: starts[LONGEST_NAME]].rstrip() + "…"


def _closed(placed: Placed, end: int) -> bool:
    return placed.text[: placed.character(end)][-2:] == "\n\n"
