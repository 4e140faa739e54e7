"""The same question with one passage left out of the text: whether the answer stands on it."""

import asyncio
import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from app.data.conversation import Message
from app.data.document import Item, Span
from app.data.evidence import Without
from app.data.quote import QuotePlace
from app.services.files import write_whole
from app.services.library import Library
from app.services.turns import Prompt, prompt
from engine.client import Engine, RequestFailed, new_id
from engine.protocol import Conversation, Delta, Failed, Generate, ReadingSettings, Sampling

LEFT = "without-{id}.txt"
"""Name of a text with a passage left out, as long as it is asked about."""


class Shortened:
    """The library's items, one of them without the characters of `place`. Its text lies in `folder` while this is
    open."""

    def __init__(self, library: Library, place: QuotePlace, folder: Path) -> None:
        self._library, self._place = library, place
        text = library.text(place.item)
        content = (text[: place.start] + text[place.end :]).encode()
        self._id = hashlib.sha256(content).hexdigest()
        self._path = folder / LEFT.format(id=self._id)
        write_whole(self._path, content)

    @classmethod
    @contextlib.contextmanager
    def open(cls, library: Library, place: QuotePlace, folder: Path) -> "Iterator[Shortened]":
        made = cls(library, place, folder)
        try:
            yield made
        finally:
            with contextlib.suppress(OSError):
                made._path.unlink()

    @property
    def id(self) -> str:
        """Of the text that is left."""
        return self._id

    def item(self, id: str) -> Item:
        found = self._library.get(id)
        if id != self._place.item:
            return found
        characters = found.characters - (self._place.end - self._place.start)
        return msgspec.structs.replace(found, id=self._id, path=str(self._path), characters=characters, tokens=None)

    def spans(self, id: str) -> tuple[Span, ...]:
        spans = self._library.spans(id)
        return spans if id != self._place.item else tuple(_moved(span, self._place) for span in spans)


def _moved(span: Span, place: QuotePlace) -> Span:
    """The span in the text without the place's characters."""

    def to(position: int) -> int:
        return position - max(0, min(position, place.end) - place.start)

    return msgspec.structs.replace(span, start=to(span.start), end=to(span.end))


async def ask_without(
    engine: Engine,
    library: Library,
    messages: Sequence[Message],
    answer: str,
    talk: Callable[[Prompt], Conversation],
    place: QuotePlace,
    folder: Path,
    writing: Sampling,
    how: ReadingSettings,
    on_text: Callable[[str], None],
) -> Without:
    """Answer the question that the message `answer` answers once more, without the passage; nothing of it is kept.

    `talk`: the conversation as the engine is given it. `on_text` hears the answer so far. Raises KeyError for an
    unknown message, `Problem` when the text is gone, and `RequestFailed`. Cancelling ends the request.
    """
    number = [message.id for message in messages].index(answer)
    with Shortened.open(library, place, folder) as shortened:
        conversation = talk(prompt(messages[:number], (), shortened.item, shortened.spans))
        request = Generate(new_id(), conversation, writing, reading=msgspec.structs.replace(how, save=False))
        stream = engine.send(request)
        text = ""
        try:
            async for event in stream:
                if isinstance(event, Delta):
                    text += event.text
                    on_text(text)
        except asyncio.CancelledError:
            stream.cancel()
            raise
        if isinstance(stream.ended, Failed):
            raise RequestFailed(stream.ended)
        return Without(place, text, not same(text, messages[number].text))


def same(one: str, other: str) -> bool:
    """Whether two answers say the same, spaces and letter case aside."""
    return one.casefold().split() == other.casefold().split()
