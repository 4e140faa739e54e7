"""A record as a page of HTML, for printing. Answers are Markdown whose HTML is text; nothing is fetched."""

from collections.abc import Iterator, Sequence
from html import escape

from app.data.export import Record
from app.markdown import html
from app.services.export.labels import Labels, marked, noted

FIRST_MARK = 0xF0000
"""Of a private plane: stands for note number 0 in an answer, until the answer is HTML."""

STYLE = """
body { font-family: serif; font-size: 11pt; }
h1 { font-size: 17pt; } h2 { font-size: 12pt; color: #7a4a28; }
table { margin-bottom: 8px; } td { padding: 2px 8px 2px 0; font-size: 9pt; }
p.small, td { color: #4a443c; } p.small { font-size: 9pt; }
pre, code { font-family: monospace; font-size: 9pt; }
"""


def page(record: Record, words: Labels) -> str:
    body = "\n".join(_blocks(record, words))
    return f'<html><head><meta charset="utf-8"><style>{STYLE}</style></head><body>{body}</body></html>'


def _blocks(record: Record, words: Labels) -> Iterator[str]:
    yield f"<h1>{escape(words.title(record))}</h1>"
    for exchange in record.exchanges:
        yield f"<h2>{escape(words('question'))}</h2>"
        yield _small(words.attached(record, exchange))
        yield "".join(f"<p>{escape(part)}</p>" for part in exchange.question.split("\n") if part.strip())
        yield f"<h2>{escape(words('answer'))}</h2>"
        yield _noted(html(marked(exchange, lambda number: chr(FIRST_MARK + number))))
        yield _small(words.ending(exchange)) + _small(words.checked(exchange))
    notes = [quote for exchange in record.exchanges for quote in noted(exchange)]
    if notes:
        yield f"<h2>{escape(words('notes'))}</h2>"
        yield "".join(_small(f"{quote.number}. {words.note(record, quote)}") for quote in notes)
    yield f"<h2>{escape(words('documents'))}</h2>"
    yield "".join(_table(words.document(document)) for document in record.documents)
    yield f"<h2>{escape(words('ledger'))}</h2>"
    for exchange in record.exchanges:
        if exchange.ledger is not None:
            yield _table([(words("question"), exchange.question), *words.ledger(exchange.ledger)])
    yield _small(words.made(record))


def _noted(answer: str) -> str:
    return "".join(f"<sup>[{ord(c) - FIRST_MARK}]</sup>" if FIRST_MARK <= ord(c) < 0xFFFFE else c for c in answer)


def _small(text: str) -> str:
    return f'<p class="small">{escape(text)}</p>' if text else ""


def _table(rows: Sequence[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><td><b>{escape(name)}</b></td><td>{escape(value)}</td></tr>" for name, value in rows)
    return f"<table>{cells}</table>"
