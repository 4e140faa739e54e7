import pytest
from make_documents import zipped
from make_office import DRAWING, SLIDES, Slide, frame, pptx, relations, shape, slide_table, tree

from app.data.document import LeftOut, Warning
from app.documents.errors import Unreadable
from app.documents.messages import Limits
from app.documents.reading_order import Box, reading_order


def slides(content):
    text = content.pages.text()
    return [(span.index, span.label, text[span.start : span.end].split("\n\n")) for span in content.pages.spans]


def test_slides_in_order_with_titles_notes_and_tables(read_bytes):
    content = read_bytes(pptx(), "talk.pptx")
    assert content.kind == "pptx"
    assert content.unit == "slide"
    assert slides(content) == [
        (0, "First", ["First", "Item | Clock", "One\nTwo", "[Notes: Say]"]),
        (1, "2", ["Grouped"]),
    ]
    assert [(h.start, h.level, h.title) for h in content.pages.headings] == [(0, 1, "First")]
    assert content.warnings == (Warning("hidden_slides", {"slides": "2"}),)


def test_the_title_comes_first_wherever_it_lies(read_bytes):
    shapes = shape("below", (0, 500, 10, 10)) + shape("Title\nof two lines", (0, 900, 10, 10), "ctrTitle")
    ((_, label, blocks),) = slides(read_bytes(pptx([Slide(shapes)]), "a.pptx"))
    assert (label, blocks) == ("Title of two lines", ["Title\nof two lines", "below"])


def test_boxes_are_read_as_they_lie(read_bytes):
    left, right = (0, 100, 40, 200), (50, 120, 40, 300)
    shapes = (
        shape("foot", (0, 900, 90, 20)) + shape("right", right) + shape("left", left) + shape("top", (0, 0, 90, 20))
    )
    assert slides(read_bytes(pptx([Slide(shapes)]), "a.pptx"))[0][2] == ["top", "left", "right", "foot"]


@pytest.mark.parametrize(
    ("boxes", "order"),
    [
        ([], []),
        ([None, Box(0, 0, 1, 1), None], [0, 2, 1]),
        # a comparison: two heads over two bodies, made column by column, is read so; made row by row, in rows
        ([Box(0, 0, 4, 1), Box(0, 2, 4, 9), Box(5, 0, 9, 1), Box(5, 2, 9, 9)], [0, 1, 2, 3]),
        ([Box(0, 0, 4, 1), Box(5, 0, 9, 1), Box(0, 2, 4, 9), Box(5, 2, 9, 9)], [0, 1, 2, 3]),
        (
            [Box(0, 0, 9, 1), Box(0, 2, 4, 3), Box(0, 4, 4, 9), Box(5, 2, 9, 3), Box(5, 4, 9, 9), Box(0, 9, 9, 10)],
            [0, 1, 2, 3, 4, 5],
        ),
        # what overlaps keeps the order in which it was made
        ([Box(2, 2, 9, 9), Box(0, 0, 5, 5)], [0, 1]),
        ([Box(9 - i, 0, 10 - i, 1) for i in range(10)], list(range(9, -1, -1))),
        ([Box(0, -i, 1, 1 - i) for i in range(151)], list(range(151))),
    ],
)
def test_reading_order(boxes, order):
    assert reading_order(boxes) == order


def test_places_are_inherited_from_the_layout(read_bytes):
    layout = tree("sldLayout", shape("Type here", (0, 900, 9, 9), "body") + shape("Confidential", (0, 0, 9, 9)))
    master = tree("sldMaster", shape("ACME", (0, 0, 9, 9)) + shape("7", kind="sldNum"))
    extra = {
        "layout.xml": layout,
        "_rels/layout.xml.rels": relations({"m": ("slideMaster", "master.xml")}),
        "master.xml": master,
    }
    slide = Slide(
        shape("body", kind="body") + shape("drawn", (0, 10, 9, 9)), relations={"l": ("slideLayout", "../layout.xml")}
    )
    content = read_bytes(pptx([slide, slide], extra), "a.pptx")
    # what stands on every slide alike is read with the first one
    assert [blocks for *_, blocks in slides(content)] == [
        ["drawn", "body", "Confidential", "ACME"],
        ["drawn", "body"],
    ]


def test_layouts_whose_words_a_slide_does_not_show(read_bytes):
    extra = {"layout.xml": tree("sldLayout", shape("Confidential"))}
    slide = Slide(shape("body"), relations={"l": ("slideLayout", "../layout.xml")}, attributes='showMasterSp="0"')
    assert slides(read_bytes(pptx([slide], extra), "a.pptx")) == [(0, "1", ["body"])]


def test_groups_alternatives_and_hidden_numbers(read_bytes):
    inner = shape("b", (0, 50, 9, 9)) + shape("a", (0, 0, 9, 9))
    place = "<p:grpSpPr><a:xfrm><a:off x='0' y='0'/><a:ext cx='9' cy='9'/></a:xfrm></p:grpSpPr>"
    group = f"<p:grpSp>{place}{inner}</p:grpSp>"
    both = f"<mc:AlternateContent><mc:Choice>{shape('once')}</mc:Choice><mc:Fallback>{shape('once')}</mc:Fallback>"
    both += "</mc:AlternateContent>"
    margins = shape("ACME 2026", kind="ftr") + shape("1", kind="sldNum") + shape("today", kind="dt")
    content = read_bytes(pptx([Slide(group + both + margins), Slide(margins + shape("x"))]), "a.pptx")
    assert [blocks for *_, blocks in slides(content)] == [["once", "ACME 2026", ["a", "b"][0], "b"], ["x"]]
    assert content.warnings == (Warning("running_heads", {"count": "1"}),)


def test_lists_have_their_numbers(read_bytes):
    def line(text, properties):
        return f"<a:p><a:pPr {properties[0]}>{properties[1]}</a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>"

    numbered = '<a:buAutoNum type="arabicPeriod"/>'
    letters = '<a:buAutoNum type="alphaLcParenBoth" startAt="3"/>'
    lines = (
        line("one", ("", numbered)) + line("sub", ('lvl="1"', letters)) + line("sub", ('lvl="1"', letters))
        + line("two", ("", numbered)) + line("sub", ('lvl="1"', letters)) + line("dot", ("", '<a:buChar char="•"/>'))
        + line("new", ("", numbered)) + line("plain", ("", "<a:buNone/>"))
    )  # fmt: skip
    body = f"<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody>{lines}</p:txBody></p:sp>"
    assert slides(read_bytes(pptx([Slide(body)]), "a.pptx"))[0][2] == [
        "1. one\n  (c) sub\n  (d) sub\n2. two\n  (c) sub\n- dot\n1. new\nplain"
    ]


def test_breaks_fields_and_equations(read_bytes):
    one, two = ("<m:r><m:t>1</m:t></m:r>", "<m:r><m:t>2</m:t></m:r>")
    half = f"<m:oMath xmlns:m='m'><m:f><m:num>{one}</m:num><m:den>{two}</m:den></m:f></m:oMath>"
    date, number = "<a:fld type='datetime1'><a:t>May</a:t></a:fld>", "<a:fld type='slidenum'><a:t>9</a:t></a:fld>"
    line = f"<a:p><a:r><a:t>a</a:t></a:r><a:br/>{date}<a14:m xmlns:a14='x'>{half}</a14:m>{number}</a:p>"
    body = f"<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody>{line}</p:txBody></p:sp>"
    assert slides(read_bytes(pptx([Slide(body)]), "a.pptx"))[0][2] == ["a\nMay1/2"]


def test_merged_cells_are_read_once(read_bytes):
    table = slide_table(("Head", "", ""), ("a", "b", "c")).replace("<a:tc>", '<a:tc gridSpan="3">', 1)
    table = table.replace("<a:tc>", '<a:tc hMerge="1">', 2)
    assert slides(read_bytes(pptx([Slide(table)]), "a.pptx"))[0][2] == ["Head\na | b | c"]


OLD_AUTHORS = f'<p:cmAuthorLst xmlns:p="{SLIDES}"><p:cmAuthor id="0" name="A. Smith"/></p:cmAuthorLst>'
OLD = f'<p:cmLst xmlns:p="{SLIDES}"><p:cm authorId="0" dt="x"><p:pos/><p:text>Too  small?</p:text></p:cm></p:cmLst>'
NEW_AUTHORS = '<x:authorLst xmlns:x="x"><x:author id="{B}" name="B. Jones"/></x:authorLst>'
SAID = "<x:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></x:txBody>"
NEW = (
    f'<x:cmLst xmlns:x="x" xmlns:a="{DRAWING}"><x:cm id="1" authorId="{{B}}"><x:replyLst>'
    f'<x:reply id="2" authorId="{{B}}">{SAID.format("Yes.")}</x:reply></x:replyLst>{SAID.format("Sure?")}'
    "</x:cm></x:cmLst>"
)


def test_comments_old_and_new(read_bytes):
    extra = {"a.xml": OLD_AUTHORS, "b.xml": NEW_AUTHORS, "old.xml": OLD, "new.xml": NEW}
    slide = Slide(shape("x"), relations={"o": ("comments", "../old.xml"), "n": ("comments", "../new.xml")})
    parts = {"a": ("commentAuthors", "a.xml"), "b": ("authors", "b.xml")}
    assert slides(read_bytes(pptx([slide], extra, parts), "a.pptx"))[0][2] == [
        "x",
        "[Comment by A. Smith: Too small?]",
        "[Comment by B. Jones: Sure?]",
        "[Answer by B. Jones: Yes.]",
    ]


def test_pictures_objects_and_slides_of_pictures_alone(read_bytes):
    picture = '<p:pic><p:nvPicPr><p:cNvPr id="1" name="x" descr="{}"/></p:nvPicPr></p:pic>'
    shown = Slide(shape("x") + picture.format("A chart") + frame("<p:oleObj/>"))
    content = read_bytes(pptx([shown, Slide(picture.format("")), Slide("")]), "a.pptx")
    assert slides(content) == [(0, "1", ["x", "[A chart]"])]
    assert content.left_out == (LeftOut("2", "picture"),)
    assert content.warnings == (Warning("pictures", {"count": "2"}), Warning("embedded", {"count": "1"}))


def test_slides_that_are_missing_or_damaged_are_named(read_bytes):
    broken = pptx([Slide(shape("x")), Slide("<p:sp>"), Slide(shape("z"))])
    content = read_bytes(broken, "a.pptx")
    assert [index for index, *_ in slides(content)] == [0, 2]
    assert content.left_out == (LeftOut("2", "damaged"),)
    assert content.warnings == (Warning("slides_missing", {"count": "1"}),)


@pytest.mark.parametrize("fault", ["no presentation", "no XML", "cut", "too deep", "of another kind"])
def test_damaged(read_bytes, fault):
    data = {
        "no presentation": zipped({"[Content_Types].xml": "<Types/>", "ppt/other.xml": "<x/>"}),
        "no XML": pptx([], {"presentation.xml": "plain words"}),
        "cut": pptx()[:-40],
        "too deep": pptx([], {"presentation.xml": "<p>" * 3000 + "</p>" * 3000}),
        "of another kind": zipped({"ppt/presentation.xml": b"%PDF-1.7"}),
    }[fault]
    with pytest.raises(Unreadable) as refused:
        read_bytes(data, "a.pptx")
    assert refused.value.code == "damaged"


def test_what_comes_out_of_a_zip_is_counted(read_bytes):
    bomb = pptx([Slide(shape(" " * 3_000_000))])
    assert len(bomb) < 20_000
    with pytest.raises(Unreadable) as refused:
        read_bytes(bomb, "a.pptx", Limits(inflated=1_000_000))
    assert refused.value.code == "too_big"


def test_strict_names_and_unusual_places(read_bytes):
    strict = {
        "_rels/.rels": relations(
            {"r": ("officeDocument", "deck/main.xml")}, "http://purl.oclc.org/ooxml/officeDocument/relationships"
        ),
        "deck/main.xml": '<presentation xmlns="http://purl.oclc.org/ooxml/presentationml/main" xmlns:r="r"><sldIdLst>'
        '<sldId id="256" r:id="s"/></sldIdLst></presentation>',
        "deck/_rels/main.xml.rels": relations({"s": ("slide", "one.xml")}),
        "deck/one.xml": tree("sld", shape("Strict.")).replace(SLIDES, "http://purl.oclc.org/ooxml/presentationml/main"),
    }
    assert slides(read_bytes(zipped(strict), "a.zip")) == [(0, "1", ["Strict."])]
