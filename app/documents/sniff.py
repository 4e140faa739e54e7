"""What a file is, by its bytes. The ending only tells one kind of text from another."""

import re

from app.data.document import Kind
from app.documents import ole2
from app.documents.archive import Archive
from app.documents.encodings import Decoded, decode
from app.documents.errors import Unreadable
from app.documents.languages import is_code, is_markdown
from app.documents.signatures import binary_kind, is_notebook
from app.documents.zips import office_kind

HEAD = 1 << 12

ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
RTF = re.compile(rb"(\xef\xbb\xbf)?\s*\{\\rtf")
# Names for the sentence that refuses a file; a file is binary by its control characters, not by this list.
BINARIES = (
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"BM", "BMP"),
    (b"RIFF", "RIFF"),
    (b"\x1f\x8b", "GZIP"),
    (b"BZh", "BZIP2"),
    (b"\xfd7zXZ", "XZ"),
    (b"7z\xbc\xaf", "7Z"),
    (b"Rar!", "RAR"),
    (b"\x28\xb5\x2f\xfd", "ZSTD"),
    (b"\x7fELF", "ELF"),
    (b"MZ", "EXE"),
    (b"SQLite format 3", "SQLite"),
    (b"AT&TFORM", "DJVU"),
    (b"OggS", "OGG"),
    (b"ID3", "MP3"),
    (b"fLaC", "FLAC"),
)
NO_ARCHIVE = {"META-INF/MANIFEST.MF": "JAR", "[Content_Types].xml": "OOXML"}
"""In zips that are programs, or documents of a kind that is not read: they are not unpacked."""
PACKED = ("7Z", "RAR", "ZSTD")
# Texts that are another format's source: read as they stand they would be mostly marks.
MARKED_UP = (
    (re.compile(r"\s*%!PS"), "PostScript"),
    (re.compile(r"\s*(<\?xml[^>]*>\s*)?(<!DOCTYPE svg[^>]*>\s*|<!--.*?-->\s*)*<svg[\s>]", re.S), "SVG"),
    (re.compile(r"\s*(<\?xml[^>]*>\s*)?<FictionBook[\s>]"), "FB2"),
)
HTML = re.compile(r"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*(<!doctype\s+html|<html[\s>])", re.I | re.S)
HTML_TAGS = re.compile(r"<(head|body|title|h[1-6]|p|div|span|table|ul|ol|br|a)(\s[^<>]*)?/?>", re.I)
TABLES = (".csv", ".tsv", ".tab", ".psv")
HTML_ENDINGS = (".html", ".htm", ".xhtml", ".xht")
CHARSET = re.compile(rb"<meta[^>]*charset\s*=\s*[\"']?\s*([\w.:-]+)|<\?xml[^>]*encoding\s*=\s*[\"']([\w.:-]+)", re.I)


def identify(data: bytes, name: str, inflated: int) -> tuple[Kind, Decoded | None]:
    """The kind, and for a text what it decodes to. Raises `Unreadable`: never a guess."""
    if not data:
        raise Unreadable("empty")
    if _is_pdf(data):
        return "pdf", None
    if data.startswith(ole2.OLE2):
        return _ole2(data), None
    if data.startswith(ZIP):
        return _zipped(data, inflated), None
    if kind := binary_kind(data, name):
        return kind, None
    if RTF.match(data):  # before anything decodes it: its bytes are in several code pages, and pictures among them
        return "rtf", None
    declared = CHARSET.search(data[:HEAD])
    decoded = decode(data, (declared[1] or declared[2]).decode("ascii") if declared else None)
    if decoded is None:
        kind_name = next((kind for magic, kind in BINARIES if data.startswith(magic)), "")
        raise Unreadable("packed" if kind_name in PACKED else "unknown_format", kind_name)
    return _text_kind(decoded.text, name), decoded


def _is_pdf(data: bytes) -> bool:
    """A header in the first 1,024 bytes, as readers accept it, but not a text that only speaks of PDF."""
    if data.startswith(b"%PDF-"):
        return True
    return re.search(rb"[\r\n]%PDF-\d", data[:1024]) is not None and b"endobj" in data


def _ole2(data: bytes) -> Kind:
    match ole2.kind(data):
        case "XLS":
            return "sheet"
        case "MSG":
            return "mail"
        case "LOCKED":
            raise Unreadable("encrypted", "OLE2")
        case kind:
            raise Unreadable("unknown_format", kind)


def _zipped(data: bytes, inflated: int) -> Kind:
    archive = Archive(data, inflated)
    if kind := office_kind(archive):
        return kind
    if "META-INF/container.xml" in archive.names or _mimetype(archive) == b"application/epub+zip":
        return "epub"
    for sign, kind in NO_ARCHIVE.items():
        if sign in archive.names:
            raise Unreadable("unknown_format", kind)
    return "archive"


def _mimetype(archive: Archive) -> bytes:
    return archive.read("mimetype").strip() if "mimetype" in archive.names else b""


def _text_kind(text: str, name: str) -> Kind:
    head = text[:HEAD]
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    if ending in HTML_ENDINGS and HTML_TAGS.search(head):
        return "html"
    if is_code(name, head):
        return "code"
    if HTML.match(head):
        return "html"
    if is_notebook(text):
        return "notebook"
    for pattern, kind in MARKED_UP:
        if pattern.match(head):
            raise Unreadable("unknown_format", kind)
    if ending in TABLES:
        return "sheet"
    return "markdown" if is_markdown(name) else "text"
