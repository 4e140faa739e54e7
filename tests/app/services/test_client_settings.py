"""A client's settings.json: what it says to us, and one that points at our own local API."""

import json

import pytest

from app.data.client_settings import ClientSettings
from app.data.fault import NotHonoured
from app.data.provider import Provider
from app.serve_words import said
from app.services import client_settings

ENVIRONMENT = {"THE_KEY": "sk-1", "HOST": "Engine.example.org:8443"}


@pytest.fixture
def read(tmp_path):
    def made(content: object, name: str = "") -> ClientSettings:
        file = tmp_path / "settings.json"
        file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8-sig")
        return client_settings.read(file, ENVIRONMENT, name)

    return made


def test_a_variable_stays_a_variable(read):
    """A value that is nothing but a variable is kept as its name: the secret is written nowhere else."""
    found = read(
        {
            "api_base": "https://${env:HOST}/v1",
            "api_key": "${env:THE_KEY}",
            "default_model": "b",
            "models": ["a", {"name": "b", "context": 5}, "a"],
            "request_timeout": 900,
            "stream": True,
        }
    )
    provider = Provider(
        "engine-example-org-8443", "https://Engine.example.org:8443/v1", "", "THE_KEY", 900.0, models=("a", "b")
    )
    assert found == ClientSettings(provider, "engine-example-org-8443/b")


def test_what_is_not_said_is_ours(read):
    assert read({"api_base": "http://127.0.0.1:1", "api_key": "k"}, "near") == ClientSettings(
        Provider("near", "http://127.0.0.1:1", "k")
    )
    assert read({"api_base": "http://h", "default_model": "m"}, "x").provider.models == ("m",)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "The file is no JSON"),
        ("[]", "The file is no JSON"),
        ({}, "api_base: It names no address of a server"),
        ({"api_base": "file:///x"}, "api_base: file:///x is no address"),
        ({"api_bas": "https://h"}, "api_bas: There is no key of that name; did you mean api_base?"),
        ({"api_base": 1}, "api_base: It must be text"),
        ({"api_base": "https://h", "models": "m"}, "models: It must be a list of names"),
        ({"api_base": "https://h", "request_timeout": 0}, "request_timeout: It must be above 0"),
        ({"api_base": "https://h", "request_timeout": "60"}, "request_timeout: It must be a number of seconds"),
        ({"api_base": "https://h", "stream": False}, "stream: Answers are always shown while they are written."),
        (
            {"api_base": "https://h", "models": ["a"], "default_model": "b"},
            "default_model: b is not among its models: a",
        ),
        ({"api_base": "https://h", "api_key": "${env:GONE}"}, "api_key: The environment variable GONE is not set."),
        ({"api_base": "https://h", "api_key": "${GONE}"}, "api_key: A variable is written ${env:NAME}"),
        ({"api_base": "https://h", "api_key": "sk 1\n"}, "api_key: A key is one word of visible letters"),
    ],
)
def test_what_cannot_be_taken_is_told(read, content, sentence):
    with pytest.raises(NotHonoured) as refused:
        read(content)
    told = [said(fault) for fault in refused.value.faults]
    assert any(one.startswith(sentence) for one in told), told
    assert "sk 1" not in " ".join(told)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(NotHonoured, match="unreadable"):
        client_settings.read(tmp_path / "none.json", {})


@pytest.mark.parametrize("base", ["http://127.0.0.1:8317", "http://127.0.0.1:8317/v1", "http://127.0.0.1:8317/"])
def test_what_is_written_is_read_back(tmp_path, base):
    written = client_settings.written(base, ["longread", "far/m"], "longread")
    assert json.loads(written)["api_key"] == "${env:LONGREAD_API_KEY}"
    (tmp_path / "settings.json").write_text(written)
    found = client_settings.read(tmp_path / "settings.json", {"LONGREAD_API_KEY": "sk-2"}, "mine")
    assert found.provider.base_url == "http://127.0.0.1:8317/v1"
    assert (found.provider.models, found.default_model) == (("longread", "far/m"), "mine/longread")
    assert found.provider.api_key_env == "LONGREAD_API_KEY"


def test_a_key_is_written_only_when_it_is_given():
    assert json.loads(client_settings.written("http://h", [], "", "sk-3"))["api_key"] == "sk-3"
