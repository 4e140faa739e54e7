"""Names: of files as they may be shown, and lists of names as they are written down."""

import os
import unicodedata

# Embeddings, overrides and isolates: with them "exe.txt" can be made to look like "txt.exe".
DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def listed(names: str) -> frozenset[str]:
    """Names with spaces between them, as a set."""
    return frozenset(names.split())


def shown(name: str) -> str:
    """A file's name, which can hold anything but "/" and NUL, as a person can trust it.

    Bytes that are no text, control characters and changes of direction become U+FFFD; the same length.
    """
    return "".join("\ufffd" if _misleading(c) else c for c in name)


def relative(path: str) -> str:
    """A path inside a folder as it is shown, with "/" between its parts on every system."""
    return shown(path.replace(os.sep, "/"))


def _misleading(character: str) -> bool:
    return character in DIRECTIONS or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
