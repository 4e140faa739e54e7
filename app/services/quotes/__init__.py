"""Verified quotes: after an answer was written, what it quotes is looked for in the documents that it was written from.

Nothing here changes what a model is asked. An answer's quotes are found (`spans`, `facts`), and each is looked for
letter by letter (`folding`, `matching`, `elided`), in other notations (`standing`, `values`) and in nearly the same
words (`close`); `locating` decides, and `pages` says where it lies.
"""

import asyncio
import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

from app.data.document import Item
from app.data.quote import Excerpt, Quote, QuotePlace
from app.services.library import Library, kept_text
from app.services.problem import Problem
from app.services.quotes.folding import Folded
from app.services.quotes.locating import quotes_of
from app.services.quotes.sources import Source

HELD = 8_000_000
"""Characters of documents whose letters are kept in memory, the least recently used forgotten first: some 60 MiB."""
AROUND = 240
"""Characters shown before and after a place."""

log = logging.getLogger(__name__)


class Stopped(Exception):
    """Nobody wants the quotes any more."""


class Quotes:
    """Looks for quotes in texts of the library, in a thread of its own."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._folded: OrderedDict[str, Folded] = OrderedDict()
        self._lock = threading.Lock()

    async def find(self, answer: str, items: Sequence[Item]) -> tuple[Quote, ...]:
        """The quotes of an answer that was written from these items, in its order; without items there are none.

        Also without them when a text can not be read any more: what it does not hold is then not known. Cancelling
        ends the work.
        """
        if not items or not answer.strip():
            return ()
        try:
            about = [(item, self._library.spans(item.id), self._library.headings(item.id)) for item in items]
        except KeyError:  # forgotten while it was being answered about
            return ()
        stop = threading.Event()

        def look() -> None:
            if stop.is_set():
                raise Stopped

        def work() -> tuple[Quote, ...]:
            sources = [Source(item, self._letters(item, look), spans, headings) for item, spans, headings in about]
            return tuple(quotes_of(answer, sources, look))

        try:
            return await asyncio.to_thread(work)
        except Problem as problem:
            log.warning("quotes were not looked for: %s", problem)
            return ()
        finally:
            stop.set()

    def excerpt(self, place: QuotePlace) -> Excerpt:
        """A place with its surroundings, each on one line. Raises KeyError for an item that was forgotten, and
        `Problem("text_missing")`."""
        with self._lock:
            folded = self._folded.get(place.item)
        text = self._library.text(place.item) if folded is None else folded.text
        first, last = max(0, place.start - AROUND), min(len(text), place.end + AROUND)
        before, after = _line(text[first : place.start]), _line(text[place.end : last])
        before, after = "…" * (first > 0) + before, after + "…" * (last < len(text))
        return Excerpt(before, _line(text[place.start : place.end]), after)

    def _letters(self, item: Item, look: Callable[[], None]) -> Folded:
        with self._lock:
            if item.id in self._folded:
                self._folded.move_to_end(item.id)
                return self._folded[item.id]
        folded = Folded(kept_text(item), look)
        with self._lock:
            self._folded[item.id] = folded
            while len(self._folded) > 1 and sum(len(each.text) for each in self._folded.values()) > HELD:
                self._folded.popitem(last=False)
        return folded


def _line(text: str) -> str:
    return re.sub(r"\s+", " ", text)
