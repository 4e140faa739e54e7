"""How far the encoding of texts is, told while it goes on."""

from collections.abc import Callable
from pathlib import Path

from engine.model.decoder import Stopped
from engine.protocol import Conversation, Document, Event, Progress

Emit = Callable[[Event], None]
Stop = Callable[[], bool]


class Look:
    """Told how far the encoding of texts is, one text after the other; stops it, and reports it as tokens at an
    estimated four characters each, since how many it will be is known only afterwards."""

    def __init__(self, id: str, documents: tuple[Document, ...], emit: Emit, stopped: Stop) -> None:
        self._id = id
        self._emit = emit
        self._stopped = stopped
        self._documents = documents
        self._before = self._last = 0

    def __call__(self, done: int, total: int) -> None:
        if self._stopped():
            raise Stopped
        if done == 0:
            self._before, self._last = self._before + self._last, total
            return  # most texts are done in one go, and not worth a word
        whole = sum(_size(document) for document in self._documents)
        so_far = self._before + done
        self._emit(Progress(self._id, "tokenise", so_far // 4, max(whole, self._before + total) // 4))


def documents_of(conversation: Conversation) -> tuple[Document, ...]:
    return tuple(part for turn in conversation.turns for part in turn.parts if isinstance(part, Document))


def _size(document: Document) -> int:
    try:
        return Path(document.path).stat().st_size
    except OSError:
        return 0  # its own failure is told when it is read
