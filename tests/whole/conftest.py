"""The real window with the real engine: one Qt event loop that asyncio runs on, and a data folder with the small model.

Every test here starts processes and computes answers: it carries the marker `whole` by itself.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import qasync
from PySide6.QtWidgets import QApplication

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker(pytest.mark.whole)


def qt_loop() -> asyncio.AbstractEventLoop:
    return qasync.QEventLoop(QApplication.instance() or QApplication([]))


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Every loop that pytest asks for runs Qt's events as well, as in the program."""
    return {"qt": qt_loop}


@pytest.fixture
def home_with_model(home: Path, small_model: Path) -> Path:
    """An empty data folder in which the small model lies as if it had been fetched."""
    (home / "models" / small_model.parent.name).symlink_to(small_model.parent, target_is_directory=True)
    return home


@pytest.fixture
def until() -> Callable[..., Awaitable[None]]:
    """`await until(lambda: …)`: give the event loop its turns until the condition holds; fails after `seconds`."""

    async def wait(condition: Callable[[], object], seconds: float = 180.0, what: str = "") -> None:
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                pytest.fail(f"waited {seconds:g} s for {what or 'a condition that did not come to hold'}")
            await asyncio.sleep(0.01)

    return wait
