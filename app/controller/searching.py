"""The search field: conversations at once, places in the texts as they are found; and the texts prepared for that."""

import asyncio
import logging

from PySide6.QtCore import QObject

from app.controller.desk import Desk
from app.controller.shelf import ShelfController
from app.data.found import FoundTexts
from app.data.quote import QuotePlace
from app.services.problem import Problem
from app.services.text_search import PLACES, TEXTS

QUIET = 2.0
"""Seconds after the library's last change before new texts are prepared: reading them comes first."""
SHOWN_FROM = 2_000_000
"""Characters that take long enough for the person to be told."""
MORE = 4
"""Times as much is shown when more is wanted."""

log = logging.getLogger(__name__)


class SearchController(QObject):
    def __init__(self, desk: Desk, shelf: ShelfController) -> None:
        super().__init__(desk.window)
        self._services, self._sidebar = desk.services, desk.window.sidebar
        self._notices, self._tasks, self._shelf = desk.notices, desk.tasks, shelf
        self._preparing: asyncio.Task[None] | None = None
        self._again = False
        self._searching: asyncio.Task[None] | None = None
        self._shown = 1
        """Times as much as at first."""
        self._later: asyncio.TimerHandle | None = None
        desk.state.documents_changed.connect(self._prepare_later)
        self._sidebar.searched.connect(self.search)
        self._sidebar.more_wanted.connect(self._more)
        self._sidebar.place_clicked.connect(self._show)

    def close(self) -> None:
        if self._later is not None:
            self._later.cancel()

    def _prepare_later(self) -> None:
        self.close()
        self._later = asyncio.get_running_loop().call_later(QUIET, self.prepare)

    def search(self, asked: str) -> None:
        self._shown = 1
        self._sidebar.set_found(self._services.conversations.search(asked))
        self._search_texts(asked)

    def _more(self, asked: str) -> None:
        self._shown *= MORE
        self._search_texts(asked)

    def _search_texts(self, asked: str, *, prepare: bool = True) -> None:
        """`prepare`: what cannot be searched yet is prepared, and then searched as well."""
        if self._searching is not None:
            self._searching.cancel()
            self._searching = None
        if len(asked) < 2 and asked.isascii():  # one letter stands on every page
            self._sidebar.set_found_texts(FoundTexts())
        else:
            self._searching = self._tasks.start(self._find(asked, prepare))

    async def _find(self, asked: str, prepare: bool) -> None:
        try:
            found = await self._services.search.search(asked, TEXTS * self._shown, PLACES * self._shown)
        except Problem as problem:
            self._notices.problem(problem.code, problem.values)
            return
        self._sidebar.set_found_texts(found)
        if found.waiting and prepare:
            self.prepare()

    def prepare(self) -> None:
        """Take in the texts that cannot be searched yet. Asked while that is under way, it is done once more after."""
        if self._preparing is not None and not self._preparing.done():
            self._again = True
        else:
            self._preparing = self._tasks.start(self._prepare())

    async def _prepare(self) -> None:
        while True:
            self._again = False
            try:
                await self._services.search.bring_up_to_date(self._show_preparing)
            except Problem as problem:
                log.warning("texts could not be prepared for searching: %s", problem.code)
                self._notices.problem(problem.code, problem.values)
                return
            finally:
                self._sidebar.set_preparing(None)
            if not self._again:
                break
        sought = self._sidebar.search.text().strip()
        if sought:
            self._search_texts(sought, prepare=False)

    def _show_preparing(self, done: int, total: int) -> None:
        self._sidebar.set_preparing(done / total if total >= SHOWN_FROM and done < total else None)

    def _show(self, at: QuotePlace) -> None:
        self._shelf.show_item(at.item, at.start, at.end)
