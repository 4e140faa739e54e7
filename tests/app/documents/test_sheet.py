import datetime
import io
from html import escape

import pytest
from make_documents import zipped
from make_office import Sheet, cell, ods, open_table, relations, row, xlsx
from make_ole2 import locked, ole2, xls

from app.data.document import LeftOut, Warning
from app.documents.errors import Unreadable
from app.documents.messages import Limits, Options
from app.documents.rows import column, lines, row_at, written
from app.documents.sniff import identify


def sheets(content):
    text = content.pages.text()
    return [(span.index, span.label, text[span.start : span.end]) for span in content.pages.spans]


def test_sheets_are_lines_of_cells(read_bytes):
    content = read_bytes(xlsx(), "prices.xlsx")
    assert (content.kind, content.unit) == ("sheet", "sheet")
    assert sheets(content) == [
        (0, "Prices", "Item | Net\nClock | 12.5\n\n[Beside the cells]\n\n[Comment on A1 by A. Smith: Why?]"),
        (1, "Old", "hidden"),
    ]
    assert content.warnings == (Warning("hidden_sheets", {"sheets": "Old"}),)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("two\nlines\u2028 of  text", "two lines of text"),
        (12.0, "12"),
        (-3.0, "-3"),
        (0.1 + 0.2, "0.3"),
        (1e15, "1e+15"),
        (123456789.25, "123456789.25"),
        (True, "TRUE"),
        (7, "7"),
        (datetime.date(2026, 1, 31), "2026-01-31"),
        (datetime.datetime(2026, 1, 31), "2026-01-31"),
        (datetime.datetime(2026, 1, 31, 13, 45, 7), "2026-01-31 13:45:07"),
        (datetime.time(13, 45), "13:45:00"),
        (datetime.timedelta(hours=30, minutes=5), "30:05:00"),
        (-datetime.timedelta(minutes=5), "-0:05:00"),
    ],
)
def test_cells(value, text):
    assert written(value) == text


def test_formulas_dates_truth_values_and_merged_cells(read_bytes):
    cells = (
        '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" s="1"><v>46053</v></c><c r="C1" t="b"><v>1</v></c></row>'
        f'<row r="3">{cell("B3", "merged")}<c r="C3"/></row>'
    )
    content = read_bytes(xlsx([Sheet("A", cells, after='<mergeCells><mergeCell ref="B3:C3"/></mergeCells>')]), "a.xlsx")
    assert sheets(content) == [(0, "A", "2 | 2026-01-31 | TRUE\n\n | merged")]
    assert content.warnings == ()


def test_results_that_are_not_there_are_told_of(read_bytes):
    cells = (
        '<row r="1"><c r="A1"><f>SUM(B1:B9)</f></c><c r="B1"><f>A1</f><v></v></c><c r="C1" t="str"><f>A1</f><v></v></c>'
        '<c r="D1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="E1"><f t="shared" si="0"/><v/></c>'
        '<c r="F1"><f>1</f><v>1</v></c></row>'
    )
    content = read_bytes(xlsx([Sheet("A", cells)]), "a.xlsx")
    assert content.warnings == (
        Warning("formulas_without_values", {"count": "3"}),
        Warning("error_cells", {"count": "1"}),
    )


def test_a_line_is_a_row(read_bytes):
    rows = row(2, "two") + row(4, None, "four") + row(20, "twenty") + row(21, "[rows 22–30: empty]") + row(22, "last")
    comments = '<comments><authors/><commentList><comment ref="A2"><text>x</text></comment></commentList></comments>'
    book = xlsx([Sheet("A", rows, relations={"c": ("comments", "../c.xml")})], {"c.xml": comments})
    ((_, _, text),) = sheets(read_bytes(book, "a.xlsx"))
    assert text.split("\n")[:8] == [
        "",
        "two",
        "",
        " | four",
        "[rows 5–19: empty]",
        "twenty",
        "[rows 22–30: empty]",
        "last",
    ]
    before = "another sheet\n\n"
    for words, number in (("two", 2), ("four", 4), ("twenty", 20), ("22–30", 21), ("last", 22), ("Comment", None)):
        assert row_at(before + text, len(before), len(before) + text.index(words)) == number


def test_a_far_column_is_named():
    assert list(lines([["a", *[""] * 5, "g"], ["a", *[""] * 6, "h"], [*[""] * 30, "x", ""]])) == [
        "a |  |  |  |  |  | g",
        "a | [column H] | h",
        "[column AE] | x",
    ]
    assert list(lines([["x"]], first_column=700)) == ["[column ZY] | x"]
    assert [column(place) for place in (0, 25, 26, 701, 702, 16383)] == ["A", "Z", "AA", "ZZ", "AAA", "XFD"]


def test_cells_far_apart_are_refused_before_they_take_all_memory(read_bytes):
    far = f'<row r="1">{cell("A1", "a")}</row><row r="1048576">{cell("XFD1048576", "far")}</row>'
    deep = f'<row r="1048576">{cell("B1048576", "deep")}</row>'
    content = read_bytes(xlsx([Sheet("Far", far), Sheet("Deep", deep)]), "a.xlsx")
    assert sheets(content) == [(1, "Deep", "[rows 1–1048575: empty]\n | deep")]
    assert content.left_out == (LeftOut("Far", "too_big"),)
    assert content.warnings == (Warning("sheets_left_out", {"sheets": "Far"}),)
    elsewhere = row(1, "a") + f'<row r="2">{cell("B1048576", "a")}{cell("XFD2", "its own row is another")}</row>'
    for rows in (far, elsewhere):
        with pytest.raises(Unreadable, match="too_big"):
            read_bytes(xlsx([Sheet("Far", rows)]), "a.xlsx")


@pytest.mark.parametrize("place", ["B2147483648", "B99999999999999999999", "AAAAAAA1", "2"])
def test_cells_where_no_sheet_has_one_are_damage(read_bytes, place):
    astray = Sheet("Astray", row(1, "a") + f'<row r="2">{cell(place, "far")}</row>')
    content = read_bytes(xlsx([astray, Sheet("Sound", row(1, "b"))]), "a.xlsx")
    assert sheets(content) == [(1, "Sound", "b")]
    assert content.left_out == (LeftOut("Astray", "damaged"),)


THREADS = (
    '<t:ThreadedComments xmlns:t="t"><t:threadedComment ref="A1" personId="{P}" id="1"><t:text>Sure?</t:text>'
    '</t:threadedComment><t:threadedComment ref="A1" personId="{P}" id="2" parentId="1"><t:text>Yes.</t:text>'
    "</t:threadedComment></t:ThreadedComments>"
)
OLDER = (
    "<comments><authors><author>tc=1</author><author>C</author></authors><commentList>"
    '<comment ref="A1" authorId="0"><text><r><t>[Threaded comment]</t></r></text></comment>'
    '<comment ref="B2" authorId="1"><text><r><t>Old </t></r><r><t>one</t></r><rPh><t>nope</t></rPh></text></comment>'
    "</commentList></comments>"
)
DRAWN = (
    '<x:wsDr xmlns:x="x" xmlns:a="a" xmlns:r="r"><x:twoCellAnchor><x:sp><x:nvSpPr><x:nvPr/></x:nvSpPr><x:txBody>'
    "<a:p><a:r><a:t>boxed</a:t></a:r></a:p></x:txBody></x:sp></x:twoCellAnchor><x:twoCellAnchor><x:graphicFrame>"
    '<a:graphic><a:graphicData><c:chart xmlns:c="c" r:id="k"/></a:graphicData></a:graphic></x:graphicFrame>'
    '</x:twoCellAnchor><x:oneCellAnchor><x:pic><x:nvPicPr><x:cNvPr descr="logo"/></x:nvPicPr></x:pic></x:oneCellAnchor>'
    "</x:wsDr>"
)
CHART = (
    '<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><c:tx><a:p><a:t>Sales</a:t></a:p></c:tx></c:title>'
    "<c:plotArea><c:ser><c:val><c:pt idx='0'><c:v>7</c:v></c:pt></c:val></c:ser></c:plotArea></c:chart></c:chartSpace>"
)


def test_comments_boxes_charts_and_page_heads(read_bytes):
    referred = {
        "t": ("threadedComment", "../threads.xml"),
        "c": ("comments", "../older.xml"),
        "d": ("drawing", "../drawn.xml"),
    }
    extra = {
        "threads.xml": THREADS,
        "older.xml": OLDER,
        "drawn.xml": DRAWN,
        "_rels/drawn.xml.rels": relations({"k": ("chart", "chart.xml")}),
        "chart.xml": CHART,
        "people.xml": '<p:personList xmlns:p="p"><p:person displayName="B. Jones" id="{P}"/></p:personList>',
    }
    codes = escape('&L&"Arial,Bold"&12Draft && final&R&P/&N')
    head = f"<headerFooter><oddHeader>{codes}</oddHeader></headerFooter>"
    book = xlsx([Sheet("A", row(1, "x"), after=head, relations=referred)], extra, {"p": ("person", "people.xml")})
    content = read_bytes(book, "a.xlsx")
    assert sheets(content)[0][2].split("\n\n") == [
        "x",
        "[Beside the cells]",
        "[Header or footer: Draft & final /]",
        "[Comment on A1 by B. Jones: Sure?]",
        "[Answer on A1 by B. Jones: Yes.]",
        "[Comment on B2 by C: Old one]",
        "boxed",
        "Sales\n | 7",
        "[logo]",
    ]
    assert content.warnings == (Warning("pictures", {"count": "1"}),)


def test_open_document_workbooks(read_bytes):
    styles = (
        '<style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style>'
    )
    value = '<table:table-cell office:value-type="{0}" office:{1}="{2}"><text:p>shown</text:p></table:table-cell>'
    note = "<office:annotation><dc:creator>A. Smith</dc:creator><text:p>Why<text:s/>so?</text:p></office:annotation>"
    cells = (
        value.format("float", "value", "12")
        + value.format("percentage", "value", "0.19")
        + value.format("date", "date-value", "2026-01-31")
        + f'<table:table-cell office:value-type="string">{note}<text:p>a</text:p><text:p>b</text:p></table:table-cell>'
    )
    box = "<table:shapes><draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame></table:shapes>"
    nothing = '<table:table-cell table:number-columns-repeated="1024"/>'
    empty = f'<table:table-row table:number-rows-repeated="{{}}">{nothing}</table:table-row>'
    rows = f"{empty.format(2)}<table:table-row>{cells}</table:table-row>{empty.format(1048570)}"
    hidden = open_table(("x",), name="Two").replace("<table:table ", '<table:table table:style-name="h" ', 1)
    body = f'<table:table table:name="One">{box}{rows}</table:table>{hidden}'
    content = read_bytes(ods(body, styles), "a.ods")
    assert sheets(content) == [
        (
            0,
            "One",
            "\n\n12 | 0.19 | 2026-01-31 | a b\n\n[Beside the cells]\n\n[Comment on D3 by A. Smith: Why so?]\n\nboxed",
        ),
        (1, "Two", "x"),
    ]
    assert content.warnings == (Warning("hidden_sheets", {"sheets": "Two"}),)


def test_errors_in_open_document_workbooks_are_told_of(read_bytes):
    error = '<table:table-cell office:value-type="float" office:value="0" c:value-type="error" xmlns:c="c"/>'
    body = f'<table:table table:name="S"><table:table-row>{error}</table:table-row></table:table>'
    assert read_bytes(ods(body), "a.ods").warnings == (Warning("error_cells", {"count": "1"}),)


def test_old_workbooks(read_bytes):
    assert sheets(read_bytes(xls(), "a.xls")) == [(0, "Old", "Item | Net\n\n | 12.5")]


@pytest.mark.parametrize(("given", "needed"), [("geheim", "geheim"), ("", "VelvetSweatshop")])
def test_locked_workbooks(read_bytes, given, needed):
    options = Options(passwords={"": given})
    assert sheets(read_bytes(xls(password=needed), "a.xls", options=options))[0][1] == "Old"
    assert sheets(read_bytes(locked(xlsx(), needed), "a.xlsx", options=options))[0][1] == "Prices"


@pytest.mark.parametrize("passwords", [{}, {"": "wrong"}])
def test_locked_workbooks_without_their_password(read_bytes, passwords):
    for data in (xls(password="right"), ods(encrypted=True)):
        with pytest.raises(Unreadable) as refused:
            read_bytes(data, "a.xls", options=Options(passwords=passwords))
        assert refused.value.code == "encrypted"


@pytest.mark.parametrize(
    "fault",
    ["no book", "no XML", "cut", "no sheet", "old and cut", "old and empty", "open and cut", "open and not closed"],
)
def test_damaged(read_bytes, fault):
    data = {
        "no book": zipped({"[Content_Types].xml": "<Types/>", "xl/other.xml": "<x/>"}),
        "no XML": xlsx(extra={"workbook.xml": "plain words"}),
        "cut": xlsx()[:-40],
        "no sheet": xlsx([Sheet("A", "<row r='1'><c>")]),
        "old and cut": xls()[:2000],
        "old and empty": ole2({"Workbook": b""}),
        "open and cut": ods("<table:table>"),
        "open and not closed": ods(open_table(("x",)).replace("</table:table>", "</table:tabel>")),
    }[fault]
    with pytest.raises(Unreadable) as refused:
        read_bytes(data, "a.xlsx")
    assert refused.value.code == "damaged"


def test_one_damaged_sheet_is_named_and_the_others_are_read(read_bytes):
    book = xlsx([Sheet("A", "<row r='1'><c r='A1'><v>1</v></row>"), Sheet("B", row(1, "b"))])
    content = read_bytes(book, "a.xlsx")
    assert sheets(content) == [(1, "B", "b")]
    assert content.left_out == (LeftOut("A", "damaged"),)


def test_what_comes_out_of_a_zip_is_counted(read_bytes):
    bomb = xlsx([Sheet("A", row(1, " " * 3_000_000))])
    assert len(bomb) < 20_000
    with pytest.raises(Unreadable) as refused:
        read_bytes(bomb, "a.xlsx", Limits(inflated=1_000_000))
    assert refused.value.code == "too_big"


def test_a_mail_that_brings_a_workbook_along_is_no_workbook(read_bytes):
    book = io.BytesIO(xls()).getvalue()
    mail = ole2({"__properties_version1.0": b"x", "__substg1.0_37010102": book})
    assert identify(mail, "a.xls", 1 << 20) == ("mail", None)
