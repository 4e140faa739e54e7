"""One row of the list that is shown before anything is read."""

from typing import Literal

from msgspec import Struct

from app.data.document import Item, Refused


class PreflightRow(Struct, frozen=True):
    """`key` names the row while it lives. `done` of `total` while it is extracted (pages or files; 0 when unknown)."""

    key: str
    name: str
    state: Literal["extracting", "counting", "ready", "refused"]
    included: bool = True
    item: Item | None = None
    tokens: int | None = None
    refused: Refused | None = None
    done: int = 0
    total: int = 0


class PreflightTotal(Struct, frozen=True):
    """Of the included rows and of what the conversation holds already. Seconds and bytes are None until known."""

    tokens: int
    window: int
    needed: int | None = None
    memory: int | None = None
    first_word: float | None = None
    fits: bool = True
