"""File names as they may be shown: a name can hold anything but "/" and NUL, and a person must be able to trust it."""

import os
import unicodedata

# Embeddings, overrides and isolates: with them "exe.txt" can be made to look like "txt.exe".
DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def shown(name: str) -> str:
    """The name, with bytes that are no text, control characters and changes of direction as U+FFFD; same length."""
    return "".join("\ufffd" if _misleading(c) else c for c in name)


def relative(path: str) -> str:
    """A path inside a folder as it is shown, with "/" between its parts on every system."""
    return shown(path.replace(os.sep, "/"))


def _misleading(character: str) -> bool:
    return character in DIRECTIONS or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
