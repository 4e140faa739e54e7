"""What lies on a slide, as blocks of text in reading order."""

from collections.abc import Callable, Iterator, Sequence

from lxml import etree
from msgspec import Struct

from app.documents.drawings import chart, diagram
from app.documents.pptx_text import paragraphs, table
from app.documents.reading_order import Box, reading_order
from app.documents.xml import attribute, child, every, local, value

TITLES = ("title", "ctrTitle")
MARGINS = ("ftr", "hdr")
NUMBERS = ("dt", "sldNum")
"""Placeholders of what stands on every slide alike, and of what is counted there."""


class Shape(Struct, frozen=True):
    """`role` is the placeholder that it fills; "" for what the author drew."""

    text: str
    role: str
    box: Box | None


class Found(Struct):
    """What was seen on slides beside words."""

    pictures: int = 0
    embedded: int = 0


Part = Callable[[str], etree._Element | None]


def shapes(tree: etree._Element | None, part: Part, layouts: Sequence[etree._Element], found: Found) -> list[Shape]:
    """In reading order. `layouts`: the shape trees that say where placeholders lie, the nearest first."""
    read = [_shape(one, part, layouts, found) for one in _inside(tree)]
    read = [shape for shape in read if shape.text.strip()]
    return [read[index] for index in reading_order([shape.box for shape in read])]


def _inside(tree: etree._Element | None) -> Iterator[etree._Element]:
    for one in tree if tree is not None else ():
        match local(one):
            case "AlternateContent":
                # The first way in which a thing is written down; the others say the same for older programs.
                yield from _inside(next(iter(one), None))
            case "sp" | "grpSp" | "graphicFrame" | "pic" | "cxnSp" | "contentPart":
                yield one


def _shape(element: etree._Element, part: Part, layouts: Sequence[etree._Element], found: Found) -> Shape:
    box = _box(element)
    match local(element):
        case "grpSp":
            inner = shapes(element, part, layouts, found)
            return Shape("\n\n".join(shape.text for shape in inner), "", box)
        case "graphicFrame":
            return Shape(_frame(element, part, found), "", box)
        case "pic":
            found.pictures += 1
            description = value(element, "nvPicPr", "cNvPr", of="descr").strip()
            return Shape(f"[{description}]" if description else "", "", box)
        case _:
            placeholder = next(every(child(element, "nvSpPr", "nvPr"), "ph"), None)
            role = "" if placeholder is None else attribute(placeholder, "type") or "body"
            if placeholder is not None and box is None:
                box = _inherited(placeholder, layouts)
            return Shape(paragraphs(child(element, "txBody")), role, box)


def _frame(element: etree._Element, part: Part, found: Found) -> str:
    data = child(element, "graphic", "graphicData")
    for one in data if data is not None else ():
        match local(one):
            case "tbl":
                return table(one)
            case "chart" | "relIds":
                read, name = (chart, "id") if local(one) == "chart" else (diagram, "dm")
                root = part(attribute(one, name))
                if root is not None:
                    return read(root)
    found.embedded += 1
    return ""


def _box(element: etree._Element) -> Box | None:
    places = (child(element, "spPr", "xfrm"), child(element, "grpSpPr", "xfrm"), child(element, "xfrm"))
    place = next((one for one in places if one is not None), None)
    offset, size = child(place, "off"), child(place, "ext")
    if offset is None or size is None:
        return None
    numbers = [attribute(offset, "x"), attribute(offset, "y"), attribute(size, "cx"), attribute(size, "cy")]
    try:
        left, top, width, height = (int(number) for number in numbers)
    except ValueError:
        return None
    return Box(left, top, left + width, top + height)


def _inherited(placeholder: etree._Element, layouts: Sequence[etree._Element]) -> Box | None:
    """Where the slide's layout, or its master, puts a placeholder."""
    index, role = attribute(placeholder, "idx"), attribute(placeholder, "type") or "body"
    for layout in layouts:
        for one in _inside(layout):
            other = next(every(child(one, "nvSpPr", "nvPr"), "ph"), None)
            if other is None or (box := _box(one)) is None:
                continue
            same_role = (attribute(other, "type") or "body") == role
            if (index and attribute(other, "idx") == index) or (same_role and (not index or layout is not layouts[0])):
                return box
    return None
