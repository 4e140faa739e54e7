"""What a file is, by its bytes. The ending only tells one kind of text from another."""

import re

from app.data.document import Kind
from app.documents.archive import Archive
from app.documents.encodings import Decoded, decode
from app.documents.errors import Unreadable
from app.documents.languages import is_code, is_markdown
from app.documents.msg_storage import is_message
from app.documents.signatures import binary_kind, is_notebook

HEAD = 1 << 12

OLE2 = bytes.fromhex("d0cf11e0a1b11ae1")
OLE2_STREAMS = (
    ("WordDocument", "DOC"),
    ("Workbook", "XLS"),
    ("PowerPoint Document", "PPT"),
    ("__properties_version1.0", "MSG"),
)
ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
ZIP_MEMBERS = (
    ("word/", "DOCX"),
    ("xl/", "XLSX"),
    ("ppt/", "PPTX"),
    ("[Content_Types].xml", "OOXML"),
    ("META-INF/container.xml", "EPUB"),
    ("META-INF/MANIFEST.MF", "JAR"),
)
MIMETYPES = {
    b"application/epub+zip": "EPUB",
    b"application/vnd.oasis.opendocument.text": "ODT",
    b"application/vnd.oasis.opendocument.spreadsheet": "ODS",
    b"application/vnd.oasis.opendocument.presentation": "ODP",
}
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
PACKED = ("7Z", "RAR", "ZSTD")
# Texts that are another format's source: read as they stand they would be mostly marks.
MARKED_UP = (
    (re.compile(r"\s*\{\\rtf"), "RTF"),
    (re.compile(r"\s*%!PS"), "PostScript"),
    (re.compile(r"\s*(<\?xml[^>]*>\s*)?(<!DOCTYPE svg[^>]*>\s*|<!--.*?-->\s*)*<svg[\s>]", re.S), "SVG"),
    (re.compile(r"\s*(<\?xml[^>]*>\s*)?<FictionBook[\s>]"), "FB2"),
)
HTML = re.compile(r"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*(<!doctype\s+html|<html[\s>])", re.I | re.S)
HTML_TAGS = re.compile(r"<(head|body|title|h[1-6]|p|div|span|table|ul|ol|br|a)(\s[^<>]*)?/?>", re.I)
HTML_ENDINGS = (".html", ".htm", ".xhtml", ".xht")
CHARSET = re.compile(rb"<meta[^>]*charset\s*=\s*[\"']?\s*([\w.:-]+)|<\?xml[^>]*encoding\s*=\s*[\"']([\w.:-]+)", re.I)


def identify(data: bytes, name: str, inflated: int) -> tuple[Kind, Decoded | None]:
    """The kind, and for a text what it decodes to. Raises `Unreadable`: never a guess."""
    if not data:
        raise Unreadable("empty")
    if _is_pdf(data):
        return "pdf", None
    if data.startswith(OLE2):
        if is_message(data):
            return "mail", None
        raise _ole2(data)
    if data.startswith(ZIP):
        return _zipped(data, inflated), None
    if kind := binary_kind(data, name):
        return kind, None
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


def _ole2(data: bytes) -> Unreadable:
    if "EncryptedPackage".encode("utf-16-le") in data:
        return Unreadable("encrypted", "OLE2")
    streams = (kind for stream, kind in OLE2_STREAMS if stream.encode("utf-16-le") in data)
    return Unreadable("unknown_format", next(streams, "OLE2"))


def _zipped(data: bytes, inflated: int) -> Kind:
    archive = Archive(data, inflated)
    if "mimetype" in archive.names and (said := archive.read("mimetype").strip()).startswith(b"application/"):
        kind = MIMETYPES.get(said, "ODF")
    else:
        kind = next((k for start, k in ZIP_MEMBERS if any(n.startswith(start) for n in archive.names)), "ZIP")
    match kind:
        case "ZIP":
            return "archive"
        case "DOCX":
            return "docx"
        case "EPUB":
            return "epub"
        case _:
            raise Unreadable("unknown_format", kind)


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
    return "markdown" if is_markdown(name) else "text"
