"""A file that other programs stumble over, and what it must come to."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from app.documents.messages import AS_USUAL, GENEROUS, Limits, Options

Files = bytes | Mapping[str, bytes]


class Nasty(NamedTuple):
    """`make` gives a file's bytes, or a folder's files. Either `refused`, a code, or a text that holds `says` and none
    of `lacks`, with warnings of just these codes and with just these parts left out; None: others may say."""

    what: str
    name: str
    make: Callable[[], Files]
    says: str = ""
    lacks: tuple[str, ...] = ()
    refused: str = ""
    warned: tuple[str, ...] | None = ()
    left: Mapping[str, str] | None = {}
    labels: tuple[str, ...] | None = None
    options: Options = AS_USUAL
    limits: Limits = GENEROUS
    exact: bool = False
    """Whether the text is `says` and nothing else."""
    real: bool = False
    """Whether it is read by the document process as well."""
