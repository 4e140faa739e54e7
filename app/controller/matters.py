"""Matters: made, named, filled and emptied, each with a way back."""

import functools
from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.controller.desk import Desk
from app.services.problem import Problem


class MatterController(QObject):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._collections, self._state, self._window = desk.services.collections, desk.state, desk.window
        self._notices, self._undo = desk.notices, desk.undo
        library = desk.window.sidebar.library
        library.matter_made.connect(self.make)
        library.matter_filled.connect(self.fill)
        library.matter_emptied.connect(self.empty)
        library.matter_renamed.connect(self._rename)
        library.matter_removed.connect(self._remove)

    def make(self, items: Sequence[str]) -> None:
        """A new matter with these items, and its name to be typed over."""
        usual = name = self.tr("New matter")
        number = 1
        while self._collections.named(name) is not None:
            number += 1
            name = f"{usual} {number}"
        matter = self._collections.new(name)
        self._collections.put(matter.id, items)
        self._undo.add(functools.partial(self._back, self._collections.remove, matter.id))
        self._window.panes.set_shown(0, True)
        self._window.sidebar.clear_search()
        self._state.documents_changed.emit()
        self._window.sidebar.library.edit_matter(matter.id)

    def fill(self, matter: str, items: Sequence[str]) -> None:
        added = self._collections.put(matter, items)
        if added:
            self._undo.add(functools.partial(self._back, self._collections.take, matter, added))
        self._notices.filled_matter(self._collections.get(matter).name, len(added))
        self._state.documents_changed.emit()

    def empty(self, matter: str, items: Sequence[str]) -> None:
        taken = self._collections.take(matter, items)
        self._undo.add(functools.partial(self._back, self._collections.put, matter, taken))
        self._notices.emptied_matter(self._collections.get(matter).name, len(taken))
        self._state.documents_changed.emit()

    def _rename(self, matter: str, name: str) -> None:
        before = self._collections.get(matter).name
        try:
            self._collections.rename(matter, name)
        except Problem as problem:
            self._notices.problem(problem.code, problem.values)
            return
        self._undo.add(functools.partial(self._back, self._collections.rename, matter, before))
        self._state.documents_changed.emit()

    def _remove(self, matter: str) -> None:
        self._collections.remove(matter)
        self._undo.add(functools.partial(self._back, self._collections.restore, matter))
        self._notices.removed_matter(self._collections.get(matter).name)
        self._state.documents_changed.emit()

    def _back(self, step, *values: object) -> None:
        """A step back; what stands in its way is told."""
        try:
            step(*values)
        except Problem as problem:
            self._notices.problem(problem.code, problem.values)
        self._state.documents_changed.emit()
