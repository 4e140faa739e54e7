"""Sound small files of every binary format, and what is left of them when something has gone wrong: by number, the same
ones each time."""

import bz2
import gzip
import io
import random
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import cache

import make_office
from make_archives import gzipped, old_zip, tar, zip_aes, zip_crypto
from make_documents import docx, drawn, epub, paragraph, pdf, picture, raw_pdf, xhtml, zipped
from make_mail import compressed_rtf, eml, mbox, msg
from make_notebook import notebook, old_notebook
from make_ole2 import locked, xls

LINES = ["The tenant shall pay 1,250 euros.", "Payment is due in March."]
TREE: dict[str, str | bytes] = {"b/two.md": "# Two\nx", "one.txt": "one", ".gitignore": "*.log\n", "a.log": "x"}
PIECES = (b"</w:", b"0 R ", b"-999", b"<!--", b"<![C", b"\xff\xfe\x00", b"&x;", b"<<", b">>", b"{\\", b"}", b"\\bin9")
NUMBERS = (b"0", b"-1", b"1", b"65536", b"2147483648", b"99999999999999999999", b"1e309", b"nan", b"")


def _rich_pdf() -> bytes:
    stream = b"q BT /F 12 Tf 10 90 Td (One two) Tj 0 -14 Td [(th) -20 (ree)] TJ ET Q /X Do 5 5 20 20 re f"
    return raw_pdf(
        b"<< /Type /Catalog /Pages 2 0 R /PageLabels << /Nums [0 << /S /r >> 1 << /S /D /St 5 /P (A-) >>] >> "
        b"/Names << /EmbeddedFiles << /Names [(a.txt) 7 0 R] >> >> /Outlines 9 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 200 200] >>",
        b"<< /Type /Page /Parent 2 0 R /Rotate 90 /Contents 5 0 R /Resources << /Font << /F 6 0 R >> >> >>",
        b"<< /Type /Page /Parent 2 0 R /Contents [5 0 R 5 0 R] /Resources << /Font << /F 6 0 R >> /XObject << /X 10 0 "
        b"R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /TrueType /BaseFont /Arial /FirstChar 32 /LastChar 34 /Widths [250 333 408] "
        b"/Encoding << /Differences [65 /A /fi /uni4E00] >> /ToUnicode 11 0 R >>",
        b"<< /Type /Filespec /F (a.txt) /EF << /F 8 0 R >> >>",
        b"<< /Type /EmbeddedFile /Length 2 >>\nstream\nhi\nendstream",
        b"<< /Type /Outlines /First 9 0 R /Last 9 0 R /Count 1 /Title (Rent) /Dest [3 0 R /Fit] >>",
        b"<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray /Length 4 >>"
        b"\nstream\nabcd\nendstream",
        b"<< /Length 97 >>\nstream\n1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <61> <7a> <0061> "
        b"endbfrange        \nendstream",
    )


def _paged_tiff() -> bytes:
    out = io.BytesIO()
    drawn((120, 90), ["a"]).save(out, "TIFF", save_all=True, append_images=[drawn((90, 120), ["b"])])
    return out.getvalue()


def _sound() -> dict[str, tuple[Callable[[], bytes], ...]]:
    box = (160, 120)
    contents = (
        "<ncx><navMap><navPoint><navLabel><text>One</text></navLabel><content src='a'/></navPoint></navMap></ncx>"
    )
    nav = xhtml(
        "<nav epub:type='toc' xmlns:epub='e'><ol><li><a href='a'>x</a><ol><li><a href='b'>y</a></ol></ol></nav>"
    )
    inner = "<h1>x</h1><ul><li>a<ol start='3'><li>b</li></ol></li></ul><table><tr><td>1</td><td>2</td></tr></table>"
    mail = eml("Größe.", [("a.txt", b"a"), ("b.docx", make_office.docx()), ("c.zip", zipped(TREE))], html="<p>x")
    shared = {"sharedStrings.xml": f'<sst xmlns="{make_office.SHEETS}"><si><t>word</t></si></sst>'}
    cells = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>45000.5</v></c><c r="C1"><f>A1</f></c></row>'
    strings = {"w": ("sharedStrings", "sharedStrings.xml")}
    return {
        "pdf": (
            lambda: pdf([["one", "two"], ["three"]], labels=[(0, "ROMAN_LOWER", 1)]),
            _rich_pdf,
            lambda: pdf([["shut"]], password=""),
        ),
        "docx": (make_office.docx, lambda: docx(paragraph("x")), lambda: locked(make_office.docx(), "VelvetSweatshop")),
        "pptx": (make_office.pptx, lambda: make_office.pptx([make_office.Slide(make_office.shape("x"))])),
        "xlsx": (make_office.xlsx, lambda: make_office.xlsx([make_office.Sheet("A", cells)], shared, strings)),
        "xls": (xls, lambda: xls(password="VelvetSweatshop"), lambda: xls({(0, 0): "x", (9, 3): 4.5})),
        "ods": (make_office.ods, lambda: make_office.ods(make_office.open_table(("x",)))),
        "odt": (make_office.odt, lambda: make_office.odt("<text:p>x<text:s text:c='3'/>y<text:tab/></text:p>")),
        "odp": (make_office.odp, lambda: make_office.odp(make_office.page(make_office.box("x"), "n"))),
        "rtf": (
            make_office.rtf,
            lambda: make_office.rtf(r"{\*\bkmkstart a}\u20320?\'a9{\field{\*\fldinst X}{\fldrslt y}}"),
        ),
        "epub": (
            lambda: epub({"a": xhtml(inner), "b": xhtml("<p>y</p>")}, extra={"OPS/toc.ncx": contents}),
            lambda: epub({"a": xhtml("<p>x</p>"), "b": xhtml("y")}, extra={"OPS/nav.xhtml": nav}),
        ),
        "zip": (
            lambda: zipped({**TREE, "in.zip": zipped(TREE), "c.docx": make_office.docx()}),
            lambda: old_zip([("合同/租赁.txt".encode("gb18030"), b"words"), ("资料.txt".encode("gb18030"), b"x")]),
            lambda: zip_crypto({"a.txt": b"secret"}, b"p"),
            lambda: zip_aes({"a.txt": b"secret words"}, b"p"),
        ),
        "tar.gz": (
            lambda: gzipped(tar([("b/a.txt", b"a" * 700), ("c.pdf", pdf([["x"]])), ("d.gz", gzipped(b"d", "e.txt"))])),
            lambda: gzipped(tar([("合同.txt", b"x")], comment="0" * 40), "x.tar"),
            lambda: bz2.compress(tar([("a.txt", b"a")])),
        ),
        "msg": (
            lambda: msg("Offer", "Words.", [("a.txt", b"a" * 99), ("b.zip", zipped(TREE))]),
            lambda: msg("合同", "你好", [("合同.txt", b"a")], encoding="gbk", code_page=936),
            lambda: msg(body=None, rtf=compressed_rtf(make_office.rtf())),
        ),
        "eml": (lambda: mail, lambda: mbox(eml("One."), mail), lambda: eml("", html="<h1>T</h1><p>x &amp; y")),
        "ipynb": (notebook, old_notebook),
        "png": (lambda: picture(box, LINES), lambda: picture((70, 300), ["x"])),
        "tiff": (lambda: picture(box, LINES, "TIFF"), _paged_tiff),
        "jpeg": (lambda: picture(box, LINES, "JPEG"), lambda: picture((300, 70), ["x"], "JPEG")),
        "gif": (lambda: picture(box, LINES, "GIF"), lambda: picture((99, 99), ["x"], "GIF")),
        "bmp": (lambda: picture(box, LINES, "BMP"), lambda: picture((99, 99), ["x"], "BMP")),
        "webp": (lambda: picture(box, LINES, "WEBP"), lambda: picture((99, 99), ["x"], "WEBP")),
        "html": (
            lambda: f"<!doctype html><html><meta charset=gbk>{inner}<pre>x</pre><ruby>a<rt>b".encode(),
            lambda: b"<html><table><tr><td>1<tr><th rowspan=2><table><td>x</table></table><b>1<p>2</b>3",
        ),
    }


SOUND = _sound()
"""By format."""


@cache
def sound(kind: str) -> tuple[bytes, ...]:
    return tuple(make() for make in SOUND[kind])


def mutated(kind: str, number: int) -> bytes:
    """Mutation `number` of a sound file of this format; below 0, counted from -1, the sound files themselves."""
    files = sound(kind)
    if number < 0:
        return files[-1 - number]
    chance = random.Random(f"{kind} {number}")
    whole = chance.choice(files)
    if chance.random() < 0.6 and (inside := _inside(whole, chance)) is not None:
        return inside
    return _harmed(whole, chance, chance.choice(files))


def _inside(data: bytes, chance: random.Random) -> bytes | None:
    """A sound wrapping with harm in it, or None for a format that has none."""
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if any(info.flag_bits & 1 for info in archive.infolist()):
                return None
            members: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
        name = chance.choice(list(members))
        held = members[name]
        assert isinstance(held, bytes)
        members[name] = _harmed(held, chance, held)
        return zipped(members)
    if data.startswith(b"\x1f\x8b"):
        return gzip.compress(_harmed(gzip.decompress(data), chance, b""), mtime=0)
    if data.startswith(b"BZh"):
        return bz2.compress(_harmed(bz2.decompress(data), chance, b""))
    if data.startswith(b"\x89PNG"):
        return _png(data, chance)
    return None


def _png(data: bytes, chance: random.Random) -> bytes:
    """With checksums that are right again."""
    out, place = data[:8], 8
    chunks = []
    while place < len(data):
        (size,) = struct.unpack_from(">I", data, place)
        chunks.append((data[place + 4 : place + 8], data[place + 8 : place + 8 + size]))
        place += 12 + size
    harmed = chance.randrange(len(chunks))
    for number, (name, body) in enumerate(chunks):
        body = _harmed(body, chance, body) if number == harmed else body
        out += struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    return out


def _harmed(data: bytes, chance: random.Random, other: bytes) -> bytes:
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        if out:
            chance.choice(WAYS)(out, chance, other)
    return bytes(out)


def _flip(out: bytearray, chance: random.Random, other: bytes) -> None:
    for _ in range(chance.randint(1, 4)):
        out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)


def _set(out: bytearray, chance: random.Random, other: bytes) -> None:
    out[chance.randrange(len(out))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))


def _cut(out: bytearray, chance: random.Random, other: bytes) -> None:
    del out[chance.randrange(len(out)) :]


def _drop(out: bytearray, chance: random.Random, other: bytes) -> None:
    place = chance.randrange(len(out))
    del out[place : place + chance.choice((1, 2, 20, 400))]


def _insert(out: bytearray, chance: random.Random, other: bytes) -> None:
    place = chance.randrange(len(out))
    out[place:place] = chance.randbytes(chance.choice((1, 4, 60)))


def _double(out: bytearray, chance: random.Random, other: bytes) -> None:
    start, place = chance.randrange(len(out)), chance.randrange(len(out))
    out[place:place] = out[start : start + chance.choice((4, 30, 600))] * chance.choice((1, 1, 3, 50))


def _zero(out: bytearray, chance: random.Random, other: bytes) -> None:
    start = chance.randrange(len(out))
    size = min(chance.choice((2, 16, 512)), len(out) - start)
    out[start : start + size] = bytes(size)


def _splice(out: bytearray, chance: random.Random, other: bytes) -> None:
    if other:
        out[chance.randrange(len(out)) :] = other[chance.randrange(len(other)) :]


def _piece(out: bytearray, chance: random.Random, other: bytes) -> None:
    place = chance.randrange(len(out))
    out[place : place + chance.choice((0, 4))] = chance.choice(PIECES)


def _number(out: bytearray, chance: random.Random, other: bytes) -> None:
    """Another number, which leaves XML well-formed."""
    if found := list(re.finditer(rb"\d+", out)):
        one = chance.choice(found)
        out[one.start() : one.end()] = chance.choice(NUMBERS)


def _element(out: bytearray, chance: random.Random, other: bytes) -> None:
    """A whole element again and again, or within itself."""
    found = list(re.finditer(rb"<([\w:]+)[^<>]*>[^<>]*</\1>|<[\w:]+[^<>]*/>", out))
    if found:
        one = chance.choice(found)
        out[one.start() : one.end()] = one[0] * chance.choice((0, 2, 300))


def _word(out: bytearray, chance: random.Random, other: bytes) -> None:
    """A name in the place of another."""
    found = list(re.finditer(rb"[A-Za-z]{2,}", out))
    if found:
        one, instead = chance.choice(found), chance.choice(found)[0]
        out[one.start() : one.end()] = instead


Way = Callable[[bytearray, random.Random, bytes], None]
WAYS: tuple[Way, ...] = (
    *(_flip, _set, _cut, _drop, _insert, _double, _zero, _splice, _piece),
    *(_number, _element, _word) * 2,
)
