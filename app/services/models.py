"""The models that can be chosen: the catalogue's, and folders and files that the person added."""

import contextlib
from pathlib import Path
from typing import Any

import msgspec

from app.data.model import ModelEntry
from app.services.files import write_whole
from app.services.problem import ModelMissing, Problem
from engine import catalogue
from engine.catalogue import Entry, Hub, Wheel

USEFUL_WINDOW = 8_192
"""Tokens that a model must have room for to be called fitting."""

SPARE_MEMORY = 2 * 2**30
"""Bytes left to the system and to what the engine needs besides the model."""

WHOLE = "longread.json"
"""In a folder fetched from a hub: says what it is, and by being there, that all of it is."""


class Models:
    """`folder` holds what was fetched, a folder each, and the list of what was added."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._list = folder / "added.json"

    def entries(self, memory: int | None = None, *, chosen: str = "") -> list[ModelEntry]:
        """The catalogue from small to large, then what was added. `memory`: bytes of the device, for `fits`. `chosen`:
        a model in use, which is listed last where it was only named by its path."""
        known = [self._known(entry, memory) for entry in catalogue.ENTRIES]
        added = self._added()
        if chosen and catalogue.find(chosen) is None and chosen not in added and Path(chosen).exists():
            added.append(chosen)
        return known + [_found(Path(path)) for path in added]

    def resolve(self, name: str) -> Path:
        """The folder or .gguf file that the engine loads for a catalogue's name, a hub id or a path.

        Raises `ModelMissing`: "model_missing" for one that can be fetched, "model_unknown" for a name or a path that is
        nothing.
        """
        entry = catalogue.find(name)
        if entry is not None:
            place = self.place(entry)
            if place is None:
                raise ModelMissing("model_missing", subject=entry.title, name=entry.name)
            return place
        path = Path(name).expanduser()
        if path.exists():
            return path.absolute()
        raise ModelMissing("model_unknown", subject=name)

    def place(self, entry: Entry) -> Path | None:
        """Where a catalogue's model lies, when all of it does."""
        if isinstance(entry.source, Wheel):
            # One that came with the program needs no other copy
            for folder in (self.folder, catalogue.shipped_models()):
                file = folder / entry.name / entry.source.member.rpartition("/")[2]
                if file.is_file() and file.stat().st_size == entry.source.member_size:
                    return file
            return None
        folder = self.folder / entry.name
        return folder if (folder / WHOLE).is_file() else None

    def add(self, path: Path) -> ModelEntry:
        """Remember a folder with a checkpoint or a .gguf file. Raises `Problem` when it lacks what a model has.

        Only the outside is looked at; whether the engine can run it, loading it says.
        """
        path = path.expanduser().absolute()
        missing = _missing(path)
        if missing:
            raise Problem(missing, subject=str(path))
        added = self._added()
        if str(path) not in added:
            self._keep([*added, str(path)])
        return _found(path)

    def drop(self, path: str) -> None:
        """Forget an added path; the files stay where they are."""
        self._keep([one for one in self._added() if one != path])

    def largest_that_fits(self, memory: int, *, card: bool) -> ModelEntry | None:
        """The largest of the catalogue that runs in `memory` bytes with a useful window; then the longest window.
        `card`: they are a graphics card's; without one, models that are made for one are left out."""
        fitting = [entry for entry in catalogue.ENTRIES if _needs(entry) <= memory and (card or not entry.for_card)]
        if not fitting:
            return None
        return self._known(max(fitting, key=lambda entry: (entry.parameters, entry.window)), memory)

    def _known(self, entry: Entry, memory: int | None) -> ModelEntry:
        place = self.place(entry)
        size = entry.download if place is None else _size(place)
        source = entry.source.id if isinstance(entry.source, Hub) else f"{entry.source.package} {entry.source.version}"
        return ModelEntry(
            *(entry.name, entry.title, entry.parameters, size, entry.window, entry.licence, source),
            path=None if place is None else str(place),
            fits=None if memory is None else _needs(entry) <= memory,
            about=entry.about,
            needs=_needs(entry),
        )

    def _added(self) -> list[str]:
        with contextlib.suppress(FileNotFoundError, msgspec.MsgspecError):
            return msgspec.json.decode(self._list.read_bytes(), type=list[str])
        return []

    def _keep(self, paths: list[str]) -> None:
        write_whole(self._list, msgspec.json.encode(paths))


def _needs(entry: Entry) -> int:
    return entry.needs(min(USEFUL_WINDOW, entry.window)) + SPARE_MEMORY


def _missing(path: Path) -> str:
    """What a path lacks to be a model, as a code of `app.words.PROBLEMS`; empty when it lacks nothing."""
    if not path.exists():
        return "model_nothing_there"
    if path.is_file():
        return "" if path.suffix.lower() == ".gguf" else "model_not_gguf"
    if not (path / "config.json").is_file():
        return "model_no_config"
    if not any(path.glob("*.safetensors")):
        return "model_no_weights"
    return ""


def _found(path: Path) -> ModelEntry:
    config = _configuration(path)
    window = config.get("max_position_embeddings", 0)
    return ModelEntry(
        name=str(path),
        title=path.stem if path.is_file() else path.name,
        parameters=0,
        size=_size(path),
        window=window if isinstance(window, int) else 0,
        licence="",
        source=str(path),
        path=str(path) if not _missing(path) else None,
        about="added",
    )


def _configuration(path: Path) -> dict[str, Any]:
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode((path / "config.json").read_bytes(), type=dict[str, Any])
    return {}


def _size(path: Path) -> int:
    files = [path] if path.is_file() else [*path.glob("*.safetensors"), *path.glob("*.json")]
    with contextlib.suppress(OSError):
        return sum(file.stat().st_size for file in files)
    return 0
