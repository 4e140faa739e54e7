"""Pages as they are printed, for the right pane: drawn by a process that stays as long as their document is shown."""

import asyncio
import contextlib
from pathlib import Path

from PySide6.QtCore import QObject

from app import document_words
from app.controller.desk import Desk
from app.data.document import Item
from app.data.drawing import Drawing, Rectangle
from app.documents.messages import Picture
from app.documents.rendering import NotShown, PdfPages, wanted
from app.models.spoken import spoken
from app.services.problem import Problem

OPEN = 2
"""Documents whose processes are kept: those that can stand side by side."""


class DrawingController(QObject):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._services, self._window, self._tasks = desk.services, desk.window, desk.tasks
        self._pages: dict[tuple[str, str], PdfPages] = {}
        """By item and its file, where it is a folder; the one that was drawn from last is the last."""
        self._passwords: dict[str, str] = {}
        self._latest: dict[str, tuple[int, int]] = {}
        """By item: the span and the width that were asked for last. Those before it need not be drawn any more."""
        self._turn = asyncio.Lock()
        desk.window.source.drawing_wanted.connect(
            lambda item, span, width, spans: self._tasks.start(self._draw(item, span, width, spans))
        )

    def unlock(self, item: str, password: str) -> None:
        """A document was opened with this password; it is kept as long as the program runs."""
        self._passwords[item] = password

    async def close(self) -> None:
        for pages in self._pages.values():
            await pages.close()
        self._pages.clear()

    async def _draw(self, item_id: str, place: int, width: int, marked: list[tuple[int, int]]) -> None:
        """`place`: of the page among the item's spans."""
        self._latest[item_id] = place, width
        async with self._turn:
            if self._latest[item_id] != (place, width):
                return
            source = self._window.source
            try:
                item = self._services.library.get(item_id)
            except KeyError:  # deleted for good meanwhile
                return
            try:
                spans = self._services.library.spans(item_id)
                if place >= len(spans):  # other pages were extracted meanwhile, and the pane asks anew
                    return
                page = spans[place]
                pages = await self._opened(item, page.file)
                runs, text = self._services.library.runs(item_id), self._services.library.text(item_id)
                picture = await pages.draw(page.index, width, [wanted(runs, page, text, *span) for span in marked])
            except NotShown as reason:
                source.drawing_failed(item_id, spoken(document_words.NOT_SHOWN, reason.code, {"name": item.name}))
            except (KeyError, Problem):  # its text went while the page was opened
                return
            else:
                source.show_drawing(item_id, place, _drawing(picture))

    async def _opened(self, item: Item, file: str) -> PdfPages:
        """`file`: of a folder. Its hash was not kept: that of a folder is of all files together."""
        pages = self._pages.pop((item.id, file), None)
        if pages is None:
            password, sha256 = self._passwords.get(item.id, ""), "" if file else item.file_sha256
            pages = await PdfPages.open(Path(item.source), sha256, password, file)
        self._pages[item.id, file] = pages
        while len(self._pages) > OPEN:
            oldest = next(iter(self._pages))
            with contextlib.suppress(NotShown):
                await self._pages.pop(oldest).close()
        return pages


def _drawing(picture: Picture) -> Drawing:
    marks = tuple(
        tuple(Rectangle(left, top, right - left, bottom - top) for left, top, right, bottom in boxes)
        for boxes in picture.boxes
    )
    return Drawing(picture.pixels, picture.width, picture.height, marks)
