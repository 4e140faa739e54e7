"""What a question over every part of a text has found: certain ones first, uncertain ones apart, each with its page."""

from bisect import insort
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.data.conversation import FoundPart
from app.models import places, quantities
from app.views import theme

PAGES = 3
"""Places that stand beside one text; the others are in a menu."""
UNCERTAIN_SHOWN = 4
"""Rows of uncertain ones at first: a small model writes something for nearly every part."""
LABEL = 26
"""Letters of a place on its button, at most."""


class Row(QFrame):
    """One text that the model wrote, and the places where it wrote it."""

    place = Signal(str, int, int)

    def __init__(self, found: FoundPart, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "row")
        self._found = [found]
        self._text = QLabel(" ".join(found.text.split()), self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        theme.set_role(self._text, "" if found.certain else "quiet")
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(2)
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(self._text, 1)
        line.addLayout(self._buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 3, 0, 4)
        layout.setSpacing(0)
        layout.addLayout(line)
        if not found.certain:
            self._text.setToolTip(_why(found))
            reason = QLabel(_why(found), self)
            reason.setWordWrap(True)
            theme.set_role(reason, "caption")
            layout.addWidget(reason)
        self._show_places()

    def add(self, found: FoundPart) -> None:
        """The same text, written for another part."""
        insort(self._found, found, key=lambda one: one.part)
        self._show_places()

    def text(self) -> str:
        return self._text.text()

    def _show_places(self) -> None:
        while (item := self._buttons.takeAt(0)) is not None:
            item.widget().hide()
            item.widget().deleteLater()
        for found in self._found[:PAGES]:
            label = places.short(found)
            button = QPushButton(label if len(label) <= LABEL else f"{label[: LABEL - 1]}…", self)
            button.setToolTip(self.tr("Open {place}").format(place=places.whole(found)))
            said = self.tr("{text}: open {place}").format(text=self.text(), place=places.whole(found))
            button.setAccessibleName(said)
            theme.set_role(button, "link")
            button.clicked.connect(partial(self._open, found))
            self._buttons.addWidget(button)
        if len(self._found) > PAGES:
            more = QPushButton(self.tr("+{n}").format(n=quantities.number(len(self._found) - PAGES)), self)
            more.setAccessibleName(self.tr("{text}: more places").format(text=self.text()))
            theme.set_role(more, "link")
            menu = QMenu(more)
            for found in self._found[PAGES:]:
                menu.addAction(places.short(found), partial(self._open, found))
            more.setMenu(menu)
            self._buttons.addWidget(more)
        where = ", ".join(places.whole(found) for found in self._found)
        said = [self.text(), where] if self._found[0].certain else [self.text(), where, _why(self._found[0])]
        self.setAccessibleName(", ".join(said))

    def _open(self, found: FoundPart, _checked: bool = False) -> None:
        self.place.emit(found.item, found.start, found.end)


class Rows(QWidget):
    """Rows in the order of the text, or `by_surprise` with the likeliest first; the same text stands once."""

    place = Signal(str, int, int)

    def __init__(self, by_surprise: bool, limit: int | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._by_surprise, self._limit = by_surprise, limit
        self._heads: list[tuple[float, str]] = []
        """Of each text, in order: its key, and the text as it is compared."""
        self._found: dict[str, list[FoundPart]] = {}
        self._rows: dict[str, Row] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)

    def add(self, found: FoundPart) -> None:
        text = " ".join(found.text.split()).casefold()
        if text in self._found:
            self._found[text].append(found)
            if text in self._rows:
                self._rows[text].add(found)
            return
        self._found[text] = [found]
        insort(self._heads, (found.surprise if self._by_surprise else float(found.part), text))
        self._build()

    def show_all(self) -> None:
        self._limit = None
        self._build()

    def count(self) -> int:
        """Different texts."""
        return len(self._heads)

    def hidden_count(self) -> int:
        return 0 if self._limit is None else max(0, len(self._heads) - self._limit)

    def rows(self) -> list[Row]:
        """Those that are built, in order."""
        return [self._rows[text] for _, text in self._heads if text in self._rows]

    def _build(self) -> None:
        """A row for each of the first `limit` texts, each in its place; those that fell out of them go."""
        shown = [text for _, text in self._heads[: self._limit]]
        for text in [text for text in self._rows if text not in shown]:
            row = self._rows.pop(text)
            self._layout.removeWidget(row)
            row.hide()
            row.deleteLater()
        for place, text in enumerate(shown):
            if text in self._rows:
                continue
            first, *others = self._found[text]
            row = Row(first, self)
            for other in others:
                row.add(other)
            row.place.connect(self.place)
            self._rows[text] = row
            self._layout.insertWidget(place, row)


class Findings(QWidget):
    """`set_found` with all that was found so far, again and again; rows that stand stay as they are."""

    place = Signal(str, int, int)
    """Show these characters of an item."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[FoundPart, ...] = ()
        self._running = False
        self._title, self._apart = QLabel(self), QLabel(self)
        theme.set_role(self._title, "section")
        theme.set_role(self._apart, "section")
        self._none = QLabel(self)
        theme.set_role(self._none, "quiet")
        self._none.setWordWrap(True)
        self._more = QPushButton(self)
        theme.set_role(self._more, "link")
        self._more.clicked.connect(self._show_all)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 6)
        self._layout.setSpacing(4)
        self._layout.addWidget(self._title)
        self._layout.addWidget(self._none)
        self._begin()
        self._layout.addSpacing(8)
        self._layout.addWidget(self._apart)
        self._layout.addWidget(self.uncertain)
        self._layout.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        self.setAccessibleName(self.tr("Found in the parts of the text"))
        self._tell()

    def _begin(self) -> None:
        self.certain = Rows(False, None, self)
        self.uncertain = Rows(True, UNCERTAIN_SHOWN, self)
        for rows in (self.certain, self.uncertain):
            rows.place.connect(self.place)
        self._layout.insertWidget(2, self.certain)

    def set_found(self, found: tuple[FoundPart, ...], running: bool = False) -> None:
        """`running`: more may come."""
        self._running = running
        if found[: len(self._shown)] != self._shown:
            self._start_anew()
        for one in found[len(self._shown) :]:
            if one.text.strip():
                (self.certain if one.certain else self.uncertain).add(one)
        self._shown = found
        self._tell()

    def text(self) -> str:
        """All that is shown, as it is read aloud."""
        rows = [row.accessibleName() for row in (*self.certain.rows(), *self.uncertain.rows())]
        return "\n".join([self._title.text(), *rows])

    def _start_anew(self) -> None:
        place = self._layout.indexOf(self.uncertain)
        for rows in (self.certain, self.uncertain):
            self._layout.removeWidget(rows)
            rows.hide()
            rows.deleteLater()
        self._shown = ()
        self._begin()
        self._layout.insertWidget(place, self.uncertain)

    def _show_all(self) -> None:
        self.uncertain.show_all()
        self._tell()

    def _tell(self) -> None:
        certain, uncertain, hidden = self.certain.count(), self.uncertain.count(), self.uncertain.hidden_count()
        self._title.setText(self.tr("FOUND · {n}").format(n=quantities.number(certain)))
        waiting, nothing = self.tr("Nothing certain yet."), self.tr("Nothing that the model was certain of.")
        self._none.setText(waiting if self._running else nothing)
        self._none.setVisible(not certain)
        self._apart.setText(self.tr("UNCERTAIN · {n}").format(n=quantities.number(uncertain)))
        for widget in (self._apart, self.uncertain):
            widget.setVisible(uncertain > 0)
        self._more.setText(self.tr("Show all {n}").format(n=quantities.number(uncertain)))
        self._more.setVisible(hidden > 0)


def _why(found: FoundPart) -> str:
    """What speaks against an uncertain one."""
    nats = quantities.decimal(found.surprise, 2)
    if not found.stands:
        return _tr("not in that part of the text ({nats} nats)").format(nats=nats)
    return _tr("the model was not sure ({nats} nats)").format(nats=nats)


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("findings", sentence)
