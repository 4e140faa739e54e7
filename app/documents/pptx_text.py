"""Text and tables of PowerPoint: paragraphs with their indents and numbers, rows as lines."""

from lxml import etree

from app.documents.docx_numbering import number
from app.documents.equation import equation
from app.documents.xml import attribute, child, integer, local

FORMATS = {
    "arabic": "decimal",
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
}
AROUND = (("ParenBoth", "({})"), ("ParenR", "{})"), ("Period", "{}."), ("Plain", "{}"))


def paragraphs(body: etree._Element | None) -> str:
    """The words of a text body, a paragraph a line."""
    lines = []
    counts: dict[int, int] = {}
    for paragraph in body if body is not None else ():
        if local(paragraph) != "p":
            continue
        text = _words(paragraph)
        properties = child(paragraph, "pPr")
        level = _level(properties)
        mark = _mark(properties, level, counts) if text.strip() else ""
        lines.append("  " * level * bool(text.strip()) + mark + text.strip())
    return "\n".join(lines).strip("\n")


def table(element: etree._Element) -> str:
    """Rows as lines. A merged cell's words stand in its first place; its other places are empty."""
    rows = []
    for row in element:
        if local(row) == "tr":
            cells = [" ".join(paragraphs(child(cell, "txBody")).split()) for cell in row if local(cell) == "tc"]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                rows.append(" | ".join(cells))
    return "\n".join(rows)


def _words(paragraph: etree._Element) -> str:
    words = []
    for run in paragraph:
        match local(run):
            case "br":
                words.append("\n")
            case "fld" if attribute(run, "type") == "slidenum":
                continue
            case "r" | "fld":
                words += [text.text or "" for text in run if local(text) == "t"]
            case "m" | "AlternateContent":
                words += [equation(one, lambda change: True) for one in _first(run).iter() if local(one) == "oMath"]
    return "".join(words).replace("\u00a0", " ").replace("\x0b", "\n")


def _first(element: etree._Element) -> etree._Element:
    return next(iter(element), element) if local(element) == "AlternateContent" else element


def _level(properties: etree._Element | None) -> int:
    return min(max(integer(attribute(properties, "lvl"), 0), 0), 8) if properties is not None else 0


def _mark(properties: etree._Element | None, level: int, counts: dict[int, int]) -> str:
    """The number or the dot before a paragraph, where it has one of its own."""
    for deeper in [at for at in counts if at > level]:
        del counts[deeper]
    numbered = child(properties, "buAutoNum")
    if numbered is None:
        counts.pop(level, None)
        return "- " if child(properties, "buChar") is not None else ""
    start = integer(attribute(numbered, "startAt"), 1)
    counts[level] = counts.get(level, start - 1) + 1
    kind = attribute(numbered, "type")
    format_ = next((format_ for name, format_ in FORMATS.items() if kind.startswith(name)), "decimal")
    around = next((pattern for name, pattern in AROUND if kind.endswith(name)), "{}.")
    return around.format(number(counts[level], format_)) + " "
