"""`longread serve`, in this process, with an engine that answers by a script."""

import http.client
import json
import os
import signal
import threading
from urllib.parse import urlsplit

import pytest

from app import paths
from app.data.gateway import Running
from app.gateway import running
from engine.lock import Lock

PATIENCE = 30.0


@pytest.fixture
def served(run, home, monkeypatch):
    """Run `serve` until the visitor is done, then end it as a terminal does: exit code, stdout, stderr, and what the
    visitor saw. What a visitor raises is raised."""

    there, write = threading.Event(), running.write

    def written(what) -> None:
        write(what)
        there.set()

    monkeypatch.setattr(running, "write", written)

    def serve(visit, *arguments: str):
        seen: list = []

        def visitor() -> None:
            try:
                assert there.wait(PATIENCE), "it was never served"
                seen.append(visit(running.read()))
            except BaseException as error:  # noqa: BLE001 - it is raised in the test
                seen.append(error)
            finally:
                os.kill(os.getpid(), signal.SIGTERM)

        visiting = threading.Thread(target=visitor)
        visiting.start()
        code, out, err = run("serve", "--port", "0", *arguments)
        visiting.join()
        if isinstance(seen[0], BaseException):
            raise seen[0]
        return code, out, err, seen[0]

    return serve


def get(address: str, path: str, token: str) -> tuple[int, dict]:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    said = json.loads(answer.read())
    connection.close()
    return answer.status, said


def test_it_serves_until_it_is_told_to_end(served, home) -> None:
    def visit(found):
        assert found.pid == os.getpid()
        assert (paths.data() / running.NAME).stat().st_mode & 0o077 == 0
        return found.address, get(found.address, "/v1/models", found.token)

    code, out, err, (address, (status, models)) = served(visit)
    assert code == 130
    assert out == f"{address}/v1\n"
    assert address in err
    assert "longread keys add" in err
    assert status == 200
    assert "longread" in [model["id"] for model in models["data"]]
    assert running.read() is None
    assert not (paths.data() / running.NAME).exists()
    assert not [thread for thread in threading.enumerate() if thread.name == "gateway"]


def test_who_has_a_key_is_not_told_to_make_one(served, run) -> None:
    run("keys", "add", "editor")
    _, _, err, _ = served(lambda found: None)
    assert "keys add" not in err


def test_others_are_let_in_only_when_it_is_said_and_are_told_of(served) -> None:
    def visit(found):
        return found.address, get(found.address, "/health", "")

    _, _, err, (address, (status, _)) = served(visit, "--host", "0.0.0.0", "--name", "ada.example")
    assert (address.startswith("http://127.0.0.1:"), status) == (True, 200), "one that a client can connect to"
    port = address.rpartition(":")[2]
    assert f"Other computers can reach it at http://ada.example:{port}/v1" in err
    assert "0.0.0.0" not in err
    assert "not encrypted" in err


def test_connections_are_encrypted_when_it_is_said(served) -> None:
    _, _, err, found = served(lambda found: found, "--tls")
    assert found.address.startswith("https://")
    assert found.certificate in err


def test_proxies_that_lead_nowhere_do_not_keep_it_from_answering(served, monkeypatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    _, _, err, (status, _) = served(lambda found: get(found.address, "/health", ""))
    assert status == 200
    assert "NO_PROXY" in err


def test_a_second_one_is_told_where_the_first_answers(run, home) -> None:
    lock = Lock(paths.data())  # as another process holds it
    lock.take()
    try:
        code, _, err = run("serve", "--port", "0")
        assert code == 1
        assert "holds the model in memory" in err
        running.write(Running("http://127.0.0.1:8317", "sk-local-x", os.getpid()))
        code, _, err = run("serve", "--port", "0")
        assert code == 1
        assert "http://127.0.0.1:8317/v1" in err
    finally:
        lock.release()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("--host", "203.0.113.7"), "203.0.113.7"), (("--tls-certificate", "/nowhere.pem"), "/nowhere.pem")],
)
def test_what_cannot_be_served_is_said(run, arguments, said) -> None:
    code, out, err = run("serve", "--port", "0", *arguments)
    assert (code, out) == (1, "")
    assert said in err


def test_a_model_that_cannot_be_loaded_is_said(run, tmp_path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF")
    code, _, err = run("serve", "--port", "0", model=str(broken))
    assert code == 1
    assert "cut short" in err


@pytest.mark.parametrize("arguments", [("--port", "70000"), ("--port", "x"), ("--nothing",)])
def test_bad_use(run, arguments) -> None:
    assert run("serve", *arguments)[0] == 2
