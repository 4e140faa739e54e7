"""The numbers before Word's paragraphs: "1.2(a)" stands in no text, it is counted from the list's definition."""

import re
from collections.abc import Iterable

from lxml import etree
from msgspec import Struct

from app.documents.xml import attribute, integer, local

ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
CHINESE = "〇一二三四五六七八九"
CHINESE_FORMATS = ("chineseCounting", "chineseCountingThousand", "japaneseCounting", "taiwaneseCounting")


class Level(Struct, frozen=True):
    start: int = 1
    format: str = "decimal"
    text: str = ""
    restart: int | None = None
    """The level, from 1, that makes this one begin again; 0: never; None: any level above it."""
    legal: bool = False
    """Whether the levels above are written in arabic numbers here."""
    style: str = ""


class List(Struct, frozen=True):
    """A `w:num`: the definition that it counts with, and where it starts anew."""

    definition: str
    starts: dict[int, int]
    levels: dict[int, Level]


def number(value: int, format_: str) -> str:
    """`value` as a `w:numFmt` writes it; arabic where the format is one that is not known here."""
    match format_:
        case "none":
            return ""
        case "decimalZero":
            return f"{value:02}"
        case "lowerLetter" | "upperLetter":
            if value < 1:
                return str(value)
            letters = chr(ord("a") + (value - 1) % 26) * ((value - 1) // 26 + 1)
            return letters.upper() if format_ == "upperLetter" else letters
        case "lowerRoman" | "upperRoman":
            roman = _roman(value)
            return roman.upper() if format_ == "upperRoman" else roman
        case _ if format_ in CHINESE_FORMATS and 0 < value < 100:
            return _chinese(value)
        case _:
            return str(value)


def _roman(value: int) -> str:
    if not 0 < value < 5000:
        return str(value)
    written = ""
    for worth, sign in ROMAN:
        written += sign * (value // worth)
        value %= worth
    return written


def _chinese(value: int) -> str:
    tens, ones = divmod(value, 10)
    before = "" if tens < 2 else CHINESE[tens]
    return (before + "十" if tens else "") + (CHINESE[ones] if ones else "")


class Numbering:
    """Counts through a document: ask `label` once for each numbered paragraph, in order."""

    def __init__(self, root: etree._Element | None) -> None:
        self._definitions: dict[str, dict[int, Level]] = {}
        self._lists: dict[str, List] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._begun: set[tuple[str, int]] = set()
        if root is not None:
            self._read(root)

    def _read(self, root: etree._Element) -> None:
        linked: dict[str, str] = {}
        for element in root:
            identity = attribute(element, "abstractNumId")
            if local(element) == "abstractNum":
                self._definitions[identity] = _levels(element)
                for child in element:
                    if local(child) == "styleLink":
                        linked[attribute(child, "val")] = identity
        for element in root:
            if local(element) == "abstractNum":
                for child in element:
                    if local(child) == "numStyleLink" and attribute(child, "val") in linked:
                        target = linked[attribute(child, "val")]
                        self._definitions[attribute(element, "abstractNumId")] = self._definitions[target]
            elif local(element) == "num":
                definition = next((attribute(e, "val") for e in element if local(e) == "abstractNumId"), "")
                starts = {}
                levels = dict(self._definitions.get(definition, {}))
                for override in (e for e in element if local(e) == "lvlOverride"):
                    place = integer(attribute(override, "ilvl"), 0)
                    levels |= _levels(override)
                    for child in override:
                        if local(child) == "startOverride":
                            starts[place] = integer(attribute(child, "val"), 1)
                self._lists[attribute(element, "numId")] = List(definition, starts, levels)

    def level_of_style(self, list_: str, style: str) -> int:
        """The level that a paragraph style has in a list."""
        levels = self._lists[list_].levels if list_ in self._lists else {}
        return next((place for place, level in levels.items() if level.style == style), 0)

    def label(self, list_: str, place: int) -> str:
        """The next number of level `place`, from 0, of a list, with the marks around it; "" when it has none."""
        counted = self._lists.get(list_)
        if counted is None or place not in counted.levels:
            return ""
        level = counted.levels[place]
        counts = self._counts.setdefault(counted.definition, {})
        if place in counted.starts and (list_, place) not in self._begun:
            counts[place] = counted.starts[place] - 1
        self._begun.add((list_, place))
        for above in range(place):
            counts.setdefault(above, counted.levels[above].start if above in counted.levels else 1)
        counts[place] = counts.get(place, level.start - 1) + 1
        for below in [b for b in counts if b > place]:
            restart = counted.levels[below].restart if below in counted.levels else None
            if restart is None or (restart and place < restart):
                del counts[below]
        if level.format == "bullet":
            return "  " * place + "-"
        return re.sub(r"%([1-9])", lambda found: self._part(counted, level, counts, int(found[1]) - 1), level.text)

    def _part(self, counted: List, level: Level, counts: dict[int, int], place: int) -> str:
        own = counted.levels.get(place, Level())
        decimal = level.legal and own.format != "none"
        return number(counts.get(place, own.start), "decimal" if decimal else own.format)


def _levels(parent: Iterable[etree._Element]) -> dict[int, Level]:
    levels = {}
    for element in parent:
        if local(element) != "lvl":
            continue
        values = {local(child): attribute(child, "val") for child in element}
        levels[integer(attribute(element, "ilvl"), 0)] = Level(
            start=integer(values.get("start", ""), 1),
            format=values.get("numFmt", "decimal"),
            text=values.get("lvlText", ""),
            restart=integer(values["lvlRestart"], 0) if "lvlRestart" in values else None,
            legal=values.get("isLgl", "0") not in ("0", "false", "off") if "isLgl" in values else False,
            style=values.get("pStyle", ""),
        )
    return levels
