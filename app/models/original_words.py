"""How the file that an item was made from stands now, in words with a sign."""

from PySide6.QtCore import QCoreApplication

from app.data.original import OriginalState


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("originals", sentence)


def original_words(state: OriginalState) -> tuple[str, ...]:
    """A sign and a few words; nothing where there is nothing to say."""
    said = {
        "changed": ("↻", _tr("changed on disk")),
        "maybe": ("↻", _tr("may have changed on disk")),
        "missing": ("∅", _tr("original not found")),
        "older": ("↶", _tr("older version")),
    }
    return said.get(state, ())
