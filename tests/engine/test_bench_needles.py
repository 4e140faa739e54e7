"""The needle grid asks every cell of texts that are read once, counts what was found, and can find nothing."""

import pytest

from engine import bench_needles, needles
from engine.bench_desk import Desk
from engine.bench_needles import Grid, rank
from engine.model.decoder import Stopped
from engine.protocol import Answered, Done, Loaded, ModelSettings, Place, ReadingSettings, SegmentUse, Usage
from engine.stream import RequestFailed
from engine.verify.asking import talk

SEGMENTS = 4
LOADED = Loaded("1", "pretender", "", "", 1, {}, 100, 100, "bf16", None, "", {}, None, 0.0)


class Pretender:
    """A desk whose model looks the number up by the question's name, where `sees(depth in the text)`."""

    loaded = LOADED

    def __init__(self, sees):
        self.sees = sees
        self.texts_read, self.readings, self.asked = [], [], []
        self.forgotten = 0

    def forget(self):
        self.forgotten += 1

    @staticmethod
    def count(text):
        return len(text.split())

    @staticmethod
    def document(text):
        return text

    def read(self, documents, reading):
        self.texts_read.append(documents[0])
        self.readings.append(reading)
        return Done("1", "read", Usage(100, 100, 0, 0))

    def ask(self, documents, question, reading, max_tokens):
        text, name = documents[0], question.removeprefix("What is the access number for the ").removesuffix("?")
        before, _, after = text.partition(f"for the {name} is ")
        self.readings.append(reading)
        self.asked.append(text)
        answer = f"It is {after[:7]}." if self.sees(len(before) / len(text)) else "It is not said."
        segments = tuple(
            SegmentUse(
                number=1 + at,
                places=(Place(0, at * len(text) // SEGMENTS, (at + 1) * len(text) // SEGMENTS),),
                tokens=9,
                score=2.0 - at * 0.1,
                kept=at == 3,
            )
            for at in range(SEGMENTS)
        )
        usage = Usage(100, 12, 88, 5, first_token=0.25, mode="parallel", segments=segments)
        return Done("2", "complete", usage, Answered(answer, (), None))


GRID = Grid(lengths=(1000, 2000), seeds=(1, 2), depths=(0.1, 0.4, 0.9))


def ask_all(desk, grid=GRID, stopped=lambda: False):
    seen = []
    return bench_needles.run(desk, grid, lambda done, total: seen.append((done, total)), stopped), seen


def test_every_cell_is_asked_of_texts_that_are_read_once_and_not_saved():
    desk = Pretender(lambda depth: True)
    report, seen = ask_all(desk)
    assert len(desk.asked) == len(report["cells"]) == len(GRID) == 24
    assert seen[-1] == (24, 24)
    assert len(desk.texts_read) == desk.forgotten == 4
    assert len(set(desk.asked)) == 24
    assert not any(reading.save for reading in desk.readings)
    assert [(row["length"], row["hard"], row["found"], row["of"]) for row in report["rows"]] == [
        (1000, False, 6, 6),
        (1000, True, 6, 6),
        (2000, False, 6, 6),
        (2000, True, 6, 6),
    ]
    assert report["missed"] == []
    assert {cell["read"] for cell in report["cells"]} == {12}


def test_what_is_not_found_is_counted_and_shown():
    report, _ = ask_all(Pretender(lambda depth: depth < 0.7))
    row = report["rows"][0]
    assert (row["found"], row["of"]) == (4, 6)
    assert row["low"] < 4 / 6 < row["high"]
    assert {(cell["depth"], cell["answer"]) for cell in report["missed"]} == {(0.9, "It is not said.")}


def test_the_hard_form_has_eight_other_numbers_of_the_same_form():
    desk = Pretender(lambda depth: True)
    report, _ = ask_all(desk)
    sentences = [text.count("The access number for the") for text in desk.asked]
    assert sentences == [9 if cell["hard"] else 1 for cell in report["cells"]]
    assert [cell["found"] for cell in report["cells"]] == [True] * 24


def test_it_stops_between_two_questions():
    desk = Pretender(lambda depth: True)
    with pytest.raises(Stopped):
        ask_all(desk, stopped=lambda: len(desk.asked) == 2)
    assert len(desk.asked) == 2


def test_the_rank_is_that_of_the_segment_with_the_needle():
    report, _ = ask_all(Pretender(lambda depth: True))
    assert {cell["depth"]: cell["rank"] for cell in report["cells"]} == {0.9: 1, 0.4: 3, 0.1: 4}
    usage = Usage(9, 9, 0, 0, segments=(SegmentUse(1, (Place(0, 0, 9),), 9, None), SegmentUse(2, (), 9, 1.0)))
    assert rank(usage, 3) is None
    assert rank(usage, 30) is None


@pytest.fixture
def bench_desk(tmp_path, tiny_model):
    return Desk(tmp_path, ModelSettings(str(tiny_model), precision="fp32", device="cpu", threads=1))


def test_a_real_model_of_random_weights_finds_nothing(bench_desk, monkeypatch):
    monkeypatch.setattr(needles, "ANSWER", 4)
    reading = ReadingSettings(mode="whole")
    grid = Grid(lengths=(700,), seeds=(4,), depths=(0.2, 0.8), forms=(False,), reading=reading)
    report, _ = ask_all(bench_desk, grid)
    assert [(row["mode"], row["found"], row["of"]) for row in report["rows"]] == [("whole", 0, 2)]
    deep, shallow = (cell["read"] for cell in report["cells"])
    assert 0 < deep < shallow < 900, "a text read whole is in memory up to what was planted"


def test_what_the_worker_refuses_is_raised(bench_desk):
    book = bench_desk.document("word " * 3000)
    with pytest.raises(RequestFailed) as raised:
        bench_desk.read([book], ReadingSettings(mode="whole"))
    assert raised.value.failed.code == "too_long"


def test_what_is_forgotten_is_read_again(bench_desk):
    book, reading = bench_desk.document("Some words of a book. " * 40), ReadingSettings(save=False)
    first = bench_desk.read([book], reading).usage.read
    assert first > 100
    assert bench_desk.read([book], reading).usage.read == 0
    bench_desk.forget()
    assert bench_desk.read([book], reading).usage.read == first


def test_a_desk_that_is_told_to_stop_raises(tmp_path, tiny_model):
    told = []
    settings = ModelSettings(str(tiny_model), precision="fp32", device="cpu", threads=1)
    desk = Desk(tmp_path, settings, stopped=lambda: bool(told))
    book = desk.document("Some words.")
    told.append(True)
    with pytest.raises(Stopped):
        desk.read([book], ReadingSettings())


def test_what_is_asked_is_the_documents_and_then_the_question(bench_desk):
    one, two = bench_desk.document("One."), bench_desk.document("Two.")
    assert list(talk([one, two], "Which?").turns[0].parts[:2]) == [one, two]
    assert talk([one]).turns[0].parts == (one,)
    assert bench_desk.ask([one, two], "Which?", ReadingSettings(), 2).usage.written <= 2
