"""Letters of a text, and the way back from each of them."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from app.services.quotes import folding
from app.services.quotes.folding import Folded, letters

SIGNS = [
    "a",
    "Z",
    "9",
    " ",
    "\n",
    "-",
    "’",
    "ﬁ",
    "ﬃ",
    "é",
    "e\u0301",
    "\u00ad",
    "½",
    "²",
    "ß",
    "İ",
    "漢",
    "⼀",
    "１",
    "ㅎ",
    "한",
]
SIGNS += ["\u1112\u1161\u11ab", "क्षि", "ก็", "™", "㎏", "…", "🙂", "\u200b", "_", "Ⅳ", "\u0301", "ſ"]
texts = some.lists(some.one_of(some.sampled_from(SIGNS), some.characters(exclude_categories=["Cs"])), max_size=60)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("The ﬁrst Oﬃce", "thefirstoffice"),
        ("re-\nceived", "received"),
        ("re\u00adceived", "received"),
        ("e\u0301te\u0301 été", "étéété"),
        ("１２３ 漢字、⼀", "123漢字一"),
        ("\u1112\u1161\u11ab글 한글", "한글한글"),
        ("Straße STRASSE", "strassestrasse"),
        ("5 ㎏ of Acme™ — “so”", "5kgofacmeso"),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_the_key_has_letters_and_digits_alone(text, key):
    assert Folded(text).key == key


@given(texts)
@settings(deadline=None, max_examples=60)
def test_every_letter_of_the_key_lies_where_it_came_from(parts):
    text = "".join(parts)
    folded = Folded(text)
    last = 0
    for place in range(len(folded.key)):
        start, end = folded.start(place), folded.end(place)
        assert 0 <= start < end <= len(text)
        assert last <= start or folded.start(place - 1) == start
        assert folded.key[place] in unicodedata.normalize("NFKC", text[start:end]).casefold()
        last = end


@given(texts)
@settings(deadline=None, max_examples=60)
def test_the_text_of_a_part_has_the_part_as_its_key(parts):
    folded = Folded("".join(parts))
    size = len(folded.key)
    apart = [place for place in range(1, size) if folded.start(place) >= folded.end(place - 1)]
    whole = [place for place in apart if unicodedata.category(folded.key[place])[0] != "M"]
    for first, last in zip([0, *whole], [*whole, size], strict=True):
        if first < last:
            part = folded.text[folded.start(first) : folded.end(last - 1)]
            assert Folded(part).key == folded.key[first:last]


@given(texts, some.integers(0, 10))
@settings(deadline=None, max_examples=60)
def test_what_stands_between_letters_is_all_that_is_no_letter(parts, first):
    folded = Folded("".join(parts))
    last = len(folded.key)
    gaps = dict(folded.gaps(min(first, last), last))
    for place in range(min(first, last) + 1, last):
        between = folded.text[folded.end(place - 1) : folded.start(place)]
        assert gaps.get(place - first, "") == between


def test_a_long_text_is_folded_in_chunks(monkeypatch):
    text = "The oﬃce of e\u0301tude 漢字 re\u00adceived 1,250. " * 40
    whole = Folded(text)
    monkeypatch.setattr(folding, "CHUNK", 7)
    looked = []
    pieces = Folded(text, lambda: looked.append(1))
    assert pieces.key == whole.key
    assert [pieces.start(place) for place in range(len(whole.key))] == [whole.start(p) for p in range(len(whole.key))]
    assert len(looked) > 100


@pytest.mark.parametrize(
    ("one", "other"),
    [("10²", "102"), ("1½", "112"), ("½", "12"), ("The", "the"), ("Straße", "Strasse"), ("H₂2", "H22")],
)
def test_letters_that_mean_another_thing_are_others(one, other):
    assert letters(one) != letters(other)


@pytest.mark.parametrize(
    ("one", "other"), [("m²", "m2"), ("ﬁt", "fit"), ("re\u00adal", "real"), ("１", "1"), ("H₂O", "H2O")]
)
def test_letters_that_are_set_otherwise_are_the_same(one, other):
    assert letters(one) == letters(other)
