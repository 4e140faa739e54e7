"""The names by which clients call models: local ones, remote ones, and a collection of documents with the local one."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

from app.data.key import Key
from app.data.model import ModelEntry
from app.data.settings import Settings

CHOSEN = "longread"
"""Means the local model that the settings name, whichever that is."""
COLLECTION = f"{CHOSEN}:"
"""Before the name of a collection: the chosen model, with its documents."""


class Model(Struct, frozen=True):
    """A model as a client may name it. `settings`: as it is loaded and read with; None: it runs elsewhere.

    `also`: other names that mean it. `window`: tokens it can hold, 0 where that is not known. `items`: ids of those of
    its collection.
    """

    name: str
    owner: str
    settings: Settings | None
    window: int = 0
    also: tuple[str, ...] = ()
    collection: str | None = None
    items: tuple[str, ...] = ()
    host: str = ""
    """Where it runs, if that is elsewhere."""

    def is_called(self, name: str) -> bool:
        return name == self.name or name in self.also


def of_entries(entries: Iterable[ModelEntry], settings: Callable[[str], Settings]) -> list[Model]:
    """Local models that are on this computer. One that was added by its path is called as its file or folder is."""
    models: list[Model] = []
    for entry in entries:
        if entry.path is None:
            continue
        called = _free(_tidied(entry), {model.name for model in models})
        also = tuple(dict.fromkeys({entry.name, entry.path, entry.title} - {called}))
        models.append(Model(called, "local", settings(entry.name), entry.window, also))
    return models


def allowed(model: Model, key: Key) -> bool:
    """Whether the key may ask it, by any of its names, and all of its documents."""
    if model.settings is None and not key.remote:
        return False
    # an answer from some of a collection would look like one from all of it
    if not all(key.allows_document(id) for id in model.items):
        return False
    return any(key.allows_model(name) for name in (model.name, *model.also))


def _tidied(entry: ModelEntry) -> str:
    """No path: many tools take a slash for a provider's name, and none can show a long one."""
    if not Path(entry.name).is_absolute():
        return entry.name
    return re.sub(r"[^\w.+-]+", "-", entry.title).strip("-") or "model"


def _free(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free
