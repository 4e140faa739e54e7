"""Paragraphs and tables of an RTF as they come: of its body, or of a note, a box or a page's head."""

from app.documents.remarks import brief, folded
from app.documents.takers import Taker, lays_out
from app.documents.tracked import Mark, Piece, written

Paragraph = tuple[str, int]
"""Its words, and its level as a heading, or 0."""


class Flow:
    def __init__(self, taker: Taker) -> None:
        self.taker = taker
        self.pieces: list[Piece] = []
        self.after: list[str] = []
        """Notes and boxes that follow the paragraph or table that is being read."""
        self._ranges: dict[str, tuple[int, str]] = {}
        """Of comments that have begun: the piece, and, once that paragraph is over, its words."""
        self._cell: list[Paragraph] = []
        self._cells: list[list[Paragraph]] = []
        self._nested: list[str] = []
        """Cells of a row of a table that stands in a cell."""
        self._rows: list[str] = []
        self._after_rows: list[str] = []

    def say(self, text: str, marks: tuple[Mark, ...] = ()) -> None:
        self.pieces.append((text, marks))

    def begin(self, identity: str) -> None:
        """What a comment is about begins here."""
        self._ranges[identity] = (len(self.pieces), "")

    def end(self, identity: str) -> str:
        """What it is about."""
        place, before = self._ranges.pop(identity, (len(self.pieces), ""))
        words = written(self.pieces[place:])
        return brief(before, words) if before else words

    def paragraph(self, level: int, in_table: bool) -> None:
        """What was said is a paragraph."""
        text = self._taken()
        if in_table:
            if text:
                self._cell.append((text, level))
            return
        self._end_table()
        if text and level:
            self.taker.heading(text, level)
        elif text:
            self.taker.block(text)
        self._follow()

    def cell(self, level: int) -> None:
        if text := self._taken():
            self._cell.append((text, level))
        self._cells.append(self._cell)
        self._cell = []

    def nested_cell(self) -> None:
        self._nested.append(self._taken())

    def nested_row(self) -> None:
        """A row of a table in a cell is a line of that cell."""
        cells, self._nested = self._nested, []
        if any(cells):
            self._cell.append((" | ".join(cells), 0))

    def row(self) -> None:
        cells, self._cells = self._cells, []
        if lays_out([len(cell) for cell in cells]):
            self._end_table()
            for text, level in (paragraph for cell in cells for paragraph in cell):
                self.taker.heading(text, level) if level else self.taker.block(text)
            return
        texts = [folded(" ".join(text for text, _ in cell)) for cell in cells]
        if any(texts):
            self._rows.append(" | ".join(texts))
        self._after_rows += self.after
        self.after = []

    def finish(self) -> None:
        """The end: what was begun and is not ended is words all the same."""
        if any(self._nested):
            self.nested_row()
        if self._cell or (self._cells and self.pieces):
            self.cell(0)
        if self._cells:
            self.row()
        self.paragraph(0, False)

    def _taken(self) -> str:
        text = written(self.pieces).replace("\u00a0", " ").strip()
        for identity, (place, before) in self._ranges.items():
            self._ranges[identity] = (0, before or written(self.pieces[place:]))
        self.pieces = []
        return text

    def _end_table(self) -> None:
        self.taker.block("\n".join(self._rows))
        for block in self._after_rows:
            self.taker.block(block)
        self._rows, self._after_rows = [], []

    def _follow(self) -> None:
        after, self.after = self.after, []
        for block in after:
            self.taker.block(block)
