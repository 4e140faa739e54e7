"""What changed between two versions, in words: how much, and where."""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from app.data.changes import Change, Changes
from app.data.quote import QuotePlace
from app.models import quantities
from app.models.found_texts import where

NAMED = 4
"""Places that a sentence names; more are counted."""


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("changes", sentence)


def extent(changes: Changes) -> str:
    """ "12 passages changed, 2 passages added (p. 3; p. 4; p. 5; p. 9; + 2)"."""
    told = []
    if count := changes.count("changed"):
        said = _tr("1 passage changed") if count == 1 else _tr("{n} passages changed")
        told.append(said.format(n=quantities.number(count)))
    if count := changes.count("added"):
        said = _tr("1 passage added") if count == 1 else _tr("{n} passages added")
        told.append(said.format(n=quantities.number(count)))
    if count := changes.count("removed"):
        said = _tr("1 passage removed") if count == 1 else _tr("{n} passages removed")
        told.append(said.format(n=quantities.number(count)))
    if not told:
        return _tr("no passage changed, only what stands between them")
    return f"{', '.join(told)} ({_places(changes.changes)})"


def _places(changes: Iterable[Change]) -> str:
    shown = list(dict.fromkeys(where(at) for one in changes if (at := place(one)) is not None))
    more = [f"+ {quantities.number(len(shown) - NAMED)}"] if len(shown) > NAMED else []
    return "; ".join([*shown[:NAMED], *more])


def place(change: Change) -> QuotePlace | None:
    """In the new version, or of what was removed in the old one."""
    return change.new or change.old


def kind(change: Change) -> tuple[str, str]:
    """A sign, and a word."""
    return {
        "changed": ("≠", _tr("changed")),
        "added": ("+", _tr("added")),
        "removed": ("−", _tr("removed")),
    }[change.kind]
