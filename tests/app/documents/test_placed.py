"""Whatever is edited, each character of the text is the one that stood where the text says that it stood."""

import random

import pytest

from app.documents.placed import NOWHERE, Edit, Placed

ORIGINAL = "".join(map(chr, range(0x4E00, 0x4E00 + 120)))
"""No character twice: each says where it stood."""


def edits(chance: random.Random, length: int) -> list[Edit]:
    places = sorted(chance.choices(range(length + 1), k=2 * chance.randint(0, 5)))
    new = ["".join(chance.choices("xyz", k=chance.randint(0, 4))) for _ in places[::2]]
    return list(zip(places[::2], places[1::2], new, strict=True))


def edited(seed: int) -> Placed:
    """A text that was edited several times, checked against edits of a plain string."""
    chance = random.Random(seed)
    text, plain = Placed(ORIGINAL, [0], [0]), ORIGINAL
    for _ in range(chance.randint(1, 4)):
        changes = edits(chance, len(plain))
        text = text.edited(changes)
        for start, end, new in reversed(changes):
            plain = plain[:start] + new + plain[end:]
        assert text.text == plain
    return text


@pytest.mark.parametrize("seed", range(200))
def test_characters_that_were_kept_stand_where_they_stood(seed):
    text = edited(seed)
    kept = [place for place, character in enumerate(text.text) if character not in "xyz"]
    assert [ORIGINAL[text.raw(place)] for place in kept] == [text.text[place] for place in kept]


@pytest.mark.parametrize("seed", range(200))
def test_runs_begin_only_where_the_count_breaks(seed):
    text = edited(seed)
    places = [text.raw(place) for place in range(len(text.text))]
    leads = [NOWHERE if place == NOWHERE else place + 1 for place in places]
    assert text.starts == [place for place in range(len(places)) if place == 0 or places[place] != leads[place - 1]]


@pytest.mark.parametrize(
    ("edit", "text", "places"),
    [
        ((1, 2, "ffi"), "affic", [0, 1, 1, 1, 2]),
        ((0, 2, "x"), "xc", [0, 2]),
        ((1, 2, "x"), "axc", [0, 1, 2]),
        ((1, 1, "x"), "axbc", [0, NOWHERE, 1, 2]),
        ((1, 3, ""), "a", [0]),
    ],
)
def test_where_new_characters_stand(edit, text, places):
    edited = Placed("abc", [0], [0]).edited([edit])
    assert edited.text == text
    assert [edited.raw(place) for place in range(len(text))] == places


def test_the_ends_are_stripped_and_what_follows_stands_nowhere():
    text = Placed("\n\nab\n", [0, 3], [10, 20]).stripped("\n").followed_by("\nxy")
    assert text.text == "ab\nxy"
    assert [text.raw(place) for place in range(5)] == [12, 20, NOWHERE, NOWHERE, NOWHERE]
    assert Placed("\n\n", [0], [0]).stripped("\n").text == ""
    assert Placed("a", [0], [0]).followed_by("") == Placed("a", [0], [0])


def test_a_text_that_stood_nowhere():
    text = Placed("abc", [], []).edited([(1, 2, "")])
    assert text.text == "ac"
    assert {text.raw(place) for place in range(2)} == {NOWHERE}
