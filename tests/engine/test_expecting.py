"""What is said beforehand of a question's cost is what the question then costs."""

import pytest
from asking import Asking

from engine.protocol import Expect, Expected, ReadingSettings

QUESTION = "What is it about?"


@pytest.fixture
def ask(desk, monkeypatch):
    asking = Asking(desk, monkeypatch)
    asking.settings = {"mode": "whole"}
    return asking


@pytest.fixture
def expect(ask):
    def of(*turns, reworded=False, **reading) -> Expected:
        how = ReadingSettings(**(ask.settings | reading))
        before = ask.computed
        done = ask.desk.run(Expect(ask.desk.id(), ask.desk.talk(*turns), how, reworded))
        assert ask.computed == before, "something was run"
        assert done.result.prompt == done.result.read + done.result.reused
        return done.result

    return of


def same(expected, usage) -> bool:
    return (expected.prompt, expected.read, expected.reused, expected.reopened, expected.mode) == (
        *(usage.prompt, usage.read, usage.reused, usage.reopened, usage.mode),
    )


def test_it_is_what_is_read(ask, expect):
    for turns in ([ask.note, QUESTION],), ([ask.note, QUESTION],), ([ask.note, "Who wrote it?"],), ("Hello",):
        expected = expect(*turns)
        assert same(expected, ask(*turns).usage)


def test_a_reworded_question_goes_back_to_before_its_words(ask, expect):
    first = ask([ask.note, QUESTION])
    ask([ask.note, QUESTION], first.result.text, "And then?")
    expected = expect([ask.note, QUESTION], reworded=True)
    assert 0 < expected.read < 40
    assert expected == expect([ask.note, QUESTION], reworded=True), "asking changes nothing"
    # "Question: " before them is the same, and may be joined to them in any way
    assert 0 <= ask([ask.note, "Surely other words?"]).usage.reused - expected.reused <= len("Question: ")


def test_what_is_on_disk_counts_without_being_opened(ask, expect):
    ask([ask.note, QUESTION])
    ask.closed()
    files = {path: path.stat().st_mtime_ns for path in ask.files("*")}
    expected = expect([ask.note, "Who wrote it?"])
    assert expected.reopened == expected.reused > 100
    assert {path: path.stat().st_mtime_ns for path in ask.files("*")} == files
    assert expect([ask.note, "Who wrote it?"], save=False).reused == 0
    assert same(expected, ask([ask.note, "Who wrote it?"]).usage)


def test_a_text_in_segments(ask, expect):
    how = {"mode": "parallel", "segment": 160, "overlap": 8}
    fresh = expect([ask.book, QUESTION], **how)
    assert (fresh.mode, fresh.reused) == ("parallel", 0)
    done = ask([ask.book, QUESTION], **how)
    assert fresh.asked == len(done.usage.segments)
    again = expect([ask.book, "Who wrote it?"], **how)
    assert again.reused == fresh.read - (fresh.prompt - sum(ask.sizes([ask.book, QUESTION], **how)))
    assert again.read < 40
    ask.closed()
    assert expect([ask.book, "Who wrote it?"], **how).reused == again.reused
    assert expect([ask.book, "Who wrote it?"], **how, asked=2).asked == 2
