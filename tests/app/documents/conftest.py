from collections.abc import Callable

import pytest
from span_checks import check_spans

from app.documents.messages import AS_USUAL, GENEROUS, Limits, Options
from app.documents.reading import read
from app.documents.source import Content, Source


@pytest.fixture
def read_bytes() -> Callable[..., Content]:
    """Read a document in this process, checking what holds for every one: spans lie in order and cover the words."""

    def reader(data: bytes, name: str, limits: Limits = GENEROUS, options: Options = AS_USUAL) -> Content:
        reported: list[tuple[int, int]] = []
        content = read(Source(data, name, limits, lambda done, total: reported.append((done, total)), options))
        assert [done for done, _ in reported] == sorted(done for done, _ in reported)
        assert reported[-1][0] == reported[-1][1]
        check_spans(content.pages.text(), content.pages.spans)
        return content

    return reader


@pytest.fixture
def labelled() -> Callable[[Content], list[tuple[str, str]]]:
    """Each span's label and words."""

    def pages(content: Content) -> list[tuple[str, str]]:
        text = content.pages.text()
        return [(span.label, text[span.start : span.end]) for span in content.pages.spans]

    return pages


@pytest.fixture
def without_ocr(monkeypatch):
    """As on a computer where no program recognises the text of pictures."""
    monkeypatch.setattr("app.documents.ocr.available", lambda: ())
