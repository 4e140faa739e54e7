"""Writes Markdown blocks at the end of a QTextDocument, and takes back the last ones when they have changed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from markdown_it.token import Token
from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrame,
    QTextFrameFormat,
    QTextLength,
    QTextList,
    QTextListFormat,
    QTextTableFormat,
)

from app import markdown
from app.views import inline, theme
from app.views.marks import Marker, TextMark

LINE_HEIGHT = 135
"""Percent of the font's own, for running text."""
HEADINGS = {"h1": 1.35, "h2": 1.2, "h3": 1.1, "h4": 1.0, "h5": 1.0, "h6": 1.0}
ALIGNMENTS = {"text-align:right": Qt.AlignmentFlag.AlignRight, "text-align:center": Qt.AlignmentFlag.AlignHCenter}

BULLETS = (QTextListFormat.Style.ListDisc, QTextListFormat.Style.ListCircle, QTextListFormat.Style.ListSquare)


class Mark(NamedTuple):
    """The end of the document at a moment: where, and how its last block looked."""

    position: int
    fresh: bool
    block: QTextBlockFormat
    letters: QTextCharFormat
    codes: int


class BlockWriter:
    """`codes`: the frames of the code blocks, each with its code. `marks`: of the text that will be written, in it."""

    def __init__(self, document: QTextDocument, marks: Sequence[TextMark] = ()) -> None:
        self._document = document
        self._marker = Marker(marks)
        self._cursor = QTextCursor(document)
        self._fresh = True  # the last block is empty and is the next to be written into
        self._em = theme.font("answer").pointSizeF() * 4 / 3
        self._lists: list[tuple[QTextListFormat, QTextList | None]] = []
        self._item = False  # the next paragraph is the first of a list's item
        self._quotes = 0
        self._tight = False
        self.codes: list[tuple[QTextFrame, str, str]] = []
        document.setIndentWidth(self._em * 1.7)
        document.setDocumentMargin(0)
        document.setDefaultFont(theme.font("answer"))

    def mark(self) -> Mark:
        letters = self._cursor.blockCharFormat()
        return Mark(self._cursor.position(), self._fresh, self._cursor.blockFormat(), letters, len(self.codes))

    def take_back(self, mark: Mark) -> None:
        """Remove all that was written after the mark."""
        self._cursor.setPosition(mark.position)
        self._cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        self._cursor.removeSelectedText()
        self._cursor.setBlockFormat(mark.block)
        self._cursor.setBlockCharFormat(mark.letters)
        self._fresh = mark.fresh
        del self.codes[mark.codes :]

    @contextmanager
    def editing(self) -> Iterator[None]:
        """Everything written and taken back inside is laid out once, at the end."""
        self._cursor.beginEditBlock()
        try:
            yield
        finally:
            self._cursor.endEditBlock()

    def write(self, tokens: Sequence[Token]) -> None:
        """Whole top-level blocks."""
        with self.editing():
            place = 0
            while place < len(tokens):
                place = self._block(tokens, place)

    def _block(self, tokens: Sequence[Token], place: int) -> int:
        """Write what begins at `place`; where the next begins."""
        token = tokens[place]
        if token.type in ("paragraph_open", "heading_open"):
            self._text(token, tokens[place + 1])
            return place + 3
        if token.type in ("fence", "code_block"):
            self._code(token)
        elif token.type == "hr":
            form = self._form()
            form.setProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth, QTextLength())
            self._begin(form, inline.characters())
        elif token.type == "table_open":
            return self._table(tokens, place)
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            self._lists.append((self._list_form(token), None))
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._lists.pop()
        elif token.type == "list_item_open":
            self._item = True
        elif token.type == "list_item_close" and self._item:
            self._paragraph([], self._form(), inline.characters())
        elif token.type in ("blockquote_open", "blockquote_close"):
            self._quotes += 1 if token.type == "blockquote_open" else -1
        return place + 1

    def _text(self, token: Token, words: Token) -> None:
        form, letters = self._form(), inline.characters(token="quiet" if self._quotes else "ink")
        if token.type == "heading_open":
            form.setHeadingLevel(int(token.tag[1]))
            form.setTopMargin(self._em * 0.5)
            letters.setFontWeight(QFont.Weight.Bold)
            letters.setFontPointSize(letters.fontPointSize() * HEADINGS[token.tag])
        elif token.hidden:
            form.setBottomMargin(self._em * 0.2)
        self._paragraph(words.children or [], form, letters)

    def _paragraph(self, words: Sequence[Token], form: QTextBlockFormat, letters: QTextCharFormat) -> None:
        first, self._item = self._item, False
        if self._lists and not first:
            form.setIndent(len(self._lists))
        self._begin(form, letters)
        if self._lists and first:
            style, made = self._lists[-1]
            if made is None:
                self._lists[-1] = (style, self._cursor.createList(style))
            else:
                made.add(self._cursor.block())
        inline.write(self._cursor, words, letters, self._marker)

    def _form(self) -> QTextBlockFormat:
        form = QTextBlockFormat()
        form.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        form.setBottomMargin(self._em * 0.6)
        form.setLeftMargin(self._em * 1.2 * self._quotes)
        return form

    def _begin(self, form: QTextBlockFormat, letters: QTextCharFormat) -> None:
        if self._fresh:
            self._cursor.setBlockFormat(form)
            self._cursor.setBlockCharFormat(letters)
        else:
            self._cursor.insertBlock(form, letters)
        self._fresh = False

    def _list_form(self, token: Token) -> QTextListFormat:
        made = QTextListFormat()
        made.setIndent(len(self._lists) + 1)
        if token.type == "ordered_list_open":
            made.setStyle(QTextListFormat.Style.ListDecimal)
            start = token.attrGet("start")
            made.setStart(1 if start is None else int(start))
        else:
            styles = (
                QTextListFormat.Style.ListDisc,
                QTextListFormat.Style.ListCircle,
                QTextListFormat.Style.ListSquare,
            )
            made.setStyle(styles[min(len(self._lists), 2)])
        return made

    def _thin(self) -> None:
        """Make the empty block before or after a frame, which Qt cannot do without, as low as it can be."""
        form = QTextBlockFormat()
        form.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        letters = QTextCharFormat()
        letters.setFontPointSize(1)
        self._cursor.setBlockFormat(form)
        self._cursor.setBlockCharFormat(letters)

    def _before_frame(self) -> float:
        """Get ready for a frame; its left margin."""
        if self._item:
            self._paragraph([], self._form(), inline.characters())
        if self._fresh:
            self._thin()
        return self._em * 1.7 * len(self._lists) + self._em * 1.2 * self._quotes

    def _after_frame(self) -> None:
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._fresh = True
        self._thin()

    def _code(self, token: Token) -> None:
        form = QTextFrameFormat()
        form.setLeftMargin(self._before_frame())
        form.setBackground(theme.color("code"))
        form.setBorder(1)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderBrush(theme.color("line"))
        form.setPadding(self._em * 0.7)
        form.setTopMargin(self._em * 0.2)
        form.setBottomMargin(self._em * 0.8)
        code, language = self._marker.plain(token.content.removesuffix("\n")), markdown.language_of(token.info)
        frame = self._cursor.insertFrame(form)
        letters = inline.characters("code")
        line = QTextBlockFormat()
        line.setLineHeight(120, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        self._cursor.setBlockFormat(line)
        self._cursor.setBlockCharFormat(letters)
        for run in markdown.highlight(code, language):
            coloured = letters
            if run.kind:
                coloured = QTextCharFormat(letters)
                coloured.setForeground(theme.color(f"code_{run.kind}"))
            for place, text in enumerate(run.text.split("\n")):
                if place:
                    self._cursor.insertBlock(line, letters)
                self._cursor.insertText(text, coloured)
        self.codes.append((frame, code, language))
        self._after_frame()

    def _table(self, tokens: Sequence[Token], place: int) -> int:
        end = next(i for i in range(place, len(tokens)) if tokens[i].type == "table_close")
        cells = [i for i in range(place, end) if tokens[i].type in ("th_open", "td_open")]
        rows = sum(tokens[i].type == "tr_open" for i in range(place, end))
        columns = sum(tokens[i].type == "th_open" for i in cells)
        form = QTextTableFormat()
        form.setLeftMargin(self._before_frame())
        form.setBorder(1)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderBrush(theme.color("line"))
        form.setBorderCollapse(True)
        form.setCellPadding(self._em * 0.4)
        form.setTopMargin(self._em * 0.2)
        form.setBottomMargin(self._em * 0.8)
        form.setHeaderRowCount(1)
        table = self._cursor.insertTable(rows, columns, form)
        for number, cell in enumerate(cells):
            row, column = divmod(number, columns)
            cursor = table.cellAt(row, column).firstCursorPosition()
            letters, block = inline.characters(), QTextBlockFormat()
            if tokens[cell].type == "th_open":
                letters.setFontWeight(QFont.Weight.Bold)
            block.setAlignment(ALIGNMENTS.get(str(tokens[cell].attrGet("style")), Qt.AlignmentFlag.AlignLeft))
            cursor.setBlockFormat(block)
            cursor.setBlockCharFormat(letters)
            inline.write(cursor, tokens[cell + 1].children or [], letters, self._marker)
        self._after_frame()
        return end + 1
