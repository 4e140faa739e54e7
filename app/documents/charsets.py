"""What mails call their encodings, and what they mean: programs name the smaller sibling of what they write."""

import codecs

from app.documents.encodings import Decoded, decode

MEANT = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "x-gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "iso-8859-1": "cp1252",
    "us-ascii": "",  # said of whatever was written where nobody thought of encodings
    "ascii": "",
    "iso-8859-9": "cp1254",
    "iso-8859-8-i": "iso8859-8",
    "unicode-1-1-utf-7": "utf-7",
    "iso-2022-jp": "iso2022_jp_ext",
    "cp65001": "utf-8",
}
SEVEN_BITS = ("utf-7", "hz", "iso2022_jp_ext", "iso2022_kr")
"""Encodings whose bytes are all ASCII, so that they would pass for UTF-8."""

PAGES = {
    20127: "ascii",
    20866: "koi8-r",
    21866: "koi8-u",
    50220: "iso2022_jp_ext",
    50221: "iso2022_jp_ext",
    50222: "iso2022_jp_ext",
    51932: "euc_jp",
    51936: "gb18030",
    51949: "cp949",
    54936: "gb18030",
    936: "gb18030",
    950: "big5hkscs",
    1200: "utf-16-le",
    65000: "utf-7",
    65001: "utf-8",
}
"""Python's names of Windows' code pages, where they are not just the number."""


def meant(charset: str) -> str:
    """Python's name of an encoding; "" for one that it does not know."""
    name = charset.strip().strip("\"'").lower()
    name = MEANT.get(name, name)
    try:
        return codecs.lookup(name).name if name else ""
    except LookupError:
        return ""


def code_page(number: int | None) -> str:
    """Of a code page of Windows; "" for one that is not known."""
    if not number:
        return ""
    if 28591 <= number <= 28606:
        return meant(f"iso-8859-{number - 28590}")
    return meant(PAGES.get(number, f"cp{number}"))


def decode_as(data: bytes, encoding: str) -> Decoded:
    """What a mail declares, unless the bytes say otherwise: UTF-8 that calls itself something else is UTF-8."""
    name = meant(encoding)
    if name in SEVEN_BITS:
        try:
            return Decoded(data.decode(name), name, True)
        except UnicodeDecodeError:
            pass  # the bytes are looked at below
    decoded = decode(data, name or None)
    if decoded is not None:
        return decoded
    text = data.decode(name or "cp1252", "replace")
    return Decoded(text, name or "cp1252", False, text.count("\ufffd"))
