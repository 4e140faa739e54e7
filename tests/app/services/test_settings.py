"""Settings come back as they were; what cannot be used is never thrown away."""

import json
from pathlib import Path

import msgspec
import pytest

from app.commands.arguments import SMALLEST_PART, SMALLEST_SEGMENT, SMALLEST_WINDOW
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


def test_how_texts_are_read_is_the_engines_choice_until_somebody_chooses():
    settings = Settings()
    assert (settings.reading_mode, settings.extension, settings.join, settings.kv) == ("auto", "none", "auto", "auto")
    assert (settings.kept_rows, settings.save_readings, settings.calibrate) == (1.0, True, False)
    assert (settings.segment, settings.keep, settings.asked, settings.part, settings.readings_quota) == (None,) * 5


@pytest.mark.parametrize(
    ("name", "least"),
    [
        *(("window", SMALLEST_WINDOW), ("segment", SMALLEST_SEGMENT), ("part", SMALLEST_PART), ("overlap", 0)),
        *(("keep", 1), ("asked", 1)),
    ],
)
def test_the_command_line_allows_what_the_settings_do(name, least):
    assert getattr(msgspec.convert({name: least}, Settings), name) == least
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({name: least - 1}, Settings)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0\0\0",
        b"{",
        b"[]",
        b'{"version": 1, "temperature": 9}',
        b'{"version": "new"}',
        b'{"model": 3}',
        b'{"kept_rows": 0}',
    ],
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
