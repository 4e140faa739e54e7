"""Looking for words in kept text, in scripts with and without spaces."""

TRIGRAM = 3
"""Shorter words are not in the trigram index: they are looked for in the text itself."""

AROUND = 40
"""Characters shown on either side of the first match."""


def matcher(words: list[str], column: str, *, index: str | None = None, row: str = "") -> tuple[str, list[str]]:
    """A condition of SQL that holds where `column` has every word, letter case aside, and its values.

    With `index`, a full-text table of trigrams over the same text whose rows are those of `row`, long words use it.
    """
    indexed = [word for word in words if index is not None and len(word) >= TRIGRAM]
    conditions = [f"{column} LIKE ? ESCAPE '\\'" for word in words if word not in indexed]
    values = [f"%{_escaped(word)}%" for word in words if word not in indexed]
    if indexed:
        conditions.insert(0, f"{row} IN (SELECT rowid FROM {index} WHERE {index} MATCH ?)")
        values.insert(0, " AND ".join('"' + word.replace('"', '""') + '"' for word in indexed))
    return "(" + " AND ".join(conditions) + ")", values


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def snippet(text: str, words: list[str]) -> str:
    """The words' surroundings on one line, with an ellipsis where text was left away."""
    folded = text.casefold()
    places = [folded.find(word.casefold()) for word in words]
    first = min((place for place in places if place >= 0), default=0)
    start, end = max(0, first - AROUND), min(len(text), first + AROUND + max(map(len, words)))
    shown = " ".join(text[start:end].split())
    return ("…" if start else "") + shown + ("…" if end < len(text) else "")
