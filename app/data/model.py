"""A model as it is offered: from the catalogue, or found on disk."""

from typing import Literal

from msgspec import Struct


class ModelEntry(Struct, frozen=True):
    """`name` is what settings and the command line use: the catalogue's name, or an absolute path."""

    name: str
    title: str
    parameters: int
    size: int
    """Bytes on disk, or to download."""
    window: int
    licence: str
    source: str
    """Where it comes from, for people: a hub id, a package, a folder."""
    path: str | None
    """Where it lies, when it is on this computer."""
    fits: bool | None = None
    """Whether this machine's memory holds it at a useful window; None when not known."""
    about: str = ""
    """What it can and cannot do, as a code of `app.words.ABOUT`."""
    host: str = ""
    """The server that runs it, where that is not this computer; then there is no `path` and nothing to fetch."""
    needs: int = 0
    """Bytes of memory at a useful window, with what must stay free beside it; 0 when not known."""


class Download(Struct, frozen=True):
    """Bytes so far and in all; `rate` in bytes a second and `left` in seconds are None until known."""

    name: str
    state: Literal["running", "paused", "checking", "done", "failed"]
    done: int
    total: int
    rate: float | None = None
    left: float | None = None
    problem: str = ""
