"""Tracked changes of DOCX in the three ways in which they can be read."""

import pytest
from make_documents import docx, paragraph

from app.data.document import Warning
from app.documents.messages import Options

AUTHOR = 'w:id="9" w:author="A. Smith"'
OTHER = 'w:id="8" w:author="B. Jones"'


def run(text):
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def inserted(text, author=AUTHOR):
    return f"<w:ins {author}>{run(text)}</w:ins>"


def deleted(text, author=AUTHOR):
    return f'<w:del {author}><w:r><w:delText xml:space="preserve">{text}</w:delText></w:r></w:del>'


def ended(change, inside):
    """A paragraph whose end was changed."""
    return f"<w:p><w:pPr><w:rPr><w:{change} {AUTHOR}/></w:rPr></w:pPr>{inside}</w:p>"


@pytest.fixture
def lines(read_bytes):
    def read(body, changes, parts=None):
        return read_bytes(docx(body, parts), "a.docx", options=Options(changes=changes)).pages.text().split("\n\n")

    return read


PRICE = f"<w:p>{run('The price is ')}{deleted('900')}{inserted('1,')}{inserted('200')}{run(' euros.')}</w:p>"


@pytest.mark.parametrize(
    ("changes", "text", "code"),
    [
        ("final", "The price is 1,200 euros.", "tracked_changes"),
        ("original", "The price is 900 euros.", "tracked_changes_original"),
        (
            "marked",
            "The price is [deleted by A. Smith: 900][inserted by A. Smith: 1,200] euros.",
            "tracked_changes_marked",
        ),
    ],
)
def test_a_changed_price(read_bytes, changes, text, code):
    content = read_bytes(docx(PRICE), "a.docx", options=Options(changes=changes))
    assert content.pages.text() == text
    assert content.warnings == (Warning(code, {"deletions": "1", "insertions": "2"}),)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ("final", ["Kept.", "Moved clause."]),
        ("original", ["Moved clause.", "Kept."]),
        ("marked", ["[moved away by A. Smith: Moved clause. ¶]", "Kept.", "[moved here by A. Smith: Moved clause. ¶]"]),
    ],
)
def test_moved_text(lines, changes, expected):
    body = (
        ended("moveFrom", f"<w:moveFrom {AUTHOR}>{run('Moved clause.')}</w:moveFrom>")
        + paragraph("Kept.")
        + ended("moveTo", f"<w:moveTo {AUTHOR}>{run('Moved clause.')}</w:moveTo>")
        + "<w:p/>"
    )
    assert lines(body, changes) == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ("final", ["One sentence.", "Two", "parts."]),
        ("original", ["One", "sentence.", "Two parts."]),
        ("marked", ["One [deleted by A. Smith: ¶]", "sentence.", "Two [inserted by A. Smith: ¶]", "parts."]),
    ],
)
def test_ends_of_paragraphs(lines, changes, expected):
    body = ended("del", run("One ")) + paragraph("sentence.") + ended("ins", run("Two ")) + paragraph("parts.")
    assert [" ".join(line.split()) for line in lines(body, changes)] == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ("final", "Item | Price\nClock | 12\nBell | 7"),
        ("original", "Item | Price\nClock | 12\nKey | 9"),
        ("marked", "Item | Price\nClock | 12\n[deleted by A. Smith: Key | 9]\n[inserted by A. Smith: Bell | 7]"),
    ],
)
def test_rows(read_bytes, changes, expected):
    def row(change, *cells):
        properties = f"<w:trPr><w:{change} {AUTHOR}/></w:trPr>" if change else ""
        return f"<w:tr>{properties}{''.join(f'<w:tc><w:p>{cell}</w:p></w:tc>' for cell in cells)}</w:tr>"

    body = (
        "<w:tbl>"
        + row("", run("Item"), run("Price"))
        + row("", run("Clock"), run("12"))
        + row("del", deleted("Key"), deleted("9"))
        + row("ins", inserted("Bell"), inserted("7"))
        + "</w:tbl>"
    )
    content = read_bytes(docx(body), "a.docx", options=Options(changes=changes))
    assert content.pages.text() == expected
    # a row that is left out is one change; of one that is read, its words are counted
    counted = {"final": ("1", "2"), "original": ("2", "1"), "marked": ("2", "2")}[changes]
    assert tuple(content.warnings[0].values.values()) == counted


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ("final", "Yes."),
        ("original", "Yes."),
        ("marked", "Yes[inserted by A. Smith: [deleted by B. Jones: , and no]]."),
    ],
)
def test_what_one_put_in_and_another_took_out_again(lines, changes, expected):
    body = f"<w:p>{run('Yes')}<w:ins {AUTHOR}>{deleted(', and no', OTHER)}</w:ins>{run('.')}</w:p>"
    assert lines(body, changes) == [expected]


@pytest.mark.parametrize(("changes", "expected"), [("final", ["1. Two"]), ("original", ["1. One", "2. Two"])])
def test_clauses_are_counted_as_they_are_read(lines, changes, expected):
    numbering = (
        '<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:lvlText w:val="%1."/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
    )
    listed = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    body = f"<w:p><w:pPr>{listed}<w:rPr><w:del {AUTHOR}/></w:rPr></w:pPr>{deleted('One')}</w:p>" + paragraph(
        "Two", listed
    )
    assert lines(body, changes, {"numbering": numbering}) == expected


@pytest.mark.parametrize(("changes", "level"), [("final", []), ("original", [2])])
def test_a_heading_that_was_made_a_paragraph(read_bytes, changes, level):
    styles = '<w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style>'
    before = '<w:pPrChange w:id="1"><w:pPr><w:pStyle w:val="H2"/></w:pPr></w:pPrChange>'
    content = read_bytes(docx(paragraph("Scope", before), {"styles": styles}), "a", options=Options(changes=changes))
    assert [heading.level for heading in content.pages.headings] == level


@pytest.mark.parametrize(("changes", "row"), [("final", "a | new"), ("original", "a | old")])
def test_cells(lines, changes, row):
    def cell(text, change=""):
        return f"<w:tc><w:tcPr>{change}</w:tcPr>{paragraph(text)}</w:tc>"

    cells = cell("a") + cell("old", f"<w:cellDel {AUTHOR}/>") + cell("new", f"<w:cellIns {AUTHOR}/>")
    assert lines(f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>", changes) == [row]


@pytest.mark.parametrize(("changes", "read"), [("final", ["a", "once", "in"]), ("original", ["a", "once"])])
def test_changes_and_alternatives_around_whole_paragraphs(lines, changes, read):
    both = f"<mc:AlternateContent><mc:Choice>{paragraph('once')}</mc:Choice><mc:Fallback>{paragraph('once')}"
    both += "</mc:Fallback></mc:AlternateContent>"
    assert lines(paragraph("a") + both + f"<w:ins {AUTHOR}>{paragraph('in')}</w:ins>", changes) == read


@pytest.mark.parametrize("changes", ["final", "original", "marked"])
def test_deleted_words_that_stand_in_no_deletion_are_never_read(lines, changes):
    assert lines(f"<w:p>{run('Due: ')}<w:r><w:delText>900</w:delText></w:r></w:p>", changes) == ["Due:"]


@pytest.mark.parametrize(("changes", "notes"), [("final", 0), ("original", 1), ("marked", 1)])
def test_a_note_of_deleted_words_goes_with_them(lines, changes, notes):
    parts = {"footnotes": f'<w:footnote w:id="2">{paragraph("Secret.")}</w:footnote>'}
    reference = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    read = lines(f"<w:p>{run('Due.')}<w:del {AUTHOR}>{reference}</w:del></w:p>", changes, parts)
    assert read.count("[Footnote 1: Secret.]") == notes
