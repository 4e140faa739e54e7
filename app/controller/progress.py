"""How far the documents of a conversation are read: the bar, the chips and the library's cards tell the same."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from app.controller.estimate import estimate
from app.controller.state import State
from app.data.document import Item
from app.models.reading_words import reading
from app.views.window import MainWindow
from engine.protocol import Progress


class ReadingProgress(QObject):
    """`attachments` gives the items that the open conversation holds."""

    def __init__(self, state: State, window: MainWindow, attachments: Callable[[], Sequence[Item]]) -> None:
        super().__init__(window)
        self._state, self._window, self._attachments = state, window, attachments
        self._fractions: dict[str, float] = {}
        """Of the items that are being read, by id."""
        state.conversation_changed.connect(window.reading_bar.finish)

    def show(self, conversation: str, items: Sequence[Item], progress: Progress, *, parts: bool = False) -> None:
        """`items` in the order of the prompt. Only the open conversation's progress moves the bar. `parts`: asking goes
        over every part of the text."""
        if progress.stage == "read":
            self._share(items, progress)
        elif progress.stage == "ask":
            self._hold(items)
        if conversation != self._state.conversation or progress.stage == "write":
            return
        fraction = progress.done / progress.total if progress.total else None
        self._window.reading_bar.show_progress(
            "parts" if parts and progress.stage == "ask" else progress.stage,
            *(fraction, progress.rate, progress.left),
            [item.name for item in items],
            counted(progress, parts),
            self._in_segments(items),
        )

    def finish(self, items: Sequence[Item], *, read: bool) -> None:
        """It ended; `read`: to the end of all items."""
        self._fractions.clear()
        if read:
            self._state.read = frozenset(item.id for item in items)
        self._window.reading_bar.finish()
        self._state.documents_changed.emit()

    def _hold(self, items: Sequence[Item]) -> None:
        """All of them are read: now they are asked."""
        ids = frozenset(item.id for item in items)
        if self._fractions or not ids <= self._state.read:
            self._fractions.clear()
            self._state.read = ids
            self._state.documents_changed.emit()

    def _in_segments(self, items: Sequence[Item]) -> bool:
        loaded = self._state.loaded
        if loaded is None or not items:
            return False
        return estimate([item.tokens or 0 for item in items], loaded, self._state.settings).segments is not None

    def show_chips(self) -> None:
        self._window.composer.set_attachments([(item, self._fractions.get(item.id)) for item in self._attachments()])

    def show_states(self) -> None:
        """On the library's cards and on the chips, for what is not being read just now."""
        for item_id in self._window.sidebar.item_ids():
            if item_id not in self._fractions:
                self._window.sidebar.set_item_state(item_id, 1.0 if item_id in self._state.read else None)
        self.show_chips()

    def _share(self, items: Sequence[Item], progress: Progress) -> None:
        """The documents lie one after the other in what is read, nearly from its start."""
        before = 0
        for item in items:
            tokens = item.tokens or 1
            fraction = min(1.0, max(0.0, (progress.done - before) / tokens))
            self._fractions[item.id] = fraction
            words = reading(fraction, progress.rate, progress.left) if 0 < fraction < 1 else ""
            self._window.sidebar.set_item_state(item.id, fraction, words)
            before += tokens
        self.show_chips()


def counted(progress: Progress, parts: bool) -> tuple[int, int]:
    """Segments that were asked, of how many; of parts, the one that is gone over now."""
    return (min(progress.done + 1, progress.total) if parts else progress.done, progress.total)
