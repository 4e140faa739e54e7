"""Where texts are cut: at the best kind of end there is, never too long, and the same again soon after an edit."""

import random
from itertools import pairwise

import numpy as np
import pytest

from engine.prompt import Placed
from engine.reading.borders import SHORTEST, borders, groups

LONGEST = 100


@pytest.fixture
def placed(tokenizer):
    return lambda text: Placed(text, *tokenizer.encode_placed(text))


def words(random, count):
    return " ".join("".join(random.choice("bdfglmnprst") + random.choice("aeiou") for _ in "ab") for _ in range(count))


def sentences(random, count):
    return " ".join(words(random, random.randint(4, 12)).capitalize() + "." for _ in range(count))


TEXTS = {
    "paragraphs": lambda r: "\n\n".join(sentences(r, r.randint(1, 3)) for _ in range(60)),
    "lines": lambda r: "\n".join(sentences(r, r.randint(1, 3)) for _ in range(60)),
    "indented lines": lambda r: "\n".join(" " * r.randint(1, 6) + sentences(r, 2) for _ in range(60)),
    "sentences": lambda r: sentences(r, 120),
    "words": lambda r: words(r, 1500),
    "minified": lambda r: words(r, 1500).replace(" ", ";"),
    "chinese": lambda r: "".join(chr(r.randrange(0x4E00, 0x9000)) for _ in range(800)),
    "chinese sentences": lambda r: "".join(
        "".join(chr(r.randrange(0x4E00, 0x9000)) for _ in range(r.randint(3, 12))) + r.choice("。！？")
        for _ in range(99)
    ),
    "emoji": lambda r: "👩🏽‍🚀" * 150,
    "wide spaces": lambda r: "　".join(chr(r.randrange(0x4E00, 0x9000)) for _ in range(400)),
    "spaces": lambda r: " " * 900 + "\t" * 900,
    "empty lines": lambda r: "\n" * 2000,
    "windows": lambda r: "\r\n\r\n".join(sentences(r, 2) for _ in range(60)),
}


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("longest", [17, 100, 333])
def test_no_piece_is_too_long_and_none_but_the_last_too_short(longest, kind, placed):
    text = placed(TEXTS[kind](random.Random(1)))
    edges = [0, *borders(text, longest), len(text.ids)]
    sizes = [end - start for start, end in pairwise(edges)]
    assert max(sizes) <= longest
    # A character of many tokens stays whole
    assert min(sizes[:-1], default=longest) >= int(longest * SHORTEST) - 3
    assert sizes[-1] > 0


@pytest.mark.parametrize("kind", TEXTS)
def test_no_character_is_cut_in_two(kind, placed):
    text = placed(TEXTS[kind](random.Random(2)))
    for token in borders(text, LONGEST):
        assert text.starts[token] > text.starts[token - 1]


def test_a_text_that_fits_is_not_cut(placed):
    text = placed(words(random.Random(3), 30))
    assert borders(text, len(text.ids)) == []
    assert len(borders(text, len(text.ids) - 1)) == 1
    assert borders(placed(""), 10) == []


ENDS = {"paragraphs": "\n\n", "lines": "\n", "indented lines": "\n", "sentences": ".", "words": "", "windows": "\n\r\n"}


@pytest.mark.parametrize("kind", ENDS)
def test_the_best_kind_of_end_is_taken(kind, placed):
    """Also where there are worse ones, of which all these texts have more. A space may begin what follows."""
    text = placed(TEXTS[kind](random.Random(4)))
    for token in borders(text, 200):
        at = int(text.starts[token])
        assert text.text[:at].rstrip(" ").endswith(ENDS[kind])
        assert text.text[at - 1].isspace() or text.text[at].isspace()


def test_a_worse_end_where_there_is_no_better(placed):
    """A long paragraph among short ones is cut at its lines."""
    r = random.Random(5)
    lines = "\n".join(sentences(r, 1) for _ in range(40))
    text = placed("\n\n".join([sentences(r, 2), lines, sentences(r, 2)]))
    kinds = {text.text[: int(text.starts[token])][-1] for token in borders(text, LONGEST)}
    assert kinds == {"\n"}


def edits(random, paragraphs):
    """Each paragraph list with one thing done to it."""
    at = random.randrange(len(paragraphs))
    changed, inserted, removed = list(paragraphs), list(paragraphs), list(paragraphs)
    changed[at] = sentences(random, 2)
    inserted.insert(at, sentences(random, 1))
    del removed[at : at + 8]
    return {"a paragraph is written anew": changed, "a line is inserted": inserted, "a page is removed": removed}


@pytest.mark.parametrize("edit", ["a paragraph is written anew", "a line is inserted", "a page is removed"])
def test_an_edit_moves_few_borders(edit, placed):
    """On average fewer than three pieces are new, of some ninety; cut at equal lengths, half of them would be."""
    new, all_of = [], []
    for seed in range(40):
        r = random.Random(seed)
        paragraphs = [sentences(r, r.randint(1, 3)) for _ in range(200)]
        before, after = (pieces(placed("\n\n".join(p))) for p in (paragraphs, edits(r, paragraphs)[edit]))
        new.append(len(set(after) - set(before)))
        all_of.append(len(after))
    assert np.mean(all_of) > 80
    assert np.mean(new) < 3
    assert max(new) < 15


def pieces(text):
    return [text.ids[a:b].tobytes() for a, b in pairwise([0, *borders(text, 150), len(text.ids)])]


def test_groups_are_no_longer_than_asked():
    r = random.Random(6)
    for _ in range(50):
        sizes = [r.randint(0, 60) for _ in range(r.randint(0, 40))]
        edges = [0, *groups(sizes, list(map(str, range(len(sizes)))), LONGEST), len(sizes)]
        totals = [sum(sizes[a:b]) for a, b in pairwise(edges)]
        assert max(totals) <= LONGEST
        assert all(b > a for a, b in pairwise(edges)) or not sizes
    # What is too long by itself is by itself
    assert groups([300, 10, 300, 300, 10], list("abcde"), LONGEST) == [1, 2, 3, 4]
    assert groups([], [], LONGEST) == []


def test_another_item_moves_few_groups():
    """On average fewer than four groups of some twenty are new."""
    new = []
    for seed in range(60):
        r = random.Random(seed)
        items = [(r.randint(5, 30), f"name{r.random()}") for _ in range(100)]
        more, at = list(items), r.randrange(100)
        if seed % 2:
            more.insert(at, (20, "another"))
        else:
            del more[at]
        before, after = (
            {tuple(list_of[a:b]) for a, b in pairwise([0, *groups(*zip(*list_of, strict=True), LONGEST), len(list_of)])}
            for list_of in (items, more)
        )
        new.append(len(after - before))
    assert np.mean(new) < 3.5
