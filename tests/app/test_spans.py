"""Spans of folders, archives and mails, whose files have pages of their own, counted and named."""

from app.data.document import Span
from app.data.spans import counted, name, numbered, place

FOLDER = (
    Span(0, 9, 0, "a.txt"),
    Span(9, 19, 0, "i", "in/b.pdf", "page"),
    Span(19, 29, 1, "ii", "in/b.pdf", "page"),
    Span(29, 39, 3, "c.py"),
    Span(39, 49, 0, "Data", "t.xlsx", "sheet"),
)
MAILBOX = (
    Span(0, 9, 0, "Offer"),
    Span(9, 19, 0, "1/a.txt", "1/a.txt", "file"),
    Span(19, 29, 0, "1", "1/b.pdf", "page"),
    Span(29, 39, 1, "Re: Offer"),
)
BOOK = (Span(0, 9, 0, "i"), Span(9, 19, 2, "1"))


def test_files_are_counted_once_and_attachments_with_their_message():
    assert (numbered(FOLDER, "file"), counted(FOLDER, "file")) == ([0, 1, 1, 2, 3], 4)
    assert (numbered(MAILBOX, "message"), counted(MAILBOX, "message")) == ([0, 0, 0, 1], 2)
    assert (numbered(BOOK, "page"), counted(BOOK, "page")) == ([0, 2], 2)
    assert counted((), "file") == 0


def test_places_in_the_words_of_a_prompt():
    assert [place(span) for span in FOLDER] == [
        "a.txt",
        "in/b.pdf, page i",
        "in/b.pdf, page ii",
        "c.py",
        "t.xlsx, Data",
    ]
    assert [place(span) for span in MAILBOX] == ["Offer", "1/a.txt", "1/b.pdf, page 1", "Re: Offer"]
    assert [place(span) for span in BOOK] == ["i", "1"]


def test_the_file_that_a_span_lies_in():
    assert [name(span) for span in FOLDER] == ["a.txt", "in/b.pdf", "in/b.pdf", "c.py", "t.xlsx"]
