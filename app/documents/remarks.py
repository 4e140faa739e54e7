"""How comments and notes are written down, in whatever format they were made."""

from collections.abc import Iterable

BRIEF = 60
"""Characters of the first and the last words that a comment on several paragraphs is about."""


def comment(text: str, author: str = "", about: str = "", kind: str = "Comment") -> str:
    """ "[Comment by A. Smith on “price”: Too high?]" """
    by = f" by {folded(author)}" if author.strip() else ""
    on = f" on “{folded(about)}”" if about.strip() else ""
    return f"[{kind}{by}{on}: {folded(text)}]"


def note(name: str, lines: Iterable[str]) -> str:
    """ "[Footnote 1: Without tax.]" """
    return f"[{name}: {folded(' '.join(lines))}]"


def folded(text: str) -> str:
    return " ".join(text.split())


def brief(first: str, last: str) -> str:
    """What reaches from one paragraph into another, by how it begins and ends."""
    return f"{first.strip()[:BRIEF]} … {last.strip()[-BRIEF:]}".strip()
