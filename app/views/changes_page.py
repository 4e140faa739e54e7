"""What changed between two versions of a document: each passage with its words before and after, and links to it."""

import html
import re
from difflib import SequenceMatcher

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QTextBrowser, QVBoxLayout, QWidget

from app.data.changes import Change, Changes
from app.data.document import Item
from app.data.quote import QuotePlace
from app.models.changes import extent, kind
from app.models.found_texts import where
from app.views import theme

AT_ONCE = 200
"""Changes that are shown before more are asked for."""
COMPARED = 4000
"""Characters of a passage up to which the words that changed are marked."""


class ChangesPage(QDialog):
    """`place_clicked` carries where a link leads, in the old version or in the new one."""

    place_clicked = Signal(QuotePlace)

    def __init__(self, old: Item, new: Item, changes: Changes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._old, self._new, self._changes = old, new, changes
        self._shown = AT_ONCE
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("What changed in {name}").format(name=new.name))
        self._text = QTextBrowser(self)
        self._text.setOpenLinks(False)
        self._text.setAccessibleName(self.windowTitle())
        self._text.anchorClicked.connect(self._follow)
        self.more_button = QPushButton(self.tr("Show more"), self)
        self.more_button.setAutoDefault(False)
        self.more_button.clicked.connect(self._show_more)
        self.close_button = QPushButton(self.tr("Close"), self)
        self.close_button.setDefault(True)
        self.close_button.clicked.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addWidget(self.more_button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(12)
        layout.addWidget(self._text, 1)
        layout.addLayout(buttons)
        wide = self.fontMetrics().averageCharWidth() * 90
        self.resize(wide, wide * 3 // 4)
        self._fill()

    def text(self) -> str:
        return self._text.toPlainText()

    def links(self) -> list[str]:
        """Where they lead, in order: "new:3", "old:3"."""
        return [f"{side}:{n}" for n in range(len(self._changes.changes[: self._shown])) for side in self._sides(n)]

    def follow(self, link: str) -> None:
        self._follow(QUrl(link))

    def _sides(self, number: int) -> list[str]:
        change = self._changes.changes[number]
        return [side for side, at in (("new", change.new), ("old", change.old)) if at is not None]

    def _fill(self) -> None:
        changes = self._changes.changes
        told = [f"<h3>{html.escape(self.windowTitle())}</h3>", f"<p>{html.escape(extent(self._changes))}.</p>"]
        told += [self._told(number, change) for number, change in enumerate(changes[: self._shown])]
        self._text.setHtml("".join(told))
        self.more_button.setVisible(self._shown < len(changes))

    def _told(self, number: int, change: Change) -> str:
        sign, word = kind(change)
        links = []
        for side, at in (("new", change.new), ("old", change.old)):
            if at is not None:
                words = self.tr("new version, {place}") if side == "new" else self.tr("old version, {place}")
                place = html.escape(words.format(place=where(at)))
                links.append(f'<a href="{side}:{number}" style="color:{theme.css("accent_text")}">{place}</a>')
        head = f"<p><b>{sign} {html.escape(word)}</b> &nbsp; {' · '.join(links)}</p>"
        before, after = marked(change.before, change.after)
        old = f'<p style="color:{theme.css("quiet")}">− {before}</p>' if change.before else ""
        new = f"<p>+ {after}</p>" if change.after else ""
        return head + old + new + "<hr/>"

    def _show_more(self) -> None:
        self._shown += AT_ONCE
        place = self._text.verticalScrollBar().value()
        self._fill()
        self._text.verticalScrollBar().setValue(place)
        self._text.setFocus()

    def _follow(self, url: QUrl) -> None:
        side, _, number = url.toString().partition(":")
        change = self._changes.changes[int(number)]
        at = change.new if side == "new" else change.old
        if at is not None:
            self.place_clicked.emit(at)


def marked(before: str, after: str) -> tuple[str, str]:
    """Both as HTML: where there are both, what the one has and the other has not is struck out, or bold."""
    if not before or not after or max(len(before), len(after)) > COMPARED:
        return html.escape(before), html.escape(after)
    old, new = _words(before), _words(after)
    told: tuple[list[str], list[str]] = ([], [])
    for what, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        parts = html.escape("".join(old[i:j])), html.escape("".join(new[k:m]))
        if what != "equal":
            parts = (f"<s>{parts[0]}</s>" if parts[0] else "", f"<b>{parts[1]}</b>" if parts[1] else "")
        for side in (0, 1):
            told[side].append(parts[side])
    return "".join(told[0]), "".join(told[1])


def _words(text: str) -> list[str]:
    """Words, and the spaces between them; letters one by one where there are no spaces."""
    words = re.findall(r"\s+|\S+", text)
    return [part for word in words for part in ([word] if word.isascii() or len(word) < 12 else list(word))]
