"""What stands in an RTF's groups beside the text, and what becomes of it when the group ends."""

import re

from msgspec import Struct

from app.documents.remarks import comment, note
from app.documents.rtf_flow import Flow
from app.documents.takers import Lines
from app.documents.tracked import ChangeKind

PAGE_NUMBER = re.compile(r"\s*(PAGE|NUMPAGES|SECTIONPAGES)\b", re.I)
SHAPE_TEXTS = ("gtextUNICODE", "wzDescription")


class Group(Struct):
    """What holds inside a pair of braces. Every inner group begins with a copy."""

    flow: Flow
    beside: Lines
    """What takes the paragraphs of `flow` when they stand beside the text."""
    opened: str = ""
    """The control word that made this group more than formatting."""
    fresh: bool = True
    """Whether nothing has come in it: only then can a word make it something else."""
    starred: bool = False
    alternatives: bool = False
    table: str = ""
    words: list[str] | None = None
    """Of a group whose words are not the text's."""
    instruction: str = ""
    """Of a field."""
    margin: bool = False
    endnote: bool = False
    fallback: int = 1
    """Characters that follow each `\\u` for programs that do not know it."""
    font: int | None = None
    script: str = ""
    east: int | None = None
    """The font of double-byte characters."""
    hidden: bool = False
    changes: tuple[ChangeKind, ...] = ()
    authors: tuple[tuple[ChangeKind, int], ...] = ()
    style: int = 0
    outline: int | None = None
    in_table: bool = False


class Beside:
    """Give it each group that ends, and the group around it."""

    def __init__(self) -> None:
        self.margins: dict[str, None] = {}
        """The lines at the head and foot of the pages, each once."""
        self.form: dict[str, int] = {}
        """What is known of the form field that is being read."""
        self._counts = {"Footnote": 0, "Endnote": 0}
        self._author = ""
        self._property = ""
        self._about: dict[str, str] = {}
        self._annotation = ""

    def begin(self, group: Group, word: str) -> None:
        """`word` makes the group one of paragraphs beside the text."""
        group.opened = word
        group.beside = Lines()
        group.flow = Flow(group.beside)
        group.words = None
        group.margin = word.startswith(("header", "footer"))
        group.style, group.outline, group.in_table, group.hidden = 0, None, False, False

    def end(self, group: Group, outer: Group) -> None:
        if group.words is not None:
            self._say(group.opened, "".join(group.words), outer)
            return
        group.flow.finish()
        lines = group.beside.lines
        match group.opened:
            case "footnote":
                kind = "Endnote" if group.endnote else "Footnote"
                self._counts[kind] += 1
                name = f"{kind} {self._counts[kind]}"
                outer.flow.say(f" [{name}]")
                outer.flow.after.append(note(name, lines))
            case "annotation":
                about = self._about.pop(self._annotation, "")
                outer.flow.after.append(comment(" ".join(lines), self._author, about))
                self._author = ""
            case "shptxt" | "dptxbxtext":
                outer.flow.after.append("\n".join(lines))
            case _:
                self.margins |= dict.fromkeys(line for line in lines if any(sign.isalnum() for sign in line))

    def _say(self, word: str, words: str, outer: Group) -> None:
        """What the words of a group say about the text around it."""
        words = words.strip()
        match word:
            case "atnauthor":
                self._author = words
            case "atnref":
                self._annotation = words
            case "atrfstart":
                outer.flow.begin(words)
            case "atrfend":
                self._about[words] = outer.flow.end(words)
            case "fldinst":
                outer.instruction = words
                if words.startswith("FORMCHECKBOX"):
                    state = self.form.get("ffres", 25)
                    ticked = self.form.get("ffdefres", 0) if state == 25 else state
                    outer.flow.say("☒" if ticked else "☐")
                self.form = {}
            case "sn":
                self._property = words
            case "sv" if self._property in SHAPE_TEXTS:
                outer.flow.after.append(words)
            case "listtext" | "pntext" if words:
                outer.flow.say(f"{words if any(sign.isalnum() for sign in words) else '-'} ")


def is_page_number(group: Group) -> bool:
    """Whether a field's result at the head or foot of a page is its number."""
    return group.margin and PAGE_NUMBER.match(group.instruction) is not None
