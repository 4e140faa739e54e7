"""Questions that need all of a text: every part of it is asked, once."""

import numpy as np
import pytest
from asking import Asking, codes, kept

from engine.protocol import Delta, Found, Progress
from engine.reading import coverage
from engine.reading.coverage import stands_in

QUESTION = "What are the numbers?"
PARTS = {"coverage": True, "segment": 300, "part": 60}


@pytest.fixture
def ask(desk, monkeypatch):
    asking = Asking(desk, monkeypatch)
    asking.settings |= PARTS
    return asking


@pytest.fixture
def asked_parts(monkeypatch):
    """Parts that the question was put to, in order; none is answered by the model, each gives its own number."""
    parts = []

    def answered(self, *about):
        parts.append(about[-2])
        return f"{len(parts)}", 0.1

    monkeypatch.setattr(coverage.Coverage, "_ask", answered)
    return parts


def test_parts_are_each_segments_own_text_once(ask, asked_parts):
    documents = [ask.book, ask.note, ask.tale]
    done = ask([*documents, QUESTION], overlap=32)
    usage = done.usage
    assert (usage.mode, usage.asked) == ("coverage", len(asked_parts))
    for number, document in enumerate(documents):
        places = [part.place for part in asked_parts if part.place.document == number]
        assert [place.start for place in places] == [0, *(place.end for place in places[:-1])]
        assert places[-1].end == len((ask.desk.texts / f"{document.sha256}.txt").read_text())
    by_segment = [
        sum(part.end - part.start for part in asked_parts if part.segment == n) for n in range(len(usage.segments))
    ]
    assert by_segment == [use.tokens for use in usage.segments]
    assert all(0 < part.end - part.start <= 60 for part in asked_parts)
    assert kept(done) == [*range(1, len(usage.segments) + 1)]
    assert [use.rows for use in usage.segments] == by_segment


def test_a_part_is_the_rows_of_its_own_tokens(ask, asked_parts):
    ask([ask.book, ask.note, QUESTION], overlap=32)
    worker = ask.desk.worker._model
    cut = worker.reader.cut(ask.desk.talk([ask.book, ask.note]), ask._reading({"overlap": 32}), lambda *_: None)[1]
    texts = [worker.texts.placed(document, lambda *_: None) for document in (ask.book, ask.note)]
    for part in asked_parts:
        text = texts[part.place.document]
        first = int(np.searchsorted(text.starts, part.place.start))
        own = text.ids[first : first + part.end - part.start]
        assert np.array_equal(cut[part.segment].ids[part.start : part.end], own)


def test_what_is_found_comes_in_order_with_its_place(ask):
    done = ask([ask.book, QUESTION])
    found = ask.events(Found)
    assert found
    assert [one.part for one in found] == sorted({one.part for one in found})
    assert {one.parts for one in found} == {done.usage.asked}
    text = ask.desk.made_up_text(600)
    assert [one.place.start for one in found] == sorted(one.place.start for one in found)
    for one in found:
        assert one.text
        assert one.stands == stands_in(one.text, text[one.place.start : one.place.end], QUESTION)
        assert one.surprise >= 0
        assert not one.certain  # a model of random weights is never sure
    told = ask.progress("ask")
    assert told == [*range(done.usage.asked + 1)]
    assert done.result.text == ""  # nothing certain was found
    assert done.finish == "complete"


def test_what_is_certain_is_listed_once_in_order(ask, monkeypatch):
    said = iter(["12 and 7", "forty", "12 and 7", "", "9"] + ["nowhere 123456"] * 50)
    monkeypatch.setattr(coverage.Coverage, "_ask", lambda *about: (next(said), 0.1))
    text = "\n\n".join(
        f"Here are 12 and 7 and 9, and forty besides. {ask.desk.made_up_text(30, seed)}" for seed in range(9)
    )
    done = ask([ask.desk.document(text), QUESTION], part=80)
    found = ask.events(Found)
    assert [one.part for one in found][:4] == [0, 1, 2, 4]  # a part that gave nothing is not told
    assert [one.stands for one in found if one.text == "nowhere 123456"] == [False] * (len(found) - 4)
    assert done.result.text == "- 12 and 7\n- forty\n- 9"
    assert "".join(event.text for event in ask.events(Delta)) == done.result.text


def test_a_second_question_reads_nothing(ask):
    first = ask([ask.book, QUESTION]).usage
    assert (first.read, first.unread) == (sum(ask.sizes([ask.book])), 0)
    before = ask.computed
    second = ask([ask.book, "Who is named?"]).usage
    assert (second.read, second.reused, second.unread) == (0, first.read, 0)
    # The question, its mark and the start of an answer to each part, and what was written
    assert ask.computed - before <= second.asked * (30 + coverage.WRITTEN)
    # The same segments serve questions over the best of them
    plain = ask([ask.book, "Who wrote it?"], coverage=False).usage
    assert (plain.mode, plain.reused) == ("parallel", first.read)


def test_a_text_that_fits_is_gone_over_as_well(ask):
    done = ask([ask.note, QUESTION])
    assert (done.usage.mode, len(done.usage.segments)) == ("coverage", 1)
    assert done.usage.asked >= 3
    assert codes(done) == []  # it is not longer than the window


def test_smaller_parts_are_more(ask, asked_parts):
    few = ask([ask.book, QUESTION], part=200).usage.asked
    many = ask([ask.book, QUESTION], part=40).usage.asked
    assert many > 3 * few
    usual = ask([ask.book, QUESTION], part=None).usage.asked
    assert usual == len(ask.sizes([ask.book]))  # the calibration's parts are longer than these segments


def test_the_parts_own_question_is_put_to_the_parts(ask, monkeypatch):
    put = []
    monkeypatch.setattr(
        coverage.Coverage,
        "_ask",
        lambda *about: put.append(about[0].desk.tokenizer.decode(about[-1].tolist())) or ("", 0),
    )
    ask([ask.book, QUESTION], part_question="Which number is named?")
    ask([ask.book, QUESTION])
    assert {words.count("Which number is named?") for words in put[: len(put) // 2]} == {1}
    assert all(QUESTION not in words for words in put[: len(put) // 2])
    assert all(words.startswith(f"Question: {QUESTION}") for words in put[len(put) // 2 :])


def test_cancelled_between_parts(ask):
    ask.stop_when(lambda: len(ask.progress("ask")) > 3)
    done = ask([ask.book, QUESTION])
    ask.go_on()
    assert (done.finish, done.usage.asked) == ("cancelled", 3)
    assert done.usage.unread == 0
    again = ask([ask.book, QUESTION]).usage
    assert (again.read, again.reused) == (0, done.usage.read)


def test_cancelled_within_a_part(ask):
    ask.read([ask.book])
    before = ask.computed
    ask.stop_when(lambda: ask.computed > before + 40)  # the question is read, and the answer begun
    done = ask([ask.book, QUESTION])
    ask.go_on()
    assert done.finish == "cancelled"
    assert done.usage.asked < 3
    assert done.result.text == ""


def test_only_the_parts_that_were_read(ask):
    sizes = ask.sizes([ask.book])
    ask.stop_when(lambda: max(ask.progress("read"), default=0) >= sum(sizes[:2]))
    ask.read([ask.book])
    ask.go_on()
    done = ask([ask.book, QUESTION], only_read=True)
    assert kept(done) == [1, 2]
    assert (done.usage.reused, done.usage.read, done.usage.unread) == (sum(sizes[:2]), 0, sum(sizes[2:]))
    ends = [place.end for use in done.usage.segments[:2] for place in use.places]
    assert max(one.place.end for one in ask.events(Found)) <= ends[-1]
    ask.desk.forget()
    none = ask([ask.book, QUESTION], only_read=True)
    assert (none.usage.asked, none.usage.unread, none.finish) == (0, sum(sizes), "complete")
    assert [event.total for event in ask.events(Progress) if event.stage == "ask"] == [0]


def test_an_answer_over_what_was_found_where_the_model_is_good_enough(ask, asked_parts, monkeypatch):
    monkeypatch.setattr("engine.reading.reader.SMALL", 0)
    numbers = ask.desk.document("\n\n".join(f"{n} is a number. {ask.desk.made_up_text(40, n)}" for n in range(1, 9)))
    done = ask([numbers, QUESTION], part=100)
    assert any(one.certain for one in ask.events(Found))
    assert (done.finish, done.usage.written) == ("length", 5)
    assert done.result.text == "".join(event.text for event in ask.events(Delta))
    assert not done.result.text.startswith("- ")
    assert (done.usage.unread, done.usage.reused) == (0, 0)


def test_a_list_too_long_to_answer_over_is_the_answer(ask, monkeypatch):
    monkeypatch.setattr("engine.reading.reader.SMALL", 0)
    monkeypatch.setattr(coverage, "stands_in", lambda text, part, question: True)
    numbers = iter(range(1000))
    monkeypatch.setattr(coverage.Coverage, "_ask", lambda *about: (f"{next(numbers)} " + "and so on " * 20, 0.1))
    done = ask([ask.book, QUESTION])
    lines = done.result.text.split("\n")
    assert len(lines) == done.usage.asked
    assert done.finish == "complete"
    assert "".join(event.text for event in ask.events(Delta)) == done.result.text


@pytest.mark.parametrize(
    ("text", "part", "stands"),
    [
        ("The number is 4711.", "was 4711 in all", True),
        ("The number is 4711.", "was 47110 in all", False),
        ("4,711", "it was 4711", True),
        ("4711", "it was 4,711", True),
        ("4711 and 12", "4711 alone", False),
        ("The colour is Crimson", "a crimson colour", True),
        ("The colour is crimson", "a blue colour", False),
        ("the number", "whatever stands here", False),
        ("", "whatever", False),
        ("...", "...", False),
        ("A7-B9", "codes a7 and b9", True),
    ],
)
def test_what_stands_in_a_part(text, part, stands):
    assert stands_in(text, part, "What is the number, and what the colour?") == stands
