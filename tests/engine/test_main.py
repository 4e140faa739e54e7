"""The real process: started as the client starts it, from a folder that has nothing to do with it."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from engine import wire
from engine.client import Engine, default_command, new_id
from engine.process import _environment
from engine.protocol import (
    VERSION,
    Cancel,
    Conversation,
    Failed,
    Generate,
    Inspect,
    Load,
    Loaded,
    ModelSettings,
    Progress,
    Quit,
    Read,
    Ready,
    Sampling,
    Text,
    Turn,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture
def start(tmp_path):
    started = []

    def start(**surroundings):
        (tmp_path / "torch.py").write_text("raise SystemExit('not the torch that was meant')")
        process = subprocess.Popen(
            default_command(tmp_path / "data"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
            env=_environment() | surroundings,
        )
        started.append(process)
        return process, iter(wire.events(process.stdout))

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def say(process, *commands):
    process.stdin.write(b"".join(map(wire.encode, commands)))
    process.stdin.flush()


def talk(text):
    return Conversation((Turn("user", (Text(text),)),), "2026-01-01")


def test_ready_inspected_and_gone(start):
    process, events = start()
    assert next(events) == Ready(VERSION, process.pid)
    say(process, Inspect("1"))
    done = next(event for event in events if getattr(event, "id", None) == "1")
    assert "torch" in done.result.versions
    say(process, Quit())
    assert process.wait(20) == 0


def test_ready_needs_no_torch():
    code = (
        "import sys, engine.__main__; "
        "sys.exit(any(name in sys.modules for name in ('torch', 'numpy', 'transformers', 'tokenizers', 'jinja2')))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_left_alone_it_ends(start):
    process, events = start()
    next(events)
    process.stdin.close()
    assert process.wait(20) == 0


@pytest.mark.whole
def test_left_alone_in_the_middle_of_a_long_piece_it_ends(start, small_model):
    process, events = start()
    settings = ModelSettings(str(small_model), piece=8192, device="cpu")
    say(process, Load("1", settings), Read("2", talk("word " * 5000)))
    next(event for event in events if isinstance(event, Progress | Failed) and event.id == "2")
    process.stdin.close()
    assert process.wait(20) == 0


@pytest.mark.whole
def test_fewer_threads_than_are_asked_for_leave_nothing_out(start, small_model):
    process, events = start(OMP_THREAD_LIMIT="1")
    say(process, Load("1", ModelSettings(str(small_model), threads=2, window=512, device="cpu")))
    end = next(event for event in events if isinstance(event, Loaded | Failed))
    assert isinstance(end, Loaded), end
    assert end.notes == (), "no kernel and no product was found wrong"


def test_chatter_of_libraries_and_children_does_not_reach_the_wire(tmp_path):
    program = """
        import os, subprocess, sys
        from engine import stdio, wire
        from engine.protocol import Cancel
        source, sink = stdio.claim()
        print("python"); sys.stdout.flush()
        os.write(1, b"a C library\\n")
        child = "import sys; print('a child'); print(repr(sys.stdin.read()), file=sys.stderr)"
        subprocess.run([sys.executable, "-c", child])
        sink.write(wire.encode(Cancel(source.readline().decode().strip()))); sink.flush()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], cwd=ROOT, input=b"hello\n", capture_output=True, check=True
    )
    assert done.stdout == wire.encode(Cancel("hello"))
    assert set(done.stderr.split(b"\n")) >= {b"python", b"a C library", b"a child", b"''"}


async def test_an_answer_through_the_client(home, tiny_model, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    gauges = []
    engine = Engine(data=home, on_gauges=gauges.append)
    await engine.start()
    loaded = await engine.load(ModelSettings(str(tiny_model), device="cpu"))
    assert loaded.window == 1024
    done = await engine.send(Generate(new_id(), talk("A very private question"), Sampling(max_tokens=3))).ending()
    assert done.usage.written == 3
    assert gauges[-1].busy is None
    await engine.stop()
    log = engine.log.read_text()
    assert "Generate ends: length" in log
    assert "private" not in log
    assert tiny_model.name not in log


@pytest.mark.parametrize("command", ["logits", "bench"])
def test_other_commands_answer_for_themselves(command):
    done = subprocess.run(
        [sys.executable, "-m", "engine", command, "--help"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stdout.startswith("usage:")
    assert json.dumps(done.stderr) == '""'
