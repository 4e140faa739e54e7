"""The program as it is started: two processes, one window, and nothing left behind whichever of them is killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

PATIENCE = 60


@pytest.fixture
def window(home_with_model: Path):
    """`python -m app` with its window open and its engine running; the window's process."""
    with subprocess.Popen(
        [sys.executable, "-m", "app"], env=os.environ | {"LONGREAD_HOME": str(home_with_model)}
    ) as it:
        yield it
        it.kill()


async def engine_of(window: subprocess.Popen, until) -> psutil.Process:
    def running() -> list[psutil.Process]:
        assert window.poll() is None, "the window's program ended"
        return [child for child in psutil.Process(window.pid).children() if "engine" in child.cmdline()]

    await until(running, seconds=PATIENCE, what="the engine's process")
    return running()[0]


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal on Windows")
async def test_killing_the_window_leaves_no_engine(window, until):
    engine = await engine_of(window, until)
    window.send_signal(signal.SIGKILL)
    window.wait()
    await until(lambda: not engine.is_running(), seconds=PATIENCE, what="the engine's end")


async def test_the_window_s_process_never_has_torch(window, until):
    engine = await engine_of(window, until)
    loaded = lambda process: {Path(each.path).name for each in process.memory_maps()}  # noqa: E731 - one line, used thrice
    await until(lambda: any("torch" in name for name in loaded(engine)), seconds=PATIENCE, what="torch in the engine")
    mapped = loaded(psutil.Process(window.pid))
    assert any("Qt6Widgets" in name for name in mapped)
    assert not any("torch" in name for name in mapped)
    assert not any("Qt6" in name for name in loaded(engine))
