"""What archives, mails, pictures and notebooks begin with."""

import re

from app.data.document import Kind
from app.documents.languages import is_code
from app.documents.ole2 import OLE2

HEAD = 1 << 16
"""Bytes that are looked at: mail servers write many headers before the sender does."""

PICTURES = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*")
WEBP = re.compile(rb"RIFF.{4}WEBP", re.S)
BITMAP = re.compile(rb"BM.{8}.{4}[\x0c\x28\x40\x6c\x7c]\0\0\0", re.S)
"""A BMP: its size, nothing, where the pixels begin, how long the next header is. "BM" alone begins many a text."""

GZIP = b"\x1f\x8b\x08"
XZ = b"\xfd7zXZ\0"
BZIP2 = re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)")
BLOCK = 512
SUM = slice(148, 156)
"""Where a tar header keeps the sum of its bytes; what was before tar had a name of its own has no other mark."""

# One alternative a line, and none of them empty: no text makes the search go back and forth.
HEADER = rb"[A-Za-z][\w-]*:[^\n]*\n(?:[ \t][^\n]*\n)*"
START = rb"(?:\xef\xbb\xbf)?(?:\d{1,12} *\r?\n)?(?:From \S[^\n]*\n)?"
HEADERS = re.compile(START + rb"((?:" + HEADER + rb")+)")
SIGNS = re.compile(
    rb"^(MIME-Version|Message-ID|Received|Return-Path|DKIM-Signature|Delivered-To|X-Mozilla-Status|X-Apple-Auto-Saved)"
    rb" ?:",
    re.I | re.M,
)
"""Headers that programs write and people do not."""

ADDRESSED = re.compile(rb"^(From|To|Subject) ?:", re.I | re.M)
MAIL_ENDINGS = (".eml", ".mbox", ".emlx", ".mht", ".mhtml")

NOTEBOOK = re.compile(r'\s*\{\s*"(cells|metadata|nbformat|nbformat_minor|worksheets)"\s*:')
NOTEBOOK_VERSION = re.compile(r'"nbformat"\s*:\s*[34]\b')


def binary_kind(data: bytes, name: str) -> Kind | None:
    """The kind when the bytes are an archive, a mail or a picture; ZIP and OLE2 files are known by what they hold."""
    if is_picture(data):
        return "image"
    if is_compressed(data) or is_tar(data):
        return "archive"
    return "mail" if is_mail(data, name) else None


def is_picture(data: bytes) -> bool:
    return data.startswith(PICTURES) or WEBP.match(data) is not None or BITMAP.match(data) is not None


def is_compressed(data: bytes) -> bool:
    return data.startswith((GZIP, XZ)) or BZIP2.match(data) is not None


def is_tar(data: bytes) -> bool:
    header = data[:BLOCK]
    if len(header) < BLOCK:
        return False
    try:
        kept = int(header[SUM].strip(b" \0"), 8)
    except ValueError:
        return False
    return kept == sum(header) - sum(header[SUM]) + 8 * ord(" ")


def is_mail(data: bytes, name: str) -> bool:
    """A text is a mail when it begins with headers, and one of them was written by a program or its name says so."""
    if is_code(name, ""):
        return False
    found = HEADERS.match(data[:HEAD])
    if found is None:
        return False
    if SIGNS.search(found[1]):
        return True
    return name.lower().endswith(MAIL_ENDINGS) and ADDRESSED.search(found[1]) is not None


def is_notebook(text: str) -> bool:
    """Looked for without parsing: the version stands at the end of the file, after all cells."""
    return NOTEBOOK.match(text) is not None and NOTEBOOK_VERSION.search(text) is not None


def is_more_than_text(data: bytes) -> bool:
    """Whether most of a file's bytes may be no words: pictures, fonts, compressed data."""
    start = data[:HEAD]
    if start.startswith((b"%PDF-", b"PK", OLE2, b"{\\rtf", GZIP, XZ)) or is_picture(start):
        return True
    if is_tar(start) or is_compressed(start) or is_mail(start, ".eml"):
        return True
    return NOTEBOOK.match(start[:1000].decode("latin-1")) is not None
