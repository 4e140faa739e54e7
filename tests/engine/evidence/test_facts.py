"""Facts planted in long texts before the small model: where it answers right, the passage that holds the fact is among
the three that its attention read most."""

import pytest

from engine.bench_desk import Desk
from engine.evidence import heads
from engine.protocol import ModelSettings
from tests.engine.evidence.facts import OTHER_WORDS, Fact, facts, long, shared, short, shown

pytestmark = pytest.mark.whole

WHOLE, SEGMENTED = (4096, 7500), (16384, 32768, 65536)
"""Tokens."""


@pytest.fixture(scope="module")
def facts_desk(tmp_path_factory, small_model):
    return Desk(tmp_path_factory.mktemp("facts"), ModelSettings(str(small_model)))


def among_three(told):
    return sum(one.rank is not None and one.rank <= 3 for one in told)


def test_ten_facts_share_no_word_with_what_is_asked_about_them():
    every = [Fact(*one, apart=True) for one in OTHER_WORDS]
    assert len(every) == 10
    assert [shared(f"{fact.question} {fact.right} {fact.wrong}", fact) for fact in every] == [set()] * 10
    asked = [fact for seed in range(5) for fact in facts(seed)]
    assert len(asked) == 40
    assert [fact.apart for fact in asked].count(True) == 10
    assert len({fact.sentence for fact in asked}) == 40


def test_a_number_in_a_short_text(facts_desk):
    planted = short(facts_desk.count, 1500, 7)
    told = [one for one in shown(facts_desk, planted, only=2, without=True) if not one.fact.apart]
    right = [one for one in told if one.right]
    assert right, told
    assert [one.rank for one in right] == [1] * len(right)
    assert all(one.changed for one in right), right


@pytest.mark.full
def test_forty_facts(facts_desk):
    texts = [short(facts_desk.count, length, seed) for seed, length in enumerate(WHOLE)]
    texts += long(facts_desk.count, SEGMENTED, len(texts))
    told = [one for text in texts for one in shown(facts_desk, text, without=True)]
    assert len(told) == 40
    assert {one.mode for one in told if one.length in WHOLE} == {"whole"}
    assert {one.mode for one in told if one.length in SEGMENTED} == {"parallel"}
    print("\n".join(one.line for one in told))
    numbers = [one for one in told if one.right and not one.fact.apart]
    apart = [one for one in told if one.right and one.fact.apart]
    print(
        f"numbers: {among_three(numbers)} of {len(numbers)} answered right; apart: {among_three(apart)} of {len(apart)}"
    )
    assert len(numbers) >= 15, "too few right answers to say anything"
    assert among_three(numbers) >= 0.9 * len(numbers)
    left_out = [one for one in numbers if one.without is not None]
    print(f"changed without the passage: {sum(one.changed for one in left_out)} of {len(left_out)}")
    assert all(one.changed for one in left_out), [one.line for one in left_out if not one.changed]


@pytest.mark.full
def test_the_heads_that_come_with_the_program_are_those_that_are_found(facts_desk):
    model = facts_desk.worker._model
    known = heads.KNOWN[facts_desk.loaded.fingerprint]
    found = heads.find(model.model.decoder, model.tokenizer, model.template, model.piece)
    assert len(set(found) & set(known)) >= 4, "precisions differ a little in what they find"
