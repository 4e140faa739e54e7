"""Segments' rows in memory under one budget: those used longest ago go first."""

from collections import OrderedDict
from collections.abc import Iterable

from engine.memory.held import Form
from engine.memory.rows import SegmentRows


class Pool:
    """`budget`: bytes. Rows that lie in a mapped file are not for here: they take no memory of ours."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._rows: OrderedDict[tuple[str, Form], SegmentRows] = OrderedDict()
        self._bytes = 0

    def bytes(self) -> int:
        return self._bytes

    def get(self, key: str, form: Form) -> SegmentRows | None:
        rows = self._rows.get((key, form))
        if rows is not None:
            self._rows.move_to_end((key, form))
        return rows

    def put(self, key: str, rows: SegmentRows) -> None:
        """Keep these rows, and let go of others while they take more than the budget."""
        self._drop((key, rows.form))
        self._rows[key, rows.form] = rows
        self._bytes += rows.bytes()
        while self._bytes > self.budget and len(self._rows) > 1:
            self._drop(next(iter(self._rows)))

    def forget(self, keys: Iterable[str]) -> None:
        wanted = set(keys)
        for name in [name for name in self._rows if name[0] in wanted]:
            self._drop(name)

    def clear(self) -> None:
        self._rows.clear()
        self._bytes = 0

    def _drop(self, name: tuple[str, Form]) -> None:
        rows = self._rows.pop(name, None)
        if rows is not None:
            self._bytes -= rows.bytes()
