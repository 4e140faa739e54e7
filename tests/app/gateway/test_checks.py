"""The check calls what is served as a program would, in both protocols, and names what is in the way."""

import json
import os

import pytest

from app import cli
from app.data.gateway import Running
from app.gateway import running
from app.gateway.checks import checks


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch):
    for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(variable, raising=False)
        monkeypatch.delenv(variable.lower(), raising=False)


async def found(*what: str, **how: object) -> list[tuple[str, str, str]]:
    return [(one.step, one.verdict, one.code) async for one in checks(*what, **how)]


REACHED = [("proxies", "good", "no_proxies"), ("reached", "good", "reached")]
WORKS = [*REACHED, ("key", "good", "key_works")]


async def test_both_protocols_are_asked(scripted):
    at = scripted.address
    assert await found(at, "sk-all", "longread") == [*WORKS, ("model", "good", "model_answers")]
    assert await found(at, "sk-all", "longread", anthropic=True) == [*WORKS, ("model", "good", "message_answers")]


async def test_what_is_wrong_is_named_at_its_step(scripted):
    at = scripted.address
    assert await found("", "sk-all", "longread") == [*REACHED[:1], ("reached", "bad", "not_served")]
    assert await found("http://127.0.0.1:9", "sk-all", "longread") == [
        *REACHED[:1],
        ("reached", "bad", "remote_unreached"),
    ]
    assert await found(at, "", "longread") == [*REACHED, ("key", "warn", "no_key")]
    assert await found(at, "sk-wrong", "longread") == [*REACHED, ("key", "bad", "remote_key")]
    assert await found(at, "sk-all\n", "longread") == [*REACHED, ("key", "bad", "remote_key_line")]
    assert await found(at, "sk-all", "gpt-4") == [*WORKS, ("model", "bad", "model_absent")]


@pytest.mark.parametrize(
    ("variables", "verdict", "code"),
    [
        ({"HTTP_PROXY": "http://127.0.0.1:9"}, "warn", "proxies_dead"),
        ({"ALL_PROXY": "http://127.0.0.1:9", "NO_PROXY": "localhost,127.0.0.1"}, "good", "proxies_spare"),
    ],
)
async def test_proxies_are_told_of_and_passed(scripted, monkeypatch, variables, verdict, code):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    expected = [("proxies", verdict, code), *WORKS[1:], ("model", "good", "message_answers")]
    assert await found(scripted.address, "sk-all", "longread", anthropic=True) == expected


def test_the_command_line_checks_what_is_served(scripted, home, capfd, monkeypatch):
    monkeypatch.setattr("app.crash.install", lambda folder: None)
    assert cli.main(["keys", "check"]) == 1
    assert "✗ The local API is off" in capfd.readouterr().out
    running.write(Running(scripted.address, "sk-all", os.getpid()))
    assert cli.main(["keys", "check", "--anthropic"]) == 0
    out = capfd.readouterr().out
    assert f"✓ {scripted.address} answers.\n✓ The key is accepted." in out
    assert cli.main(["keys", "check", "sk-wrong", "--json"]) == 1
    last = json.loads(capfd.readouterr().out)["checks"][-1]
    assert (last["step"], last["verdict"]) == ("key", "bad")
