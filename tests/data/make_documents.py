"""Small documents with known words and known faults, made as bytes."""

import io
import zipfile
from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT_W = "http://purl.oclc.org/ooxml/wordprocessingml/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

Page = Sequence[str] | Callable[[Canvas], None] | None


def pdf(pages: Sequence[Page], password: str | None = None, labels: Sequence[tuple[int, str, int]] = ()) -> bytes:
    """A PDF of lines, of drawings, or of nothing, page by page.

    `password`: what opens it ("" for one that only forbids printing). `labels`: (first page, style, first number).
    """
    out = io.BytesIO()
    lock = None if password is None else StandardEncryption(password, ownerPassword="owner", canPrint=0)
    canvas = Canvas(out, invariant=1, encrypt=lock)
    for first, style, start in labels:
        canvas.addPageLabel(first, style=style, start=start)
    for page in pages:
        if callable(page):
            page(canvas)
        else:
            for place, line in enumerate(page or ()):
                canvas.drawString(72, 780 - 14 * place, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def raw_pdf(*objects: bytes) -> bytes:
    """A PDF of exactly these objects, numbered from 1; the first is the catalogue."""
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return out + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)


def zipped(members: dict[str, str | bytes], compress: bool = True) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def docx(body: str, parts: dict[str, str] | None = None, namespace: str = W) -> bytes:
    """A DOCX whose `w:body` is `body`; `parts` by their type: "styles", "numbering", "footnotes", "comments" …"""
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": _relations({"officeDocument": "word/document.xml"}),
        "word/document.xml": _root("document", f"<w:body>{body}</w:body>", namespace),
        "word/_rels/document.xml.rels": _relations({kind: f"{kind}.xml" for kind in parts or {}}),
    }
    for kind, content in (parts or {}).items():
        tag = {"header": "hdr", "footer": "ftr"}.get(kind, kind)
        members[f"word/{kind}.xml"] = _root(tag, content, namespace)
    return zipped(members)


def _root(tag: str, content: str, namespace: str) -> str:
    extra = (
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"'
    )
    return f'<?xml version="1.0"?><w:{tag} xmlns:w="{namespace}" xmlns:r="{R}" {extra}>{content}</w:{tag}>'


def _relations(targets: dict[str, str]) -> str:
    one = '<Relationship Id="r{0}" Type="{3}/{1}" Target="{2}"/>'
    items = "".join(one.format(i, kind, target, R) for i, (kind, target) in enumerate(targets.items()))
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{items}</Relationships>'
    )


def paragraph(text: str, properties: str = "") -> str:
    return f'<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def xhtml(body: str, title: str = "<title/>") -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
        f"<head>{title}</head><body>{body}</body></html>"
    )


def epub(
    pages: dict[str, str], spine: Sequence[str] | None = None, extra: dict[str, str | bytes] | None = None
) -> bytes:
    """An EPUB of pages by file name, in the order of `spine` (all when None; none at all when empty). Its tables
    of contents, where `extra` has them: OPS/toc.ncx and OPS/nav.xhtml."""
    order = list(pages) if spine is None else spine
    hrefs = dict.fromkeys([*pages, *order])
    items = "".join(
        f'<item id="i{i}" href="{href}" media-type="application/xhtml+xml"/>' for i, href in enumerate(hrefs)
    )
    if "OPS/nav.xhtml" in (extra or {}):
        items += '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    places = {href: i for i, href in enumerate(hrefs)}
    refs = "".join(f'<itemref idref="i{places[href]}"/>' for href in order)
    package = (
        f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}'
        f'<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>'
        f"<spine>{refs}</spine></package>"
    )
    members: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfile full-path="OPS/book.opf"/></container>',
        "OPS/book.opf": package,
    }
    members |= {f"OPS/{name}": page for name, page in pages.items()}
    return zipped(members | (extra or {}))


def picture(size: tuple[int, int] = (40, 40), lines: Sequence[str] = (), form: str = "PNG", angle: float = 0) -> bytes:
    """A picture of lines of text, black on white, turned by `angle` degrees against the clock."""
    out = io.BytesIO()
    drawn(size, lines, angle).save(out, form)
    return out.getvalue()


def drawn(size: tuple[int, int], lines: Sequence[str], angle: float = 0) -> Image.Image:
    paper = Image.new("L", size, 255)
    pen = ImageDraw.Draw(paper)
    for place, line in enumerate(lines):
        pen.text((60, 60 + 45 * place), line, fill=0, font=ImageFont.load_default(28))
    return paper.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
