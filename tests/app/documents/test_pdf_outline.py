import pytest
from make_documents import raw_pdf
from make_pdf import outlined

PAGES = [
    ["Contents", "First part", "Second part"],
    ["1 First part", "Words of the first part.", "1.1. A section of", "which the title is long", "More words."],
    ["II. Second part", "A section of many.", "Words.", "A section", "Words of it.", "A section", "And of that."],
    [],
    ["The end."],
]


def headings(read_bytes, titles):
    """Level, title, and the line on which each begins."""
    content = read_bytes(outlined(PAGES, titles), "a.pdf")
    text = content.pages.text()
    assert [one.start for one in content.pages.headings] == sorted(one.start for one in content.pages.headings)
    return [(one.level, one.title, text[one.start :].split("\n")[0]) for one in content.pages.headings]


def test_titles_stand_where_they_are_printed(read_bytes):
    titles = [(1, 0, "First part"), (1, 1, "A section of which the title is long"), (2, 0, "II. Second Part")]
    assert headings(read_bytes, titles) == [
        (1, "First part", "1 First part"),
        (2, "A section of which the title is long", "1.1. A section of"),
        (1, "II. Second Part", "II. Second part"),
    ]


def test_the_same_title_twice_is_two_places(read_bytes):
    content = read_bytes(outlined(PAGES, [(2, 0, "A section"), (2, 0, "A section"), (2, 0, "A section")]), "a.pdf")
    assert len({one.start for one in content.pages.headings}) == 3


def test_a_title_inside_of_a_line(read_bytes):
    assert headings(read_bytes, [(2, 0, "of many")]) == [(1, "of many", "A section of many.")]


def test_a_title_that_is_not_on_its_page_stands_at_its_start(read_bytes):
    assert headings(read_bytes, [(2, 0, "Elsewhere")]) == [(1, "Elsewhere", "II. Second part")]


def test_a_title_of_a_page_without_words_stands_on_the_next(read_bytes):
    assert headings(read_bytes, [(3, 0, "Nothing")]) == [(1, "Nothing", "The end.")]


def test_ligatures_and_line_ends_in_titles(read_bytes):
    assert headings(read_bytes, [(1, 0, "\ufb01rst\r\npart")]) == [(1, "first part", "1 First part")]


@pytest.mark.parametrize(
    "item",
    [
        b"/Title (around) /Dest [3 0 R /Fit] /Next 5 0 R",
        b"/Title (around) /Dest [3 0 R /Fit] /First 5 0 R /Last 5 0 R",
        b"/Title (around) /Dest [3 0 R /Fit] /Next 5 0 R /First 4 0 R",
    ],
)
def test_an_outline_that_goes_around_ends(read_bytes, item):
    data = raw_pdf(
        b"<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 6 0 R /Resources "
        b"<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Type /Outlines /First 5 0 R /Last 5 0 R /Count 1 >>",
        b"<< /Parent 4 0 R %s >>" % item,
        b"<< /Length 35 >>\nstream\nBT /F 12 Tf 10 10 Td (words) Tj ET \nendstream",
    )
    found = read_bytes(data, "a.pdf").pages.headings
    assert {one.title for one in found} == {"around"}
    assert len(found) < 20


@pytest.mark.parametrize("target", [b"", b"/Dest /nowhere", b"/A << /S /URI /URI (http://a.b) >>", b"/Dest [99 /Fit]"])
def test_a_title_that_leads_nowhere_is_none(read_bytes, target):
    data = raw_pdf(
        b"<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 6 0 R /Resources "
        b"<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Type /Outlines /First 5 0 R /Last 5 0 R /Count 1 >>",
        b"<< /Parent 4 0 R /Title (lost) %s >>" % target,
        b"<< /Length 35 >>\nstream\nBT /F 12 Tf 10 10 Td (words) Tj ET \nendstream",
    )
    assert read_bytes(data, "a.pdf").pages.headings == []
