"""What holds of the spans of every document."""

from collections.abc import Iterable

from app.data.document import Span


def check_spans(text: str, spans: Iterable[Span]) -> None:
    """They lie in order and cover the words; what stands between them is space, or the line of a file's path."""
    ends = 0
    for span in spans:
        assert ends <= span.start < span.end <= len(text)
        assert text[ends : span.start].strip() == "" or text[ends : span.start].strip().startswith("===")
        ends = span.end
    assert text[ends:].strip() == ""
    assert "\r" not in text
    assert "\0" not in text
