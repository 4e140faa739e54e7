"""Why a reading is not on disk, and room for those that shall be."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from engine.memory.store.files import is_full

Code = Literal["not_saved_full", "not_saved_disk", "not_saved"]


class NotSaved(Exception):
    """`not_saved_full`: it would not fit the quota even alone (`needed`, `quota`: bytes). `not_saved_disk`: the disk is
    full. `not_saved`: the folder cannot be written."""

    def __init__(self, code: Code, values: dict[str, str] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.values = values or {}


@contextmanager
def saving() -> Iterator[None]:
    """What the system says against it, as NotSaved."""
    try:
        yield
    except OSError as error:
        raise NotSaved("not_saved_disk" if is_full(error) else "not_saved") from error
