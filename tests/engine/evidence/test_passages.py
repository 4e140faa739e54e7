"""Rows to blocks, and blocks to passages that a person can read."""

from itertools import pairwise

import numpy as np
import pytest

from engine.evidence.passages import FURTHER, Block, Stretch, blocks, passages
from engine.prompt import Placed
from tests.engine.conftest import made_up_text


def placed(text):
    """Every third character begins a token."""
    starts = np.arange(0, len(text), 3, dtype=np.int32)
    return Placed(text, starts, starts)


def sentences(count, words=12):
    return " ".join(f"Sentence {number} " + "goes on " * words + "and ends." for number in range(count))


def told(found, *texts, count=3):
    return [
        (passage.score, passage.place, texts[passage.place.document][passage.place.start : passage.place.end])
        for passage in passages(found, [placed(text) for text in texts], count)
    ]


def test_blocks_are_those_of_rows_and_only_where_documents_are():
    weights = np.arange(1.0, 301.0)
    stretches = [Stretch(0, 5, 10, 100), Stretch(1, 0, 128, 64), Stretch(0, 0, 200, 7, 0.5)]
    found = blocks(weights, stretches)
    assert [(one.document, one.start, one.end) for one in found] == [(0, 5, 59), (0, 59, 105), (1, 0, 64), (0, 0, 7)]
    sums = [weights[10:64].sum(), weights[64:110].sum(), weights[128:192].sum(), weights[200:207].sum() / 2]
    assert [one.weight for one in found] == pytest.approx(sums)


@pytest.mark.parametrize("size", [1, 16, 64, 1000])
def test_blocks_lose_nothing(size):
    weights = np.random.default_rng(size).random(500)
    stretches = [Stretch(0, 0, 3, 200), Stretch(1, 7, 203, 1), Stretch(2, 0, 256, 200)]
    found = blocks(weights, stretches, size)
    assert sum(one.weight for one in found) == pytest.approx(weights[3:204].sum() + weights[256:456].sum())
    assert sum(one.end - one.start for one in found) == 401


def test_a_passage_is_whole_sentences():
    text = sentences(20)
    ((score, place, words),) = told([Block(0, 200, 264, 2.0)], text)
    assert score == 1
    assert words.startswith("Sentence")
    assert words.endswith("ends.")
    assert place.start <= 600
    assert place.end >= 792
    assert len(words) < 192 + 2 * FURTHER


def test_where_no_sentence_ends_a_passage_is_whole_words():
    text = "word " * 1000
    ((_, place, words),) = told([Block(0, 500, 564, 1.0)], text)
    assert set(words.split()) == {"word"}
    assert place.end - place.start < 200
    solid = "x" * 3000
    ((_, place, _),) = told([Block(0, 500, 564, 1.0)], solid)
    assert (place.start, place.end) == (1500, 1692)


def test_a_short_document_is_a_passage():
    assert told([Block(0, 0, 4, 1.0)], "Only this, ok")[0][2] == "Only this, ok"


def test_the_heaviest_come_first_and_scores_are_shares_of_all():
    text = sentences(60)
    found = [Block(0, start, start + 64, weight) for start, weight in ((0, 1.0), (640, 4.0), (1280, 2.0), (1600, 3.0))]
    told_of = told(found, text)
    assert [score for score, _, _ in told_of] == pytest.approx([0.4, 0.3, 0.2])
    assert told(found, text, count=1)[0][0] == pytest.approx(0.4)


def test_neighbours_are_one_passage_or_two_that_share_nothing():
    text = sentences(60, words=40)
    found = [Block(0, start, start + 64, weight) for start, weight in ((640, 4.0), (704, 3.0), (768, 2.0), (576, 1.0))]
    told_of = told(found, text, count=4)
    places = sorted((place.start, place.end) for _, place, _ in told_of)
    assert all(end <= start for (_, end), (start, _) in pairwise(places))
    assert sum(score for score, _, _ in told_of) == pytest.approx(1)
    # A fact at the border of two blocks is one passage that has both weights
    short = sentences(60, words=6)
    (first, *_) = told([Block(0, 640, 704, 4.0), Block(0, 670, 680, 3.0), Block(0, 10, 74, 1.0)], short)
    assert first[0] == pytest.approx(7 / 8)


def test_nothing_is_no_passage():
    assert told([Block(0, 0, 64, 0.0)], sentences(9)) == []
    assert told([], sentences(9)) == []


def test_passages_of_real_cuts_never_leave_the_text():
    text = made_up_text(700)
    tokens = len(placed(text).ids)
    for start in range(0, tokens, 61):
        ((_, place, words),) = told([Block(0, start, min(start + 64, tokens), 1.0)], text)
        assert 0 <= place.start < place.end <= len(text)
        assert words == words.strip()
