"""What is saved of the reading of a document, and in words how a document stands: in memory, on disk, or not read."""

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from app.models import quantities
from engine.protocol import Loaded, Saved

AT_ONCE = 0.1
"""Seconds that nobody waits for."""


class OnDisk(NamedTuple):
    """`bytes` of all saved readings that hold a document. `usable`: one of them is the loaded model's own, which
    opens in `opens` seconds; None: not known. `shared`: sha256 of the documents that were read together with it."""

    bytes: int
    usable: bool
    opens: float | None
    shared: frozenset[str]


def on_disk(readings: Iterable[Saved], document: str, loaded: Loaded | None) -> OnDisk | None:
    """Of the document (sha256); None: nothing is saved of it."""
    held = [saved for saved in readings if document in saved.documents]
    if not held:
        return None
    usable = [saved for saved in held if loaded is not None and is_usable(saved, loaded)]
    opens = [saved.opens for saved in usable if saved.opens is not None]
    shared = frozenset(other for saved in held for other in saved.documents if other != document)
    return OnDisk(sum(saved.bytes for saved in held), bool(usable), min(opens, default=None), shared)


def is_usable(saved: Saved, loaded: Loaded) -> bool:
    """Whether the model that is loaded made it, at the precision that it runs in now."""
    return (saved.fingerprint, saved.precision) == (loaded.fingerprint, loaded.precision)


def standing(in_memory: bool, saved: OnDisk | None) -> tuple[str, str]:
    """A sign, and words: "●", "read, opens in 1.4 s · 1.2 GB"."""
    size = "" if saved is None else quantities.size(saved.bytes)
    if in_memory:
        return "●", _tr("in memory") if saved is None else _tr("in memory · {size} on disk").format(size=size)
    if saved is None:
        return "○", _tr("not read")
    if not saved.usable:
        return "○", _tr("not read by this model · {size}").format(size=size)
    if saved.opens is None:
        return "●", _tr("read · {size} on disk").format(size=size)
    if saved.opens < AT_ONCE:
        return "●", _tr("read, opens at once · {size}").format(size=size)
    return "●", _tr("read, opens in {time} · {size}").format(time=quantities.seconds(saved.opens), size=size)


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("readings", sentence)
