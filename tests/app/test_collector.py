"""Cycles with Qt objects are collected, and never in another thread than the window's."""

import gc
import threading
import weakref

from PySide6.QtCore import QObject

from app.collector import Collector


class Knot(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.itself = self


def test_only_the_windows_thread_collects(qapp, qtbot):
    before = gc.isenabled()
    collector = Collector()
    died_in: list[int] = []
    knots = [weakref.finalize(Knot(), lambda: died_in.append(threading.get_ident())) for _ in range(3)]
    other = threading.Thread(target=lambda: [[] for _ in range(100_000)])
    other.start()
    other.join()
    kept = [{} for _ in range(gc.get_threshold()[0] + 1)]  # so that the youngest generation is due
    try:
        qtbot.waitUntil(lambda: not any(knot.alive for knot in knots), timeout=20_000)
    finally:
        collector.close()
    assert kept
    assert set(died_in) == {threading.get_ident()}
    assert gc.isenabled() == before
