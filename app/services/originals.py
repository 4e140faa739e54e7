"""Whether the files that items were made from are still what was read, and reading the new version where not."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from app.data.changes import Change, Changes
from app.data.document import Item, Refused
from app.data.original import OriginalState
from app.data.quote import QuotePlace
from app.services.addresses import address
from app.services.collections import Collections
from app.services.comparison import Pair, Passage, compare, passages
from app.services.library import Library
from app.services.origin import Origin, Stamp, digest, stamp


class Seen(Struct, frozen=True):
    """What a look at an original gave. `stamp`: by which the same bytes are known again."""

    state: OriginalState
    stamp: Stamp | None = None


class Renewed(Struct, frozen=True):
    """`new` is `old` itself when the original, read again, says the same. `matters`: ids of those in which the new
    version took the old one's place."""

    old: Item
    new: Item
    changes: Changes
    matters: tuple[str, ...] = ()


class Originals:
    """The originals of the items of `library`."""

    def __init__(self, library: Library, collections: Collections) -> None:
        self._library = library
        self._collections = collections
        self._seen: dict[str, Seen] = {}

    async def check(self, items: Iterable[Item] | None = None) -> dict[str, OriginalState]:
        """How the originals of these items stand, or of all that are not removed, by id.

        Looks at size and time; a file that has the same size and another time is read through. Nothing is extracted.
        """
        newer = {item.succeeds for item in self._library.items()}
        states: dict[str, OriginalState] = {}
        for item in self._library.items() if items is None else list(items):
            if item.id in newer:
                states[item.id] = "older"
                continue
            try:
                made = self._library.origin(item.id)
            except KeyError:  # forgotten meanwhile
                continue
            seen = await asyncio.to_thread(_look, item, made, self._seen.get(item.id))
            self._seen[item.id] = seen
            states[item.id] = seen.state
            if seen.state == "same" and seen.stamp is not None and self._library.holds(item.id):
                self._library.set_stamp(item.id, seen.stamp)
        return states

    async def renew(
        self, id: str, on_progress: Callable[[int, int], None] = lambda done, total: None
    ) -> Renewed | Refused:
        """Read the original anew. Both versions stay in the library; the new one takes the old one's place in matters,
        never in conversations, whose quotes stay true to what they were written from. Raises as `Library.add` does."""
        old = self._library.get(id)
        new = await self._library.read_anew(id, on_progress)
        if isinstance(new, Refused):
            return new
        self._seen.pop(id, None)
        if new.id == id:
            return Renewed(old, new, Changes(id, id))
        changes = await self.changes(id, new.id)
        return Renewed(old, new, changes, self._collections.exchange(id, new.id))

    async def changes(self, old: str, new: str) -> Changes:
        """Between the texts of two items. Raises KeyError, or `Problem("text_missing")`."""
        items = [self._library.get(id) for id in (old, new)]
        texts = [self._library.text(id) for id in (old, new)]
        flows = [item.unit == "page" for item in items]
        pairs, same = await asyncio.to_thread(_compare, texts, flows)
        spans = [self._library.spans(id) for id in (old, new)]
        headings = [self._library.headings(id) for id in (old, new)]

        def place(side: int, passage: Passage | None) -> QuotePlace | None:
            if passage is None:
                return None
            return address(items[side], spans[side], headings[side], passage.start, passage.end)

        told = [
            Change(
                "added" if pair.old is None else "removed" if pair.new is None else "changed",
                *(place(0, pair.old), place(1, pair.new)),
                before="" if pair.old is None else pair.old.words,
                after="" if pair.new is None else pair.new.words,
            )
            for pair in pairs
        ]
        return Changes(old, new, tuple(told), same)


def _compare(texts: Sequence[str], flows: Sequence[bool]) -> tuple[list[Pair], int]:
    old, new = (passages(text, flow) for text, flow in zip(texts, flows, strict=True))
    return compare(old, new)


def _look(item: Item, made: Origin | None, before: Seen | None) -> Seen:
    """`before`: what the last look gave."""
    source = Path(item.source)
    try:
        now = stamp(source)
        if made is not None and now == made.stamp:
            return Seen("same", now)
        if before is not None and now == before.stamp:
            return before
        known = None if made is None else made.stamp
        if known is not None and (known.files is None) != (now.files is None):
            return Seen("changed", now)  # a folder where a file was
        if now.files is not None:
            return Seen("unknown" if known is None else "maybe", now)
        if item.file_sha256:
            same = now.size == item.file_size and digest(source) == item.file_sha256
            return Seen("same" if same else "changed", now)
        return Seen("unknown" if known is None else "changed" if now.size != known.size else "maybe", now)
    except (FileNotFoundError, NotADirectoryError):
        return Seen("missing")
    except OSError:
        return Seen("unknown")
