"""Which tokens a sentence's evidence is of, however they come: by a fake attention that says which it was asked for."""

import numpy as np
import pytest
import torch

from engine.evidence.passages import Stretch
from engine.evidence.watch import TOGETHER, Watch
from engine.prompt import Placed

WORDS = "word. " * 2000
TEXT = Placed(WORDS, np.arange(0, len(WORDS), 6, dtype=np.int32), np.arange(0, len(WORDS), 6, dtype=np.int32))
"""A token a word, each a sentence."""


class Attention:
    """Token number n of those that are taken attends to row 100 * n alone; each time there are more rows."""

    def __init__(self):
        self.count, self.rows = 0, 1500
        self.taken, self.asked = [], []

    def take(self):
        self.taken.append(100 * self.count)
        self.count += 1

    @torch.inference_mode()
    def gather(self, count):
        some, self.taken = self.taken[:count], self.taken[count:]
        self.asked.append(count)
        self.rows += count
        weights = torch.zeros(self.rows)
        weights[some] = 1.0
        return weights


def watched(pieces, attention, every=1):
    """All evidence, and the text."""
    watch = Watch("7", attention, "heads", [Stretch(0, 0, 0, 1500)], [TEXT], 100, every=every, block=1)
    text, events = "", []
    for piece in pieces:
        watch.token(piece, len(text))
        text += piece
        if piece:
            events += watch.written(piece)
    events += watch.ended("")
    assert all(event.id == "7" and event.how == "heads" for event in events)
    return events, text


def written(pieces, every=1):
    """For each sentence its words, and the tokens that its evidence is of."""
    events, text = watched(pieces, Attention(), every)
    return [
        (text[event.start : event.end], sorted(passage.place.start // 600 for passage in event.passages))
        for event in events
    ]


def test_each_sentence_has_its_own_tokens():
    pieces = ["One", " is", " here", ".", " Two", " is", ".", "\n\n", "Three"]
    assert written(pieces) == [("One is here.", [0, 1, 2, 3]), ("Two is.", [4, 5, 6]), ("Three", [7, 8])]


def test_a_token_that_gives_nothing_yet_belongs_to_what_comes_of_it():
    assert written(["So", ".", " I", "", "", "t", "."]) == [("So.", [0, 1]), ("It.", [2, 3, 4, 5, 6])]


@pytest.mark.parametrize("length", [TOGETHER - 1, TOGETHER, TOGETHER + 1, 3 * TOGETHER])
def test_a_long_sentence_is_looked_at_in_parts(length):
    attention = Attention()
    attention.take = lambda: attention.taken.append(300)
    events, text = watched(["so "] * length, attention)
    (event,) = events
    assert (event.start, event.end) == (0, len(text.rstrip()))
    assert [(passage.place.start, passage.score) for passage in event.passages] == [(1800, 1.0)]
    assert sum(attention.asked) == length
    assert max(attention.asked) <= TOGETHER


def test_every_few_tokens_and_one_of_a_short_sentence():
    pieces = ["It", " is", " so", " and", " so", ".", " No", ".", " But", " why", " so", " soon", " ago", "."]
    told = written(pieces, every=4)
    assert [words for words, _ in told] == ["It is so and so.", "No.", "But why so soon ago."]
    assert [len(tokens) for _, tokens in told] == [2, 1, 2]


def test_what_attends_to_no_document_has_no_evidence():
    watch = Watch("7", Attention(), "heads", [Stretch(0, 0, 50, 40)], [TEXT], 3)
    watch.token("One.", 0)
    assert list(watch.written("One.")) == []
    assert list(watch.ended("")) == []
