"""Servers elsewhere from the command line: kept, tried, asked, and told apart from this computer."""

import io
import json
import os
import stat
import subprocess
import sys

import openai_server
import pytest
from openai_server import Script, refusal, said, words

from app.data.gateway import Running
from app.gateway import running
from engine.lock import Lock


@pytest.fixture
def server():
    with openai_server.serving() as one:
        yield one


@pytest.fixture
def known(run, server):
    """The server is added as `gpu`, with a key in a variable."""
    run("remote", "add", "gpu", "--url", server.address, "--key-env", "GPU_KEY", "--retries", "0")
    return server


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("GPU_KEY", "sk-of-the-server")


def ask(run, *arguments: str, model: str = "gpu/openbmb/MiniCPM-SALA"):
    return run("ask", *arguments, model=model)


def test_servers_are_added_listed_and_removed_for_the_person_alone(run, monkeypatch, home):
    monkeypatch.setattr(sys, "stdin", io.StringIO("sk-very-secret\n"))
    code, out, error = run(
        "remote", "add", "gpu", "--url", "http://sala.example:30000/v1/", "--key", "-", "--model", "m/x"
    )
    assert (code, out) == (0, "gpu/m/x\n")
    assert "can be read on the way" in error
    file = home / "providers.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 or os.name == "nt"
    assert "sk-very-secret" in file.read_text()
    for arguments in (("list",), ("list", "--json")):
        code, out, error = run("remote", *arguments)
        assert "http://sala.example:30000/v1/" in out
        assert "sk-very-secret" not in out + error
    assert "gpu/m/x" in run("models", "list")[1]
    others = [one for one in home.rglob("*") if one.is_file() and one != file]
    assert not [one for one in others if b"sk-very-secret" in one.read_bytes()]
    assert run("remote", "remove", "gpu")[0] == 0
    assert "sk-very-secret" not in file.read_text()
    assert run("remote", "remove", "gpu")[0] == 1


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        (("gpu", "--url", "ftp://a"), "", "is no address of a server"),
        (("g/u", "--url", "http://a"), "", "cannot be a server's name"),
        (("gpu", "--url", "http://a", "--key", "-"), "sk-a\nsk-b\n", "holds a line break"),
        (("gpu", "--url", "http://a", "--key", "-"), "sk-a \n", "holds a space"),
    ],
)
def test_what_cannot_be_a_server_is_not_kept(run, monkeypatch, home, arguments, stdin, said):
    monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
    code, _, error = run("remote", "add", *arguments)
    assert code != 0
    assert said in error
    assert not (home / "providers.json").exists()


def test_a_key_is_not_taken_from_the_command_line(run):
    assert run("remote", "add", "gpu", "--url", "http://a", "--key", "sk-abc")[0] == 2


def test_a_test_lists_models_with_their_windows(run, known):
    known.answer(words("yes"))
    code, out, error = run("remote", "test", "gpu")
    assert (code, out) == (0, "gpu/openbmb/MiniCPM-SALA  window 1,048,576\n")
    assert "answered after" in error
    assert known.questions()[0].headers["authorization"] == "Bearer sk-of-the-server"
    assert "window 1,048,576" in run("remote", "list")[1]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (refusal(401, {"error": "Unauthorized"}), "does not accept the key"),
        (refusal(404, {"error": {"message": "no", "code": "model_not_found"}}), "has no model openbmb/MiniCPM-SALA"),
        (Script(b"<html>", kind="text/html"), "no answer of OpenAI's protocol"),
        (words("Half", finish=None, then="cut"), "ended the connection before the answer was whole"),
        (
            refusal(400, {"message": "The input (61709 tokens) is longer than the model's context length (9 tokens)."}),
            "This is 61,709 tokens and the model at",
        ),
    ],
)
def test_what_is_wrong_is_said(run, known, script, said):
    known.answer(script)
    code, out, error = ask(run, "Who?")
    assert code == 1
    assert said in error
    assert "sk-of-the-server" not in out + error


def test_a_server_that_never_answers(run, known):
    run("remote", "add", "gpu", "--url", known.address, "--retries", "0", "--timeout", "0.1")
    known.answer(Script(then="hang", kind="text/event-stream"))
    code, _, error = ask(run, "Who?")
    assert code == 1
    assert "sent nothing for" in error


def test_an_answer_from_elsewhere(run, known, document):
    known.answer(said("sglang"))
    code, out, error = ask(run, "--doc", document("The rent is 900 €."), "What is “The rent is 900 €.”?")
    assert (code, out) == (0, "The rent is 900 €.\n")
    assert "It is given the question and 1 document." in error
    assert known.host in error
    assert "Read in full: lease.txt" in error
    assert f"openbmb/MiniCPM-SALA at {known.host}" in error
    assert "41,216 reused" in error
    sent = known.questions()[0].body["messages"]
    assert sent[-1]["content"] == "Document: lease.txt\n\nThe rent is 900 €.\n\nQuestion: What is “The rent is 900 €.”?"
    assert sent[0]["role"] == "system"  # it is asked to quote


def test_json_names_host_and_model(run, known):
    known.answer(said("sglang"))
    _, out, _ = ask(run, "--json", "Who?")
    report = json.loads(out)
    assert (report["ledger"]["device"], report["ledger"]["model"]) == (known.host, "openbmb/MiniCPM-SALA")
    assert report["usage"]["reused"] == 41216
    assert "remote" in report["ledger"]["notes"]


@pytest.mark.parametrize(
    "option", [("--policy", "h2o"), ("--every-part",), ("--precision", "int8"), ("--mode", "parallel")]
)
def test_what_a_server_does_not_follow_is_refused(run, known, option):
    code, _, error = ask(run, *option, "Who?")
    assert code == 2
    assert option[0] in error
    assert not known.questions()


def test_settings_of_this_computer_do_not_stand_in_the_way(run, known, home):
    (home / "settings.json").write_text(json.dumps({"policy": "h2o", "selection": "quest", "reading_mode": "parallel"}))
    known.answer(words("Yes."))
    assert ask(run, "Who?")[:2] == (0, "Yes.\n")


def test_a_key_whose_variable_is_not_set(run, known, monkeypatch):
    monkeypatch.delenv("GPU_KEY")
    code, _, error = ask(run, "Who?")
    assert code == 1
    assert "GPU_KEY, which is not set" in error
    assert not known.asked


def test_a_damaged_list_is_left_as_it_is(run, home):
    (home / "providers.json").write_text("{")
    code, _, error = run("remote", "list")
    assert code == 1
    assert "cannot be read and was left as it is" in error


def test_doctor_tells_servers_and_that_proxies_do_not_matter_here(run, known, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "http://me:secret@127.0.0.1:9")
    _, out, _ = run("doctor")
    assert f"gpu: {known.host} (on this computer; its key is in GPU_KEY)" in out
    assert "HTTP_PROXY is set to 127.0.0.1:9 (NOTHING ANSWERS THERE)." in out
    assert "reached past any proxy" in out
    assert "secret" not in out
    known.answer(words("Yes."))
    assert ask(run, "Who?")[:2] == (0, "Yes.\n")


@pytest.fixture
def held(home):
    """Another process has the engine of this data folder."""
    taking = f"Lock(pathlib.Path({str(home)!r})); lock.take(); print(1, flush=True); sys.stdin.read()"
    code = f"import sys, pathlib; from engine.lock import Lock; lock = {taking}"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        yield process
        process.stdin.close()


def test_beside_a_running_longread_its_local_api_is_asked(run, held, server, document, home, tmp_path):
    server.answer(words("Yes."))
    (home / "settings.json").write_text(json.dumps({"model": str(tmp_path / "model.gguf")}))
    running.write(Running(server.address, "sk-of-this-run", os.getpid()))
    code, out, error = run("ask", "--doc", document("The rent."), "Who?", model=None)
    assert (code, out) == (0, "Yes.\n")
    assert "asked through its local API" in error
    (asked,) = server.questions()
    assert (asked.body["model"], asked.headers["authorization"]) == ("longread", "Bearer sk-of-this-run")


def test_beside_a_running_longread_without_it_the_holder_is_named(run, held):
    code, _, error = run("ask", "Who?")
    assert code == 1
    assert f"process {held.pid}, " in error
    assert "holds the model in memory" in error
    code, _, error = run("doctor")
    assert f"process {held.pid}, " in error


def test_a_lock_without_a_number_is_told_as_before(run, home):
    lock = Lock(home)
    lock.take()
    lock.path.write_text("")
    assert "Another Longread is running" in run("ask", "Who?")[2]
    lock.release()
