"""A record as Markdown, its notes as footnotes."""

from collections.abc import Iterator, Sequence

from app.data.export import Record
from app.services.export.labels import Labels, marked, noted


def markdown(record: Record, words: Labels) -> str:
    return "\n\n".join(_blocks(record, words)) + "\n"


def _blocks(record: Record, words: Labels) -> Iterator[str]:
    yield f"# {_line(words.title(record))}"
    for exchange in record.exchanges:
        yield f"## {words('question')}"
        yield from filter(None, (words.attached(record, exchange), exchange.question))
        yield f"## {words('answer')}"
        yield marked(exchange, lambda number: f"[^{number}]")
        if ending := words.ending(exchange):
            yield f"*{ending}*"
        yield from filter(None, [words.checked(exchange)])
    yield f"## {words('documents')}"
    for document in record.documents:
        yield _table(words.document(document))
    yield f"## {words('ledger')}"
    for exchange in record.exchanges:
        if exchange.ledger is not None:
            yield _table([(words("question"), exchange.question), *words.ledger(exchange.ledger)])
    yield words.made(record)
    for exchange in record.exchanges:
        for quote in noted(exchange):
            yield f"[^{quote.number}]: {_line(words.note(record, quote))}"


def _table(rows: Sequence[tuple[str, str]]) -> str:
    lines = [f"| {_cell(name)} | {_cell(value)} |" for name, value in rows]
    return "\n".join([lines[0], "| --- | --- |", *lines[1:]])


def _cell(text: str) -> str:
    return _line(text).replace("|", "\\|")


def _line(text: str) -> str:
    return " ".join(text.split())
