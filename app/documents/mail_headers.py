"""Headers of a mail as people read them: words in any encoding, marked as such (RFC 2047, RFC 2231) or not at all.

The parts of stdlib's email that understand headers give up on broken ones, and put "?" for bytes that nothing marks,
which in Chinese and Japanese mails is a third of all subjects; so raw headers are taken and read here.
"""

import binascii
import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from urllib.parse import unquote_to_bytes

from app.documents.charsets import decode_as

LONGEST = 1 << 16
"""Characters of a header that are read. A list of a thousand addresses has half of that."""
ENCODED = re.compile(r"=\?[^?\s]+\?[bqBQ]\?")
FOLD = re.compile(r"\r?\n[ \t]+|[\r\n]+")
ESCAPED = re.compile(r"[\w.-]*%[0-9A-F]{2}[\w.%-]*")
BETWEEN = re.compile(r"(\?=)\s+(?==\?)")


def header(message: Message, name: str) -> str:
    """Its words, several of one name after one another; "" when there is none."""
    found = [str(value) for key, value in message.raw_items() if key.lower() == name.lower()]
    return ", ".join(words(value[:LONGEST], message.get_content_charset("")) for value in found)


def words(raw: str, charset: str = "") -> str:
    """A raw header's words. `charset` is tried for bytes that nothing marks, which stand in it as surrogates."""
    raw = FOLD.sub(" ", raw).strip()
    if not ENCODED.search(raw):
        return _unmarked(raw, charset)
    try:
        pieces = decode_header(BETWEEN.sub(r"\1 ", raw))
    except (HeaderParseError, binascii.Error, ValueError):
        return _unmarked(raw, charset)
    # What is no base64 comes out as nothing: then it is better seen as it is.
    return "".join(_piece(text, named, charset) for text, named in pieces) or _unmarked(raw, charset)


def _piece(text: str | bytes, named: str | None, charset: str) -> str:
    if isinstance(text, str):
        return _unmarked(text, charset)
    if named is None:
        return _unmarked(text.decode("raw-unicode-escape", "surrogateescape"), charset)
    return decode_as(text, named.partition("*")[0]).text


def _unmarked(text: str, charset: str) -> str:
    """Bytes that are no ASCII come out of the parser as surrogates: all of one header are read together."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return decode_as(text.encode("utf-8", "surrogateescape"), charset).text
    return text


def file_name(part: Message) -> str:
    """The name of an attachment; "" when it has none."""
    charset = part.get_content_charset("")
    found = _parameter(part, "Content-Disposition", "filename") or _parameter(part, "Content-Type", "name")
    if isinstance(found, tuple):
        named, _, value = found
        return decode_as(value.encode("latin-1", "replace"), named or charset).text
    name = words(found, charset)
    # Some programs escape as in an address, without the asterisk that would say so.
    return decode_as(unquote_to_bytes(name), "").text if ESCAPED.fullmatch(name) else name


def _parameter(part: Message, header: str, name: str) -> str | tuple[str | None, str | None, str]:
    """As `Message.get_param` gives it, which would put U+FFFD for bytes that nothing marks; "" when there is none."""
    raw = next((str(value) for key, value in part.raw_items() if key.lower() == header.lower()), "")
    clean = Message()
    clean[header] = _unmarked(FOLD.sub(" ", raw[:LONGEST]), part.get_content_charset(""))
    return clean.get_param(name, "", header) or ""
