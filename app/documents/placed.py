"""A text that knows where each of its characters stood before it was cleaned. Edits keep that right by construction."""

import re
from bisect import bisect_right
from collections.abc import Iterable

from msgspec import Struct

Edit = tuple[int, int, str]
"""Characters `start` to `end` of a text become these. Of several edits: in order, and none touches another's."""

NOWHERE = -1
"""The place of characters that stood nowhere."""


class Placed(Struct, frozen=True):
    """From character `starts[i]` on, up to the next start, the text's characters stood at `raws[i]` and on."""

    text: str
    starts: list[int]
    raws: list[int]

    def raw(self, place: int) -> int:
        """Where the character at `place` stood; of the text's end, where its last character ended."""
        at = bisect_right(self.starts, place) - 1
        if at < 0 or self.raws[at] == NOWHERE:
            return NOWHERE
        return self.raws[at] + place - self.starts[at]

    def edited(self, edits: Iterable[Edit]) -> "Placed":
        """Characters of a replacement of the same length stand where those stood that they replace; of another length,
        each stands where the one stood that it is the nearest to."""
        built = _Building(self)
        done = 0
        for start, end, new in edits:
            built.keep(done, start)
            if len(new) == end - start:
                built.keep(start, end, new)
            else:
                for step, character in enumerate(new):
                    built.put(character, self.raw(min(start + step, end - 1)) if start < end else NOWHERE)
            done = end
        if not done:
            return self
        built.keep(done, len(self.text))
        return Placed("".join(built.parts), built.starts, built.raws)

    def stripped(self, characters: str) -> "Placed":
        """Without these characters at both ends."""
        start = len(self.text) - len(self.text.lstrip(characters))
        end = len(self.text.rstrip(characters))
        return self.edited([(0, start, ""), (max(start, end), len(self.text), "")])

    def followed_by(self, text: str) -> "Placed":
        """With a text after it that stood nowhere."""
        if not text:
            return self
        return Placed(self.text + text, [*self.starts, len(self.text)], [*self.raws, NOWHERE])


class _Building:
    """The text and the places of what is edited, from its start on."""

    def __init__(self, old: Placed) -> None:
        self.old = old
        self.parts: list[str] = []
        self.starts: list[int] = []
        self.raws: list[int] = []
        self.length = 0

    def keep(self, start: int, end: int, new: str | None = None) -> None:
        """Carry characters `start` to `end` of the old text over, or as many new ones that stand in their places."""
        if start >= end:
            return
        old = self.old
        first = bisect_right(old.starts, start)
        last = bisect_right(old.starts, end - 1)
        self._run(old.raw(start))
        shift = self.length - start
        self.starts += [at + shift for at in old.starts[first:last]]
        self.raws += old.raws[first:last]
        self.parts.append(old.text[start:end] if new is None else new)
        self.length += end - start

    def put(self, character: str, raw: int) -> None:
        self._run(raw)
        self.parts.append(character)
        self.length += 1

    def _run(self, raw: int) -> None:
        """A run begins here, unless the last one leads here."""
        if self.raws:
            last = self.raws[-1]
            leads = NOWHERE if last == NOWHERE else last + self.length - self.starts[-1]
            if leads == raw:
                return
        self.starts.append(self.length)
        self.raws.append(raw)


def matches(pattern: re.Pattern[str], text: str, new: dict[str, str], other: str = "") -> list[Edit]:
    """An edit for each match of `pattern`: to what `new` has for it, or to `other`."""
    return [(found.start(), found.end(), new.get(found[0], other)) for found in pattern.finditer(text)]
