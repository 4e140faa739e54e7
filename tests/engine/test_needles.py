"""Planted numbers: texts of the length asked for, sentences where they should stand, and what counts as found."""

import itertools

import pytest

from engine import bench_corpus, needles
from engine.needles import Haystack, Needle, haystack, wilson


def count(text):
    return len(text.split())


TEXT = Haystack(tuple("abcdefghij"), (10,) * 10)
ONE, TWO = Needle("amber bridge", "4160785"), Needle("silver desert", "7365041")


def test_paragraphs_are_prose_and_none_comes_twice():
    parts = bench_corpus.paragraphs()
    assert len(parts) == len(set(parts)) > 2000
    assert sum(map(len, parts)) > 700_000
    assert all(needles.SEPARATOR not in part and "access number" not in part.lower() for part in parts)


def test_broken_sources_and_fragments_are_left_out(tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("def (")
    assert list(bench_corpus._descriptions(broken)) == []
    whole = tmp_path / "whole.py"
    whole.write_text('"""Of the module."""\nclass A:\n  """Of the class."""\n  def f(self):\n    """Of it."""\n')
    assert list(bench_corpus._descriptions(whole)) == ["Of the module.", "Of the class.", "Of it."]
    assert not bench_corpus._usable("A heading")
    assert not bench_corpus._usable("0x00 " * 50)
    assert bench_corpus._usable("some words of prose " * 15)


@pytest.mark.parametrize("tokens", [1000, 5000, 30000])
def test_a_text_is_as_long_as_asked(tokens):
    text = haystack(count, tokens, seed=3)
    assert abs(count(text.text()) - tokens) <= needles.EXACT * tokens
    assert sum(text.sizes) == count(text.text())
    assert len(set(text.paragraphs)) == len(text.paragraphs)


def test_a_text_is_its_seeds():
    assert haystack(count, 1000, 5) == haystack(count, 1000, 5)
    assert haystack(count, 1000, 5) != haystack(count, 1000, 6)


def test_more_text_than_there_is_comes_again_in_another_order(monkeypatch):
    monkeypatch.setattr(bench_corpus, "paragraphs", lambda: tuple(f"{n} " * n for n in range(40, 240)))
    text = haystack(count, 40000, seed=1)
    assert abs(count(text.text()) - 40000) <= 200
    first, second = text.paragraphs[:200], text.paragraphs[200:]
    assert len(set(first)) == 200
    assert len(second) > 50
    assert first[: len(second)] != second


def test_a_length_that_no_paragraphs_make_is_refused(monkeypatch):
    monkeypatch.setattr(bench_corpus, "paragraphs", lambda: ("word " * 70,))
    with pytest.raises(ValueError, match="100 tokens"):
        haystack(count, 100, seed=1)


@pytest.mark.parametrize(("depth", "place"), [(0.0, 0), (0.5, 5), (0.62, 6), (1.0, 10)])
def test_a_needle_stands_at_its_depth_as_a_paragraph(depth, place):
    parts = TEXT.plant([(ONE, depth)]).split(needles.SEPARATOR)
    assert parts.index(ONE.sentence) == place
    assert len(parts) == 11


def test_several_needles_keep_their_places_and_more_can_be_planted():
    planted = TEXT.with_planted([(ONE, 0.2), (TWO, 0.8)], count)
    assert planted.paragraphs.index(ONE.sentence) == 2
    assert planted.paragraphs.index(TWO.sentence) == 9
    assert planted.sizes[2] == count(ONE.sentence)
    assert planted.text() == TEXT.plant([(TWO, 0.8), (ONE, 0.2)])


def test_numbers_have_seven_digits_none_twice_and_names_share_no_word():
    made = list(itertools.chain.from_iterable(needles.needles(seed, 9) for seed in range(40)))
    assert all(len(needle.number) == len(set(needle.number)) == 7 and needle.number[0] != "0" for needle in made)
    first = [word for needle in made[:9] for word in needle.name.split()]
    assert len(set(first)) == 18


@pytest.mark.parametrize("answer", ["4160785", "It is 4,160,785.", "The number is 4 160 785", "1. 4160785"])
def test_a_number_is_found_however_it_is_written(answer):
    assert ONE.found_in(answer)


@pytest.mark.parametrize("answer", ["", "416078", "4160758", "7365041", "amber bridge", "416 and 0785"])
def test_another_number_is_not(answer):
    assert not ONE.found_in(answer)


@pytest.mark.parametrize(("found", "of", "low", "high"), [(11, 11, 0.741, 1), (0, 10, 0, 0.278), (25, 25, 0.867, 1)])
def test_wilsons_interval(found, of, low, high):
    assert wilson(found, of) == pytest.approx((low, high), abs=0.001)
    assert wilson(0, 0) == (0, 1)
