"""Mail: a single message as programs send and keep it (EML), a whole mailbox (MBOX), or one of Outlook's own (MSG)."""

import re
from collections.abc import Iterator

from app.documents import mime, msg
from app.documents.letter import Letter, read_letters
from app.documents.ole2 import OLE2
from app.documents.source import Content, Source

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
COUNTED = re.compile(rb"(\d{1,12}) *\r?\n")
"""How Apple's Mail begins a message: with its length, after which comes what is Apple's own."""
BORDER = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From \S[^\n]*\d\d:\d\d[^\n]*\n(?=[\w-]+:)")
"""Between two messages of a mailbox: who and when, and then a header. A sentence that begins with From has neither."""
QUOTED = re.compile(rb"^>(>*From )", re.M)


def read(source: Source) -> Content:
    if source.data.startswith(OLE2):
        with msg.opened(source) as letter:
            return read_letters(source, (letter,), 1)
    data = source.data.removeprefix(BYTE_ORDER_MARK)
    if counted := COUNTED.match(data):
        data = data[counted.end() : counted.end() + int(counted[1])]
    borders = list(BORDER.finditer(data))
    if not borders:
        return read_letters(source, (mime.letter(mime.parse(data), source),), 1)
    return read_letters(source, _letters(data, borders, source), len(borders))


def _letters(data: bytes, borders: list[re.Match[bytes]], source: Source) -> Iterator[Letter]:
    ends = [*(border.start() for border in borders[1:]), len(data)]
    for border, end in zip(borders, ends, strict=True):
        yield mime.letter(mime.parse(QUOTED.sub(rb"\1", data[border.end() : end])), source)
