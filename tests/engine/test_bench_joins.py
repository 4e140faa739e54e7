"""The choice of a join follows what was found; what no window has room for is left out; nothing found, nothing kept."""

import itertools
import json

import pytest
from msgspec.structs import replace

from engine import joins
from engine.joins import Cut, Measure, Row, choose, run
from engine.model.decoder import Stopped
from engine.protocol import Answered, Calibration, Done, Loaded, Place, SegmentUse, Usage
from engine.reading import calibration

BEFORE = Calibration(segment=2000, overlap=64, join="shared", keep=2, gap=0.3, part=500)
MEASURE = Measure(tokens=4000, segments=(500, 1000, 2000), keeps=(1, 2, 3))
FIRST, OTHERS = 1.0, (2.5, 2.6, 2.8)
"""Scores of the segment with the answer, and of the rest."""


class Pretender:
    """A desk with a window of 3,000 tokens, whose model finds a fact where `finds(segment, join, keep)`."""

    def __init__(self, data, finds=lambda segment, join, keep: True, first=FIRST):
        self.data, self.finds, self.first = data, finds, first
        self.loaded = Loaded("1", "pretender", "f" * 8, "", 1, {}, 1, 1, "bf16", None, "", {}, None, 0, (), BEFORE)
        self.loads = 1
        self.read_in = []

    def load(self):
        self.loads += 1
        self.loaded = Loaded(*(getattr(self.loaded, name) for name in Loaded.__struct_fields__))

    @staticmethod
    def count(text):
        return len(text.split())

    @staticmethod
    def document(text):
        return text

    def read(self, documents, reading):
        assert not reading.save
        self.read_in.append(reading.segment)
        return Done("1", "read", Usage(1000, 1000, 0, 0))

    def ask(self, documents, question, reading, max_tokens):
        now = calibration.load(self.data, "f" * 8, Window, 1)
        segment, keep = reading.segment or now.segment, reading.keep or now.keep
        join = now.join if reading.join == "auto" else reading.join
        text = documents[0]
        before, _, after = text.partition(f"{question.removeprefix('What is the ').removesuffix('?')} is ")
        count = 4000 // segment
        edges = [number * len(text) // count for number in range(count + 1)]
        kept = min(keep, 3000 // segment)
        parts = list(itertools.pairwise(edges))
        scores = [self.first if a <= len(before) < b else OTHERS[n % 3] for n, (a, b) in enumerate(parts)]
        order = sorted(range(count), key=lambda number: scores[number])
        uses = tuple(
            SegmentUse(n + 1, (Place(0, a, b),), segment, scores[n], n in order[:kept])
            for n, (a, b) in enumerate(parts)
        )
        answer = after[:7] if self.finds(segment, join, keep) else "I do not know."
        return Done("1", "complete", Usage(9, 9, 0, 1, mode="parallel", segments=uses), Answered(answer, (), None))


class Window:
    window = 8192


def measured(desk, measure=MEASURE, stopped=lambda: False):
    seen = []
    report = run(desk, measure, lambda done, total: seen.append((done, total)), stopped)
    return report, seen


def test_every_way_is_asked_that_the_window_has_room_for(tmp_path):
    report, seen = measured(Pretender(tmp_path))
    ways = {(row["segment"], row["keep"], row["join"]) for row in report["rows"]}
    assert len(ways) == len(report["rows"])
    assert {(segment, keep) for segment, keep, _ in ways} == {
        *((500, keep) for keep in (1, 2, 3)),
        *((1000, keep) for keep in (1, 2, 3)),
        (2000, 1),
    }
    assert {join for _, keep, join in ways if keep > 1} == set(joins.JOINS)
    assert all(row["found"] == row["of"] == 5 for row in report["rows"])
    assert seen[-1] == (len(MEASURE), len(MEASURE))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_what_finds_all_is_chosen_and_checked(tmp_path):
    desk = Pretender(tmp_path, lambda segment, join, keep: keep == 1 or (join == "consecutive" and keep == 2))
    report, _ = measured(desk)
    chosen = report["chosen"]
    assert (chosen["join"], chosen["keep"], chosen["measured"]) == ("consecutive", 2, True)
    assert (chosen["overlap"], chosen["part"]) == (64, 500)
    assert chosen["gap"] == pytest.approx(1.5 / 3, abs=0.01)
    assert (report["checked"]["found"], report["checked"]["join"]) == (5, "consecutive")
    assert desk.loads == 2
    assert desk.read_in == [500, 1000, 2000, None]


def test_a_model_that_finds_nothing_chooses_nothing(tmp_path):
    report, _ = measured(Pretender(tmp_path, lambda segment, join, keep: False))
    assert report["chosen"] is None
    assert report["checked"] is None


def test_a_segment_that_is_not_the_likeliest_widens_the_gap(tmp_path):
    report, _ = measured(Pretender(tmp_path, first=2.7))
    assert {cut["first"] for cut in report["cuts"]} == {0}
    assert [cut["behind"] for cut in report["cuts"]] == pytest.approx([0.2, 0.2, 0.2])
    assert report["chosen"]["gap"] >= 0.2


def test_the_likeliest_is_counted(tmp_path):
    report, _ = measured(Pretender(tmp_path))
    assert [(cut["first"], cut["of"], cut["behind"]) for cut in report["cuts"]] == [(5, 5, 0.0)] * 3


def test_it_stops_between_two_questions(tmp_path):
    with pytest.raises(Stopped):
        measured(Pretender(tmp_path), stopped=lambda: True)


def row(segment, join, keep, found, seconds=1.0):
    return Row(segment, join, keep, keep, found, 5, seconds)


CUTS = [Cut(1000, 24, 900.0, 5, 5, 0.0, 1.2), Cut(2000, 12, 800.0, 5, 5, 0.0, 0.9)]


def test_of_equals_the_one_that_joins_as_many_as_is_usual_and_then_the_fastest():
    rows = [row(1000, "shared", 1, 5), row(1000, "shared", 2, 5, 3.0), row(2000, "reread", 2, 5, 2.0)]
    chosen = choose([*rows, row(2000, "shared", 5, 4)], CUTS, BEFORE)
    assert (chosen.segment, chosen.join, chosen.keep, chosen.gap) == (2000, "reread", 2, 0.3)
    assert choose(rows, CUTS, replace(BEFORE, keep=1)).keep == 1
    assert choose([row(1000, "shared", 1, 2)], CUTS, BEFORE) is None
    assert (choose(rows, CUTS, None).overlap, choose(rows, CUTS, None).keep) == (0, 1)


def test_the_job_keeps_what_it_chose_for_the_model(tmp_path, monkeypatch):
    made = []

    def desk(folder, settings, stopped):
        made.append((folder, settings))
        return Pretender(folder)

    monkeypatch.setattr(joins, "Desk", desk)
    monkeypatch.setattr(joins, "QUICK", Measure(tokens=4000, segments=(500,), keeps=(1,), check=False))
    options = {"model": "m.gguf", "precision": "int8", "threads": "2", "quick": "yes", "data": str(tmp_path)}
    report = json.loads(joins.work(options, lambda done, total: None, lambda: False))
    assert report["saved"]
    kept = calibration.load(tmp_path, "f" * 8, Window, 1)
    assert (kept.segment, kept.measured) == (500, True)
    ((folder, settings),) = made
    assert (settings.precision, settings.threads) == ("int8", 2)
    assert folder.parent == tmp_path
    assert not folder.exists()
