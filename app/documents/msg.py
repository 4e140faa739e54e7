"""Outlook's own messages (MSG): in Unicode, or in a code page that they may not name; plain, as HTML or as RTF."""

import datetime
import importlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import format_datetime
from functools import partial

import olefile
from msgspec import structs

from app.data.document import LeftOut, Warning
from app.documents import plain, reading
from app.documents.charsets import code_page, decode_as
from app.documents.encodings import Decoded
from app.documents.errors import Unreadable
from app.documents.letter import Attached, Letter, Words, header_lines
from app.documents.lzfu import expanded
from app.documents.mime import html_words
from app.documents.msg_storage import FAULTS, ROOT, Storage
from app.documents.pages import clean
from app.documents.source import Source

SUBJECT, SENT, DELIVERED, HEADERS = 0x0037, 0x0039, 0x0E06, 0x007D
SENDERS = ((0x0C1A, (0x5D01, 0x0C1F)), (0x0042, (0x5D02, 0x0065)))
"""Who sent it, and in whose name: the property of the name, and those of the address, the one with an "@" first."""
KINDS = {1: "To", 2: "Cc", 3: "Bcc"}
SHOWN_TO = {"To": 0x0E04, "Cc": 0x0E03, "Bcc": 0x0E02}
"""The recipients in one line, which is all that a draft may have."""
RECIPIENT_KIND, RECIPIENT_NAME, RECIPIENT_ADDRESSES = 0x0C15, 0x3001, (0x39FE, 0x3003)
BODY, HTML, RTF = 0x1000, 0x1013, 0x1009
MESSAGE_PAGE, INTERNET_PAGE = 0x3FFD, 0x3FDE
FILE_NAMES = (0x3707, 0x3704, 0x3001)
DATA, METHOD, HIDDEN, CONTENT_ID = 0x3701, 0x3705, 0x7FFE, 0x3712
BY_REFERENCE = (2, 3, 4, 7)
EPOCH = datetime.datetime(1601, 1, 1, tzinfo=datetime.UTC)


@contextmanager
def opened(source: Source) -> Iterator[Letter]:
    """The message; its attachments can be loaded as long as it is open. Raises `Unreadable("damaged")`."""
    try:
        file = olefile.OleFileIO(io.BytesIO(source.data))
    except FAULTS as error:
        raise Unreadable("damaged", "MSG") from error
    with file:
        yield _letter(Storage(file, (), ROOT, source.place().allowance), source)


def _letter(storage: Storage, source: Source) -> Letter:
    texts = _Texts(storage)
    headers = header_lines(
        {
            "From": _sender(storage, texts),
            **_recipients(storage, texts),
            "Date": _date(storage),
            "Subject": texts.text(storage, SUBJECT),
        }
    )
    words, left_out, found = _words(storage, texts, source)
    attached = tuple(_attached(storage, name, texts, source) for name in storage.children("__attach"))
    return Letter(headers, words, attached, left_out, (*texts.warnings(), *found))


class _Texts:
    """A message's texts: in Unicode, or all in one code page, named or not."""

    def __init__(self, storage: Storage) -> None:
        named = (code_page(storage.number(MESSAGE_PAGE)), code_page(storage.number(INTERNET_PAGE)))
        self._encoding = next((name for name in named if name), "")
        self.internet = named[1] or self._encoding
        """Of the words as HTML."""
        self._guessed: Decoded | None = None
        if not self._encoding:
            # All that is long enough to tell, together.
            bare = b"\n".join(storage.narrow(number) for number in (BODY, SUBJECT, *SHOWN_TO.values()))
            if not bare.isascii():
                self._guessed = decode_as(bare, "")
                self._encoding = self._guessed.encoding

    def text(self, storage: Storage, *numbers: int) -> str:
        """The first of these properties that says anything."""
        for number in numbers:
            if said := storage.wide(number) or self._decoded(storage.narrow(number)):
                return said
        return ""

    def _decoded(self, data: bytes) -> str:
        return decode_as(data, self._encoding).text if data else ""

    def warnings(self) -> tuple[Warning, ...]:
        return plain.warnings(self._guessed) if self._guessed else ()


def _sender(storage: Storage, texts: _Texts) -> str:
    for name, addresses in SENDERS:
        if said := _person(texts.text(storage, name), texts, storage, addresses):
            return said
    return ""


def _person(name: str, texts: _Texts, storage: Storage, addresses: tuple[int, ...]) -> str:
    """ "Ann Lee <ann@example.org>"; an address inside of a company, which looks like a path, says nothing to others."""
    address = next((said for number in addresses if "@" in (said := texts.text(storage, number))), "")
    if not name or name == address:
        return address
    return f"{name} <{address}>" if address else name


def _recipients(storage: Storage, texts: _Texts) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for one in map(storage.child, storage.children("__recip")):
        kind = KINDS.get((one.number(RECIPIENT_KIND) or 1) & 3, "To")
        if person := _person(texts.text(one, RECIPIENT_NAME), texts, one, RECIPIENT_ADDRESSES):
            found.setdefault(kind, []).append(person)
    return {kind: ", ".join(found.get(kind, ())) or texts.text(storage, shown) for kind, shown in SHOWN_TO.items()}


def _date(storage: Storage) -> str:
    moment = storage.moment(SENT) or storage.moment(DELIVERED)
    try:
        return format_datetime(EPOCH + datetime.timedelta(microseconds=moment // 10)) if moment else ""
    except OverflowError:
        return ""


def _words(storage: Storage, texts: _Texts, source: Source) -> tuple[Words, tuple[LeftOut, ...], tuple[Warning, ...]]:
    """Plain ones where there are some, else those of the web page, else those of the RTF."""
    if plain_words := clean(texts.text(storage, BODY)).strip("\n"):
        return Words(plain_words), (), ()
    if page := storage.wide(HTML):
        return html_words(Decoded(page, "utf-16-le", True), source), (), ()
    if data := storage.bytes(HTML) or storage.narrow(HTML):
        decoded = decode_as(data, texts.internet)
        return html_words(decoded, source), (), plain.warnings(decoded)
    if packed := storage.bytes(RTF):
        return _rtf(packed, source)
    return Words(), (), ()


def _rtf(packed: bytes, source: Source) -> tuple[Words, tuple[LeftOut, ...], tuple[Warning, ...]]:
    try:
        if "rtf" not in reading.READERS:
            raise Unreadable("unknown_format", "RTF")
        reader = importlib.import_module(reading.READERS["rtf"])
        content = reader.read(structs.replace(source, data=expanded(packed), report=lambda done, total: None))
    except Unreadable as reason:
        return Words(), (LeftOut("RTF", reason.code),), ()
    return Words(content.pages.text(), tuple(content.pages.headings)), content.left_out, content.warnings


def _attached(message: Storage, place: str, texts: _Texts, source: Source) -> Attached:
    try:
        storage = message.child(place)
        name = texts.text(storage, *FILE_NAMES).rpartition("\\")[2]
        if (inner := storage.message(DATA)) is not None:
            name = name if name.lower().endswith(".msg") else f"{name or texts.text(inner, SUBJECT) or 'message'}.msg"
            return Attached(name, letter=partial(_letter, inner, source))
        if storage.number(METHOD) in BY_REFERENCE:
            return Attached(name, reason="remote")
        if storage.number(HIDDEN) and texts.text(storage, CONTENT_ID):
            return Attached(name, reason="inline")
    except Unreadable as reason:
        return Attached(place.strip("_"), reason=reason.code)
    return Attached(name, partial(_data, storage))


def _data(storage: Storage) -> bytes:
    data = storage.bytes(DATA)
    if not data:
        raise Unreadable("empty")
    return data
