"""Words that a chat template must not see: it is given marks that no text can hold, and they are put in afterwards.

A template could trim words, repeat or run them, and what it writes may be control, which words never are. Of tools and
their calls it looks at the names and types: words that nothing but letters and digits make are shown as they are.
"""

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex

from msgspec import Struct

_HARMLESS = re.compile(r"[A-Za-z0-9_.\-]{0,64}")


class Said(Struct, frozen=True):
    """Words that are no turn's own: of tools, their calls and what they gave."""

    text: str


class Cut(str):
    """A mark for JSON, of which templates may take a part: the mark for that part is another."""

    _marks: "Marks"
    _words: str

    def __new__(cls, marks: "Marks", words: str, whole: str | None = None) -> "Cut":
        made = super().__new__(cls, marks.of(words, whole))
        made._marks, made._words = marks, words
        return made

    def __getitem__(self, part: SupportsIndex | slice) -> str:
        return Cut(self._marks, self._words[part], self)


class Marks:
    """Of one conversation."""

    def __init__(self) -> None:
        self._secret = secrets.token_hex(12)
        self._mark = re.compile(rf"words(\d+)of{self._secret}")
        self._words: list[int | str] = []
        """A turn's number or words, by the number of their mark."""
        self._within: dict[int, list[int]] = {}
        """Marks whose words are a part of those of another."""

    def turn(self, number: int) -> str:
        """For the words of a turn."""
        return self._new(number)

    def words(self, text: str) -> str:
        """For words that are known."""
        return self._new(text) if text else ""

    def hidden(self, value: Any) -> Any:
        """A value of JSON with marks for all of its words but the harmless ones."""
        match value:
            case str():
                return value if _HARMLESS.fullmatch(value) else self._new(value)
            case Mapping():
                return {self.hidden(key): self.hidden(one) for key, one in value.items()}
            case Sequence():
                return [self.hidden(one) for one in value]
            case _:
                return value

    def tojson(self, value: Any, ensure_ascii: bool = False, indent: int | None = None, **options: Any) -> str:
        """As JSON, one mark for all of it where there are words in it: what is said at once is encoded at once. The
        place of a turn's words stays as it is."""
        text = json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, **options)
        within = [int(number) for number in self._mark.findall(text)]
        if not within or not all(isinstance(self._words[number], str) for number in within):
            return text
        self._within[len(self._words)] = within
        return Cut(self, json.dumps(self._shown(value), ensure_ascii=ensure_ascii, indent=indent, **options))

    def of(self, words: str, whole: str | None = None) -> str:
        """A new mark for words, which may be a part of those of the mark `whole`."""
        if whole is not None:
            self._within[len(self._words)] = [int(number) for number in self._mark.findall(whole)]
        return self._new(words)

    def left_out(self, text: str, words: str) -> bool:
        """Whether a template wrote none of these words, which it was given a mark for."""
        waiting = [int(number) for number in self._mark.findall(text)]
        while waiting:
            number = waiting.pop()
            if self._words[number] == words:
                return False
            waiting += self._within.get(number, ())
        return True

    def taken_apart(self, text: str) -> "list[str | int | Said] | None":
        """What a template wrote, and between its pieces turns' numbers and words; None: a mark was cut."""
        pieces: list[str | int | Said] = list(self._mark.split(text))
        if any(self._secret in str(piece) for piece in pieces):
            return None
        for at in range(1, len(pieces), 2):
            words = self._words[int(str(pieces[at]))]
            pieces[at] = Said(words) if isinstance(words, str) else words
        return pieces

    def _new(self, words: int | str) -> str:
        self._words.append(words)
        return f"words{len(self._words) - 1}of{self._secret}"

    def _shown(self, value: Any) -> Any:
        match value:
            case str():
                return self._mark.sub(lambda found: str(self._words[int(found[1])]), value)
            case Mapping():
                return {self._shown(key): self._shown(one) for key, one in value.items()}
            case Sequence():
                return [self._shown(one) for one in value]
            case _:
                return value
