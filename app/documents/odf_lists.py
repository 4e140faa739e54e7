"""The numbers before OpenDocument's list items and headings, counted from the styles of their lists."""

import re
from collections.abc import Iterable

from lxml import etree
from msgspec import Struct

from app.documents.docx_numbering import number
from app.documents.xml import attribute, integer, local

FORMATS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "": "none"}


class Level(Struct, frozen=True):
    format: str = "none"
    """As `docx_numbering.number` takes it; "bullet" for a sign."""
    before: str = ""
    after: str = ""
    start: int = 1
    shown: int = 1
    """How many levels, this one included, are written."""
    pattern: str = ""
    """The whole of it, as newer programs say: "%1%.%2%."."""


Levels = dict[int, Level]


def list_styles(styles: Iterable[etree._Element]) -> dict[str, Levels]:
    """By name; the outline of headings has the name ""."""
    return {
        attribute(style, "name") if local(style) == "list-style" else "": {
            integer(attribute(one, "level"), 1): _level(one) for one in style if "level-style" in local(one)
        }
        for style in styles
    }


def _level(element: etree._Element) -> Level:
    if local(element).endswith(("-bullet", "-image")):
        return Level("bullet")
    format_ = attribute(element, "num-format")
    return Level(
        FORMATS.get(format_, "chineseCounting" if format_[:1] == "一" else "decimal"),
        attribute(element, "num-prefix"),
        attribute(element, "num-suffix"),
        integer(attribute(element, "start-value"), 1),
        integer(attribute(element, "display-levels"), 1),
        attribute(element, "num-list-format"),
    )


class Counter:
    """Counts one list, or the headings: ask `label` once for each item, in order."""

    def __init__(self, levels: Levels, within: "Counter | None" = None) -> None:
        self.levels = levels
        self._counts: dict[int, int] = within._counts if within is not None else {}
        """Shared with the list that this one stands in: its numbers are part of this one's."""

    def label(self, depth: int, start: int | None = None) -> str:
        """The number of the next item of level `depth`, from 1, with the marks around it; "" when it has none."""
        level = self.levels.get(depth)
        if level is None:
            return ""
        for deeper in [at for at in self._counts if at > depth]:
            del self._counts[deeper]
        self._counts[depth] = self._counts.get(depth, level.start - 1) + 1 if start is None else start
        if level.format == "bullet":
            return "  " * (depth - 1) + "-"
        if level.format == "none" and not level.pattern:
            return level.before + level.after
        if level.pattern:
            return re.sub(r"%([0-9]{1,2})%", lambda found: self._written(int(found[1])), level.pattern)
        first = max(1, depth - level.shown + 1)
        parts = [self._written(at) for at in range(first, depth + 1)]
        return level.before + ".".join(part for part in parts if part) + level.after

    def _written(self, depth: int) -> str:
        level = self.levels.get(depth, Level())
        return number(self._counts.get(depth, level.start), level.format) if level.format != "bullet" else ""
