"""What a paragraph's style says of it: whether it is a heading, of which level, and which list it is counted in."""

import re

from lxml import etree
from msgspec import Struct

from app.documents.xml import attribute, local, value

HEADING = re.compile(r"(?:heading|überschrift|titre|标题|見出し) ?([1-9])$|title$", re.I)
BODY_TEXT = 0


class Style(Struct, frozen=True):
    name: str = ""
    parent: str = ""
    list: str | None = None
    level: int | None = None
    outline: int | None = None


class Styles:
    def __init__(self, root: etree._Element | None) -> None:
        self._styles: dict[str, Style] = {}
        for element in root if root is not None else ():
            if local(element) == "style":
                self._styles[attribute(element, "styleId")] = _style(element)

    def heading(self, style: str, properties: etree._Element | None) -> int:
        """The level from 1 of a paragraph of this style and with these properties of its own; 0 when it is none."""
        own = outline(properties)
        if own is not None:
            return own
        for one in self._line(style):
            if one.outline is not None:
                return one.outline
            if named := HEADING.match(one.name):
                return int(named[1] or 1)
        return BODY_TEXT

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
    return Style(values.get("name", ""), values.get("basedOn", ""), list_, level, outline(properties))


def outline(properties: etree._Element | None) -> int | None:
    """The place that paragraph properties give in the document's outline, from 1, or `BODY_TEXT`; None: not said."""
    level = value(properties, "outlineLvl")
    if not re.fullmatch("[0-9]", level):
        return None
    return BODY_TEXT if level == "9" else int(level) + 1


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
