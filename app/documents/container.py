"""What holds files, folders and archives and mails alike: the files one after another, each under a line with its path.

A file is read by the reader of its format, within what the whole document may cost. A file that has pages of its own
keeps them; what is left out, a file or a part of one, is named with a reason.
"""

import posixpath
from collections import Counter
from collections.abc import Callable

from msgspec import structs

from app.data.document import Kind, LeftOut, Run, Span, Warning
from app.documents.errors import PassedOver, Unreadable
from app.documents.messages import Limits, Options
from app.documents.names import shown
from app.documents.pages import Pages
from app.documents.passing_over import text_reason
from app.documents.reading import read as read_file
from app.documents.signatures import is_more_than_text
from app.documents.source import Content, Inside, Source

Reading = Callable[[Source], Content]

ALIKE = 20
"""Warnings of one kind that are given file by file; the others are counted."""
PICTURES = ("", "RIFF", "ELF", "EXE", "SQLite", "OGG", "MP3", "FLAC", "SVG", "JAR")
"""Formats that hold no text to speak of; `Unreadable` names others, which a later Longread may read."""
HOLDERS: tuple[Kind, ...] = ("folder", "archive")
"""Their own text begins with the line of their first file."""


class Container:
    """Grows by `read`. `inside` says where the folder, archive or mail itself lies."""

    def __init__(self, kind: Kind, limits: Limits, options: Options, inside: Inside) -> None:
        self.pages = Pages(limits.characters)
        self.left_out: list[LeftOut] = []
        self.warnings: list[Warning] = []
        self._kind = kind
        self._limits = limits
        self._options = options
        self._inside = inside
        self._runs: list[Run] = []
        self._taken: dict[str, int] = {}
        """By path: how many files were given it."""

    def leave(self, path: str, reason: str) -> None:
        """A file that is not read."""
        self.left_out.append(LeftOut(shown(path), reason))

    def read(
        self,
        path: str,
        load: Callable[[], bytes],
        done: int,
        total: int,
        as_source: bool = False,
        reading: Reading | None = None,
    ) -> bool:
        """The file at `path`, with "/" between its parts, `done` of `total`; whether it gave any text.

        `load` gives its bytes, or raises `Unreadable`. `reading`: its reader, when its bytes need not tell.
        """
        path = self._unique(path)
        label = shown(path)
        inside = self._step(path, done, total)
        if inside.path in inside.skip:
            self.left_out.append(LeftOut(label, inside.skip[inside.path]))
            return False
        self._inside.at(done, total, inside.path)
        try:
            if inside.depth > self._limits.depth:
                raise PassedOver("nested")
            data = load()
            if len(data) > self._limits.file and not is_more_than_text(data):
                raise Unreadable("too_big")
            source = self._source(data, path, inside)
            content = (reading or (lambda source: read_file(source, as_source)))(source)
            text = content.pages.text()
            if content.kind in ("text", "code", "markdown") and (reason := text_reason(source.name, text)):
                raise PassedOver(reason)
        except Unreadable as unreadable:
            self.left_out.append(LeftOut(label, _reason(unreadable)))
            return False
        except MemoryError:
            self.left_out.append(LeftOut(label, "too_big"))
            return False
        except RecursionError:
            self.left_out.append(LeftOut(label, "damaged"))
            return False
        self._adopt(label, content, text)
        return bool(text.strip())

    def content(self, sha256: str = "", size: int = 0) -> Content:
        return Content(
            self._kind,
            self.pages,
            tuple(self.left_out),
            _shortened(self.warnings),
            tuple(self._runs),
            sha256=sha256,
            size=size,
        )

    def _unique(self, path: str) -> str:
        """An archive may hold several files of one name: each has a path of its own."""
        given = path
        stem, ending = posixpath.splitext(given)
        while path in self._taken:
            self._taken[given] += 1
            path = f"{stem} ({self._taken[given]}){ending}"
        self._taken[path] = 1
        return path

    def _step(self, path: str, done: int, total: int) -> Inside:
        """The place of a file in this one."""
        mine = self._inside
        return structs.replace(
            mine,
            at=lambda _done, _total, path: mine.at(done, total, path),
            path=f"{mine.path}/{path}" if mine.path else path,
            depth=mine.depth + 1,
        )

    def _source(self, data: bytes, path: str, inside: Inside) -> Source:
        below = path + "/"
        words = self._options.passwords.items()
        passwords = {name.removeprefix(below): word for name, word in words if name.startswith(below)}
        if path in self._options.passwords:
            passwords[""] = self._options.passwords[path]
        return Source(
            data,
            shown(path.rpartition("/")[2]),
            structs.replace(self._limits, inflated=max(0, inside.allowance.inflated)),
            lambda done, total: inside.at(done, total, inside.path),
            structs.replace(self._options, passwords=passwords),
            inside,
        )

    def _adopt(self, label: str, content: Content, text: str) -> None:
        holder = content.kind in HOLDERS
        joint = "/" if holder or content.kind == "mail" else ": "
        self.left_out += (structs.replace(part, what=label + joint + part.what) for part in content.left_out)
        for warning in content.warnings:
            of = f"{label}/{warning.values['file']}" if "file" in warning.values else label
            self.warnings.append(structs.replace(warning, values={**warning.values, "file": of}))
        if not text.strip():
            if not content.left_out:
                self.left_out.append(LeftOut(label, "no_text"))
            return
        # A holder's own lines say the whole path already.
        before = "" if holder else f"=== {self._whole(label)} ===\n"
        start = self.pages.paste(text, self._spans(label, content), content.pages.headings, before)
        self._runs += (Run(run.start + start, run.raw) for run in content.runs)

    def _whole(self, label: str) -> str:
        return f"{shown(self._inside.path)}/{label}" if self._inside.path else label

    def _spans(self, label: str, content: Content) -> list[Span]:
        """The file's own pages, or one for the whole file where it has none."""
        inner = content.pages.spans
        if content.kind in ("text", "code") or (content.unit == "section" and len(inner) == 1):
            return [self._whole_file(label, inner[0].start, inner[-1].end)]
        return [self._inner(span, label, content, place) for place, span in enumerate(inner)]

    def _inner(self, span: Span, label: str, content: Content, place: int) -> Span:
        if content.kind in HOLDERS and not span.file:
            return self._whole_file(f"{label}/{span.label}", span.start, span.end, place)
        file = f"{label}/{span.file}" if span.file else label
        # What a mail's attachment is called goes on from the mail.
        name = file if span.label == span.file else span.label
        return structs.replace(span, file=file, label=name, unit=span.unit or content.unit)

    def _whole_file(self, label: str, start: int, end: int, place: int = 0) -> Span:
        if self._kind == "mail":
            return Span(start, end, 0, label, label, "file")
        return Span(start, end, len(self.pages.spans) + place, label)


def _reason(unreadable: Unreadable) -> str:
    if isinstance(unreadable, PassedOver):
        return unreadable.detail
    return "binary" if unreadable.code == "unknown_format" and unreadable.detail in PICTURES else unreadable.code


def _shortened(warnings: list[Warning]) -> tuple[Warning, ...]:
    """The first of each kind, and a count of the rest."""
    seen: Counter[str] = Counter()
    kept = []
    for warning in warnings:
        seen[warning.code] += 1
        if seen[warning.code] <= ALIKE:
            kept.append(warning)
    if more := len(warnings) - len(kept):
        kept.append(Warning("more", {"count": str(more)}))
    return tuple(kept)
