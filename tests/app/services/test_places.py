"""Places in an engine's report become pages of the library's items."""

import pytest

from app.data.conversation import FoundPart
from app.data.document import Item, Span
from app.data.ledger import LedgerPlace, LedgerSegment
from app.services.places import Places
from engine.protocol import Found, Place, SegmentUse, Usage

PAGES = (Span(0, 10, 0, "i"), Span(12, 20, 1, "ii"), Span(20, 30, 2, "1"))


def item(id: str, unit="page") -> Item:
    return Item(id, f"{id}.pdf", f"/{id}.pdf", "pdf", unit, 3, 30, f"/texts/{id}.txt", 1.0)


@pytest.fixture
def places() -> Places:
    def spans(id: str) -> tuple[Span, ...]:
        return {"a": PAGES, "b": (Span(0, 30, 0, "main.py"),)}[id]

    return Places((item("a"), item("b", "file"), item("forgotten")), spans)


@pytest.mark.parametrize(
    ("start", "end", "labels"),
    [
        *((0, 5, ("i", "i")), (0, 10, ("i", "i")), (9, 21, ("i", "1")), (12, 20, ("ii", "ii")), (19, 21, ("ii", "1"))),
        *((10, 15, ("ii", "ii")), (10, 12, ("ii", "ii")), (29, 99, ("1", "1")), (5, 5, ("i", "i"))),
    ],
)
def test_the_first_and_the_last_page_that_a_place_touches(places, start, end, labels):
    assert places.of(Place(0, start, end)) == LedgerPlace("a", start, end, *labels)


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (0, 5, ("a.txt", "a.txt", "file", "")),
        (12, 15, ("i", "i", "page", "in/b.pdf")),
        (12, 25, ("i", "ii", "page", "in/b.pdf")),
        (0, 15, ("a.txt", "in/b.pdf", "file", "")),
        (25, 35, ("in/b.pdf", "c.py", "file", "")),
        (30, 35, ("c.py", "c.py", "file", "")),
        (41, 43, ("d.eml", "d.eml", "file", "")),
    ],
)
def test_a_place_in_a_file_of_a_folder_says_its_page_and_across_files_the_files(start, end, said):
    spans = (
        Span(0, 10, 0, "a.txt"),
        Span(10, 20, 0, "i", "in/b.pdf", "page"),
        Span(20, 30, 1, "ii", "in/b.pdf", "page"),
        Span(30, 40, 3, "c.py"),
        Span(40, 50, 0, "d.eml", "d.eml", "file"),
    )
    places = Places((item("a", "file"),), lambda id: spans)
    assert places.of(Place(0, start, end)) == LedgerPlace("a", start, end, *said)


def test_a_forgotten_document_has_no_labels_and_one_of_files_names_them(places):
    assert places.of(Place(2, 0, 5)) == LedgerPlace("forgotten", 0, 5)
    assert places.of(Place(1, 0, 5)) == LedgerPlace("b", 0, 5, "main.py", "main.py", "file")


def test_segments_and_what_was_found_say_where(places):
    use = SegmentUse(4, (Place(0, 0, 15), Place(1, 0, 30)), 900, 1.25, True, 450)
    assert places.segments(Usage(1, 1, 0, 1, segments=(use,))) == (
        LedgerSegment(
            *(4, (LedgerPlace("a", 0, 15, "i", "ii"), LedgerPlace("b", 0, 30, "main.py", "main.py", "file"))),
            *(900, 1.25, True, 450),
        ),
    )
    found = Found("x", 2, 9, Place(0, 12, 15), "7", 0.25, True, True)
    assert places.found(found) == FoundPart(2, 9, "a", 12, 15, "7", 0.25, True, True, "ii", "ii")
