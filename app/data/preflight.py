"""One row of the list that is shown before anything is read."""

from typing import Literal

from msgspec import Struct

from app.data.document import Item, Refused


class PreflightRow(Struct, frozen=True):
    """`key` names the row while it lives. `done` of `total` while it is extracted (pages or files; 0 when unknown).

    `segments`: about how many it is read in, None where it is read whole; `longer`: because it does not fit the window.
    `disk`: bytes that its reading takes there, None where it is not kept. `seconds`: to read it, where known.
    """

    key: str
    name: str
    state: Literal["extracting", "counting", "ready", "refused"]
    included: bool = True
    item: Item | None = None
    tokens: int | None = None
    refused: Refused | None = None
    done: int = 0
    total: int = 0
    segments: int | None = None
    longer: bool = False
    disk: int | None = None
    seconds: float | None = None


class PreflightTotal(Struct, frozen=True):
    """Of the included rows and of what the conversation holds already. Seconds and bytes are None until known.

    `segments`: about how many all of it is read in; None: it is read whole, and must fit the window. `disk`: bytes that
    its reading takes there, 0 where none is kept; `quota`: bytes that all readings may take.
    """

    tokens: int
    window: int
    needed: int | None = None
    memory: int | None = None
    first_word: float | None = None
    fits: bool = True
    segments: int | None = None
    disk: int = 0
    quota: int | None = None
    endless: bool = False
    """Read whole, it may be longer than the window."""
