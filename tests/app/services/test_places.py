"""Places in an engine's report become pages of the library's items."""

import pytest

from app.data.conversation import FoundPart
from app.data.document import Heading, Item, Span
from app.data.evidence import Passage, SentenceEvidence
from app.data.ledger import LedgerForgotten, LedgerPlace, LedgerPruned, LedgerSegment
from app.data.quote import QuotePlace
from app.services.places import Places, place_of
from engine import protocol
from engine.protocol import Eviction, Evidence, ForgottenPart, Found, Place, Pruned, SegmentUse, Usage

PAGES = (Span(0, 10, 0, "i"), Span(12, 20, 1, "ii"), Span(20, 30, 2, "1"))
HEADINGS = {
    "a": (
        Heading(0, 1, "One"),
        Heading(3, 2, "One A"),
        Heading(5, 3, "deep"),
        Heading(14, 2, "One B"),
        Heading(25, 1, "Two"),
    ),
    "b": (),
}


def item(id: str, unit="page") -> Item:
    return Item(id, f"{id}.pdf", f"/{id}.pdf", "pdf", unit, 3, 30, f"/texts/{id}.txt", 1.0)


@pytest.fixture
def places() -> Places:
    def spans(id: str) -> tuple[Span, ...]:
        return {"a": PAGES, "b": (Span(0, 30, 0, "main.py"),)}[id]

    return Places((item("a"), item("b", "file"), item("forgotten")), spans, HEADINGS.__getitem__)


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
    places = Places((item("a", "file"),), lambda id: spans, lambda id: ())
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


@pytest.mark.parametrize(
    ("start", "label", "index", "path"),
    [
        *((0, "i", 0, ("One",)), (4, "i", 0, ("One", "One A")), (6, "i", 0, ("One", "One A", "deep"))),
        *((11, "ii", 1, ("One", "One A", "deep")), (14, "ii", 1, ("One", "One B")), (26, "1", 2, ("Two",))),
    ],
)
def test_a_place_has_its_page_and_the_headings_over_it(start, label, index, path):
    place = place_of(item("a"), PAGES, HEADINGS["a"], start, 99)
    assert place == QuotePlace("a", start, 99, label, "page", index, "", path)


def test_headings_of_another_file_are_not_over_a_place():
    spans = (Span(0, 10, 0, "one.md"), Span(10, 20, 0, "1", "two.pdf", "page"), Span(20, 30, 1, "2", "two.pdf", "page"))
    headings = (Heading(2, 1, "Of one"), Heading(12, 2, "Of two"))
    told = [place_of(item("z", "file"), spans, headings, start, start + 1) for start in (5, 11, 25)]
    assert [(one.label, one.unit, one.file, one.path) for one in told] == [
        ("one.md", "file", "", ("Of one",)),
        ("1", "page", "two.pdf", ()),
        ("2", "page", "two.pdf", ("Of two",)),
    ]


def test_evidence_says_where_its_passages_are(places):
    passages = (Place(0, 15, 18), Place(1, 2, 9), Place(2, 3, 4))
    event = Evidence("x", 5, 30, tuple(protocol.Passage(place, 0.25) for place in passages), "blocks")
    assert places.evidence(event) == SentenceEvidence(
        *(5, 30),
        (
            Passage(QuotePlace("a", 15, 18, "ii", "page", 1, "", ("One", "One B")), 0.25),
            Passage(QuotePlace("b", 2, 9, "main.py", "file"), 0.25),
            Passage(QuotePlace("forgotten", 3, 4), 0.25),
        ),
        "blocks",
    )


def test_what_a_policy_forgot_is_of_pages(places):
    left = Pruned(Eviction("h2o", mode="auto"), 200, 205, 9, (ForgottenPart(Place(0, 12, 25), 7, 0.25),))
    part = LedgerForgotten(LedgerPlace("a", 12, 25, "ii", "1"), 7, 0.25)
    assert places.pruned(Usage(214, 214, 0, 1, pruned=left)) == LedgerPruned("h2o", "auto", 200, 205, 9, (part,))
    assert places.pruned(Usage(214, 214, 0, 1)) is None
