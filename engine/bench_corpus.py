"""Real prose that is on every computer with Python, in paragraphs: what long texts are made of to measure with.

Python's own manual, the descriptions in its library's sources, licences and, where they are, Perl's manual pages.
"""

import ast
import functools
import re
import sysconfig
from collections.abc import Iterator
from pathlib import Path

SHORTEST, LONGEST = 200, 4000
"""Characters of a paragraph. What is shorter is mostly a heading or an example."""
LICENCES = Path("/usr/share/common-licenses")
PERL = Path("/usr/share/perl")

_BORDER = re.compile(r"\n\s*\n")
_PROSE = re.compile(r"[a-z]{4} [a-z]")
_CONTROLS = re.compile(r"[^\n\t\x20-\ufffc]")
_ABOUT_ITSELF = re.compile(r"access number", re.IGNORECASE)
"""The planted sentences' words: no other text may seem to answer."""


@functools.cache
def paragraphs() -> tuple[str, ...]:
    """Each once, sorted: the same ones on the same computer. Takes seconds, the first time."""
    found = {part.strip() for text in _texts() for part in _BORDER.split(text)}
    return tuple(sorted(part for part in found if _usable(part)))


def _usable(part: str) -> bool:
    fits = SHORTEST < len(part) <= LONGEST
    return fits and bool(_PROSE.search(part)) and not (_CONTROLS.search(part) or _ABOUT_ITSELF.search(part))


def _texts() -> Iterator[str]:
    from pydoc_data import topics  # half a megabyte that only who measures needs

    yield from topics.topics.values()
    library, installed = (Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib"))
    for path in sorted((*library.glob("*.py"), *library.glob("*/*.py"))):
        if "test" not in path.parent.name and path.parent != installed:
            yield from _descriptions(path)
    for path in sorted((*LICENCES.glob("*"), *PERL.glob("**/*.pod"))):
        if path.is_file():
            yield path.read_text(encoding="utf-8", errors="replace")


def _descriptions(path: Path) -> Iterator[str]:
    try:
        waiting: list[ast.AST] = [ast.parse(path.read_bytes())]
    except (SyntaxError, ValueError):
        return  # made to be broken, as some of the library's own examples are
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
            waiting.extend(node.body)
