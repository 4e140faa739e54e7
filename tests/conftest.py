"""What every test stands on: a data folder of its own, no window on the screen, memory that shows when it is unset."""

import gc
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import paths
from engine.catalogue import SMALL

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Qt says "Detected locale C" and counts it a warning, which fails tests, where the machine has no UTF-8 locale
os.environ.setdefault("LC_ALL", "C.UTF-8")
# Each of several workers has a core of its own, with all that it starts: threads that wait for each other at the end of
# every product wait for whole turns of the scheduler where there are more of them than cores
if (worker := os.environ.get("PYTEST_XDIST_WORKER")) and sys.platform == "linux":
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[int(re.sub(r"\D", "", worker)) % len(cores)]})
# As in the engine: several processes of the tests share few cores
os.environ.setdefault("GOMP_SPINCOUNT", "30000")
os.environ.setdefault("KMP_BLOCKTIME", "1")
# Nothing may be asked of a hub by a library on its own account
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

SMALL_MODEL = paths.models() / SMALL.name / Path(SMALL.source.member).name
"""Looked up before any test moves the data folder."""


# Python collects cycles in whichever thread happens to allocate, and a Qt object that dies in a thread not its own
# breaks the event loop for all tests after it: so cycles are collected here, by the main thread, and nowhere else
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()  # what was imported lives to the end: looking through it again and again is time lost


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    yield
    gc.collect(1 if nextitem is not None and nextitem.path == item.path else 2)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, in force for this test and for the processes that it starts."""
    folder = tmp_path / "longread"
    monkeypatch.setenv("LONGREAD_HOME", str(folder))
    paths.make()
    return folder


@pytest.fixture(scope="session")
def small_model() -> Path:
    """The .gguf file of the small model, where `dev.py` put it."""
    if not SMALL_MODEL.is_file():
        pytest.fail("The small model is not on this computer: `python3 dev.py test` fetches it.", pytrace=False)
    return SMALL_MODEL


@pytest.fixture(autouse=True)
def _unset_memory_is_nan() -> None:
    """torch.empty gives NaN, so that a kernel or cache that reads what nobody wrote cannot pass by luck.

    Only where a test brought torch in: importing it costs seconds.
    """
    torch = sys.modules.get("torch")
    if torch is not None and not torch.are_deterministic_algorithms_enabled():
        torch.use_deterministic_algorithms(True, warn_only=True)
        torch.utils.deterministic.fill_uninitialized_memory = True
