"""What a paragraph's style says of it: whether it is a heading, and which list it is counted in."""

import re

from lxml import etree
from msgspec import Struct

from app.documents.xml import attribute, local

HEADING = re.compile(r"(heading|überschrift|titre|标题|見出し) ?[1-9]$|title$", re.I)


class Style(Struct, frozen=True):
    name: str = ""
    parent: str = ""
    list: str | None = None
    level: int | None = None
    outline: bool = False


class Styles:
    def __init__(self, root: etree._Element | None) -> None:
        self._styles: dict[str, Style] = {}
        for element in root if root is not None else ():
            if local(element) == "style":
                self._styles[attribute(element, "styleId")] = _style(element)

    def heading(self, style: str) -> bool:
        return any(s.outline or HEADING.match(s.name) for s in self._line(style))

    def numbering(self, style: str) -> tuple[str, int | None]:
        """The list and level that the style, or one that it is based on, puts its paragraphs in; "" for none."""
        for one in self._line(style):
            if one.list is not None:
                return one.list, one.level
        return "", None

    def _line(self, style: str) -> list[Style]:
        """The style and those that it is based on; a circle ends where it closes."""
        line: dict[str, Style] = {}
        while style in self._styles and style not in line:
            line[style] = self._styles[style]
            style = self._styles[style].parent
        return list(line.values())


def _style(element: etree._Element) -> Style:
    values = {local(child): attribute(child, "val") for child in element}
    properties = next((child for child in element if local(child) == "pPr"), None)
    list_, level = numbers(properties)
    return Style(values.get("name", ""), values.get("basedOn", ""), list_, level, outlined(properties))


def outlined(properties: etree._Element | None) -> bool:
    """Whether paragraph properties give the paragraph a place in the document's outline; level 9 is body text."""
    if properties is None:
        return False
    return any(local(e) == "outlineLvl" and attribute(e, "val") in list("012345678") for e in properties)


def numbers(properties: etree._Element | None) -> tuple[str | None, int | None]:
    """The list and level that paragraph properties name."""
    list_: str | None = None
    level: int | None = None
    for element in properties if properties is not None else ():
        if local(element) == "numPr":
            for child in element:
                value = attribute(child, "val")
                if local(child) == "numId":
                    list_ = value
                elif local(child) == "ilvl" and re.fullmatch("[0-8]", value):
                    level = int(value)
    return list_, level
