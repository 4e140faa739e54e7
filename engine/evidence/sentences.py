"""Where the sentences of an answer end, as it is written.

A sentence ends with a mark and a word after it, with a mark of a script that has no spaces, or with its line. Points of
numbers, abbreviations and initials end none, and a fenced block of code is one, whatever it holds.
"""

import re
from collections.abc import Iterator

_MARK = re.compile(
    r"[.!?…]+[\"'”’»)\]*_]*(?=\s+(?P<next>\S))|[。！？]+[」』”’）】]*(?=[^。！？」』”’）】])|\n", re.DOTALL
)
"""What may end a sentence, with something behind it that says so."""
_FENCE = re.compile(r"\s*(?P<fence>```+|~~~+)")
_SHORTENED = re.compile(
    r"mr|mrs|ms|dr|prof|st|rev|hon|gen|col|capt|sgt|messrs|mme|al|cf|vs?|ca|approx|inc|ltd|corp|co|jr|sr|dept|est|eg|"
    r"ie|viz|resp|[a-z]|(?:[a-z]\.)+[a-z]",
    re.IGNORECASE,
)
_BEFORE_NUMBERS = re.compile(r"nos?|arts?|secs?|ch|pp?|vol|figs?|para|cl|app|eds?", re.IGNORECASE)
_NUMBERING = re.compile(r"\s*\(?(?:\d{1,3}|[ivxl]{1,5})", re.IGNORECASE)
"""All of a line before a point that numbers it."""


class Sentences:
    """`add` what is written, piece by piece; each time and at the end come characters (start, end) of all the text so
    far, one pair a sentence, without the spaces around it. What holds no letter or digit is no sentence."""

    def __init__(self) -> None:
        self._text = ""
        self._start = self._looked = 0
        """Where the sentence begins that is not ended, and from where on it has not been looked through."""

    def add(self, text: str) -> Iterator[tuple[int, int]]:
        """Sentences that have ended."""
        self._text += text
        while (end := self._end()) is not None:
            yield from self._ended(end)

    def rest(self) -> Iterator[tuple[int, int]]:
        """The last one, which nothing ends but the text's own end."""
        yield from self._ended(len(self._text))

    def _end(self) -> int | None:
        fence = _FENCE.match(self._text, self._start)
        if fence is not None:
            closing = re.compile(rf"\n[ \t]*{fence['fence']}[ \t]*\n").search(self._text, fence.end())
            return None if closing is None else closing.end()
        for match in _MARK.finditer(self._text, self._looked):
            if not self._goes_on(match):
                return match.end()
            self._looked = match.end()
        return None

    def _goes_on(self, match: re.Match[str]) -> bool:
        """Whether a point ends a word, or numbers a line, rather than a sentence."""
        if not match.group().startswith(".") or match.group().startswith(".."):
            return False
        line = self._text[self._start : match.start()].rpartition("\n")[2]
        word = line.split(" ")[-1].lstrip("([\"'“‘*_")
        shortened = _SHORTENED.fullmatch(word) or (match["next"].isdigit() and _BEFORE_NUMBERS.fullmatch(word))
        return bool(shortened or _NUMBERING.fullmatch(line))

    def _ended(self, end: int) -> Iterator[tuple[int, int]]:
        whole = self._text[self._start : end]
        first = self._start + len(whole) - len(whole.lstrip())
        self._start = self._looked = end
        if any(map(str.isalnum, whole)):
            yield first, first + len(whole.strip())
