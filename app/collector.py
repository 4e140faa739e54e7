"""Garbage is collected on the window's thread alone.

Python collects in whatever thread happens to allocate. A Qt object that is part of a cycle would then die in the thread
that listens to the engine, or in a download's, and take the program with it.
"""

import gc

from PySide6.QtCore import QObject, QTimer

EVERY_MS = 500


class Collector(QObject):
    """Takes over from Python's own collector until `close`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thresholds = gc.get_threshold()
        self._was_enabled = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """The oldest generation that is due, as Python's collector would."""
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > self._thresholds[generation]:
                gc.collect(generation)
                return

    def close(self) -> None:
        self._timer.stop()
        if self._was_enabled:
            gc.enable()
