"""Spans counted and named, where a folder, an archive or a mail holds files that have pages of their own."""

from collections.abc import Iterable

from app.data.document import Span, Unit

SAY_THEMSELVES: tuple[Unit | None, ...] = (None, "section", "sheet", "message", "file")
"""Units whose labels are names; those of the others are numbers, which are nothing without the unit."""


def numbered(spans: Iterable[Span], unit: Unit) -> list[int]:
    """For each span the number, from 0, of the unit that it lies in: of a folder's or an archive's files, and of a
    mailbox's messages, with which their attachments count; of anything else its own index."""
    numbers: list[int] = []
    number, file = -1, ""
    for span in spans:
        if unit not in ("file", "message"):
            number = span.index
        elif not span.file or (unit == "file" and span.file != file):
            number += 1
        file = span.file
        numbers.append(max(0, number))
    return numbers


def counted(spans: Iterable[Span], unit: Unit) -> int:
    """How many units the spans are."""
    return len(set(numbered(spans, unit)))


def place(span: Span) -> str:
    """Where in the document a span is, in the words of a prompt: "12", "Chapter 3", "in/contract.pdf, page 12"."""
    if not span.file or span.label == span.file:
        return span.label
    label = span.label if span.unit in SAY_THEMSELVES else f"{span.unit} {span.label}"
    return f"{span.file}, {label}"


def name(span: Span) -> str:
    """The file that a span lies in, else its label."""
    return span.file or span.label
