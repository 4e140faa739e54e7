"""The plain search that stands in for reading all of a text."""

from engine import bench_corpus
from engine.needles import Needle
from engine.peers import search

NEEDLE = Needle("amber abbey", "4710263")


def words(text):
    return len(text.split())


def test_passages_are_all_of_the_text_in_order():
    text = "\n\n".join(bench_corpus.paragraphs()[:40])
    parts = search.passages(text)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(len(part) >= search.PASSAGE for part in parts[:-1])


def test_a_rare_word_counts_for_more_than_a_common_one():
    rare, common, neither = search.scores(["the abbey stood", "the the the", "nothing of it"], "the abbey")
    assert rare > common > neither == 0


def test_a_passage_with_the_fact_is_among_the_best_and_they_fit():
    paragraphs = list(bench_corpus.paragraphs()[:400])
    paragraphs.insert(251, NEEDLE.sentence)
    found = search.best("\n\n".join(paragraphs), NEEDLE.question, 900, words)
    assert NEEDLE.sentence in found
    assert words(found) <= 900
    # As many as fit, in the text's order, and what is left out between them is marked
    parts = [part for part in search.passages("\n\n".join(paragraphs)) if part in found]
    assert len(parts) > 2
    assert [found.index(part) for part in parts] == sorted(found.index(part) for part in parts)
    assert "[…]" in found


def test_of_a_short_text_everything_is_taken():
    text = "One paragraph.\n\nAnd another."
    assert search.best(text, "What?", 100, words) == text
    assert search.best("", "What?", 100, words) == ""
