"""From a drop to a question: everything is looked at and listed first, and read only when the person says so."""

import asyncio
import os
import uuid
from collections.abc import Collection, Iterable
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.controller.answers import AnswerController
from app.controller.desk import Desk
from app.controller.estimate import estimate
from app.data import policies
from app.data.document import Changes, Refused
from app.data.preflight import PreflightRow, PreflightTotal
from app.documents.messages import AS_USUAL, Options
from app.services.problem import Problem
from app.views.preflight import Preflight
from engine.client import RequestFailed
from engine.protocol import Loaded

AT_ONCE = max(2, min(8, os.cpu_count() or 2))
"""Documents extracted at the same time, each in a process of its own."""


class IntakeController(QObject):
    unlocked = Signal(str, str)
    """An item's id and the password that opened it."""

    def __init__(self, desk: Desk, answers: AnswerController, preflight: Preflight) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._window = desk.services, desk.state, desk.window
        self._notices, self._tasks, self._attachments = desk.notices, desk.tasks, desk.attachments
        state, window = desk.state, desk.window
        self._answers, self._preflight = answers, preflight
        self._rows: dict[str, PreflightRow] = {}
        self._opening: list[asyncio.Task[None]] = []
        self._sources: dict[str, tuple[Path, Options]] = {}
        """By row: where it comes from, and how it was read."""
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._known: set[str] = set()
        self._removed: set[str] = set()
        """Items that were in the library before the list was opened."""
        window.dropped.connect(self.add)
        preflight.toggled.connect(self._toggle)
        preflight.accepted.connect(self._accept)
        preflight.cancelled.connect(self._cancel)
        preflight.password_given.connect(self._unlock)
        preflight.changes_chosen.connect(self._read_changes)
        preflight.preview_asked.connect(self._preview)
        state.loaded_changed.connect(self._count_again)

    def add(self, paths: Iterable[Path]) -> None:
        """Look at these files and folders and list them; more may be dropped while the list is open."""
        if not self._preflight.isVisible():
            self._rows.clear()
            self._known = {item.id for item in self._services.library.items()}
            self._removed = {item.id for item in self._services.library.removed()}
            self._preflight.begin()
            self._tasks.start(self._show_total())
        for path in paths:
            row = PreflightRow(uuid.uuid4().hex, path.name or str(path), "extracting")
            self._set(row)
            self._begin(row.key, path, AS_USUAL)

    def _begin(self, key: str, path: Path, options: Options) -> None:
        self._sources[key] = path, options
        self._opening.append(self._tasks.start(self._open(key, path, options)))

    def _again(self, key: str, **changes: object) -> None:
        """Read a row's document in another way; what was made of it before goes, unless it was in the library."""
        row, (path, options) = self._rows[key], self._sources[key]
        if row.item is not None:
            self._give_up(row.item.id)
        self._set(PreflightRow(key, row.name, "extracting"))
        self._begin(key, path, replace(options, **changes))

    def _unlock(self, key: str, password: str) -> None:
        self._again(key, passwords={"": password})

    def _read_changes(self, key: str, changes: Changes) -> None:
        self._again(key, changes=changes)

    def _preview(self, key: str) -> None:
        item = self._rows[key].item
        if item is None:
            return
        library = self._services.library
        try:
            self._preflight.show_preview(item, library.text(item.id), library.spans(item.id))
        except Problem as problem:
            self._notices.problem(problem.code, problem.values)

    async def _open(self, key: str, path: Path, options: Options) -> None:
        def on_progress(done: int, total: int) -> None:
            self._set(replace(self._rows[key], done=done, total=total))

        try:
            async with self._slots:
                item = await self._services.library.add(path, on_progress, options)
        except Problem as problem:
            self._set(replace(self._rows[key], state="refused", included=False))
            self._notices.problem(problem.code, problem.values)
            return
        if isinstance(item, Refused):
            self._set(replace(self._rows[key], state="refused", included=False, refused=item))
        else:
            same = [row for row in self._rows.values() if row.item is not None and row.item.id == item.id]
            same = [row for row in same if row.key != key]
            # the same text under two names is one document: listed, and read once
            self._set(replace(self._rows[key], state="counting", item=item, included=not same))
            if password := options.passwords.get(""):
                self.unlocked.emit(item.id, password)
            await self._count(key)
        await self._show_total()

    async def _count(self, key: str) -> None:
        """Tokens by the loaded model; without one the row waits for it."""
        row = self._rows.get(key)
        if row is None or row.item is None or self._state.loaded is None:
            return
        try:
            tokens = (await self._services.assistant.count([row.item]))[0]
        except RequestFailed:
            return  # the engine died or was reloaded; `_count_again` comes when a model is loaded
        if key in self._rows:
            item = self._services.library.get(row.item.id)
            self._set(replace(self._rows[key], state="ready", item=item, tokens=tokens))

    def _count_again(self) -> None:
        if self._preflight.isVisible() and self._state.loaded is not None:
            self._tasks.start(self._recount())

    async def _recount(self) -> None:
        for key, row in tuple(self._rows.items()):
            if row.item is not None:
                await self._count(key)
        await self._show_total()

    def _toggle(self, key: str, included: bool) -> None:
        self._rows[key] = replace(self._rows[key], included=included)
        self._tasks.start(self._show_total())

    async def _show_total(self) -> None:
        loaded = self._state.loaded
        if loaded is None:
            return
        held = {item.id: item.tokens or 0 for item in self._attachments.of(self._state.conversation)}
        new = {row.item.id: row.tokens or 0 for row in self._rows.values() if row.included and row.item is not None}
        try:
            planned = await self._services.assistant.plan(self._state.settings)
        except (RequestFailed, Problem):
            planned = None  # what it needs stays unsaid; reading it says what does not fit
        counts = held | new
        expected = estimate(tuple(counts.values()), loaded, self._state.settings)
        rate, listed = self._state.reading_rate, self._state.readings
        tokens = sum(counts.values())
        self._preflight.set_total(
            PreflightTotal(
                tokens,
                loaded.window,
                needed=None if planned is None else planned.needed,
                memory=None if planned is None else planned.device.memory,
                first_word=tokens / rate if rate else None,
                segments=None if expected.segments is None else sum(expected.segments),
                disk=sum(expected.disk or ()),
                quota=None if listed is None else listed.quota,
                # a server has the last word: here its tokens are estimated
                endless=policies.endless(self._state.settings) or loaded.host is not None,
            )
        )
        self._show_how(loaded, longer=expected.longer and expected.segments is not None)

    def _show_how(self, loaded: Loaded, *, longer: bool) -> None:
        """On each row: in how many segments it is read, as far as all of them together call for it."""
        rate = self._state.reading_rate
        for row in tuple(self._rows.values()):
            if row.tokens is None:
                continue
            alone = estimate((row.tokens,), loaded, self._state.settings)
            # what fits alone and not together is read in segments as well
            settings = replace(self._state.settings, reading_mode="parallel") if longer else self._state.settings
            how = estimate((row.tokens,), loaded, settings)
            shown = replace(
                row,
                segments=None if how.segments is None else how.segments[0],
                longer=alone.longer,
                disk=None if how.disk is None else how.disk[0],
                seconds=row.tokens / rate if rate else None,
            )
            if shown != row:
                self._set(shown)

    def _accept(self) -> None:
        chosen = [row.item.id for row in self._rows.values() if row.included and row.item is not None]
        self._forget_all_but(chosen)
        conversation = self._state.conversation
        self._attachments.attach(conversation, chosen)
        self._state.documents_changed.emit()
        self._answers.read(conversation)
        self._window.composer.setFocus()

    def _cancel(self) -> None:
        for task in self._opening:
            task.cancel()
        self._forget_all_but(())
        self._state.documents_changed.emit()

    def _forget_all_but(self, chosen: Collection[str]) -> None:
        """What was listed and not chosen is not kept, unless it was in the library before."""
        for row in self._rows.values():
            if row.item is not None and row.item.id not in chosen:
                self._give_up(row.item.id)
        self._tasks.start(self._services.library.purge())
        self._rows.clear()
        self._opening.clear()

    def _give_up(self, item: str) -> None:
        """As if it had never been listed."""
        library = self._services.library
        if item in self._removed:
            library.remove(item)
        elif item not in self._known and library.holds(item):
            library.forget(item)

    def _set(self, row: PreflightRow) -> None:
        self._rows[row.key] = row
        self._preflight.set_row(row)
