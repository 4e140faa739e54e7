"""Quotes of an answer in words: short on a chip, whole for a screen reader, and with the passage in a tooltip."""

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from html import escape
from typing import Literal

from PySide6.QtCore import QCoreApplication

from app.data.ledger import LedgerPlace
from app.data.quote import Excerpt, Quote, QuotePlace
from app.models import places, quantities

SHOWN = 36
"""Letters of a quote or a heading on a chip, at most."""
NAME = 24
"""Letters of a document's name on a chip, at most; a longer one loses its middle, so that the ending stays."""
NAMED = 4
"""Places that a chip or a tooltip names."""
MARKS = "“”„\"«»‘’'‚‹›「」『』〝〞〟＂ \n\t>*_`"
"""Around a quote in the answer's Markdown."""

Piece = tuple[Literal["same", "said", "found"], str]
"""Words that the answer and the document share, that the answer alone has, or the document alone."""


def bare(said: str) -> str:
    """The words of a quote as the answer has them, without marks of quotation and of Markdown at the ends."""
    return " ".join(re.sub(r"\n\s*>+\s?", "\n", said).strip(MARKS).replace("**", "").split())


def chip(quote: Quote, said: str, names: Mapping[str, str]) -> str:
    """ "✓ p. 12 · 3. Term", "3× p. 1, p. 4, p. 9", "✗ “aliens will land …”"; a fact says itself before its place."""
    words = [short(said)] if quote.kind == "fact" or not quote.places else []
    if quote.count > 1:
        words.append(", ".join(where(place, names) for place in quote.places[: NAMED - 1]))
        words[-1] += " …" if quote.count >= NAMED else ""
        if quote.verdict != "ambiguous":
            words[-1] = _tr("{n} places").format(n=quantities.number(quote.count))
    elif quote.places:
        words.append(where(quote.places[0], names))
        words += [shortened(title) for title in quote.places[0].path[-1:] if title != quote.places[0].label]
    return f"{quote.sign} {' · '.join(words)}"


def short(said: str) -> str:
    return shortened(bare(said))


def shortened(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1].rstrip()}…"


def where(place: QuotePlace, names: Mapping[str, str]) -> str:
    """ "p. 12", with the document's name where the answer had several, and the file's where it holds several."""
    name = place.file.rpartition("/")[2] or names.get(place.item, "")
    if len(name) > NAME:
        name = f"{name[: NAME // 2]}…{name[-NAME // 2 + 1 :]}"
    return " ".join(filter(None, (name, _label(place))))


def _label(place: QuotePlace) -> str:
    at = LedgerPlace(place.item, place.start, place.end, place.label, place.label, place.unit)
    if place.unit in ("page", "file") or not place.label:
        return places.short(at)
    if place.row:
        return places.cited(place)
    if place.unit == "section":
        return shortened(place.label)
    return places.whole(at)


def verdict(quote: Quote) -> str:
    """What was found, as a sentence's beginning."""
    if quote.verdict == "ambiguous":
        several = _tr("Stands in {n} places").format(n=quantities.number(quote.count))
        return several if quote.count > 1 else _tr("Stands in the text, and is too short to be a quotation")
    if quote.kind == "fact":
        told = {"exact": _tr("Stands in the text"), "close": _tr("Stands in the text in another form")}
    else:
        told = {"exact": _tr("Quoted letter for letter"), "close": _tr("Quoted with a difference")}
    return told.get(quote.verdict, _tr("Not found in the documents"))


def spoken(quote: Quote, said: str, names: Mapping[str, str]) -> str:
    """All of a chip, as it is read aloud."""
    told = [verdict(quote)]
    told += [_whole(place, names) for place in quote.places[:NAMED]]
    told.append(bare(said))
    if quote.found:
        told.append(_tr("the document says: {words}").format(words=quote.found))
    return ", ".join(told)


def _whole(place: QuotePlace, names: Mapping[str, str]) -> str:
    at = LedgerPlace(place.item, place.start, place.end, place.label, place.label, place.unit)
    return ", ".join([*filter(None, (names.get(place.item, ""), place.file)), places.whole(at), *place.path[-1:]])


def tooltip(quote: Quote, said: str, names: Mapping[str, str], excerpts: Sequence[Excerpt], mark: str) -> str:
    """Rich text: what was found, where, the difference, and the passage with its surroundings. `excerpts`: of the
    first places; `mark`: the colour behind the passage."""
    lines = [f"<b>{quote.sign} {escape(verdict(quote))}</b>"]
    if quote.count == 1:
        lines[0] += f" · {escape(_whole(quote.places[0], names))}"
    if not quote.places:
        lines.append(escape(_tr("Neither these words nor nearly these stand in a document that the answer had.")))
    if quote.verdict == "ambiguous" and quote.count > 1:
        lines.append(escape(_tr("It is not known which one is meant, so none is shown as the one.")))
    if quote.found:
        lines.append(escape(_tr("The document's words, with what it has underlined and what it has not struck out:")))
        lines.append(" ".join(_marked(piece) for piece in differences(bare(said), quote.found)))
    for place, excerpt in zip(quote.places, excerpts[:NAMED], strict=False):
        passage = f'<span style="background: {mark}">{escape(excerpt.text)}</span>'
        at = f"{escape(_whole(place, names))}: " if quote.count > 1 else ""
        lines.append(f"<i>{at}{escape(excerpt.before)}{passage}{escape(excerpt.after)}</i>")
    return "".join(f"<p>{line}</p>" for line in lines)


def _marked(piece: Piece) -> str:
    kind, text = piece
    return {"same": "{}", "said": "<s>{}</s>", "found": "<u><b>{}</b></u>"}[kind].format(escape(text))


def differences(said: str, found: str) -> list[Piece]:
    """The answer's words beside the document's, in the order of the document."""
    ours, theirs = _words(said), _words(found)
    made: list[Piece] = []
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            made.append(("same", _joined(theirs[start:end])))
            continue
        made += [("said", _joined(ours[first:last]))] * (last > first)
        made += [("found", _joined(theirs[start:end]))] * (end > start)
    return made


def _words(text: str) -> list[str]:
    """Words with the marks on them; Chinese characters one by one."""
    return re.findall(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+", text)


def _joined(words: Sequence[str]) -> str:
    return re.sub(r"(?<=[\u2e80-\u9fff\uf900-\uffef]) | (?=[\u2e80-\u9fff\uf900-\uffef])", "", " ".join(words))


def counts(quotes: Sequence[Quote]) -> str:
    """ "Quotes: 3 ✓ 1 ≈ 0 ✗ · 2 in several places"; empty where the answer quotes nothing."""
    told = [quote.verdict for quote in quotes if quote.kind == "quote"]
    if not told:
        return ""
    numbers = {name: quantities.number(told.count(name)) for name in ("exact", "close", "missing")}
    words = _tr("Quotes: {exact} ✓ {close} ≈ {missing} ✗").format_map(numbers)
    several = told.count("ambiguous")
    if several:
        words += " · " + _tr("{n} in several places").format(n=quantities.number(several))
    return words


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("quote_words", sentence)
