"""What a workbook holds beside its cells, and what its cells hide: comments, text boxes, charts, missing results.

calamine, which reads the cells, knows none of these.
"""

import re
from html import unescape

from lxml import etree
from msgspec import Struct, field

from app.documents.package import Package
from app.documents.pptx_shapes import Found, shapes
from app.documents.remarks import comment, folded
from app.documents.source import Source
from app.documents.xml import attribute, child, every, integer

# Of the bytes of a sheet, for a tree of a million cells takes a gigabyte. Prefixed names are not looked for: those who
# write sheets with them are few, and lose a warning, not a cell.
ROW = re.compile(rb'<(?:row\b[^>]*?\br="|c\b[^>]*?\br="[A-Z]{1,3})([0-9]{1,7})"')
"""Of a row, and of a cell: it lies where it says itself, whatever row it stands in."""
ASTRAY = re.compile(rb'<(?:row\b[^>]*?\br="(?![0-9]{1,7}")|c\b[^>]*?\br="(?![A-Z]{1,3}[0-9]{1,7}"))')
"""A place that no sheet has. calamine goes there: it counts in 32 bits and begins anew when they are full."""
CELL_COLUMN = re.compile(rb'<c\b[^>]*?\br="([A-Z]{1,3})[0-9]+"[^>]*(?<!/)>')
FAR_COLUMN = re.compile(rb'<c\b[^>]*?\br="[A-Z]{3}[0-9]')
WITHOUT_VALUE = re.compile(
    rb'<c\b(?![^>]*\bt="str")[^>]*(?<!/)><f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*(?:<v\s*/>|<v></v>)?\s*</c>'
)
ERROR = re.compile(rb'<c\b[^>]*\bt="e"')
MARGIN = re.compile(rb"<(?:odd|even|first)(?:Header|Footer)>([^<]+)<")
MARGIN_CODE = re.compile(r'&(&|"[^"]*"|[0-9]+|K[0-9A-Fa-f]{6}|K[0-9]{2}[+-][0-9]{3}|[A-Za-z])')

MOST_CELLS = 20_000_000
"""Of one sheet, empty ones between its corners included, for calamine makes room for all: 32 bytes each. A cell in
the last row and another in the last column would be 550 GB, and its process is ended before it can say so."""

NEAR_COLUMNS, ALL_COLUMNS = 26 + 26 * 26, 16_384


class Beside(Struct):
    """By the sheet's name: what stands beside its cells, and how many cells it has with the empty ones between."""

    blocks: dict[str, list[str]] = {}
    cells: dict[str, int] = {}
    astray: set[str] = set()
    """Sheets with a cell where no sheet has one."""
    without_values: int = 0
    errors: int = 0
    unread: int = 0
    """Comments and text boxes that could not be read."""
    found: Found = field(default_factory=Found)


def of_package(source: Source) -> Beside:
    """Of XLSX and XLSB. Counts what they unpack to, which calamine does not; raises `Unreadable("too_big")`."""
    package = Package(source, "XLSX")
    main = package.main("xl/workbook.xml")
    beside = Beside()
    names: dict[str, str] = {}
    if not main.endswith(".bin"):
        parts = {part.id: part.name for part in package.parts(main)}
        for sheet in every(child(package.root(main), "sheets"), "sheet"):
            relation = next((str(v) for key, v in sheet.attrib.items() if str(key).endswith("}id")), "")
            if relation in parts:
                names[parts[relation]] = attribute(sheet, "name")
    people = {
        attribute(person, "id"): attribute(person, "displayName")
        for part in package.parts(main)
        if part.type == "person"
        for person in every(package.root(part.name), "person")
    }
    for part in sorted(package.archive.names):
        if part.endswith((".xml", ".bin", ".vml")):
            data = package.archive.read(part)
            if part in names:
                _look_at(names[part], data, beside)
            beside.unread += part.endswith(".bin") and "/comments" in part
    for part, name in names.items():
        beside.blocks.setdefault(name, []).extend(_blocks(package, part, people, beside.found))
    return beside


def _look_at(name: str, data: bytes, beside: Beside) -> None:
    if ASTRAY.search(data):
        beside.astray.add(name)
    rows = max((int(number) for number in set(ROW.findall(data))), default=data.count(b"<row"))
    columns = ALL_COLUMNS if FAR_COLUMN.search(data) else NEAR_COLUMNS
    if rows * columns > MOST_CELLS:
        columns = max((_place(letters) for letters in set(CELL_COLUMN.findall(data))), default=1)
    beside.cells[name] = rows * columns
    if b"<f" in data:
        beside.without_values += sum(1 for _ in WITHOUT_VALUE.finditer(data))
    beside.errors += sum(1 for _ in ERROR.finditer(data))
    margins = dict.fromkeys(map(_margin, MARGIN.findall(data)))
    lines = [line for line in margins if any(sign.isalnum() for sign in line)]
    if lines:
        beside.blocks.setdefault(name, []).append("[Header or footer: {}]".format("; ".join(lines)))


def _place(letters: bytes) -> int:
    place = 0
    for letter in letters:
        place = place * 26 + letter - ord("A") + 1
    return place


def _margin(found: bytes) -> str:
    """The words of a page's head or foot, without the codes for fonts, dates and page numbers."""
    text = unescape(found.decode("utf-8", "replace"))
    return folded(MARGIN_CODE.sub(lambda code: "&" if code[1] == "&" else " ", text))


def _blocks(package: Package, part: str, people: dict[str, str], found: Found) -> list[str]:
    blocks: list[str] = []
    answered: set[str] = set()
    parts = package.parts(part)
    for one in parts:
        if one.type == "threadedComment":
            for said in every(package.root(one.name), "threadedComment"):
                cell = attribute(said, "ref")
                answered.add(cell)
                author = people.get(attribute(said, "personId"), "")
                kind = "Answer" if attribute(said, "parentId") else "Comment"
                blocks.append(comment(_text(said), author, kind=f"{kind} on {cell}"))
    for one in parts:
        if one.type == "comments":
            blocks += _comments(package.root(one.name), answered)
        elif one.type == "drawing":
            blocks += _drawing(package, one.name, found)
    return blocks


def _comments(root: etree._Element, answered: set[str]) -> list[str]:
    """Comments of the older kind. Those of the newer are repeated among them, with words about Excel's version."""
    authors = [author.text or "" for author in every(child(root, "authors"), "author")]
    blocks = []
    for said in every(root, "comment"):
        number = integer(attribute(said, "authorId"), -1)
        author = authors[number] if 0 <= number < len(authors) else ""
        if attribute(said, "ref") not in answered:
            blocks.append(comment(_text(said), author, kind=f"Comment on {attribute(said, 'ref')}"))
    return blocks


def _text(said: etree._Element) -> str:
    """The words of a comment; a reading aid in Japanese stands beside them and is not repeated."""
    return "".join(
        "".join(run.itertext())
        for run in every(said, "t", "text")
        if run.getparent().tag.rpartition("}")[2] != "rPh" and not len(run)
    )


def _drawing(package: Package, name: str, found: Found) -> list[str]:
    parts = {part.id: part.name for part in package.parts(name)}

    def referred(identity: str) -> etree._Element | None:
        return package.root(parts[identity]) if identity in parts else None

    blocks = []
    for anchor in package.root(name):
        blocks += [shape.text for shape in shapes(anchor, referred, (), found)]
    return blocks
