import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.lock import EngineBusy, Lock

ROOT = Path(__file__).parents[2]


def test_one_holder_and_its_number(tmp_path):
    first, second = Lock(tmp_path / "data"), Lock(tmp_path / "data")
    first.take()
    first.take()
    with pytest.raises(EngineBusy, match=str(os.getpid())) as caught:
        second.take()
    assert caught.value.pid == os.getpid()
    first.release()
    first.release()
    second.take()
    Lock(tmp_path / "other").take()


def test_death_lets_go(tmp_path):
    take = f"from engine.lock import Lock; from pathlib import Path; Lock(Path({str(tmp_path)!r})).take()"
    code = f"{take}; print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdin=-1, stdout=-1) as holder:
        holder.stdout.readline()
        with pytest.raises(EngineBusy) as caught:
            Lock(tmp_path).take()
        assert caught.value.pid == holder.pid
        holder.kill()
        holder.wait()
    Lock(tmp_path).take()
