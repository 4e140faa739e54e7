"""Whether what a file calls its text is one. A font can lack the table that says which letters its shapes are, or carry
a wrong one: the page looks right, and the text under it is nonsense of the same length.

The limits were measured on 4,420 pages of manuals in 20 languages, with code, tables and indexes: none is called
illegible. Of the same pages with their letters exchanged, moved or taken from another alphabet 97 in 100 are, and all
where the font says itself that it has no letters for them.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from functools import cache
from itertools import pairwise

_MEANINGLESS = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]|\\(cid:\\d+\\)")
"""Characters that a font has no meaning for, and what some programs write in their place."""
SAMPLE = 1500
"""Characters of a page that are looked at, from its middle."""
ENOUGH = 200
"""Letters; fewer prove nothing."""

# How often a letter follows another: 6 as often as chance would have it, 7 twice, 5 half as often. The mean of 18
# languages that are written in Latin letters, without their accents. Rows and columns: a word's edge, then a to z.
_FOLLOWS = (
    "098999877968888896799887466",
    "966774565746979564988663156",
    "663307000710601610532500042",
    "671447307735432830546600024",
    "882139113811333720543633032",
    "967776564646889353998663645",
    "660015430700300730525500010",
    "862017043613415530643600042",
    "770328000621313600415531020",
    "975768674446869853788460325",
    "360016100402302400021300000",
    "771217014604402600455601020",
    "882258243823843731166640050",
    "885138010601452660032613020",
    "981688685824435733188740053",
    "955664663645779660877756025",
    "780427014502611750756520120",
    "300000000000000000000700000",
    "983569353835465832567653154",
    "974648215806543762379623065",
    "992419328923443850767735254",
    "865557352645668550777332534",
    "570037000600132600222320030",
    "560025004600203500232103040",
    "630104000400000130004000100",
    "762414111313333540364222011",
    "661136020601224410012403042",
)
_PLACE = {letter: place for place, letter in enumerate(" abcdefghijklmnopqrstuvwxyz")}
_COMMON = frozenset("eaitnrslodEAITNRSLODuU")
"""Letters that are some three quarters of a text's, in most of these languages."""
_SPELLED = {"ı": "i", "ł": "l", "đ": "d", "ø": "o", "æ": "ae", "œ": "oe", "ß": "ss", "þ": "th", "ð": "d"}
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{1,25}(?![^\W_])")
_WRITTEN = re.compile(r"[^\W_]?[^\W\d_A-Z]*|[^\Wa-z\d_]+")
"""Small letters with at most a capital before them, or capitals alone: not so what stands for bytes."""

_SIGNS = frozenset('!"#$%&*+;<=>?@\\^`{|}~')
_SIGN_INSIDE = re.compile(r"(?<=\S)[!\"#$%&*+;<=>?@\\^`{|}~](?=\S)")
_REPEATED = re.compile(r"([^\w\s])\1+")

_SCRIPTS = (0, 0x370, 0x400, 0x530, 0x590, 0x600, 0x700, 0x900, 0xE00, 0x1000, 0x10A0, 0x1100, 0x1200, 0x1E00, 0x2000)
"""Where the letters of another script begin; below the last."""
_FAMILIES = (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6), ("euc_jp", 0xB0, 0xCF))
"""Encodings, and the first bytes of the characters that nearly all texts are written with."""


def illegible(text: str, unmapped: float = 0.0, unshown: int = 0) -> bool:
    """Whether a page's text is none.

    `unmapped`: the share of its characters for which the font has no letter, so that the reader put the character's
    number instead, which may happen to be right. `unshown`: how many control characters were taken out of it.
    """
    visible = len(text) - text.count(" ") - text.count("\n") + unshown
    if not visible:
        return False
    if "\ufffd" in text or "(cid:" in text or not text.replace("\n", "").isprintable():  # quick, and rarely so
        unshown += sum(map(len, _MEANINGLESS.findall(text)))
    if unshown > 0.1 * visible:
        return True
    middle = max(0, (len(text) - SAMPLE) // 2)
    sample = text[middle : middle + SAMPLE]
    if unmapped > 0.5 and not _convinces(sample):
        return True
    if sum(map(sample.count, _COMMON)) > 0.62 * len("".join(sample.split())):
        return False  # most pages; all else costs more
    counts = Counter(sample)
    return _latin(sample, counts) or _signs(sample, counts) or _others(sample, counts)


def _convinces(sample: str) -> bool:
    """Whether most of it is words in Latin letters, or numbers."""
    words = _words(sample)
    read = sum(map(len, words)) + sum(map(str.isdigit, sample))
    all_ = len("".join(_REPEATED.sub(r"\1", sample).split()))
    return read > 0.5 * all_ and (not words or _likeness(words) > 6.3)


def _latin(sample: str, counts: Counter[str]) -> bool:
    """Whether it has Latin letters enough, and they are not those of a language, or follow one another as in none."""
    letters = {c: n for c, n in counts.items() if _script(c) == 0 and c.isalpha()}
    total = sum(letters.values())
    if total < ENOUGH or total < 0.5 * sum(n for c, n in counts.items() if c.isalpha()):
        return False
    if sum(n for c, n in letters.items() if c > "\x7f") > 0.5 * total:
        return True  # another alphabet's bytes: Äîãîâîð
    if sum(n for c, n in letters.items() if c in _COMMON) > 0.7 * total:
        return False
    words = _words(sample)
    return sum(map(len, words)) >= ENOUGH and len(set("".join(words))) >= 12 and _likeness(words) < 6.15


def _words(sample: str) -> list[str]:
    """Those that could be words of a language, in the letters a to z alone."""
    found = [word for word in _WORD.findall(sample) if _WRITTEN.fullmatch(word)]
    spelled = "".join(_SPELLED.get(c, c) for c in " ".join(found).lower())
    if not spelled.isascii():
        spelled = "".join(c for c in unicodedata.normalize("NFD", spelled) if not unicodedata.combining(c))
    return [word for word in spelled.split() if word.isascii()]


def _likeness(words: list[str]) -> float:
    """How much the letters of different words follow one another as they do in languages: 6 is chance."""
    text = f" {' '.join(dict.fromkeys(words))} "
    steps = [_FOLLOWS[_PLACE[a]][_PLACE[b]] for a, b in pairwise(text)]
    return sum(map(int, steps)) / len(steps)


def _signs(sample: str, counts: Counter[str]) -> bool:
    """Whether signs stand where letters should, inside of words."""
    signs = sum(n for c, n in counts.items() if c in _SIGNS)
    visible = len(sample) - counts[" "] - counts["\n"]
    if visible < ENOUGH or signs < 0.2 * visible:
        return False
    once = _REPEATED.sub(r"\1", sample)
    return len(_SIGN_INSIDE.findall(once)) > 0.2 * len("".join(once.split()))


def _others(sample: str, counts: Counter[str]) -> bool:
    """Whether its Chinese characters or its Korean syllables are mostly rare ones, or its words mix scripts."""
    if sample.isascii():
        return False
    han = {c: n for c, n in counts.items() if "\u3400" <= c <= "\u9fff"}
    if sum(han.values()) >= ENOUGH // 4:
        usual = max(sum(n for c, n in han.items() if _usual(c, *family)) for family in _FAMILIES)
        if usual < 0.7 * sum(han.values()):
            return True
    hangul = {c: n for c, n in counts.items() if "\uac00" <= c <= "\ud7a3"}
    if sum(hangul.values()) >= ENOUGH // 4:
        usual = sum(n for c, n in hangul.items() if _usual(c, "euc_kr", 0xB0, 0xC8))
        if usual < 0.7 * sum(hangul.values()):
            return True
    scripts: Counter[int] = Counter()
    for c, n in counts.items():
        if c.isalpha() and (script := _script(c)) is not None:
            scripts[script] += n
    if sum(n > 0.02 * scripts.total() for n in scripts.values()) < 3 or scripts.total() < ENOUGH:
        return False
    words = [{_script(c) for c in word} - {None} for word in _WORD.findall(sample)]
    return sum(len(word) > 1 for word in words) > 0.2 * len(words)


@cache
def _usual(character: str, encoding: str, first: int, last: int) -> bool:
    encoded = character.encode(encoding, "ignore")
    return len(encoded) == 2 and first <= encoded[0] <= last


@cache
def _script(character: str) -> int | None:
    """A number for the script of a letter; None of those that stand among the letters of others."""
    code = ord(character)
    if code >= _SCRIPTS[-1] or 0x370 <= code < 0x400:
        return None
    found = bisect_right(_SCRIPTS, code) - 1
    return 0 if code >= 0x1E00 else found  # Latin letters with their accents
