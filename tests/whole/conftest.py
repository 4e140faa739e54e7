"""The real window with the real engine: one Qt event loop that asyncio runs on, and a data folder with the small model.

Every test here starts processes and computes answers: it carries the marker `whole` by itself.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
import qasync
from PySide6.QtWidgets import QApplication

from app import application
from app.application import Application
from app.data.settings import Settings
from app.services.settings import SettingsStore

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


@pytest_asyncio.fixture
async def program(home_with_model: Path, until, qapp) -> AsyncIterator[Application]:
    """The program with its window shown and its model loaded."""
    qapp.setQuitOnLastWindowClosed(False)  # the loop outlives the window, as in the program
    store = SettingsStore(home_with_model / "settings.json")
    application.translate(qapp, "en")
    made = Application(store, Settings(seen_first_run=True, language="en", threads=2, max_tokens=150))
    made.window.show()
    made.controller.begin(None, [])
    await until(lambda: made.state.loaded, what="the model")
    yield made
    made.window.close()
    await made.close()
    made.window.deleteLater()
