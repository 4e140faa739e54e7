"""A record as a Word document. Notes are paragraphs at its end: the library writes no footnotes of Word's own."""

import io
from collections.abc import Iterator, Sequence

from docx import Document
from docx.document import Document as WordDocument
from docx.shared import Pt
from docx.text.paragraph import Paragraph
from markdown_it.token import Token

from app.data.export import Record
from app.markdown import parse
from app.services.export.labels import Labels, marked, noted
from app.services.export.web import FIRST_MARK

LISTS = {"bullet_list_open": "List Bullet", "ordered_list_open": "List Number"}
CODE = "Courier New"
DEEPEST = 3
"""Levels of lists that Word has styles for."""


def document(record: Record, words: Labels) -> bytes:
    made = Document()
    made.core_properties.title = words.title(record)
    made.core_properties.author = "Longread"
    made.add_heading(words.title(record), 0)
    for exchange in record.exchanges:
        made.add_heading(words("question"), 1)
        _small(made, words.attached(record, exchange))
        for part in filter(str.strip, exchange.question.split("\n")):
            made.add_paragraph(part)
        made.add_heading(words("answer"), 1)
        _Answer(made).add(parse(marked(exchange, lambda number: chr(FIRST_MARK + number))))
        _small(made, words.ending(exchange))
        _small(made, words.checked(exchange))
    notes = [quote for exchange in record.exchanges for quote in noted(exchange)]
    if notes:
        made.add_heading(words("notes"), 1)
    for quote in notes:
        _small(made, f"{quote.number}. {words.note(record, quote)}")
    made.add_heading(words("documents"), 1)
    for one in record.documents:
        _table(made, words.document(one))
    made.add_heading(words("ledger"), 1)
    for exchange in record.exchanges:
        if exchange.ledger is not None:
            _table(made, [(words("question"), exchange.question), *words.ledger(exchange.ledger)])
    _small(made, words.made(record))
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


class _Answer:
    """Markdown's tokens as Word's paragraphs."""

    def __init__(self, document: WordDocument) -> None:
        self._document = document
        self._lists: list[str] = []
        self._quoted = 0
        self._heading = 0
        self._rows: list[list[Token]] | None = None

    def add(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            self._take(token)

    def _take(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                self._lists.append(LISTS[token.type])
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "blockquote_open":
                self._quoted += 1
            case "blockquote_close":
                self._quoted -= 1
            case "heading_open":
                self._heading = int(token.tag[1:])
            case "heading_close":
                self._heading = 0
            case "table_open":
                self._rows = []
            case "tr_open" if self._rows is not None:
                self._rows.append([])
            case "table_close" if self._rows is not None:
                self._table(self._rows)
                self._rows = None
            case "inline" if self._rows is not None:
                self._rows[-1].append(token)
            case "inline":
                _runs(self._paragraph(), token.children or ())
            case "fence" | "code_block":
                run = self._document.add_paragraph().add_run(token.content.rstrip("\n"))
                run.font.name, run.font.size = CODE, Pt(9)
            case "hr":
                self._document.add_paragraph("⁂")

    def _paragraph(self) -> Paragraph:
        if self._heading:
            made: Paragraph = self._document.add_heading("", min(self._heading + 1, 9))
            return made
        if self._lists:
            depth = min(len(self._lists), DEEPEST)
            return self._document.add_paragraph(style=self._lists[-1] + (f" {depth}" if depth > 1 else ""))
        return self._document.add_paragraph(style="Quote" if self._quoted else None)

    def _table(self, rows: list[list[Token]]) -> None:
        table = self._document.add_table(len(rows), max(map(len, rows), default=1), style="Table Grid")
        for cells, tokens in zip(table.rows, rows, strict=True):
            for cell, token in zip(cells.cells, tokens, strict=False):
                _runs(cell.paragraphs[0], token.children or ())


def _runs(paragraph: Paragraph, tokens: Sequence[Token]) -> None:
    bold = italic = struck = 0
    for token in tokens:
        match token.type:
            case "strong_open" | "strong_close":
                bold += token.nesting
            case "em_open" | "em_close":
                italic += token.nesting
            case "s_open" | "s_close":
                struck += token.nesting
            case "softbreak":
                paragraph.add_run(" ")
            case "hardbreak":
                paragraph.add_run("\n")
            case "image":
                paragraph.add_run(token.content)
            case "text" | "code_inline" | "html_inline":
                for text, note in _parts(token.content):
                    run = paragraph.add_run(text)
                    run.bold, run.italic, run.font.strike = bool(bold), bool(italic), bool(struck)
                    run.font.superscript = note
                    if token.type == "code_inline" and not note:
                        run.font.name = CODE


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """Words, and the numbers of notes between them."""
    words = ""
    for character in text:
        if FIRST_MARK <= ord(character) < 0xFFFFE:
            if words:
                yield words, False
            yield f"[{ord(character) - FIRST_MARK}]", True
            words = ""
        else:
            words += character
    if words:
        yield words, False


def _small(document: WordDocument, text: str) -> None:
    if text:
        document.add_paragraph().add_run(text).font.size = Pt(9)


def _table(document: WordDocument, rows: Sequence[tuple[str, str]]) -> None:
    table = document.add_table(0, 2, style="Table Grid")
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.paragraphs[0].add_run(text).font.size = Pt(9)
    document.add_paragraph()
