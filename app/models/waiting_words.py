"""What an answer waits for, in words; empty: for its first word alone."""

from PySide6.QtCore import QCoreApplication

from app.models import quantities


def waiting(stage: str, done: int = 0, total: int = 0) -> str:
    """`stage` as in `engine.protocol.Progress`, or "parts" where every part of the text is gone over, "model" while
    none is loaded, "reading" while documents are read before it, "other" behind another conversation's answer,
    "remote" once it was sent to a server."""
    counted = {"done": quantities.number(done), "total": quantities.number(total)}
    match stage:
        case "model" | "load":
            return _tr("Waits until the model is loaded")
        case "reading":
            return _tr("Waits until the documents are read")
        case "other":
            return _tr("Waits for the answer in another conversation")
        case "remote":
            return _tr("Sent; waits for the server's first word")
        case "tokenise":
            return _tr("Counting the tokens")
        case "read":
            return _tr("Reading what is new")
        case "ask":
            return _tr("Asking {done} of {total} segments").format_map(counted)
        case "parts":
            return _tr("Going over part {done} of {total}").format_map(counted)
        case _:
            return ""


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("waiting_words", sentence)
