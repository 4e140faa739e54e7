"""A mail, whatever it was kept in: who, when, what about, its words, and what is attached."""

from collections.abc import Callable, Iterable

from msgspec import Struct

from app.data.document import Heading, LeftOut, Span, Warning
from app.documents.container import Container
from app.documents.names import shown
from app.documents.pages import clean
from app.documents.source import Content, Source

SHOWN = ("From", "To", "Cc", "Bcc", "Date", "Subject")
"""Headers that are read as lines over the words."""


class Attached(Struct, frozen=True):
    name: str
    load: Callable[[], bytes] = bytes
    """Its bytes; raises `Unreadable`."""
    letter: "Callable[[], Letter] | None" = None
    """A mail that was sent on as an attachment."""
    reason: str = ""
    """Why it is not read."""


class Words(Struct, frozen=True):
    text: str = ""
    headings: tuple[Heading, ...] = ()


class Letter(Struct, frozen=True):
    headers: tuple[tuple[str, str], ...] = ()
    words: Words = Words()
    attached: tuple[Attached, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[Warning, ...] = ()

    @property
    def subject(self) -> str:
        return next((value for name, value in self.headers if name == "Subject"), "")


def read_letters(source: Source, letters: Iterable[Letter], total: int) -> Content:
    """A mail, or a mailbox of `total` of them: each with what is attached to it, under a line with its name. In a
    mailbox that name begins with the mail's number."""
    inside = source.place()
    container = Container("mail", source.limits, source.options, inside)
    for index, letter in enumerate(letters):
        inside.at(index, total, inside.path)
        _add(container, letter, index, source.name)
        inside.allowance.open(len(letter.attached))
        number = f"{index + 1}/" if total > 1 else ""
        for one in letter.attached:
            path = number + (one.name.replace("/", "\ufffd") or "?")
            if one.reason:
                container.leave(path, one.reason)
            else:
                container.read(path, one.load, index, total, reading=_reading(one))
    inside.at(total, total, inside.path)
    return container.content()


def _reading(attached: Attached) -> Callable[[Source], Content] | None:
    letter = attached.letter
    return None if letter is None else lambda source: read_letters(source, (letter(),), 1)


def _add(container: Container, letter: Letter, index: int, name: str) -> None:
    """The headers that people read, an empty line, the words."""
    over = "\n".join(f"{header}: {value}" for header, value in letter.headers)
    text = f"{over}\n\n{letter.words.text}".strip("\n")
    container.left_out += letter.left_out
    container.warnings += letter.warnings
    if not text.strip():
        return
    label = shown(" ".join(letter.subject.split())) or name
    start = len(over) + 2 if over else 0
    container.pages.paste(text, (Span(0, len(text), index, label),), _moved(letter.words.headings, start))


def joined(several: Iterable[Words]) -> Words:
    """Words one after another, with an empty line between them."""
    headings: list[Heading] = []
    parts: list[str] = []
    start = 0
    for words in several:
        headings += _moved(words.headings, start)
        parts.append(words.text)
        start += len(words.text) + 2
    return Words("\n\n".join(parts), tuple(headings))


def _moved(headings: Iterable[Heading], by: int) -> list[Heading]:
    return [Heading(one.start + by, one.level, one.title) for one in headings]


def header_lines(values: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Those of `SHOWN` that say something, in their order."""
    return tuple((name, said) for name in SHOWN if (said := " ".join(clean(values.get(name, "")).split())))
