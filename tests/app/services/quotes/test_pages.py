"""Where a place lies, and which of several the answer itself names."""

import pytest

from app.data.document import Heading, Span

SAME = "The same words stand here."
TEXT = f"1. First\n{SAME}\n\n2. Second\n{SAME}\n\n2.1 Inner\n{SAME}"
HEADINGS = tuple(
    Heading(TEXT.index(title), level, title) for title, level in (("1. First", 1), ("2. Second", 1), ("2.1 Inner", 2))
)
SECOND = TEXT.index("2. Second")
INNER = TEXT.index("2.1 Inner")
PAGES = (Span(0, SECOND - 2, 0, "iv"), Span(SECOND, INNER - 2, 1, "12"), Span(INNER, len(TEXT), 2, "13"))


@pytest.fixture
def paper(make_source):
    return make_source(TEXT, PAGES, HEADINGS, name="paper.pdf")


def test_a_place_has_its_page_and_its_headings(quotes, paper):
    (one,) = quotes(f"“{SAME}”", paper)
    assert (one.verdict, one.count) == ("ambiguous", 3)
    assert [(place.label, place.index, place.path) for place in one.places] == [
        ("iv", 0, ("1. First",)),
        ("12", 1, ("2. Second",)),
        ("13", 2, ("2. Second", "2.1 Inner")),
    ]
    assert all(TEXT[place.start : place.end] == SAME.rstrip(".") for place in one.places)


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("“{}” (p. 12)", "12"),
        ("“{}” [page 13].", "13"),
        ("On page iv it says “{}”", "iv"),
        ("Clause 2.1 says “{}”", "13"),
        ("“{}” (section 1)", "iv"),
        ("合同第 12 页规定“{}”", "12"),
        ("> {} (p. 12)", "12"),
        ("> {}\n> — page 13", "13"),
    ],
)
def test_the_answer_names_the_page(quotes, paper, answer, label):
    one = next(one for one in quotes(answer.format(SAME), paper) if one.kind == "quote")
    assert (one.verdict, one.count) == ("exact", 1)
    assert one.places[0].label == label


@pytest.mark.parametrize("answer", ["“{}” (p. 99)", "“{}” (pp. 12-13, page 13)", "“{}”. On p. 12 it is other."])
def test_a_page_that_decides_nothing_leaves_it_open(quotes, paper, answer):
    one = next(one for one in quotes(answer.format(SAME), paper) if one.kind == "quote")
    assert one.verdict == "ambiguous"


def test_a_file_is_named_where_several_hold_the_words(quotes, make_source):
    lease, deed = make_source(SAME, name="lease.txt"), make_source(SAME, name="deed.txt")
    (one,) = quotes(f"As lease.txt says, “{SAME}”", lease, deed)
    assert (one.verdict, one.places[0].item) == ("exact", lease.item.id)
    (one,) = quotes(f"“{SAME}”", lease, deed)
    assert (one.verdict, one.count) == ("ambiguous", 2)


def test_a_place_in_a_file_of_a_folder(quotes, make_source):
    text = "First of all a title\n\nThe words that are sought stand here.\n\nOther words"
    spans = (Span(0, 20, 0, "a.md"), Span(22, 59, 4, "iii", "b/c.pdf", "page"), Span(61, len(text), 1, "d.md"))
    headings = (Heading(0, 1, "First of all a title"),)
    (one,) = quotes("“words that are sought stand”", make_source(text, spans, headings, unit="file"))
    place = one.places[0]
    assert (place.file, place.unit, place.index, place.label) == ("b/c.pdf", "page", 4, "iii")
    assert place.path == (), "a heading of another file is not over it"


def test_a_text_without_pages(quotes, make_source):
    (one,) = quotes(f"“{SAME}”", make_source(SAME, unit="section"))
    assert (one.places[0].label, one.places[0].unit) == ("", "section")
