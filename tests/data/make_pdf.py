"""PDFs with known words and known faults, made as bytes."""

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import reportlab
from make_documents import pdf, raw_pdf
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFontFile
from reportlab.pdfgen.canvas import Canvas

FONT = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"
HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def stream(content: bytes, entries: bytes = b"") -> bytes:
    return b"<< /Length %d %s>>\nstream\n%s\nendstream" % (len(content), entries, content)


def one_page(content: bytes, font: bytes = HELVETICA, page: bytes = b"", catalogue: bytes = b"", *more: bytes) -> bytes:
    """One page of 400 points square, whose operators may set the font /F. `page` and `catalogue`: further entries.
    `more`: objects from number 6 on."""
    return raw_pdf(
        b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalogue,
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> "
        b"%s >>" % page,
        stream(content),
        font,
        *more,
    )


def shown(lines: Sequence[bytes], x: int = 20, y: int = 360) -> bytes:
    """Operators that show strings, one under another, from the top left."""
    return b"BT /F 12 Tf 14 TL %d %d Td %s ET" % (x, y, b" T* ".join(line + b" Tj" for line in lines))


def text(*lines: str) -> bytes:
    """A page of lines in Helvetica."""
    return one_page(shown([_literal(line) for line in lines]))


def with_map(lines: Sequence[str], meanings: Mapping[str, str] | None) -> bytes:
    """A page of lines in a font whose shapes are those of Vera and whose codes are its glyphs' numbers.

    `meanings`: what its Unicode map says of each character, itself where it says nothing; None: it has no map.
    """
    glyphs = TTFontFile(str(FONT)).charToGlyph
    to_unicode = b""
    maps: tuple[bytes, ...] = ()
    if meanings is not None:
        codes = {glyphs[ord(c)]: meanings.get(c, c) for c in sorted({c for line in lines for c in line})}
        table = b" ".join(
            b"<%04x> <%s>" % (code, new.encode("utf-16-be", "surrogatepass").hex().encode())
            for code, new in codes.items()
        )
        spaces = b"1 begincodespacerange <0000> <ffff> endcodespacerange"
        maps = (stream(b"%s %d beginbfchar %s endbfchar" % (spaces, len(codes), table)),)
        to_unicode = b"/ToUnicode 9 0 R"
    font = (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Vera /Encoding /Identity-H /DescendantFonts [6 0 R] %s >>"
    ) % to_unicode
    data = FONT.read_bytes()
    return one_page(
        shown([b"<%s>" % b"".join(b"%04x" % glyphs[ord(c)] for c in line) for line in lines]),
        font,
        b"",
        b"",
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Vera /CIDToGIDMap /Identity /DW 600 "
        b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R >>",
        b"<< /Type /FontDescriptor /FontName /ABCDEF+Vera /Flags 4 /FontBBox [-183 -235 1287 928] /ItalicAngle 0 "
        b"/Ascent 760 /Descent -240 /CapHeight 760 /StemV 87 /FontFile2 8 0 R >>",
        stream(data, b"/Length1 %d " % len(data)),
        *maps,
    )


def old_tex(*lines: bytes) -> bytes:
    """A page in a font of pictures without a map, with the numbers of TeX's own fonts: 11 to 15 are ligatures."""
    names = b" ".join(b"/a%d" % code for code in range(127))
    shapes = b" ".join(b"/a%d 6 0 R" % code for code in range(127))
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [.001 0 0 .001 0 0] /FirstChar 0 "
        b"/LastChar 126 /Widths [%s] /Encoding << /Differences [0 %s] >> /CharProcs << %s >> >>"
    ) % (b"600 " * 127, names, shapes)
    shape = stream(b"600 0 0 0 500 700 d1 0 0 500 700 re f")
    return one_page(shown([_literal_bytes(line) for line in lines]), font, b"", b"", shape)


def turned(angle: int, *lines: str, crop: tuple[int, int, int, int] | None = None) -> bytes:
    """A page of lines that is shown turned by `angle` degrees, and cut to `crop`: left, bottom, right, top."""
    entries = b"/Rotate %d" % angle
    if crop is not None:
        entries += b" /CropBox [%d %d %d %d]" % crop
    return one_page(shown([_literal(line) for line in lines]), page=entries)


def commented(*annotations: bytes, lines: Sequence[str] = ("The price is high.", "It is fair."), forms: bool = False):
    """A page with annotations, each the entries of its dictionary."""
    objects = [b"<< /Type /Annot /Rect [20 355 120 372] %s >>" % entries for entries in annotations]
    numbers = b" ".join(b"%d 0 R" % (6 + place) for place in range(len(objects)))
    catalogue = b"/AcroForm << /Fields [] >>" if forms else b""
    return one_page(
        shown([_literal(line) for line in lines]), HELVETICA, b"/Annots [%s]" % numbers, catalogue, *objects
    )


def with_attachments(*names: str) -> bytes:
    """A page, and attached files."""
    tree = b" ".join(b"(%d) %d 0 R" % (place, 6 + 2 * place) for place in range(len(names)))
    objects = []
    for place, name in enumerate(names):
        written = b"<feff%s>" % name.encode("utf-16-be").hex().encode()
        file = b"<< /Type /Filespec /F (f) /UF %s /EF << /F %d 0 R >> >>" % (written, 7 + 2 * place)
        objects += [file, stream(b"hi", b"/Type /EmbeddedFile ")]
    catalogue = b"/Names << /EmbeddedFiles << /Names [%s] >> >>" % tree
    return one_page(shown([b"(cover)"]), HELVETICA, b"", catalogue, *objects)


def outlined(pages: Sequence[Sequence[str]], titles: Sequence[tuple[int, int, str]]) -> bytes:
    """Pages of lines, and an outline: (page from 0, level from 0, title)."""
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    for index, lines in enumerate(pages):
        for place, (page, _, _) in enumerate(titles):
            if page == index:
                canvas.bookmarkPage(str(place))
        for place, line in enumerate(lines):
            canvas.drawString(72, 780 - 14 * place, line)
        canvas.showPage()
    for place, (_, level, title) in enumerate(titles):
        canvas.addOutlineEntry(title, str(place), level)
    canvas.save()
    return out.getvalue()


def picture_of(lines: Sequence[str]) -> Image.Image:
    """Black on white, at 100 dots an inch of A4."""
    picture = Image.new("L", (827, 1169), 255)
    draw = ImageDraw.Draw(picture)
    font = ImageFont.truetype(str(FONT), 18)
    for place, line in enumerate(lines):
        draw.text((100, 100 + 26 * place), line, fill=0, font=font)
    return picture


def scan(lines: Sequence[str], layer: Sequence[str] = (), stamp: str = "") -> Callable[[Canvas], None]:
    """A page that is a picture of lines. `layer`: text under it that is not shown; `stamp`: a line over it."""

    def page(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(picture_of(lines)), 0, 0, 595, 842)
        under = canvas.beginText(72, 770)
        under.setTextRenderMode(3)
        for line in layer:
            under.textLine(line)
        canvas.drawText(under)
        if stamp:
            canvas.drawString(72, 820, stamp)

    return page


def in_chinese_letters(*lines: str, font: str = "HeiseiMin-W3", down: bool = False) -> Callable[[Canvas], None]:
    """A page of lines, or of columns from the right to the left, in a font that is not in the file."""

    def page(canvas: Canvas) -> None:
        face = UnicodeCIDFont(font, isVertical=down)
        pdfmetrics.registerFont(face)
        canvas.setFont(face.fontName, 12)
        for place, line in enumerate(lines):
            canvas.drawString(300 - 20 * place if down else 72, 700 if down else 700 - 20 * place, line)

    return page


def going_around() -> bytes:
    """A page whose drawing draws itself, and a tree of pages that holds itself."""
    words = b"BT /F 12 Tf 10 10 Td (around) Tj ET /X Do"
    return raw_pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 2 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources "
        b"<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /X 5 0 R >> >> >>",
        stream(words),
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Length 5 >>"
        b"\nstream\n/X Do\nendstream",
    )


def without_pages() -> bytes:
    return raw_pdf(b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>")


def with_wrong_table() -> bytes:
    """A page whose cross-reference table is not where the file says."""
    whole = pdf([["alpha"]])
    return whole[: whole.rindex(b"startxref")] + b"startxref\n99\n%%EOF"


def long_book(pages: int) -> bytes:
    """Pages of some 2,500 characters each."""
    words = (
        "lessor",
        "shall",
        "keep",
        "the",
        "house",
        "in",
        "repair",
        "and",
        "lessee",
        "pays",
        "rent",
        "each",
        "month",
    )
    lines = [" ".join(words[(start + 5 * place) % 13] for place in range(10)) for start in range(13)]
    return pdf([[f"{page} {lines[(page + line) % 13]} {line}" for line in range(46)] for page in range(pages)])


def _literal(line: str) -> bytes:
    return _literal_bytes(line.encode("cp1252"))


def _literal_bytes(line: bytes) -> bytes:
    return b"<%s>" % line.hex().encode()
