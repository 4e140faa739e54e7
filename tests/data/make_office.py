"""Sound Office documents with known words, made as bytes. Without arguments each maker gives a document that has a
little of everything its format can hold."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import NamedTuple

from make_documents import R, paragraph, zipped
from make_documents import docx as plain_docx

TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
MAIN = "application/vnd.openxmlformats-officedocument"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

Relations = Mapping[str, tuple[str, str]]
"""By id: the last word of the type, and the target."""
NOTHING: Relations = MappingProxyType({})


def relations(targets: Relations, base: str = R) -> str:
    items = "".join(
        f'<Relationship Id="{identity}" Type="{base}/{kind}" Target="{target}"/>'
        for identity, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{RELATIONS}">{items}</Relationships>'


def package(main: str, kind: str, members: Mapping[str, str | bytes]) -> bytes:
    """An OOXML zip whose main part is `main`, of content type `kind`."""
    types = (
        f'<Types xmlns="{TYPES}"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" '
        f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/{main}" ContentType="{MAIN}.{kind}.main+xml"/></Types>'
    )
    return zipped({"[Content_Types].xml": types, "_rels/.rels": relations({"r": ("officeDocument", main)}), **members})


def docx() -> bytes:
    author = 'w:id="9" w:author="A. Smith"'
    box = f"<w:txbxContent>{paragraph('In the box.')}</w:txbxContent>"
    run = '<w:r><w:t xml:space="preserve">{}</w:t></w:r>'.format
    body = (
        paragraph("Price", '<w:pStyle w:val="H1"/>')
        + f'<w:p>{run("The ")}<w:commentRangeStart w:id="5"/>{run("price")}<w:commentRangeEnd w:id="5"/>'
        f'<w:r><w:commentReference w:id="5"/></w:r>{run(" is ")}'
        f"<w:del {author}><w:r><w:delText>900</w:delText></w:r></w:del><w:ins {author}>{run('1,200')}</w:ins>"
        f'<w:r><w:footnoteReference w:id="2"/></w:r>{run(".")}</w:p>'
        + paragraph("Net", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')
        + f"<w:tbl><w:tr><w:tc>{paragraph('Item')}</w:tc><w:tc>{paragraph('Clock')}</w:tc></w:tr></w:tbl>"
        + f"<w:p>{run('Beside.')}<w:r><mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback><w:pict>"
        f"<v:textbox>{box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    parts = {
        "styles": '<w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>',
        "numbering": '<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:lvlText w:val="%1."/></w:lvl>'
        '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>',
        "footnotes": f'<w:footnote w:id="2">{paragraph("Without tax.")}</w:footnote>',
        "comments": f'<w:comment w:id="5" w:author="A. Smith">{paragraph("Too high?")}</w:comment>',
        "header": paragraph("Draft 3"),
    }
    with zipfile.ZipFile(io.BytesIO(plain_docx(body, parts))) as made:
        members = {name: made.read(name) for name in made.namelist() if name.startswith("word/")}
    return package("word/document.xml", "wordprocessingml.document", members)


class Slide(NamedTuple):
    shapes: str
    notes: str = ""
    relations: Relations = NOTHING
    attributes: str = ""


def shape(text: str, at: tuple[int, int, int, int] | None = None, kind: str = "", properties: str = "") -> str:
    """A box with a paragraph for each line. `at`: left, top, width, height. `kind`: the placeholder that it fills."""
    place = '<a:xfrm><a:off x="{}" y="{}"/><a:ext cx="{}" cy="{}"/></a:xfrm>'.format(*at) if at else ""
    holder = f'<p:ph type="{kind}"/>' if kind else ""
    lines = "".join(f"<a:p>{properties}<a:r><a:t>{escape(line)}</a:t></a:r></a:p>" for line in text.split("\n"))
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr>{holder}</p:nvPr></p:nvSpPr>'
        f"<p:spPr>{place}</p:spPr><p:txBody><a:bodyPr/>{lines}</p:txBody></p:sp>"
    )


def slide_table(*rows: Sequence[str]) -> str:
    cell = "<a:tc><a:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></a:txBody></a:tc>".format
    inner = "".join(f"<a:tr>{''.join(map(cell, row))}</a:tr>" for row in rows)
    return frame(f"<a:tbl>{inner}</a:tbl>")


def frame(inner: str) -> str:
    return (
        "<p:graphicFrame><p:nvGraphicFramePr/><p:xfrm/><a:graphic>"
        f"<a:graphicData>{inner}</a:graphicData></a:graphic></p:graphicFrame>"
    )


def tree(tag: str, shapes: str, attributes: str = "") -> str:
    return (
        f'<p:{tag} xmlns:p="{SLIDES}" xmlns:a="{DRAWING}" xmlns:r="{R}" {attributes} '
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f"<p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>{shapes}</p:spTree></p:cSld></p:{tag}>"
    )


def pptx(
    slides: Sequence[Slide] | None = None,
    extra: Mapping[str, str | bytes] | None = None,
    parts: Relations | None = None,
) -> bytes:
    """`extra`: members by their name inside `ppt/`. `parts`: what the presentation refers to beside its slides."""
    if slides is None:
        slides = (
            Slide(
                shape("First", kind="title") + shape("One\nTwo", (0, 50, 90, 40)) + slide_table(("Item", "Clock")),
                "Say",
            ),
            Slide(f"<p:grpSp><p:grpSpPr/>{shape('Grouped')}</p:grpSp>", attributes='show="0"'),
        )
    members: dict[str, str | bytes] = {}
    targets: dict[str, tuple[str, str]] = dict(parts or {})
    for number, slide in enumerate(slides, start=1):
        name = f"slides/slide{number}.xml"
        targets[f"s{number}"] = ("slide", name)
        members[f"ppt/{name}"] = tree("sld", slide.shapes, slide.attributes)
        own = dict(slide.relations)
        if slide.notes:
            own["n"] = ("notesSlide", f"../notesSlides/notes{number}.xml")
            shapes = shape("7", kind="sldNum") + shape(slide.notes, kind="body")
            members[f"ppt/notesSlides/notes{number}.xml"] = tree("notes", shapes)
        members[f"ppt/slides/_rels/slide{number}.xml.rels"] = relations(own)
    ids = "".join(f'<p:sldId id="{255 + number}" r:id="s{number}"/>' for number in range(1, len(slides) + 1))
    members["ppt/presentation.xml"] = (
        f'<p:presentation xmlns:p="{SLIDES}" xmlns:r="{R}"><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>'
    )
    members["ppt/_rels/presentation.xml.rels"] = relations(targets)
    members |= {f"ppt/{name}": data for name, data in (extra or {}).items()}
    return package("ppt/presentation.xml", "presentationml.presentation", members)


class Sheet(NamedTuple):
    name: str
    rows: str
    """The inside of `sheetData`."""
    state: str = "visible"
    after: str = ""
    relations: Relations = NOTHING


def cell(place: str, value: str | float) -> str:
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


def row(number: int, *values: str | float | None) -> str:
    cells = "".join(cell(f"{chr(65 + place)}{number}", v) for place, v in enumerate(values) if v is not None)
    return f'<row r="{number}">{cells}</row>'


def xlsx(
    sheets: Sequence[Sheet] | None = None,
    extra: Mapping[str, str | bytes] | None = None,
    parts: Relations | None = None,
) -> bytes:
    """`extra`: members by their name inside `xl/`. Style 1 is a date."""
    if sheets is None:
        comments = (
            f'<comments xmlns="{SHEETS}"><authors><author>A. Smith</author></authors><commentList>'
            '<comment ref="A1" authorId="0"><text><t>Why?</t></text></comment></commentList></comments>'
        )
        sheets = (
            Sheet("Prices", row(1, "Item", "Net") + row(2, "Clock", 12.5), relations={"c": ("comments", "../c.xml")}),
            Sheet("Old", row(1, "hidden"), "hidden"),
        )
        extra = {"c.xml": comments, **(extra or {})}
    members: dict[str, str | bytes] = {}
    targets: dict[str, tuple[str, str]] = {"styles": ("styles", "styles.xml"), **(parts or {})}
    for number, sheet in enumerate(sheets, start=1):
        targets[f"s{number}"] = ("worksheet", f"worksheets/sheet{number}.xml")
        members[f"xl/worksheets/sheet{number}.xml"] = (
            f'<worksheet xmlns="{SHEETS}" xmlns:r="{R}"><sheetData>{sheet.rows}</sheetData>{sheet.after}</worksheet>'
        )
        members[f"xl/worksheets/_rels/sheet{number}.xml.rels"] = relations(sheet.relations)
    listed = "".join(
        f'<sheet name="{escape(sheet.name)}" sheetId="{number}" state="{sheet.state}" r:id="s{number}"/>'
        for number, sheet in enumerate(sheets, start=1)
    )
    members["xl/workbook.xml"] = f'<workbook xmlns="{SHEETS}" xmlns:r="{R}"><sheets>{listed}</sheets></workbook>'
    members["xl/_rels/workbook.xml.rels"] = relations(targets)
    members["xl/styles.xml"] = (
        f'<styleSheet xmlns="{SHEETS}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'
    )
    members |= {f"xl/{name}": data for name, data in (extra or {}).items()}
    return package("xl/workbook.xml", "spreadsheetml.sheet", members)


OPEN_NAMES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "presentation": "urn:oasis:names:tc:opendocument:xmlns:presentation:1.0",
    "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
    "chart": "urn:oasis:names:tc:opendocument:xmlns:chart:1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xlink": "http://www.w3.org/1999/xlink",
    "xml": "http://www.w3.org/XML/1998/namespace",
}
MANIFEST = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"


def open_document(
    kind: str,
    body: str,
    styles: str = "",
    common: str = "",
    masters: str = "",
    extra: Mapping[str, str | bytes] | None = None,
    encrypted: bool = False,
) -> bytes:
    """An OpenDocument whose `office:{kind}` is `body`. `styles` are automatic ones of the content, `common` ones of
    the document, `masters` its master pages. `encrypted`: as far as its manifest says."""
    names = " ".join(f'xmlns:{prefix}="{name}"' for prefix, name in OPEN_NAMES.items() if prefix != "xml")
    media = f"application/vnd.oasis.opendocument.{kind}"
    secret = "<manifest:encryption-data/>" if encrypted else ""
    members: dict[str, str | bytes] = {
        "mimetype": media,
        "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{MANIFEST}">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{media}"/>'
        f'<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml">{secret}'
        "</manifest:file-entry></manifest:manifest>",
        "content.xml": f"<office:document-content {names}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>",
        "styles.xml": f"<office:document-styles {names}><office:styles>{common}</office:styles>"
        f"<office:master-styles>{masters}</office:master-styles></office:document-styles>",
    }
    return zipped(members | (extra or {}))


ANNOTATION = "<office:annotation><dc:creator>A. Smith</dc:creator><text:p>Too high?</text:p></office:annotation>"
CHANGES = (
    '<text:tracked-changes><text:changed-region xml:id="c1"><text:deletion><office:change-info><dc:creator>A. Smith'
    "</dc:creator></office:change-info><text:p>900</text:p></text:deletion></text:changed-region>"
    '<text:changed-region xml:id="c2"><text:insertion><office:change-info><dc:creator>A. Smith</dc:creator>'
    "</office:change-info></text:insertion></text:changed-region></text:tracked-changes>"
)
PRICE = (
    'The price is <text:change text:change-id="c1"/><text:change-start text:change-id="c2"/>1,200'
    '<text:change-end text:change-id="c2"/> euros.'
)


def odt(body: str | None = None, styles: str = "", **others: str) -> bytes:
    if body is None:
        note = (
            '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>'
            "<text:p>Without tax.</text:p></text:note-body></text:note>"
        )
        body = (
            f'{CHANGES}<text:h text:outline-level="1">Price</text:h><text:p>{PRICE}{note}{ANNOTATION}</text:p>'
            "<text:list><text:list-item><text:p>Net</text:p></text:list-item></text:list>"
            f"{open_table(('Item', 'Clock'))}"
            f"<text:p>Beside.{box('In the box.')}</text:p>"
        )
    return open_document("text", body, styles, **others)


def open_table(*rows: Sequence[str], name: str = "T") -> str:
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'.format
    inner = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    return f'<table:table table:name="{name}">{inner}</table:table>'


def box(text: str, at: tuple[float, float, float, float] = (1, 1, 9, 2), kind: str = "") -> str:
    """A text box. `at`: left, top, width, height in centimetres. `kind`: the placeholder's class."""
    place = 'svg:x="{}cm" svg:y="{}cm" svg:width="{}cm" svg:height="{}cm"'.format(*at)
    what = f'presentation:class="{kind}"' if kind else ""
    lines = "".join(f"<text:p>{line}</text:p>" for line in text.split("\n"))
    return f"<draw:frame {place} {what}><draw:text-box>{lines}</draw:text-box></draw:frame>"


def page(shapes: str, notes: str = "", attributes: str = "") -> str:
    said = f"<presentation:notes>{box(notes, kind='notes')}</presentation:notes>" if notes else ""
    return f"<draw:page {attributes}>{shapes}{said}</draw:page>"


def odp(body: str | None = None, styles: str = "", **others: str) -> bytes:
    if body is None:
        body = page(box("First", kind="title") + box("One\nTwo", (1, 5, 9, 2)), "Say") + page(
            f"<draw:g>{box('x')}</draw:g>"
        )
    return open_document("presentation", body, styles, **others)


def ods(body: str | None = None, styles: str = "", **others: str) -> bytes:
    return open_document(
        "spreadsheet", open_table(("Item", "Net"), ("Clock", "12")) if body is None else body, styles, **others
    )


RTF_HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fnil\fcharset134 SimSun;}"
    r"{\f2\fnil\fcharset128 MS Mincho;}{\f3\fnil\fcharset204 Arial Cyr;}{\f4\fnil\fcharset2 Symbol;}}"
    r"{\stylesheet{\s0 Normal;}{\s1 heading 1;}{\s2\sbasedon1 Mine;}{\s3\outlinelevel2 Third;}}"
    r"{\*\revtbl{Unknown;}{A. Smith;}}"
)


def rtf(body: str | None = None, head: str = RTF_HEAD) -> bytes:
    if body is None:
        body = (
            r"\pard\s1 Price\par\pard\plain The price is {\deleted\revauthdel1 900}{\revised\revauth1 1,200}"
            r"{\footnote\pard Without tax.}.\par{\listtext 1.\tab}Net\par\trowd\cellx9\cellx99\pard\intbl Item\cell "
            r"Clock\cell\row\pard Beside.{\shp{\*\shpinst{\shptxt In the box.\par}}}\par"
            r"\f1 \'ba\'cf\'cd\'ac\u21512?\par"
        )
    return (head + body + "}").encode("latin-1")
