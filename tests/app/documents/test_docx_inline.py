"""What stands in a DOCX's lines and is no letter: signs of other fonts, boxes of forms, equations, drawings."""

import io
import zipfile

from make_documents import docx, paragraph, zipped
from make_office import RELATIONS

from app.data.document import Warning


def run(text):
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def field(data):
    return f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar></w:r>'


def lines(content):
    return content.pages.text().split("\n\n")


def test_signs_of_other_fonts(read_bytes):
    signs = [("Wingdings", "F0FE"), ("Wingdings", "F001"), ("Symbol", "F061"), ("Symbol", "00B3"), ("Arial", "20AC")]
    body = "".join(f'<w:sym w:font="{font}" w:char="{code}"/>' for font, code in signs)
    assert lines(read_bytes(docx(f"<w:p><w:r>{body}</w:r></w:p>"), "a.docx")) == ["☑\ufffdα≥€"]


def test_boxes_and_lists_of_old_forms(read_bytes):
    ticked, empty = "<w:checkBox><w:checked/></w:checkBox>", '<w:checkBox><w:default w:val="0"/></w:checkBox>'
    choice = '<w:ddList><w:result w:val="1"/><w:listEntry w:val="no"/><w:listEntry w:val="yes"/></w:ddList>'
    body = f"<w:p>{field(ticked)}{run(' I agree ')}{field(empty)}{run(' I do not: ')}{field(choice)}</w:p>"
    assert lines(read_bytes(docx(body), "a.docx")) == ["☒ I agree ☐ I do not: yes"]


def m(tag, *inside):
    return f"<m:{tag}>{''.join(inside)}</m:{tag}>"


def letter(text):
    return m("r", m("t", text))


def test_equations_keep_their_meaning(read_bytes):
    one, nought, two, k, n = map(letter, "102kn")
    sum_ = m(
        "nary", '<m:naryPr><m:chr m:val="∑"/></m:naryPr>', m("sub", letter("i=1")), m("sup", n), m("e", letter("i"))
    )
    over = m("f", '<m:fPr><m:type m:val="noBar"/></m:fPr>', m("num", n), m("den", k))
    equations = {
        m("f", m("num", one), m("den", two)): "1/2",
        m("f", m("num", letter("a+b")), m("den", two)): "(a+b)/2",
        m("sSup", m("e", k), m("sup", letter("n+1"))): "k^(n+1)",
        m("sSub", m("e", k), m("sub", n)): "k_n",
        m("rad", m("deg"), m("e", two)): "√2",
        m("rad", m("deg", n), m("e", two)): "root(n, 2)",
        sum_: "∑_(i=1)^n i",
        over: "(n over k)",
        m("d", '<m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>', m("e", one), m("e", two)): "[1|2]",
        m("m", m("mr", m("e", one), m("e", nought)), m("mr", m("e", nought), m("e", one))): "1, 0; 0, 1",
        letter("x=") + f'<w:del w:id="1">{letter("9")}</w:del><w:ins w:id="2">{letter("8")}</w:ins>': "x=8",
    }
    body = "".join(f'<w:p><m:oMath xmlns:m="x">{each}</m:oMath></w:p>' for each in equations)
    assert lines(read_bytes(docx(body), "a.docx")) == list(equations.values())


def test_pictures_objects_and_attached_texts_are_counted(read_bytes):
    body = (
        f"<w:p>{run('Seen.')}<w:r><w:drawing><a:blip xmlns:a='a'/></w:drawing></w:r>"
        "<w:r><w:object><v:shape><v:imagedata/></v:shape><o:OLEObject xmlns:o='o'/></w:object></w:r></w:p>"
        '<w:altChunk r:id="x"/>'
    )
    content = read_bytes(docx(body), "a.docx")
    assert lines(content) == ["Seen."]
    assert content.warnings == (Warning("pictures", {"count": "1"}), Warning("embedded", {"count": "2"}))


def points(*values):
    """What a chart remembers of cells; None for an empty one."""
    each = (f'<c:pt idx="{place}"><c:v>{v}</c:v></c:pt>' for place, v in enumerate(values) if v is not None)
    return f"<c:ref><c:cache>{''.join(each)}</c:cache></c:ref>"


CHART = (
    '<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p>'
    f"</c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx>{points('North')}</c:tx>"
    f"<c:cat>{points(2024, None, 2026)}</c:cat><c:val>{points(7, None, 9)}</c:val></c:ser></c:barChart></c:plotArea>"
    "</c:chart></c:chartSpace>"
)
DIAGRAM = (
    '<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:ptLst><dgm:pt modelId="0" type="doc"/>'
    + "".join(
        f'<dgm:pt modelId="{i}"><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for i, text in enumerate(("Court", "Clerk", "Judge"), start=1)
    )
    + '</dgm:ptLst><dgm:cxnLst><dgm:cxn modelId="7" srcId="0" destId="1" srcOrd="0"/>'
    '<dgm:cxn modelId="8" srcId="1" destId="2" srcOrd="1"/><dgm:cxn modelId="9" srcId="1" destId="3" srcOrd="0"/>'
    '<dgm:cxn modelId="6" type="presOf" srcId="2" destId="1"/></dgm:cxnLst></dgm:dataModel>'
)


def test_charts_and_smart_art_have_their_words(read_bytes):
    body = (
        f"<w:p>{run('See:')}<w:r><w:drawing><c:chart xmlns:c='c' r:id='k1'/></w:drawing></w:r>"
        "<w:r><w:drawing><dgm:relIds xmlns:dgm='d' r:dm='k2'/></w:drawing></w:r></w:p>"
    )
    with zipfile.ZipFile(io.BytesIO(docx(body))) as made:
        members = {name: made.read(name) for name in made.namelist()}
    targets = "".join(f'<Relationship Id="k{i}" Type="x/k" Target="k{i}.xml"/>' for i in (1, 2))
    members["word/_rels/document.xml.rels"] = f'<Relationships xmlns="{RELATIONS}">{targets}</Relationships>'.encode()
    members |= {"word/k1.xml": CHART.encode(), "word/k2.xml": DIAGRAM.encode()}
    assert lines(read_bytes(zipped(members), "a.docx")) == [
        "See:",
        "Sales\n | 2024 |  | 2026\nNorth | 7 |  | 9",
        "- Court\n  - Judge\n  - Clerk",
    ]


def test_boxes_in_boxes_have_an_end(read_bytes):
    inner = paragraph("core")
    for depth in range(30):
        inner = f"<w:p>{run(str(depth))}<w:r><w:txbxContent>{inner}</w:txbxContent></w:r></w:p>"
    assert lines(read_bytes(docx(inner), "a.docx"))[0] == "29"
