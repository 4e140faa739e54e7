"""Mails as they are sent (MIME): parts in parts: the words, the same words in other forms, and files."""

import re
from email import policy
from email.message import Message
from email.parser import BytesParser
from functools import partial

from msgspec import structs

from app.data.document import LeftOut, Warning
from app.documents import html, plain
from app.documents.charsets import decode_as, meant
from app.documents.encodings import Decoded
from app.documents.letter import SHOWN, Attached, Letter, Words, header_lines, joined
from app.documents.mail_headers import file_name, header, words
from app.documents.names import shown
from app.documents.pages import clean
from app.documents.source import Source

DEEPEST = 50
"""Parts in parts."""
SIGNATURES = ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
SEALED = ("application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted")
WORDS = ("text/plain", "text/html", "text/rfc822-headers", "multipart/", "message/")
"""Kinds of a part that is read in its place. Parts in parts that have no border between them are a text as well."""
PATH_MARKS = re.compile(r"^.*[/\\]", re.S)


def parse(data: bytes) -> Message:
    """Never fails: what is broken is left as it is, and read as far as it goes."""
    return BytesParser(policy=policy.compat32).parsebytes(data)


def letter(message: Message, source: Source) -> Letter:
    return _Opened(message, source).letter()


class _Opened:
    """One walk over the parts of a mail."""

    def __init__(self, message: Message, source: Source) -> None:
        self._message = message
        self._source = source
        self._words: list[Words] = []
        self._attached: list[Attached] = []
        self._left_out: list[LeftOut] = []
        self._warnings: list[Warning] = []

    def letter(self) -> Letter:
        headers = header_lines({name: header(self._message, name) for name in SHOWN})
        self._walk(self._message, 0, True, False)
        return Letter(headers, joined(self._words), tuple(self._attached), tuple(self._left_out), tuple(self._warnings))

    def _walk(self, part: Message, depth: int, words: bool, beside: bool) -> None:
        """`words`: whether a text without a name is the mail's own, and not a form of it that is read elsewhere.
        `beside`: whether it stands beside a web page, which shows the pictures that have an address there."""
        kind = part.get_content_type()
        if depth > DEEPEST:
            self._left_out.append(LeftOut(kind, "nested"))
        elif kind in ("message/rfc822", "message/global") and part.is_multipart():
            self._sent_on(part)
        elif kind == "message/delivery-status" and part.is_multipart():
            self._reported(part)
        elif not part.is_multipart():
            self._leaf(part, kind, words, beside)
        elif kind == "multipart/alternative":
            chosen = _best(_parts(part))
            for one in _parts(part):
                self._walk(one, depth + 1, words and one is chosen, beside)
        elif kind == "multipart/encrypted":
            self._left_out.append(LeftOut(kind, "encrypted"))
        else:
            for one in _parts(part):
                self._walk(one, depth + 1, words, beside or kind == "multipart/related")

    def _leaf(self, part: Message, kind: str, words: bool, beside: bool) -> None:
        name = shown(PATH_MARKS.sub("", file_name(part)))
        disposition = part.get_content_disposition()
        if kind in SIGNATURES:
            self._left_out.append(LeftOut(name or kind, "signature"))
        elif kind in SEALED:
            self._left_out.append(LeftOut(name or kind, "encrypted"))
        elif kind.startswith(WORDS) and disposition != "attachment" and not name:
            if words:
                self._say(part, kind)
        elif kind.startswith("image/") and (part["Content-ID"] if beside else not name and disposition != "attachment"):
            self._left_out.append(LeftOut(name or kind, "inline"))
        elif words or name or disposition == "attachment":
            self._attached.append(Attached(name or _unnamed(kind), partial(_file, part, kind)))
        # else it is one more form of the words: an invitation as a calendar has it, a text for another program

    def _say(self, part: Message, kind: str) -> None:
        decoded = decode_as(_bytes(part), part.get_content_charset(""))
        self._warnings += plain.warnings(decoded)
        if kind == "text/html":
            self._words += [found for found in (html_words(decoded, self._source),) if found.text]
        elif decoded.text.strip():
            self._words.append(Words(clean(decoded.text).strip("\n")))

    def _sent_on(self, part: Message) -> None:
        """A mail in a mail is one of its own, with its own attachments."""
        for inner in _parts(part):
            name = file_name(part) or f"{header(inner, 'Subject') or 'message'}.eml"
            self._attached.append(Attached(name, letter=partial(letter, inner, self._source)))

    def _reported(self, part: Message) -> None:
        """What became of a mail that was sent, a block of headers for each address."""
        blocks = ("\n".join(f"{key}: {words(str(value))}" for key, value in one.raw_items()) for one in _parts(part))
        if text := "\n\n".join(block for block in blocks if block):
            self._words.append(Words(text))


def html_words(decoded: Decoded, source: Source) -> Words:
    """Of a mail's web page."""
    pages = html.read(structs.replace(source, report=lambda done, total: None), decoded).pages
    return Words(pages.text(), tuple(pages.headings))


def _parts(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [one for one in payload if isinstance(one, Message)] if isinstance(payload, list) else []


def _best(forms: list[Message]) -> Message | None:
    """Of several forms of the same words the plain one, when it says anything; else the last, which is the richest."""
    for one in forms:
        if one.get_content_type() == "text/plain" and _bytes(one).strip():
            return one
    rich = [one for one in forms if one.is_multipart() or one.get_content_type() == "text/html"]
    return (rich or forms or [None])[-1]


def _bytes(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _file(part: Message, kind: str) -> bytes:
    """An attachment's bytes; of a text whose encoding the mail knows, in UTF-8, so that nobody needs to guess it."""
    data = _bytes(part)
    charset = part.get_content_charset("")
    if kind.startswith("text/") and charset:
        decoded = decode_as(data, charset)
        if decoded.encoding == meant(charset) and not decoded.damaged:
            return decoded.text.encode()
    return data


def _unnamed(kind: str) -> str:
    ending = kind.rpartition("/")[2]
    return f"attachment.{ending}" if ending.isalnum() and len(ending) < 6 else "attachment"
