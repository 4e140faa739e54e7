"""Settings on disk: one JSON file with a version, whole or not there."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec

from app.data.settings import VERSION, Settings
from app.services.files import write_whole
from app.services.problem import Problem

Migration = Callable[[dict[str, Any]], dict[str, Any]]

MIGRATIONS: dict[int, Migration] = {}
"""By the version that a step starts from: what makes it the next one. Released steps never change."""


class SettingsProblem(msgspec.Struct, frozen=True):
    """Why the kept settings are not in use. `damaged`: they were put aside as `kept`. `newer`: they stay as they are,
    and nothing is saved in this session. `unreadable`: the system refused to read them."""

    code: Literal["damaged", "newer", "unreadable"]
    kept: Path


class SettingsStore:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._unknown: dict[str, Any] = {}
        self._locked = False

    def load(self) -> tuple[Settings, SettingsProblem | None]:
        """The kept settings, or the defaults and why."""
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return Settings(), None
        except OSError:
            self._locked = True
            return Settings(), SettingsProblem("unreadable", self.path)
        try:
            kept = msgspec.json.decode(content, type=dict[str, Any])
            version = msgspec.convert(kept.get("version", 1), int)
            if version > VERSION:
                self._locked = True
                return Settings(), SettingsProblem("newer", self.path)
            for step in range(version, VERSION):
                kept = MIGRATIONS[step](kept)
            settings = msgspec.convert(kept | {"version": VERSION}, Settings)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return Settings(), SettingsProblem("damaged", self._put_aside())
        self._unknown = {name: value for name, value in kept.items() if name not in Settings.__struct_fields__}
        return settings, None

    def save(self, settings: Settings) -> None:
        """Keep the settings. Raises `Problem` when the disk refuses, or when a newer file must not be touched.

        What somebody wrote into the file that this version does not know stays in it.
        """
        if self._locked:
            raise Problem("settings_newer", subject=str(self.path))
        kept = self._unknown | msgspec.to_builtins(settings)
        write_whole(self.path, msgspec.json.format(msgspec.json.encode(kept)) + b"\n")

    def _put_aside(self) -> Path:
        aside = self.path.with_name(f"{self.path.stem}.damaged-{time.strftime('%Y%m%d-%H%M%S')}{self.path.suffix}")
        try:
            self.path.replace(aside)
        except OSError:
            self._locked = True  # it could not be moved, so it must not be overwritten either
            return self.path
        return aside
