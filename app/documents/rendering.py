"""Pages of a PDF as they look, drawn in a process of its own: locked in as the one that reads documents is."""

import asyncio
import os
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

from app.data.document import Run, Span
from app.documents.messages import (
    GENEROUS,
    Draw,
    Limits,
    NotDrawn,
    NotOpened,
    NotShownCode,
    Open,
    Opened,
    Picture,
    Said,
    Wanted,
)
from app.documents.process import Death, DocumentProcess

PATIENCE = 20.0
"""Seconds for one page, or for the file to be opened."""


class NotShown(Exception):
    """A page cannot be drawn. Its text can be shown instead; sentences: `app.document_words.NOT_SHOWN`."""

    def __init__(self, code: NotShownCode) -> None:
        super().__init__(code)
        self.code: NotShownCode = code


class PdfPages:
    """The pages of one PDF. Works under any asyncio loop.

    Drawings are made one after another. A task that waits for one may be cancelled at any time. A page that kills the
    process or takes too long is refused; the next one is drawn by a new process.
    """

    def __init__(self, request: Open, patience: float) -> None:
        self.labels: tuple[str, ...] = ()
        """The printed number of each page."""
        self.sizes: tuple[tuple[float, float], ...] = ()
        """Width and height of each page as it is shown, in points."""
        self._request = request
        self._patience = patience
        self._process: DocumentProcess | None = None
        self._numbers = count()
        self._owed: int | None = None
        """The drawing that was asked for and has not come yet."""
        self._turn = asyncio.Lock()

    @classmethod
    async def open(
        cls,
        path: Path,
        sha256: str = "",
        password: str = "",
        inner: str = "",
        limits: Limits = GENEROUS,
        patience: float = PATIENCE,
    ) -> Self:
        """Open a PDF that was read. Raises `NotShown`.

        `sha256`: of the file as it was read; another one is refused. `inner`: the PDF's relative path, with "/" between
        its parts, where `path` is a folder; of a file in an archive or a mail there are no pages to show.
        """
        pages = cls(Open(_source(path, inner), limits, sha256, password), patience)
        await pages._start()
        return pages

    async def draw(self, index: int, width: int, wanted: Sequence[Wanted] = ()) -> Picture:
        """Page `index`, counted from 0, so many pixels wide, and where words stand on it. Raises `NotShown`."""
        async with self._turn:
            if self._owed is not None:  # by a task that was cancelled
                with suppress(NotShown):
                    await self._drawing()
            if self._process is not None and self._process.over.is_set():
                await self.close()
            process = self._process or await self._start()
            self._owed = next(self._numbers)
            process.ask(Draw(self._owed, index, width, tuple(wanted)))
            drawn = await self._drawing()
        if isinstance(drawn, Picture):
            return drawn
        raise NotShown(drawn.code)

    async def close(self) -> None:
        """End the process. A later `draw` starts another."""
        process, self._process, self._owed = self._process, None, None
        if process is not None:
            await process.end()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _start(self) -> DocumentProcess:
        process = self._process = DocumentProcess(self._request, self._request.limits)
        try:
            said = await self._hear(process)
            if isinstance(said, NotOpened):
                raise NotShown(said.code)
            if not isinstance(said, Opened):
                raise NotShown("crashed")
        except BaseException:
            await self.close()
            raise
        self.labels, self.sizes = said.labels, said.sizes
        return process

    async def _drawing(self) -> Picture | NotDrawn:
        """The drawing that is owed."""
        assert self._process is not None
        said = await self._hear(self._process)
        if not isinstance(said, Picture | NotDrawn) or said.number != self._owed:
            await self.close()
            raise NotShown("crashed")
        self._owed = None
        return said

    async def _hear(self, process: DocumentProcess) -> Said:
        """What the process says next. Raises `NotShown` when it dies or says nothing, and ends it."""
        said = await process.next(self._patience)
        if isinstance(said, Death) or said is None:
            await self.close()
            raise NotShown("too_slow" if said is None else "too_big" if said.memory else "crashed")
        return said


def _source(path: Path, inner: str) -> bytes:
    if inner and not path.is_dir():
        raise NotShown("packed" if path.exists() else "missing")
    return os.fsencode(os.path.abspath(path / inner if inner else path))


def wanted(runs: Sequence[Run], span: Span, text: str, start: int, end: int) -> Wanted:
    """Characters `start` to `end` of a document's whole text, as they are asked for on the page of `span`. `runs`: all
    of the document's."""
    start, end = max(start, span.start), min(end, span.end)
    first = max(bisect_right(runs, start, key=_start) - 1, bisect_left(runs, span.start, key=_start))
    last = bisect_left(runs, end, key=_start)
    pieces = []
    words = []
    for place in range(first, last):
        run = runs[place]
        begins = max(start, run.start)
        ends = min(end, runs[place + 1].start if place + 1 < len(runs) else end)
        if run.raw >= 0 and begins < ends:
            words.append(text[begins:ends])
            # A run ends after a character beyond U+FFFF, which pdfium counts as two.
            beyond = words[-1][-1] > "\uffff"
            pieces.append((run.raw + begins - run.start, ends - begins + beyond))
    return Wanted(tuple(pieces), "".join(words))


def _start(run: Run) -> int:
    return run.start
