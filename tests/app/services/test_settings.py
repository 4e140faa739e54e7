"""Settings come back as they were; what cannot be used is never thrown away."""

import json
from pathlib import Path

import pytest

from app.data.settings import VERSION, Settings
from app.services.problem import Problem
from app.services.settings import SettingsStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def test_they_come_back_as_they_were(path):
    settings = Settings(model="/models/其他", window=4096, temperature=0.7, theme="dark", hub="http://localhost:1")
    SettingsStore(path).save(settings)
    assert SettingsStore(path).load() == (settings, None)


def test_without_a_file_they_are_the_usual_ones(path):
    assert SettingsStore(path).load() == (Settings(), None)
    assert not path.exists()


@pytest.mark.parametrize(
    "content",
    [b"", b"\0\0\0", b"{", b"[]", b'{"version": 1, "temperature": 9}', b'{"version": "new"}', b'{"model": 3}'],
)
def test_a_damaged_file_is_put_aside_and_named(path, content):
    path.write_bytes(content)
    store = SettingsStore(path)
    settings, problem = store.load()
    assert settings == Settings()
    assert problem.code == "damaged"
    assert problem.kept.read_bytes() == content
    store.save(Settings(theme="dark"))
    assert SettingsStore(path).load() == (Settings(theme="dark"), None)
    assert problem.kept.read_bytes() == content


def test_a_newer_file_is_left_as_it_is(path):
    path.write_text(json.dumps({"version": VERSION + 1, "colour": "red"}))
    before = path.read_bytes()
    store = SettingsStore(path)
    settings, problem = store.load()
    assert (settings, problem.code, problem.kept) == (Settings(), "newer", path)
    with pytest.raises(Problem, match="settings_newer"):
        store.save(settings)
    assert path.read_bytes() == before


def test_an_older_file_is_brought_forward(path, monkeypatch):
    monkeypatch.setattr("app.services.settings.VERSION", 2)
    monkeypatch.setattr("app.services.settings.MIGRATIONS", {1: lambda kept: kept | {"theme": kept.pop("look")}})
    path.write_text(json.dumps({"version": 1, "look": "dark"}))
    settings, problem = SettingsStore(path).load()
    assert (settings.theme, problem) == ("dark", None)


def test_what_is_not_known_stays_in_the_file(path):
    path.write_text(json.dumps({"version": 1, "theme": "dark", "mine": [1, 2]}))
    store = SettingsStore(path)
    settings, _ = store.load()
    store.save(settings)
    assert json.loads(path.read_text())["mine"] == [1, 2]
