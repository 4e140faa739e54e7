"""Which documents of the library the words of a command line mean."""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from app.commands.run import Parts
from app.data.document import Item
from app.data.matter import Matter
from app.services.collections import Collections
from app.services.problem import Problem

DIGEST = re.compile(r"[0-9a-f]{6,64}")
"""The beginning of a sha256 that is long enough to mean one document."""


def items(words: Iterable[str], among: Sequence[Item]) -> list[Item]:
    """Each once. Raises `Problem`: "item_unknown", or "item_ambiguous" when a word means several."""
    found: dict[str, Item] = {}
    for word in words:
        one = item(word, among)
        if one is None:
            raise Problem("item_unknown", subject=word)
        found[one.id] = one
    return list(found.values())


def item(word: str, among: Sequence[Item]) -> Item | None:
    """By the beginning of its id, its name, or where it was added from. Raises `Problem("item_ambiguous")`."""
    by_id = [one for one in among if DIGEST.fullmatch(word.lower()) and one.id.startswith(word.lower())]
    named = [one for one in among if one.name.casefold() == word.casefold()]
    source = os.path.abspath(word)
    from_there = [one for one in among if one.source == source]
    newer = {one.succeeds for one in among}
    for meant in (by_id, named, from_there):
        # of the versions of one file the newest is meant, unless another is named by its id
        newest = meant if meant is by_id else [one for one in meant if one.id not in newer] or meant
        if len(newest) > 1:
            raise Problem("item_ambiguous", subject=word, count=str(len(newest)))
        if newest:
            return newest[0]
    return None


def file(word: str) -> Path | None:
    """A file or folder of this computer, where there is one."""
    return Path(word) if os.path.exists(word) else None


def matter(name: str, collections: Collections) -> Matter:
    """Raises `Problem("matter_unknown")`."""
    found = collections.named(name)
    if found is None:
        raise Problem("matter_unknown", subject=name)
    return found


def chosen(words: Sequence[str], matter_name: str | None, parts: Parts) -> list[Item]:
    """Of the library, or of a matter: those that the words mean, or all."""
    among = parts.library.items()
    if matter_name is not None:
        held = matter(matter_name, parts.collections).items
        among = [one for one in among if one.id in held]
    return items(words, among) if words else among
