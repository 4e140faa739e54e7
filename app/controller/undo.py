"""What can be undone, the last first: from the menu, and from the button that stands beside what was done."""

from collections.abc import Callable

AT_MOST = 50


class Undo:
    """`on_change` hears whether there is anything to undo."""

    def __init__(self, on_change: Callable[[bool], None]) -> None:
        self._steps: list[Callable[[], None]] = []
        self._on_change = on_change

    def add(self, step: Callable[[], None]) -> None:
        """`step` puts things back as they were."""
        self._steps = [*self._steps[1 - AT_MOST :], step]
        self._on_change(True)

    def undo(self) -> None:
        if self._steps:
            step = self._steps.pop()
            step()
        self._on_change(bool(self._steps))
