"""The program that holds the machine awake is started, ends with the reading or with us, and may be missing."""

import contextlib
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

from engine import awake
from engine.awake import CAFFEINATE, INHIBIT

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(os.name == "nt", reason="a shell script on PATH")


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """What a program of the real one's name tells, line by line: a read waits for the next."""
    name = (CAFFEINATE if sys.platform == "darwin" else INHIBIT)[0]
    pipe, program = tmp_path / "said", tmp_path / name
    os.mkfifo(pipe)
    program.write_text(f'#!/bin/sh\nexec >"{pipe}"\necho started "$@"\ntrap "echo ended; exit" TERM\ncat\necho ended\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with open(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)) as said:
        os.set_blocking(said.fileno(), True)
        keep = os.open(pipe, os.O_WRONLY)  # without a writer there would be nothing to wait for
        yield said
        os.close(keep)


@posix
def test_it_is_held_while_the_block_runs(fake):
    with awake.awake():
        started = fake.readline()
        with awake.awake():
            assert fake.readline() == started
        assert fake.readline() == "ended\n"
    assert fake.readline() == "ended\n"
    assert started.startswith("started -")
    if sys.platform == "linux":
        assert "--what=sleep:idle" in started


@pytest.mark.parametrize(("tokens", "times"), [(awake.LONG - 1, 0), (awake.LONG, 1)])
def test_only_long_readings_hold_it(monkeypatch, tokens, times):
    held = []
    monkeypatch.setattr(awake, "awake", lambda: contextlib.nullcontext(held.append(True)))
    with awake.awake_over(tokens):
        assert len(held) == times


@posix
def test_it_is_let_go_when_reading_fails(fake):
    with pytest.raises(ZeroDivisionError), awake.awake():
        1 / (fake.readline() == "")
    assert fake.readline() == "ended\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only its program ends with a pipe")
def test_it_ends_with_the_process(fake):
    code = "import os\nfrom engine.awake import awake\nwith awake():\n    print(flush=True)\n    input()"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdin=-1, stdout=-1) as process:
        process.stdout.readline()
        assert fake.readline().startswith("started")
        process.kill()
        process.wait()
        assert fake.readline() == "ended\n"


@posix
@pytest.mark.parametrize("text", [None, "#!/bin/sh\nexit 1\n", "no program"], ids=["missing", "failing", "broken"])
def test_without_it_we_read_all_the_same(tmp_path, monkeypatch, text):
    program = tmp_path / INHIBIT[0]
    if text is not None:
        program.write_text(text)
        program.chmod(0o755)
    monkeypatch.setattr(awake, "INHIBIT", (str(program), *INHIBIT[1:]))
    monkeypatch.setattr(awake, "CAFFEINATE", (str(program), *CAFFEINATE[1:]))
    with awake.awake():
        pass


@posix
def test_one_that_hangs_keeps_nobody_waiting(tmp_path, monkeypatch):
    program = tmp_path / INHIBIT[0]
    program.write_text("#!/bin/sh\ntrap '' TERM\nexec 0</dev/null\nwhile :; do read line < /dev/zero; done\n")
    program.chmod(0o755)
    monkeypatch.setattr(awake, "INHIBIT", (str(program),))
    monkeypatch.setattr(awake, "CAFFEINATE", (str(program),))
    monkeypatch.setattr(awake, "SECONDS", 0.01)
    with awake.awake():
        pass


def test_windows_is_asked_and_told_when_it_is_over(monkeypatch):
    states = [0x80000000]

    def set_state(flags):
        states.append(flags.value)
        return states[-2]

    kernel = types.SimpleNamespace(SetThreadExecutionState=set_state)
    monkeypatch.setattr(awake.sys, "platform", "win32")
    monkeypatch.setattr(awake.ctypes, "windll", types.SimpleNamespace(kernel32=kernel), raising=False)
    with awake.awake():
        with awake.awake():
            assert states[-1] == 0x80000001
        assert states[-1] == 0x80000001
    assert states[-1] == 0x80000000
