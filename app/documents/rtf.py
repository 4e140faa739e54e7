"""RTF: the text with notes and comments in their places, and tracked changes as they are asked for.

Read here and not by striprtf, which leaves out notes, reads deleted words as text, and knows one code page a document.
"""

from app.data.document import Warning
from app.documents.pages import Pages, Sections
from app.documents.rtf_bytes import TOKEN
from app.documents.rtf_reader import Reader
from app.documents.source import Content, Source

REPORT_EVERY = 1 << 18
"""Bytes."""


def read(source: Source) -> Content:
    data = source.data
    pages = Pages(source.limits.characters)
    sections = Sections(pages, source.name)
    reader = Reader(data, sections, source.options.changes)
    place = data.index(b"{")
    total = len(data) // REPORT_EVERY + 1
    reported = -1
    while place < len(data) and (token := TOKEN.match(data, place)):
        if place // REPORT_EVERY > reported:
            reported = place // REPORT_EVERY
            source.report(reported, total)
        place = reader.take(token)
        if not reader.groups:
            break
    cut_off = bool(reader.groups)
    reader.finish()
    if margins := reader.beside.margins:
        sections.begin("Headers and footers", level=1)
        sections.block("\n".join(margins))
    sections.close()
    source.report(total, total)
    warnings = reader.warnings()
    if cut_off:
        warnings.append(Warning("cut_off"))
    elif rest := len(data[place:].strip(b"\0 \t\r\n\x1a")):
        warnings.append(Warning("after_the_end", {"count": str(rest)}))
    return Content("rtf", pages, warnings=tuple(warnings))
