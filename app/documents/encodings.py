"""Bytes to text: byte order marks, then strict UTF-8, then what the bytes look like; a guess is named as one."""

import codecs
import re

import chardet
from msgspec import Struct

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
ESCAPES = re.compile(rb"\x1b\$[@AB]|\x1b\([IJ]|\x1b\$\([DC]|\x1b\$\)C")
"""Begin a run of characters in ISO-2022, which is 7-bit and so would pass as UTF-8."""

EBCDIC = ("cp037", "cp273", "cp424", "cp500", "cp875", "cp1026", "cp1140")
"""Never found on the disks of the people who read documents, and each matches any bytes at all."""

# C0 without tab, line ends, backspace and escape: what no text is full of and every binary file is.
CONTROLS = bytes(set(range(32)) - {8, 9, 10, 12, 13, 26, 27})
BINARY = 0.02
"""Share of control characters over which bytes are no text."""
START, BINARY_START = 512, 0.1
"""A picture whose first bytes are damaged may be one colour from there on, and that a letter in some encoding."""

SAMPLE = 1 << 18
WIDE_SAMPLE = 1 << 14
COMMON = re.compile(
    "[\t\n\r -~\u00a0-\u052f\u0590-\u06ff\u0900-\u0e7f\u2010-\u2040\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3"
    "\uff00-\uffef]"
)
"""The scripts that are written today: what is left when two bytes are paired the right way round."""

FREQUENT = re.compile("[\n ,.0-9、。，「」のにはをがた的是不了一中國国이의다에]")


class Decoded(Struct, frozen=True):
    text: str
    encoding: str
    sure: bool
    """Whether another encoding would not have done nearly as well."""
    damaged: int = 0
    """Bytes or characters that the encoding does not know, now U+FFFD."""


def decode(data: bytes, declared: str | None = None) -> Decoded | None:
    """The text, or None when the bytes are no text. `declared` is what the document says of itself."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _forced(data[len(mark) :], encoding)
    if wide := _wide(data):
        return wide
    if looks_binary(data):
        return None
    if ESCAPES.search(data):
        for encoding in ("iso2022_jp_ext", "iso2022_jp_2004", "iso2022_kr"):
            if (text := _strict(data, encoding)) is not None:
                return Decoded(text, encoding, True)
    if (text := _strict(data, "utf-8")) is not None:
        return Decoded(text, "utf-8", True)
    if declared and (text := _strict(data, declared)) is not None:
        return Decoded(text, declared, True)
    return _guess(data)


def looks_binary(data: bytes) -> bool:
    """Whether control characters are too many for a text. A stray NUL does not make a text binary."""
    return any(
        len(sample) - len(sample.translate(None, CONTROLS)) > share * len(sample)
        for sample, share in ((data[:SAMPLE], BINARY), (data[:START], BINARY_START))
    )


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _forced(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, errors="replace")
    damaged = 0 if _strict(data, encoding) is not None else text.count("\ufffd")
    return Decoded(text, encoding, True, damaged)


def _wide(data: bytes) -> Decoded | None:
    """UTF-16 or UTF-32 without a byte order mark: the byte order that gives nothing but common characters."""
    sample = data[:WIDE_SAMPLE]
    if not looks_binary(sample):
        return None  # 8-bit text has no control bytes, and pairs of its letters would read as Chinese
    best: tuple[float, str] = (0.0, "")
    for encoding in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        even = sample[: len(sample) // 4 * 4] if encoding.startswith("utf-32") else sample[: len(sample) // 2 * 2]
        # A sample may end inside a pair of surrogates.
        text = codecs.getincrementaldecoder(encoding)("replace").decode(even, final=False)
        if not text or len(COMMON.findall(text)) < 0.97 * len(text):
            continue
        best = max(best, (len(FREQUENT.findall(text)) / len(text), encoding))
    if best[0] < 0.02:
        return None
    decoded = _forced(data, best[1])
    return Decoded(decoded.text, best[1], True, decoded.damaged)


def _guess(data: bytes) -> Decoded:
    found = chardet.detect_all(
        data, ignore_threshold=True, prefer_superset=True, compat_names=False, exclude_encodings=EBCDIC
    )
    candidates = [(str(one["encoding"]), float(one["confidence"])) for one in found if one["encoding"]]
    for place, (encoding, confidence) in enumerate(candidates):
        if (text := _strict(data, encoding)) is None:
            continue
        rival = _rival(data[:SAMPLE], encoding, candidates[place + 1 :])
        return Decoded(text, encoding, confidence > 0.1 and rival < 0.67 * confidence)
    encoding = candidates[0][0] if candidates else "cp1252"
    text = data.decode(encoding, errors="replace")
    return Decoded(text, encoding, False, text.count("\ufffd"))


def _rival(sample: bytes, encoding: str, others: list[tuple[str, float]]) -> float:
    """The confidence in the best of the other encodings that would have given another text."""
    text = sample.decode(encoding, errors="replace")
    for other, confidence in others:
        try:
            if sample.decode(other, errors="replace") != text:
                return confidence
        except LookupError:
            continue
    return 0.0
