"""PDFs that other programs stumble over, as people reported them, and what each must come to."""

import random
from pathlib import Path

import reportlab
from make_documents import pdf, raw_pdf
from nasty import Nasty

from app.documents.messages import Options


def _one_page(
    stream: bytes,
    *others: bytes,
    font: bytes = b"",
    fonts: bytes = b"",
    resources: bytes = b"",
    page: bytes = b"",
    catalogue: bytes = b"",
) -> bytes:
    """Object 4 is the page's stream; `others` are numbered from 5 on. `font`: entries of the font F."""
    return raw_pdf(
        b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalogue,
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R %s /Resources << %s /Font << %s /F << "
        b"/Type /Font /Subtype /Type1 /BaseFont /Helvetica %s >> >> >> >>" % (page, resources, fonts, font),
        _stream(stream),
        *others,
    )


def _stream(data: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(data), data)


def _mapped(words: bytes, codes: bytes) -> bytes:
    """Words in a font whose map of characters says what `a` and the letters after it are."""
    table = b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <61> <7a> <%s> endbfrange" % codes
    return _one_page(b"BT /F 12 Tf 10 100 Td (%s) Tj ET" % words, _stream(table), font=b"/ToUnicode 5 0 R")


def _columns(canvas) -> None:
    for x, words in ((72, ["left one", "left two"]), (320, ["right one", "right two"])):
        for place, line in enumerate(words):
            canvas.drawString(x, 700 - 14 * place, line)


def _down() -> bytes:
    """Japanese from top to bottom, in a font that is in the file: that its letters look Latin is no matter."""
    words = "契約書の第一条"
    table = b"1 begincodespacerange <0000> <ffff> endcodespacerange %d beginbfchar " % len(words)
    table += b" ".join(b"<%04x> <%04x>" % (40 + place, ord(letter)) for place, letter in enumerate(words))
    table += b" endbfchar"
    stream = b"BT /V 12 Tf 100 250 Td <%s> Tj ET" % b"".join(b"%04x" % (40 + place) for place in range(len(words)))
    font = (Path(reportlab.__file__).parent / "fonts" / "Vera.ttf").read_bytes()
    return _one_page(
        stream,
        b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-V /DescendantFonts [6 0 R] /ToUnicode 8 0 R "
        b">>",
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDToGIDMap /Identity /CIDSystemInfo << /Registry "
        b"(Adobe) /Ordering (Identity) /Supplement 0 >> /DW 1000 /FontDescriptor 7 0 R >>",
        b"<< /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [-123 -257 1001 910] /ItalicAngle 0 /Ascent 709 "
        b"/Descent -241 /CapHeight 709 /StemV 69 /FontFile2 9 0 R >>",
        _stream(table),
        _stream(font),
        fonts=b"/V 5 0 R",
    )


def _wrong_table() -> bytes:
    whole = pdf([["alpha"]])
    return whole[: whole.rindex(b"startxref")] + b"startxref\n99\n%%EOF"


def _round() -> bytes:
    loop = b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Length 5 >>"
    loop += b"\nstream\n/X Do\nendstream"
    return _one_page(b"BT /F 12 Tf 10 10 Td (around) Tj ET /X Do", loop, resources=b"/XObject << /X 5 0 R >>")


def _big() -> bytes:
    return _stream(random.Random(5).randbytes(10_500_000).replace(b"endstream", b""))


PDFS = [
    Nasty("ligatures of a PDF", "a.pdf", lambda: _mapped(b"eaacient abc", b"FB00"), "ff", ("\ufb00", "\ufb01")),
    Nasty(
        "letters without a Unicode map",
        "a.pdf",
        lambda: _mapped(b"garbled", b"E061"),
        warned=("garbled_pages",),
        left=None,
        options=Options(ocr=False),
    ),
    Nasty(
        "a scanned page between others",
        "a.pdf",
        lambda: pdf([["alpha"], lambda canvas: canvas.rect(1, 1, 99, 99, fill=1), ["charlie"]]),
        "charlie",
        warned=("no_text_layer",),
        left={"2": "no_text_layer"},
        labels=("1", "3"),
        options=Options(ocr=False),
        real=True,
    ),
    Nasty(
        "a page that lies on its side",
        "a.pdf",
        lambda: _one_page(b"BT /F 12 Tf 10 100 Td (on its side) Tj ET", page=b"/Rotate 90"),
        "on its side",
        exact=True,
    ),
    Nasty("Japanese from top to bottom", "a.pdf", _down, "契約書の第一条"),
    Nasty(
        "page labels that begin anew",
        "a.pdf",
        lambda: pdf(
            [["a1"], ["b2"], ["c3"], ["d4"], ["e5"]], labels=[(0, "ROMAN_LOWER", 3), (2, "ARABIC", 1), (4, "ARABIC", 1)]
        ),
        "e5",
        labels=("iii", "iv", "1", "2", "1"),
    ),
    Nasty("a PDF with a password", "a.pdf", lambda: pdf([["x"]], password="p"), refused="encrypted", real=True),
    Nasty("a PDF with an empty password", "a.pdf", lambda: pdf([["open"]], password=""), "open", exact=True),
    Nasty("a wrong cross-reference table", "a.pdf", _wrong_table, "alpha", exact=True),
    Nasty("objects that hold themselves", "a.pdf", _round, "around", exact=True, real=True),
    Nasty("two columns", "a.pdf", lambda: pdf([_columns]), "left one\nleft two\nright one\nright two", exact=True),
    Nasty(
        "a file attached to a PDF",
        "a.pdf",
        lambda: _one_page(
            b"BT /F 12 Tf 10 10 Td (cover) Tj ET",
            b"<< /Type /Filespec /F (a.txt) /EF << /F 6 0 R >> >>",
            b"<< /Type /EmbeddedFile /Length 2 >>\nstream\nhi\nendstream",
            catalogue=b"/Names << /EmbeddedFiles << /Names [(a.txt) 5 0 R] >> >>",
        ),
        "cover",
        warned=None,
        left=None,
    ),
    Nasty(
        "words divided at line ends", "a.pdf", lambda: pdf([["an exam-", "ple of it"]]), "an example of it", exact=True
    ),
    Nasty("a PDF that breaks off", "a.pdf", lambda: pdf([["alpha"]])[:200], refused="damaged"),
    Nasty(
        "a PDF of 10.5 MB",
        "a.pdf",
        lambda: _one_page(b"BT /F 12 Tf 10 10 Td (in full) Tj ET", _big()),
        "in full",
        exact=True,
        real=True,
    ),
]
