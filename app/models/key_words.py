"""A key of the local API in words: what it may do and what it has done."""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from app import gateway_words
from app.data.key import Key
from app.models import quantities
from app.models.spoken import spoken


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("key_words", sentence)


def may(key: Key, documents: Mapping[str, str]) -> str:
    """`documents`: names of the library's, by id."""
    told = [", ".join(key.models) or _tr("All models")]
    gone = _tr("a document that was deleted")
    told.append(", ".join(documents.get(id, gone) for id in key.documents) or _tr("all documents"))
    told.append(_tr("engines on other computers too") if key.remote else _tr("this computer's engine only"))
    return " · ".join(told)


def done(key: Key) -> str:
    if key.revoked is not None:
        told = [_tr("Revoked {moment}").format(moment=moment(key.revoked))]
    else:
        told = [
            _tr("Not used yet") if key.last_used is None else _tr("Used {moment}").format(moment=moment(key.last_used))
        ]
    if key.last_used is not None:
        told.append(requests(key.requests))
        told.append(_tr("{n} tokens in all").format(n=quantities.number(key.prompt + key.written)))
        if key.reused:
            told.append(_tr("{n} of them reused").format(n=quantities.number(key.reused)))
    return " · ".join(told)


def today(key: Key) -> str:
    """Against its limit, where it has one."""
    said = quantities.number(key.today)
    if key.daily_tokens is None:
        return _tr("{n} tokens today").format(n=said)
    most = quantities.number(key.daily_tokens)
    if key.spent:
        return _tr("{n} of {most} tokens today: refused until midnight").format(n=said, most=most)
    return _tr("{n} of {most} tokens today").format(n=said, most=most)


def error(key: Key) -> str:
    """What its last request ended with, where that was no answer."""
    if not key.last_error:
        return ""
    return _tr("last request: {error}").format(error=spoken(gateway_words.ERRORS, key.last_error))


def requests(count: int) -> str:
    return _tr("1 request") if count == 1 else _tr("{n} requests").format(n=quantities.number(count))


def under_way(count: int) -> str:
    if not count:
        return _tr("No request under way.")
    one, many = _tr("1 request under way."), _tr("{n} requests under way.")
    return one if count == 1 else many.format(n=quantities.number(count))


def moment(when: float) -> str:
    return quantities.locale().toString(QDateTime.fromSecsSinceEpoch(int(when)), QLocale.FormatType.ShortFormat)
