"""What asking a question in other words will cost, in words."""

from PySide6.QtCore import QCoreApplication

from app.models import quantities
from engine.protocol import Expected


def cost(expected: Expected, rate: float | None) -> str:
    """`rate`: tokens that this machine reads in a second, None: not known yet."""
    told = {"read": quantities.number(expected.read), "total": quantities.tokens(expected.prompt)}
    if rate:
        told["time"] = quantities.seconds(expected.read / rate, rough=True)
        said = _tr("About {read} of {total} are read again, in about {time}.")
        if expected.read < rate:
            said = _tr("About {read} of {total} are read again, at once.")
    else:
        said = _tr("About {read} of {total} are read again.")
    said = said.format_map(told)
    if expected.reopened:
        opened = quantities.tokens(expected.reopened)
        said += " " + _tr("{tokens} are opened from disk.").format(tokens=opened)
    if expected.asked == 1:
        said += " " + _tr("The question is put to 1 segment.")
    elif expected.asked:
        count = quantities.number(expected.asked)
        said += " " + _tr("The question is put to {n} segments.").format(n=count)
    return said


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("edit_words", sentence)
