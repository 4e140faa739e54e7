"""Where a text is cut into segments: at ends of paragraphs, chosen so that an edit moves few of them.

Of the ends that would give a segment a good length, the one is taken whose surroundings have the smallest checksum.
The choice hangs on the words around it and not on what came long before, so two texts that differ in one place choose
the same ends again soon after it (content-defined chunking, as in LBFS, SOSP 2001).
"""

import re
import zlib
from collections.abc import Sequence

import numpy as np

from engine.prompt import Placed

SHORTEST = 0.5
"""Of the longest segment: so short may one be, that there is a choice."""
AROUND = 32
"""Characters on either side that speak for an end."""
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n\s*")
_LINE = re.compile(r"\n\s*")
_SENTENCE = re.compile(r"[.!?。！？]+[\"”’)\]]*\s+|[。！？]")
_SPACE = re.compile(r"\s+")


def borders(placed: Placed, longest: int) -> list[int]:
    """Tokens at which segments after the first begin. None is longer than `longest`."""
    ends: list[np.ndarray | None] = [None] * 4
    found, start, tokens = [], 0, len(placed.ids)
    while tokens - start > longest:
        low, high = start + int(longest * SHORTEST), start + longest
        for number, kind in enumerate((_PARAGRAPH, _LINE, _SENTENCE, _SPACE)):
            known = ends[number]
            if known is None:
                known = ends[number] = _ends(placed, kind)
            within = known[np.searchsorted(known, low) : np.searchsorted(known, high, side="right")]
            if within.size:
                start = min(within.tolist(), key=lambda token: _checksum(placed, token))
                break
        else:
            whole = int(np.searchsorted(placed.starts, placed.starts[high]))  # where its character begins
            start = whole if whole > start else high
        found.append(start)
    return found


def groups(sizes: Sequence[int], names: Sequence[str], longest: int) -> list[int]:
    """Numbers of the items at which groups after the first begin: items of `sizes` tokens, named by their content's
    `names`, are put together up to `longest`."""
    found: list[int] = []
    first = 0
    while len(sizes) - first > 1 and sum(sizes[first:]) > longest:
        total, choice = 0, []
        for number in range(first, len(sizes)):
            if number > first and total >= longest * SHORTEST:
                choice.append(number)
            if total + sizes[number] > longest and number > first:
                choice = choice or [number]
                break
            total += sizes[number]
        first = min(choice, key=lambda number: zlib.crc32(f"{names[number - 1]} {names[number]}".encode()))
        found.append(first)
    return found


def _ends(placed: Placed, kind: re.Pattern[str]) -> np.ndarray:
    """Tokens that begin right after such a place or with its last space, as words do in most vocabularies."""
    characters: list[int] = []
    for match in kind.finditer(placed.text):
        end = match.end()
        last = placed.text[end - 1]
        characters += (end - 1, end) if last.isspace() and last not in "\r\n" else (end,)
    wanted = np.array(characters, np.int64)
    tokens = np.searchsorted(placed.starts, wanted)
    inside = tokens < len(placed.ids)
    tokens, wanted = tokens[inside], wanted[inside]
    return np.unique(tokens[placed.starts[tokens] == wanted])


def _checksum(placed: Placed, token: int) -> int:
    at = int(placed.starts[token])
    return zlib.crc32(placed.text[max(0, at - AROUND) : at + AROUND].encode())
