"""A download in the person's language."""

from PySide6.QtCore import QCoreApplication

from app import words
from app.data.model import Download
from app.models import quantities
from app.models.spoken import spoken


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("downloads", sentence)


def told(download: Download) -> str:
    """How much of it is there, how fast it comes and how long yet, or why it does not go on."""
    of = _tr("{done} of {total}").format(done=quantities.size(download.done), total=quantities.size(download.total))
    if download.state == "checking":
        return _tr("{of} · checking that it arrived whole").format(of=of)
    if download.state == "paused":
        return _tr("{of} · paused; what arrived is kept").format(of=of)
    if download.state == "failed":
        problem = spoken(words.PROBLEMS, download.problem) if download.problem else _tr("the download stopped")
        return _tr("{of} · {problem}").format(of=of, problem=problem)
    parts = [of]
    if download.rate is not None:
        parts.append(_tr("{size}/s").format(size=quantities.size(round(download.rate))))
    if download.left is not None:
        parts.append(_tr("{time} left").format(time=quantities.seconds(download.left, rough=True)))
    return " · ".join(parts)
