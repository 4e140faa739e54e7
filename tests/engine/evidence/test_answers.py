"""Evidence of answers, as who asked hears it: where it comes, what it is of, and that the answer is the same."""

from itertools import pairwise

import pytest

from engine.protocol import Delta, Done, Evidence, Generate, Read, ReadingSettings, Sampling
from tests.engine.conftest import made_up_text

TALE = made_up_text(150, seed=3)
BOOK = made_up_text(600)
"""Of more tokens than the window."""


@pytest.fixture
def book(desk):
    return desk.document(BOOK)


@pytest.fixture
def tale(desk):
    return desk.document(TALE, "tale.txt")


def ask(desk, *turns, tokens=40, only_read=False, **reading) -> Done:
    settings = ReadingSettings(**{"segment": 160, "overlap": 8} | reading)
    return desk.run(Generate(desk.id(), desk.talk(*turns), Sampling(max_tokens=tokens), only_read, settings))


def evidence(desk):
    return [event for event in desk.events if isinstance(event, Evidence)]


def checked(desk, done, *texts):
    """Every sentence once and in order, each after what ends it; passages are of the texts and share nothing."""
    given, after = "", 0
    for event in desk.events:
        if isinstance(event, Delta):
            given += event.text
        elif isinstance(event, Evidence):
            assert after <= event.start < event.end <= len(given)
            assert given[event.start : event.end] == given[event.start : event.end].strip()
            after = event.end
            scores = [passage.score for passage in event.passages]
            assert scores == sorted(scores, reverse=True)
            assert 0 < min(scores) <= sum(scores) <= 1 + 1e-6
            places = sorted((one.place.document, one.place.start, one.place.end) for one in event.passages)
            for document, start, end in places:
                assert 0 <= start < end <= len(texts[document])
                assert texts[document][start:end].strip() == texts[document][start:end]
            for (one, _, end), (other, start, _) in pairwise(places):
                assert one < other or end <= start
    assert given == done.result.text
    return evidence(desk)


@pytest.mark.parametrize("mode", ["whole", "parallel"])
def test_an_answer_has_evidence_and_is_the_same_without(desk, tale, mode):
    done = ask(desk, [tale, "What is it about?"], mode=mode)
    found = checked(desk, done, TALE)
    assert found[-1].end == len(done.result.text.rstrip())
    assert {event.how for event in found} == {"heads" if mode == "whole" else "segments"}
    desk.forget()
    without = ask(desk, [tale, "What is it about?"], mode=mode, evidence=0)
    assert evidence(desk) == []
    assert without.result.tokens == done.result.tokens


def test_as_many_passages_as_are_asked_for(desk, tale):
    for count in (1, 2):
        ask(desk, [tale, "What is it about?"], evidence=count)
        assert {len(event.passages) for event in evidence(desk)} == {count}


def test_only_documents_are_evidence(desk, tale, book):
    """Neither the template, nor the question, nor an earlier answer; of two documents each is told by its number."""
    ask(desk, "What is it about?")
    assert evidence(desk) == []
    other = made_up_text(60, seed=9)
    talk = [[desk.document(other), "What is it about?"], "That I told.", [tale, "And this, and the other?"]]
    done = ask(desk, *talk, evidence=50)
    found = checked(desk, done, other, TALE)
    for event in found:
        # Everything of both is evidence when there are passages without end, and together they are all of it
        assert {passage.place.document for passage in event.passages} == {0, 1}
        assert sum(passage.score for passage in event.passages) == pytest.approx(1)


def test_the_same_after_another_question_and_from_disk(desk, tale):
    question = [tale, "What is it about?"]
    ask(desk, question)
    first = evidence(desk)
    ask(desk, [tale, "Who wrote it?"])
    ask(desk, question)
    assert spoken(desk) == spoken(desk, first)
    desk.worker._model.forget(None)
    done = ask(desk, question)
    assert done.usage.reopened > 0
    assert spoken(desk) == spoken(desk, first)


def spoken(desk, events=None):
    """Sentences with their passages; scores to three places, since other pieces add in another order."""
    return [
        (one.start, one.end, [(passage.place, round(passage.score, 3)) for passage in one.passages])
        for one in (evidence(desk) if events is None else events)
    ]


def test_a_long_text_in_segments(desk, book):
    done = ask(desk, [book, "What is it about?"], keep=2)
    found = checked(desk, done, BOOK)
    kept = [place for use in done.usage.segments if use.kept for place in use.places]
    assert len(kept) == 2
    for event in found:
        assert event.how == "segments"
        for passage in event.passages:
            # What a segment begins with is the end of the one before
            assert any(one.start - 120 <= passage.place.start < passage.place.end <= one.end for one in kept)
    likely = min((use for use in done.usage.segments if use.kept), key=lambda use: use.score)
    best = [event.passages[0].place for event in found]
    inside = [likely.places[0].start - 120 <= place.start <= likely.places[0].end for place in best]
    assert sum(inside) > len(inside) / 2, "the likelier segment comes first, unless heads look elsewhere by far"


@pytest.mark.parametrize("reading", [{"kv": "int8"}, {"budget": 0.5, "keep": 2}, {"join": "reread", "keep": 2}])
def test_however_segments_are_held_and_joined(desk, book, reading):
    done = ask(desk, [book, "What is it about?"], **reading)
    assert checked(desk, done, BOOK)


def test_an_answer_from_what_was_read_has_evidence_of_that_alone(desk, tale):
    other = desk.document(made_up_text(60, seed=9))
    desk.run(Read(desk.id(), desk.talk([tale])))
    done = ask(desk, [tale, other, "What is it about?"], only_read=True, evidence=50)
    assert done.usage.unread > 0
    found = checked(desk, done, TALE)
    assert found
    assert {passage.place.document for event in found for passage in event.passages} == {0}


@pytest.mark.parametrize("mode", ["whole", "parallel"])
def test_a_cancelled_answer_has_evidence_of_what_it_wrote(desk, tale, mode):
    heard = lambda: sum(isinstance(event, Delta) for event in desk.events) >= 5  # noqa: E731
    desk.stopped = heard
    done = ask(desk, [tale, "What is it about?"], mode=mode)
    desk.stopped = lambda: False
    assert done.finish == "cancelled"
    assert done.result.text
    assert checked(desk, done, TALE)[-1].end == len(done.result.text.rstrip())


def test_nothing_is_told_of_an_answer_without_words(desk, tale):
    done = ask(desk, [tale, "What is it about?"], tokens=0)
    assert done.result.text == ""
    assert evidence(desk) == []


def test_coverage_tells_its_parts_instead(desk, book):
    ask(desk, [book, "What is it about?"], coverage=True)
    assert evidence(desk) == []
