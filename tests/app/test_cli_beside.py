"""Two Longreads: one serves its local API in a process of its own, the other asks it, beside it and from afar."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from app.data.gateway import Running
from engine.protocol import Answered, Conversation, Delta, Done, Failed, Generate, Text, Turn
from engine.remote import Remote

ENGINE = (sys.executable, str(Path(__file__).with_name("scripted_engine.py")))
SERVING = f"""
import sys
from app import cli
from engine import client
client.default_command = lambda data: {ENGINE!r}
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A data folder whose engine and local API belong to another process."""
    home = tmp_path_factory.mktemp("served")
    (home / "model.gguf").write_bytes(b"GGUF")
    (home / "settings.json").write_text(json.dumps({"model": str(home / "model.gguf"), "api_port": 0}))
    environment = os.environ | {"LONGREAD_HOME": str(home), "PYTHONPATH": str(Path.cwd())}
    command = [sys.executable, "-c", SERVING, "serve", "--port", "0"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline().strip()  # its address, once it listens
        yield home
        process.terminate()
        process.wait(30)


@pytest.fixture
def running(served) -> Running:
    return msgspec.json.decode((served / "gateway.json").read_bytes(), type=Running)


def asked(question: str) -> Generate:
    return Generate("1", Conversation((Turn("user", (Text(question),)),), "2026-01-01"))


def test_a_command_beside_it_asks_through_it(run, served, document, monkeypatch):
    monkeypatch.setenv("LONGREAD_HOME", str(served))
    code, out, error = run("ask", "--doc", document("The rent."), "Who?", model=None)
    assert (code, out) == (0, "You asked: Who?\n"), error
    assert "asked through its local API" in error
    # beyond the window it is read there as it is here: the document comes as one
    text = "The rent is due. " * 400
    code, out, error = run("ask", "--doc", document(text), "documents", model=None)
    assert (code, json.loads(out)) == (0, [hashlib.sha256(text.encode()).hexdigest()]), error
    assert "read the text in segments" in error
    code, _, error = run("ask", "--policy", "h2o", "Who?", model=None)
    assert code == 1
    assert "--policy" in error


@pytest.mark.parametrize("form", ["", "/v1", "/api", "/api/v1/"])
async def test_another_computer_asks_it(running, form):
    remote = Remote(running.address.removesuffix("/v1") + form, model="longread", key=running.token, retries=0)
    events = [event async for event in remote.send(asked("Who?"))]
    assert "".join(event.text for event in events if isinstance(event, Delta)) == "You asked: Who?"
    assert isinstance(events[-1], Done)
    assert isinstance(events[-1].result, Answered)
    assert (events[-1].usage.prompt, events[-1].usage.written) == (4, 2)
    assert "longread" in await remote.models()


@pytest.mark.parametrize(
    ("model", "key", "code"),
    [("longread", "sk-wrong", "remote_key"), ("longread", "", "remote_key"), ("nothing", None, "remote_model")],
)
async def test_what_it_refuses(running, model, key, code):
    remote = Remote(running.address, model=model, key=running.token if key is None else key, retries=0)
    failed = await remote.send(asked("Who?")).ending()
    assert isinstance(failed, Failed)
    assert failed.code == code
    assert failed.said


async def test_too_long_comes_with_both_numbers(running):
    remote = Remote(running.address, model="longread", key=running.token, retries=0)
    failed = await remote.send(asked("too long")).ending()
    assert (failed.code, failed.needed, failed.available) == ("too_long", 9000, 4096)


async def test_cancelling_is_heard_there(running):
    remote = Remote(running.address, model="longread", key=running.token, retries=0)
    stream = remote.send(asked("hang"))
    assert await anext(stream) == Delta("1", "Half ")
    stream.cancel()
    done = await stream.ending()
    assert (done.finish, done.result.text) == ("cancelled", "Half ")
    # the next question is answered, so the one before holds the engine no longer
    again = await remote.send(asked("Who?")).ending()
    assert isinstance(again, Done)
