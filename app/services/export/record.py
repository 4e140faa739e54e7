"""From a kept conversation to what is exported of it."""

import datetime
from collections.abc import Callable, Iterable, Sequence

from app.data.conversation import Conversation, Message
from app.data.document import Item
from app.data.export import Exchange, ExportedDocument, ExportedQuote, Record
from app.data.quote import Quote
from app.services.problem import Problem

Text = Callable[[str], str]
"""The text of a library item; raises `Problem` or KeyError when it is gone."""


def record(
    conversation: Conversation,
    messages: Sequence[Message],
    item: Callable[[str], Item],
    text: Text,
    version: str,
    only: str | None = None,
) -> Record:
    """All questions and answers, or with `only` the answer of that id and its question. `item` raises KeyError for a
    document that was deleted for good: it is then named by its digest alone, from the ledgers."""
    pairs = _pairs(messages)
    if only is not None:
        pairs = [(question, answer) for question, answer in pairs if answer is not None and answer.id == only]
        if not pairs:
            raise KeyError(only)
    numbers = iter(range(1, 1 + sum(len(answer.quotes) for _, answer in pairs if answer is not None)))
    exchanges = tuple(_exchange(question, answer, text, numbers.__next__) for question, answer in pairs)
    return Record(
        title=conversation.title,
        began=conversation.began,
        exported=datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        version=version,
        documents=tuple(_documents(exchanges, item)),
        exchanges=exchanges,
    )


def _pairs(messages: Sequence[Message]) -> list[tuple[Message | None, Message | None]]:
    """Questions with their answers; one may lack the other."""
    pairs: list[tuple[Message | None, Message | None]] = []
    for message in messages:
        if message.role == "assistant" and pairs and pairs[-1][1] is None:
            pairs[-1] = (pairs[-1][0], message)
        else:
            pairs.append((message, None) if message.role == "user" else (None, message))
    return pairs


def _exchange(question: Message | None, answer: Message | None, text: Text, number: Callable[[], int]) -> Exchange:
    found = () if answer is None else answer.quotes
    quotes = tuple(_quote(one, _noted(one, found), answer.text, text, number) for one in found) if answer else ()
    failure = answer.failure.code if answer is not None and answer.failure is not None else ""
    return Exchange(
        question=question.text if question else "",
        asked=_time(question.created) if question else "",
        documents=question.documents if question else (),
        answer=answer.text if answer else "",
        answered=_time(answer.created) if answer else "",
        state=answer.state if answer else "stopped",
        quotes=quotes,
        evidence=answer.evidence if answer else (),
        ledger=answer.ledger if answer else None,
        failure=failure,
    )


def _noted(quote: Quote, quotes: Sequence[Quote]) -> bool:
    """Quotes are, and whatever is not as it should be; a fact that stands in the text has a note where that is one
    place, whose page it tells, and it is no part of a quote that tells it."""
    if quote.kind == "quote" or quote.verdict != "exact":
        return True
    told = any(other.kind == "quote" and other.start <= quote.start and quote.end <= other.end for other in quotes)
    return len(quote.places) == 1 and not told


def _quote(quote: Quote, noted: bool, answer: str, text: Text, number: Callable[[], int]) -> ExportedQuote:
    passage = ""
    if quote.places and quote.verdict in ("exact", "close"):
        place = quote.places[0]
        try:
            passage = text(place.item)[place.start : place.end]
        except (KeyError, Problem):
            passage = quote.found
    return ExportedQuote(number() if noted else 0, answer[quote.start : quote.end], quote, passage)


def _documents(exchanges: Iterable[Exchange], item: Callable[[str], Item]) -> Iterable[ExportedDocument]:
    """Each once, in the order in which they came up."""
    names: dict[str, str] = {}
    for exchange in exchanges:
        for document in exchange.ledger.documents if exchange.ledger else ():
            names[document.id] = document.name
        for id in exchange.documents:
            names.setdefault(id, "")
    for id, name in names.items():
        try:
            found = item(id)
        except KeyError:
            yield ExportedDocument(id, "", 0, name, "text", "section", 0, 0)
            continue
        yield ExportedDocument(
            *(id, found.file_sha256, found.file_size, found.name, found.kind, found.unit, found.units),
            *(found.characters, found.changes, found.left_out, found.warnings),
        )


def _time(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds).astimezone().isoformat(timespec="seconds")
