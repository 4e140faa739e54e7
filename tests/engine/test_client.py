import asyncio
import gc
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import psutil
import pytest

from engine import client
from engine.client import Engine, EngineBusy, EngineDown, RequestFailed, new_id
from engine.protocol import (
    Conversation,
    Count,
    Counted,
    Delta,
    Document,
    Done,
    Failed,
    Generate,
    Loaded,
    ModelSettings,
    Progress,
    Read,
    Text,
    Turn,
)

FAKE = Path(__file__).with_name("fake_engine.py")


@pytest.fixture
async def begin(tmp_path):
    engines = []

    def begin(fate="", **options):
        options.setdefault("data", tmp_path / "data")
        engine = Engine(command=[sys.executable, str(FAKE), str(tmp_path / "diary"), fate], **options)
        engines.append(engine)
        return engine

    yield begin
    for engine in engines:
        await engine.stop()
        assert engine.pid is None


def ask(text):
    return Generate(new_id(), Conversation((Turn("user", (Text(text),)),), "2026-01-01T00:00:00"))


def commands(tmp_path):
    return (tmp_path / "diary").read_text().split()


async def gone(pid):
    """Wait for the end of a process that need not be our child (a zombie that nobody reaps is one that has ended)."""
    try:
        await asyncio.to_thread(psutil.Process(pid).wait, 20)
    except psutil.NoSuchProcess:
        return
    except psutil.TimeoutExpired:
        assert psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


class States(list):
    """Collects an engine's states; `reach` waits until one comes."""

    def __init__(self):
        self.changed = asyncio.Event()

    def __call__(self, state):
        self.append(state)
        self.changed.set()

    async def reach(self, state):
        while not self or self[-1] != state:
            self.changed.clear()
            await self.changed.wait()


async def test_it_answers(begin):
    states = States()
    engine = begin(on_state=states)
    assert (await engine.start()).pid == engine.pid
    loaded = await engine.load(ModelSettings("model"))
    assert engine.loaded is loaded
    assert loaded.name == "model"
    stream = engine.send(ask("hello"))
    assert [type(event) for event in [event async for event in stream]] == [Delta, Done]
    counted = await engine.send(Count(new_id(), (Document("four", "", ""),))).ending()
    assert counted.result == Counted((4,))
    pid = engine.pid
    await engine.stop()
    assert states == ["starting", "ready", "loading", "ready", "stopped"]
    assert not psutil.pid_exists(pid)


async def test_a_request_sent_before_ready_waits(begin):
    states = States()
    engine = begin(on_state=states)
    starting = asyncio.create_task(engine.start())
    await states.reach("starting")
    assert isinstance(await engine.send(ask("hello")).ending(), Done)
    await starting


async def test_death_before_any_text_asks_again_after_loading_again(begin, tmp_path):
    states = States()
    engine = begin(on_state=states)
    await engine.start()
    await engine.load(ModelSettings("model"))
    first = engine.pid
    ending = await engine.send(ask(f"die-once {tmp_path / 'mark'}")).ending()
    assert isinstance(ending, Done)
    assert engine.pid != first
    assert engine.loaded.name == "model"
    assert commands(tmp_path) == ["Load", "Generate", "Load", "Generate"]
    assert states == ["starting", "ready", "loading", "ready", "restarting", "loading", "ready"]


async def test_death_after_text_is_told(begin, tmp_path):
    engine = begin()
    await engine.start()
    stream = engine.send(ask("speak-and-die"))
    events = [event async for event in stream]
    assert isinstance(events[-1], Failed)
    assert events[-1].code == "engine_died"
    assert isinstance(await engine.send(ask("hello")).ending(), Done)
    assert commands(tmp_path).count("Generate") == 2


async def test_asked_again_only_once_then_down_at_the_third_death(begin):
    engine = begin()
    await engine.start()
    assert (await engine.send(ask("die")).ending()).code == "engine_died"  # two deaths
    assert (await engine.send(ask("die")).ending()).code == "engine_died"  # the third
    assert engine.state == "down"
    assert engine.exit_code == 9
    assert (await engine.send(ask("hello")).ending()).code == "engine_died"
    await engine.start()
    assert isinstance(await engine.send(ask("hello")).ending(), Done)


async def test_deaths_far_apart_do_not_add_up(begin, monkeypatch):
    monkeypatch.setattr(client, "WITHIN", 0.0)
    engine = begin()
    await engine.start()
    for _ in range(3):
        assert (await engine.send(ask("speak-and-die")).ending()).code == "engine_died"
    assert isinstance(await engine.send(ask("hello")).ending(), Done)


async def test_progress_does_not_fall_over_a_restart(begin, tmp_path):
    engine = begin()
    await engine.start()
    request = ask(f"progress-die-once {tmp_path / 'mark'}")
    stream = engine.send(Read(request.id, request.conversation))
    assert [event.done async for event in stream if isinstance(event, Progress)] == [1, 5, 5, 5]


async def test_killed_from_outside_it_restarts(begin):
    states = States()
    engine = begin(on_state=states)
    await engine.start()
    stream = engine.send(ask("wait"))
    states.clear()
    os.kill(engine.pid, signal.SIGTERM)
    await states.reach("ready")
    stream.cancel()
    assert (await stream.ending()).finish == "cancelled"


async def test_chatter_on_the_stream_starts_a_clean_one(begin):
    states = States()
    engine = begin(on_state=states)
    await engine.start()
    first = engine.pid
    states.clear()
    engine.send(ask("print"))
    await states.reach("ready")
    assert engine.pid != first


async def test_nothing_comes_after_an_ending(begin):
    engine = begin()
    await engine.start()
    assert [type(event) async for event in engine.send(ask("twice"))] == [Done]
    assert isinstance(await engine.send(ask("hello")).ending(), Done)


async def test_cancel(begin):
    engine = begin()
    await engine.start()
    assert not engine.busy
    stream = engine.send(ask("wait"))
    assert engine.busy
    stream.cancel()
    stream.cancel()
    assert (await stream.ending()).finish == "cancelled"
    assert not engine.busy


async def test_a_load_that_fails_and_one_that_is_cancelled(begin):
    engine = begin()
    await engine.start()
    with pytest.raises(RequestFailed) as caught:
        await engine.load(ModelSettings("broken"))
    assert caught.value.failed.code == "bad_model"
    assert (engine.state, engine.loaded) == ("ready", None)
    heard = asyncio.Event()
    loading = asyncio.create_task(engine.load(ModelSettings("slow"), lambda progress: heard.set()))
    await heard.wait()
    assert engine.state == "loading"
    loading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await loading
    assert isinstance(await engine.load(ModelSettings("model")), Loaded)


async def test_stop_ends_what_is_open_and_kills_who_stays(begin, monkeypatch):
    monkeypatch.setattr(client, "QUITS_WITHIN", 0.05)
    engine = begin("stubborn")
    await engine.start()
    stream, pid = engine.send(ask("wait")), engine.pid
    await engine.stop()
    assert (await stream.ending()).finish == "cancelled"
    assert not psutil.pid_exists(pid)


@pytest.mark.parametrize("fate", ["dies", "leaves"])
async def test_an_engine_that_cannot_live_is_not_started_for_ever(begin, fate):
    states = States()
    engine = begin(fate, on_state=states)
    if fate == "dies":
        with pytest.raises(EngineDown):
            await engine.start()
    else:
        await engine.start()
        await states.reach("down")
    assert engine.pid is None


async def test_a_silent_engine_and_a_missing_one(begin, monkeypatch, tmp_path):
    monkeypatch.setattr(client, "READY_WITHIN", 0.05)
    with pytest.raises(EngineDown):
        await begin("mute").start()
    with pytest.raises(EngineDown):
        await Engine(data=tmp_path / "other", command=["/nowhere/at/all"]).start()


async def test_another_version_is_refused(begin):
    with pytest.raises(EngineDown, match="version"):
        await begin("old").start()


async def test_half_a_character_is_a_failure_of_the_request(begin):
    engine = begin()
    await engine.start()
    assert (await engine.send(ask("\ud83d")).ending()).code == "internal"


async def test_one_engine_a_data_folder(begin):
    engine, other = begin(), begin()
    await engine.start()
    with pytest.raises(EngineBusy) as caught:
        await other.start()
    assert caught.value.pid == os.getpid()
    await engine.stop()
    await other.start()


async def test_a_forgotten_engine_is_killed(tmp_path):
    engine = Engine(data=tmp_path, command=[sys.executable, str(FAKE), str(tmp_path / "diary")])
    await engine.start()
    pid = engine.pid
    del engine
    gc.collect()
    await gone(pid)


@pytest.mark.parametrize("end", ["pass", "os.kill(os.getpid(), signal.SIGKILL)"])
async def test_no_orphan_when_the_client_ends(tmp_path, end):
    program = f"""
        import asyncio, os, signal, sys
        from pathlib import Path
        from engine.client import Engine
        async def main():
            engine = Engine(data=Path({str(tmp_path)!r}), command=[sys.executable, {str(FAKE)!r}, "{tmp_path}/diary"])
            print((await engine.start()).pid, flush=True)
            {end}
        asyncio.run(main())
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, cwd=FAKE.parents[2])
    await gone(int(done.stdout))


def test_the_client_imports_no_torch():
    code = "import sys, engine.client; sys.exit(any(n in sys.modules for n in ('torch', 'transformers', 'numpy')))"
    assert subprocess.run([sys.executable, "-c", code], cwd=FAKE.parents[2]).returncode == 0
