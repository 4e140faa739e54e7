"""Sentences of an answer as it comes in pieces of any size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evidence.sentences import Sentences


def split(text, step=1):
    sentences, found = Sentences(), []
    for at in range(0, len(text), step):
        found += sentences.add(text[at : at + step])
    found += sentences.rest()
    return [text[start:end] for start, end in found]


EXAMPLES = {
    "One is here. Two? Three!": ["One is here.", "Two?", "Three!"],
    "It costs 3.50 euros. Or 1,200.75.": ["It costs 3.50 euros.", "Or 1,200.75."],
    "Mr. Pell met Dr. J. Orme at 5 p.m. in Art. 7 of it. No. It is shut.": [
        "Mr. Pell met Dr. J. Orme at 5 p.m. in Art. 7 of it.",
        "No.",
        "It is shut.",
    ],
    "1. First thing.\n2. Second thing. More.\n\n- point": ["1. First thing.", "2. Second thing.", "More.", "- point"],
    "你好。今天很好！“是的。”他说。3.5元": ["你好。", "今天很好！", "“是的。”", "他说。", "3.5元"],
    'He said "Go." Then "Stay!" (Twice.) And left...': ['He said "Go."', 'Then "Stay!"', "(Twice.)", "And left..."],
    "Code:\n```python\na = 1. \n\nb = 2. c\n```\nDone. End": [
        "Code:",
        "```python\na = 1. \n\nb = 2. c\n```",
        "Done.",
        "End",
    ],
    "```\nnever closed. And more": ["```\nnever closed. And more"],
    "<think>\nWell. So.\n</think>\n\nYes": ["<think>", "Well.", "So.", "</think>", "Yes"],
    " \n---\n…\n": [],
    "": [],
}


@pytest.mark.parametrize("text", EXAMPLES)
@pytest.mark.parametrize("step", [1, 2, 7, 1000])
def test_where_sentences_end(text, step):
    assert split(text, step) == EXAMPLES[text]


def test_a_sentence_is_told_as_soon_as_the_next_begins():
    sentences = Sentences()
    assert list(sentences.add("One is here. ")) == []
    assert list(sentences.add("T")) == [(0, 12)]
    assert list(sentences.add("wo\n")) == [(13, 16)]
    assert list(sentences.rest()) == []


@given(st.text("aB1.!? \n`。”", max_size=40), st.integers(1, 5))
def test_sentences_are_in_order_and_hold_every_letter(text, step):
    sentences, found = Sentences(), []
    for at in range(0, len(text), step):
        found += sentences.add(text[at : at + step])
    found += sentences.rest()
    assert split(text) == [text[start:end] for start, end in found]
    after = 0
    for start, end in found:
        assert after <= start < end
        assert text[start:end] == text[start:end].strip()
        assert not any(map(str.isalnum, text[after:start]))
        after = end
    assert not any(map(str.isalnum, text[after:]))
