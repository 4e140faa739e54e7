"""Documents and answers of a seed."""

from collections.abc import Callable

import pytest

from app.data.document import Heading, Item, Span
from app.data.quote import Quote
from app.services.quotes.folding import Folded
from app.services.quotes.locating import quotes_of
from app.services.quotes.sources import Source


def source(
    text: str,
    spans: tuple[Span, ...] = (),
    headings: tuple[Heading, ...] = (),
    name: str = "a.pdf",
    unit: str = "page",
) -> Source:
    item = Item(f"id of {name}", name, f"/somewhere/{name}", "pdf", unit, len(spans), len(text), "", 1.0)
    return Source(item, Folded(text), spans, headings)


@pytest.fixture
def make_source() -> Callable[..., Source]:
    return source


@pytest.fixture
def quotes() -> Callable[..., list[Quote]]:
    """The quotes of an answer from documents, which may be given by their texts alone."""

    def found(answer: str, *documents: str | Source) -> list[Quote]:
        sources = [source(each, name=f"{n}.pdf") if isinstance(each, str) else each for n, each in enumerate(documents)]
        return list(quotes_of(answer, sources, lambda: None))

    return found


@pytest.fixture
def verdict(quotes) -> Callable[..., tuple[str, str]]:
    """Verdict and the document's words of an answer's only quote."""

    def of(answer: str, *documents: str | Source) -> tuple[str, str]:
        (one,) = quotes(answer, *documents)
        return one.verdict, one.found

    return of
