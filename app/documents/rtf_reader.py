"""Reads an RTF token by token. A group is an entry on a list and no call: no nesting is too deep for the stack."""

import re
from copy import copy

from app.data.document import Changes, Warning
from app.documents.errors import Unreadable
from app.documents.rtf_bytes import encoding, group_end
from app.documents.rtf_flow import Flow
from app.documents.rtf_groups import Beside, Group, is_page_number
from app.documents.rtf_tables import Tables
from app.documents.rtf_words import AROUND, CAPTURED, FLOWS, OPEN, PROPERTIES, SIGNS, SKIPPED, TABLES
from app.documents.takers import Lines, Taker
from app.documents.tracked import ChangeKind, Mark, Tracking

DEEPEST = 10_000
"""Groups in groups. Word itself writes a dozen."""

CHANGES: dict[str, ChangeKind] = {
    "deleted": "deleted",
    "revised": "inserted",
    "mvf": "moved away",
    "mvt": "moved here",
}
AUTHORS: dict[str, ChangeKind] = {"revauth": "inserted", "revauthdel": "deleted"}
ENCODINGS = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}


class Reader:
    """Give every token to `take`, each from the place that the last one returned, while there are `groups`."""

    def __init__(self, data: bytes, taker: Taker, changes: Changes) -> None:
        self.groups: list[Group] = []
        self.beside = Beside()
        self._data = data
        self._body = Flow(taker)
        self._tracking = Tracking(changes)
        self._tables = Tables()
        self._bytes = bytearray()
        self._skip = 0
        """Characters still to be passed over after a `\\u`."""
        self._high = 0
        """The first half of a character that is written as two."""
        self._said: tuple[ChangeKind, ...] = ()
        """The changes of the words that came last."""
        self._default_font: int | None = None
        self._hiding = False
        self._counts = {"hidden_text": 0, "pictures": 0, "embedded": 0}
        self._damaged = 0

    def take(self, token: re.Match[bytes]) -> int:
        """Where the next token begins."""
        place = token.end()
        match token.lastgroup:
            case "brace" if token[0] == b"{":
                return self._open(place)
            case "brace":
                self._close()
            case "word" | "number":
                number = token["number"]
                return self._word(token["word"].decode("ascii"), int(number) if number else None, place)
            case "symbol":
                return self._symbol(token["symbol"], place)
            case "hex":
                self._add(bytes.fromhex(token["hex"].decode("ascii")))
            case "text":
                self._add(token["text"])
        return place

    def finish(self) -> None:
        """The end of the file, wherever it comes."""
        while self.groups:
            self._close()
        self._body.finish()

    def warnings(self) -> list[Warning]:
        found = self._tracking.warnings()
        found += [Warning(code, {"count": str(count)}) for code, count in self._counts.items() if count]
        if self._damaged:
            values = {"count": str(self._damaged), "encoding": self._tables.fonts.usual}
            found.append(Warning("damaged_characters", values))
        return found

    def _open(self, place: int) -> int:
        self._flush()
        self._skip = 0
        if not self.groups:
            self.groups.append(Group(self._body, Lines()))
            return place
        outer = self.groups[-1]
        if len(self.groups) > DEEPEST:
            raise Unreadable("damaged", "RTF")
        if outer.alternatives and not self._data.startswith(b"\\*\\ud", place):
            place = group_end(self._data, place)
        outer.fresh = False
        inner = copy(outer)
        inner.opened, inner.fresh, inner.starred, inner.alternatives = "", True, False, False
        self.groups.append(inner)
        return place

    def _close(self) -> None:
        self._flush()
        self._skip = 0
        group = self.groups.pop()
        if not self.groups:
            return
        outer = self.groups[-1]
        if group.opened in AROUND:
            self._say(AROUND[group.opened][1])
        elif group.opened:
            self.beside.end(group, outer)

    def _symbol(self, symbol: bytes, place: int) -> int:
        match symbol:
            case b"*":
                self.groups[-1].starred = True
            case b"~" | b"_" | b"-":
                self._say({b"~": " ", b"_": "-", b"-": ""}[symbol])
            case b"\\" | b"{" | b"}":
                self._add(symbol)
            case b"\n" | b"\r":
                self._paragraph()
            case b"\t":
                self._say("\t")
        return place

    def _word(self, word: str, number: int | None, place: int) -> int:
        group = self.groups[-1]
        fresh, starred = group.fresh, group.starred
        group.fresh = group.starred = False
        if word == "bin":
            return place + max(number or 0, 0)
        if (fresh or starred) and self._is_passed_over(word, starred, group):
            self._counts["pictures"] += word == "pict"
            self._counts["embedded"] += word == "objdata"
            return group_end(self._data, place)
        skipped, self._skip = self._skip, 0
        if word in SIGNS and skipped:
            self._skip = skipped - 1  # a sign for those who do not know the `\u` before it
        elif fresh and (word in FLOWS or word in CAPTURED or word in TABLES or word in AROUND):
            self._begin(group, word)
        elif group.table:
            self._flush()
            self._tables.number(group.table, word, number or 0)
            self._font(word, number, group)
        elif not self._structure(word, group):
            self._character(word, number, group)
        return place

    def _is_passed_over(self, word: str, starred: bool, group: Group) -> bool:
        if word in SKIPPED or (starred and word not in OPEN):
            return True
        if word in FLOWS and (group.hidden or not all(map(self._tracking.reads, group.changes))):
            return True  # what hangs on words that are not read
        return (PROPERTIES.fullmatch(word) is not None and word != "mnaryPr") or (
            word == "fldrslt" and is_page_number(group)
        )

    def _begin(self, group: Group, word: str) -> None:
        if word in FLOWS:
            self.beside.begin(group, word)
        elif word in TABLES:
            group.table = word
        elif word in CAPTURED:
            group.opened, group.words = word, []
        else:
            group.opened = word
            self._say(AROUND[word][0])

    def _structure(self, word: str, group: Group) -> bool:
        """Words that stand for a sign or end something; False for any other."""
        if word in SIGNS:
            self._say(SIGNS[word])
            return True
        match word:
            case "par" | "sect":
                self._paragraph()
            case "cell":
                self._flush()
                group.flow.cell(self._tables.level(group.style, group.outline))
            case "row":
                self._flush()
                group.flow.row()
            case "nestcell":
                self._flush()
                group.flow.nested_cell()
            case "nestrow":
                self._flush()
                group.flow.nested_row()
            case "pard":
                group.style, group.outline, group.in_table = 0, None, False
            case "upr":
                group.alternatives = True
            case "ftnalt":
                group.endnote = True
            case _:
                return False
        return True

    def _character(self, word: str, number: int | None, group: Group) -> None:
        """Words that say how what follows is to be read."""
        on = number != 0
        match word:
            case "u" if number is not None:
                self._unicode(number, group)
            case "uc":
                group.fallback = max(number or 0, 0)
            case "s":
                group.style = number or 0
            case "outlinelevel":
                group.outline = number or 0
            case "intbl":
                group.in_table = on
            case "itap":
                group.in_table = bool(number)
            case "v":
                self._flush()
                group.hidden = on
            case "plain":
                self._flush()
                group.hidden, group.changes, group.font, group.script = False, (), None, ""
            case "deff":
                self._default_font = number
            case "ansicpg" if number:
                self._tables.fonts.usual = encoding(number)
            case "fftype" | "ffres" | "ffdefres":
                self.beside.form[word] = number or 0
            case _ if word in CHANGES:
                self._flush()
                others = tuple(change for change in group.changes if change != CHANGES[word])
                group.changes = (*others, CHANGES[word]) if on else others
            case _ if word in AUTHORS:
                group.authors = (
                    *(one for one in group.authors if one[0] != AUTHORS[word]),
                    (AUTHORS[word], number or 0),
                )
            case _ if word in ENCODINGS:
                self._tables.fonts.usual = ENCODINGS[word]
            case _:
                self._font(word, number, group)

    def _font(self, word: str, number: int | None, group: Group) -> None:
        match word:
            case "loch" | "hich" | "dbch":
                self._flush()
                group.script = word
            case "af" if group.script == "dbch":
                self._flush()
                group.east = number
            case "f":
                self._flush()
                group.font = number
                if group.script == "dbch":
                    group.east = number

    def _unicode(self, number: int, group: Group) -> None:
        self._flush()
        code = number & 0xFFFF if number < 0 else number
        self._skip = group.fallback
        if 0xD800 <= code < 0xDC00:
            self._high = code
            return
        if 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((self._high - 0xD800) << 10) + (code - 0xDC00) if self._high else 0xFFFD
        self._high = 0
        self._say(self._tables.fonts.character(group.font, code))

    def _add(self, data: bytes) -> None:
        """Bytes of the text, in the code page of their font; those after a `\\u` say the same once more."""
        group = self.groups[-1]
        group.fresh = False
        if self._skip:
            skipped = min(self._skip, len(data))
            self._skip -= skipped
            data = data[skipped:]
        self._bytes += data

    def _flush(self) -> None:
        """Say the bytes so far: they are decoded together, for one character may be several of them."""
        if not self._bytes:
            return
        data, self._bytes = bytes(self._bytes), bytearray()
        group = self.groups[-1]
        font = group.east if group.script == "dbch" and group.east is not None else group.font
        font = self._default_font if font is None else font
        text = self._tables.fonts.text(font, data)
        self._damaged += text.count("\ufffd")
        self._words(text)

    def _say(self, text: str) -> None:
        self._flush()
        self._words(text)

    def _words(self, text: str) -> None:
        group = self.groups[-1]
        if not text:
            return
        if group.table:
            self._tables.say(group.table, text)
        elif group.words is not None:
            group.words.append(text)
        elif group.hidden:
            self._counts["hidden_text"] += not self._hiding
            self._hiding = True
        else:
            self._hiding = False
            self._changed_words(text, group)

    def _changed_words(self, text: str, group: Group) -> None:
        for change in group.changes:
            if change not in self._said and text.strip():
                self._tracking.count(change)
        if text.strip():
            self._said = group.changes
        if all(self._tracking.reads(change) for change in group.changes):
            group.flow.say(text, self._marks(group))

    def _marks(self, group: Group) -> tuple[Mark, ...]:
        if not self._tracking.marks:
            return ()
        authors = dict(group.authors)
        return tuple(Mark(change, self._tables.author(authors.get(change, -1))) for change in group.changes)

    def _paragraph(self) -> None:
        """The end of a paragraph; one that is not read lets it go on in the next."""
        self._flush()
        group = self.groups[-1]
        if group.words is not None or group.table:
            return
        if not all(self._tracking.reads(change) for change in group.changes):
            return
        if marks := self._marks(group):
            group.flow.say(" ¶", marks)
        group.flow.paragraph(self._tables.level(group.style, group.outline), group.in_table)
