"""The bench of long texts: every turn is ours and theirs, no reading passes for a question, memory is seen."""

import asyncio
import json
import os
import subprocess
import sys

import pytest
import torch

from engine import bench_memory, bench_reading
from engine.bench_desk import Desk, data_folder
from engine.bench_memory import Memory, Peak
from engine.bench_pages import let_go
from engine.bench_reading import Bench
from engine.model.decoder import Stopped
from engine.needles import needles
from engine.peer import Peer
from engine.protocol import DeviceInfo, Loaded, ModelSettings, ReadingSettings, Usage
from engine.stream import RequestFailed
from engine.verify.asking import write_document

TURNS, SEGMENT, LENGTH = 3, 40, 400


class Asked:
    length = LENGTH
    facts = needles(1, TURNS)
    book, shorts = "book", ["short 0", "short 1", "short 2"]
    ids = torch.arange(LENGTH)[None]

    @staticmethod
    def tail(fact):
        return torch.zeros(1, 5, dtype=torch.long)


class Ours:
    """An engine that reads 100 tokens a second, the short ones 50, and whose process has `pid` openings."""

    def __init__(self, data, remembers=True):
        self.data, self.remembers = data, remembers
        self.opened, self.said, self.short_memory = 0, [], 0

    async def open(self):
        self.opened += 1
        info = DeviceInfo("cpu", "a chip", 1, 1, ("bf16",))
        return Loaded("1", "pretender", "", "", 1, {}, 100, 100, "bf16", info, "plain", {}, None, 0.1)

    async def close(self):
        if self.opened:
            return Memory(1000 * self.opened, 10, 1010)
        return None

    async def read(self, document, reading, share=1.0):
        self.said.append(("read", document, reading.save, round(share, 2)))
        return Usage(LENGTH, 100, 0, 0, reading_rate=100.0 if document == "book" else 50.0)

    async def ask(self, document, question, reading, max_tokens):
        self.said.append(("ask", self.opened, reading.kv))
        fact = next(fact for fact in Asked.facts if fact.question == question)
        first = 2.0 if self.said[-2][0] == "read" or self.said[-2][1] != self.opened else 1.0
        read = 10 if self.remembers else LENGTH
        return Usage(LENGTH, read, LENGTH - read, 5, first_token=first), f"It is {fact.number}."

    async def forget(self, document):
        self.said.append(("forget", document))


class Theirs:
    def __init__(self):
        self.segments, self.asked = [], []

    def read(self, ids):
        assert not self.segments

    def read_segment(self, ids):
        self.segments.append(ids[0].tolist())
        return len(self.segments) - 1

    def ask(self, kept, ids):
        self.asked.append(kept)


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(bench_reading, "SEGMENT", SEGMENT)
    monkeypatch.setattr(bench_reading, "SHORT", 100)


def measured(ours, peer=None, stopped=lambda: False, **reading):
    seen = []
    bench = Bench(ours, peer, Asked(), ReadingSettings(**reading), lambda *at: seen.append(at), stopped)
    return asyncio.run(bench.run()), seen


def test_a_report_of_turns_with_both(tmp_path):
    ours, theirs = Ours(tmp_path), Theirs()
    report, seen = measured(ours, theirs)
    rows = {row["name"]: row for row in report["rows"]}
    assert list(rows)[:3] == [
        "read 400 tokens in segments",
        "read 400 tokens, beside 100",
        "first token of a question on 400 tokens",
    ]
    assert rows["read 400 tokens, beside 100"]["ratio"] == 2.0
    opened = rows["first token after re-opening 400 tokens, beside a warm question's"]
    assert (opened["ours"], opened["theirs"], opened["ratio"]) == (2.0, 1.0, 0.5)
    assert (report["found"], report["asked"]) == (11, 11)
    assert report["sampled"] == {"read": 3, "of": 10, "tokens": SEGMENT}
    assert [one["what"].split()[0] for one in report["memory"]] == ["reading", "re-opened", "re-opened"]
    assert [one["anonymous"] for one in report["memory"]] == [1000, 2000, 6000]
    assert seen[-1][0] == seen[-1][1] == len(set(seen))
    assert all(done <= total for done, total in seen)


def test_a_turn_reads_a_third_and_gives_the_short_one_up(tmp_path):
    ours = Ours(tmp_path)
    measured(ours)
    assert [one for one in ours.said if one[0] != "ask"][:6] == [
        ("read", "book", True, 0.33),
        ("read", "short 0", False, 1.0),
        ("forget", "short 0"),
        ("read", "book", True, 0.67),
        ("read", "short 1", False, 1.0),
        ("forget", "short 1"),
    ]


def test_theirs_reads_other_segments_each_turn_and_is_asked_over_those_it_keeps(tmp_path):
    theirs = Theirs()
    measured(Ours(tmp_path), theirs)
    assert [part[0] for part in theirs.segments] == [SEGMENT * n for n in range(9)]
    assert all(len(part) == SEGMENT for part in theirs.segments)
    assert theirs.asked == [6, 7, 8] * 2 * TURNS


def test_without_them_there_is_nothing_beside(tmp_path):
    report, _ = measured(Ours(tmp_path))
    assert report["rows"][0]["theirs"] is None
    assert report["sampled"] is None


def test_a_question_that_reads_the_text_is_no_questions_time(tmp_path):
    with pytest.raises(ValueError, match="not in memory"):
        measured(Ours(tmp_path, remembers=False))


def test_a_reading_that_is_int8_anyway_is_not_taken_as_int8_again(tmp_path):
    report, _ = measured(Ours(tmp_path), kv="int8")
    assert [one["what"] for one in report["memory"]] == ["reading and asking, K/V as int8", "re-opened and asked"]


def test_it_stops_between_two_measurements(tmp_path):
    ours = Ours(tmp_path)
    with pytest.raises(Stopped):
        measured(ours, stopped=lambda: len(ours.said) > 0)
    assert len(ours.said) == 1


@pytest.mark.full
def test_the_peers_segments_are_kept_as_they_are_and_explain_what_stands_in_them(small_model):
    peer = Peer(small_model)
    ids = torch.arange(100, 160)[None]
    one = peer.read_segment(ids)
    again, other = ids[:, 20:50], torch.arange(900, 930)[None]
    assert peer.ask(one, again) == pytest.approx(peer.ask(one, again))
    assert peer.ask(one, again) < peer.ask(one, other) - 1
    assert one.get_seq_length() == 60


def test_the_most_memory_is_seen(monkeypatch):
    monkeypatch.setattr(bench_memory, "EVERY", 0.001)
    held = []
    with Peak(os.getpid()) as peak:
        before = bench_memory.now(os.getpid())
        held.append(b"x" * 50_000_000)
        held.clear()
    assert peak.most.resident >= before.resident
    if sys.platform == "linux":
        assert before.anonymous + before.mapped == before.resident > 0


def test_the_memory_of_a_process_that_ended_is_what_it_was():
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with Peak(process.pid) as peak:
        process.communicate(b"\n")
    assert peak.most.resident > 0


def test_files_that_were_let_go_are_still_there(tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "file").write_bytes(b"data" * 5000)
    assert let_go(tmp_path) == hasattr(os, "posix_fadvise")
    assert (tmp_path / "one" / "file").read_bytes() == b"data" * 5000


def test_the_data_folder_is_the_one_that_was_named(tmp_path, home):
    assert data_folder({"data": str(tmp_path)}) == tmp_path
    assert data_folder({}) == home


def test_the_needles_are_asked_instead(tmp_path, monkeypatch):
    seen = {}

    def run(desk, grid, progress, stopped):
        seen.update(lengths=grid.lengths, kv=grid.reading.kv, settings=desk)
        return {"rows": []}

    monkeypatch.setattr(bench_reading.bench_needles, "run", run)
    monkeypatch.setattr(bench_reading, "Desk", lambda folder, settings, stopped: settings)
    options = {"model": "m", "data": str(tmp_path), "needles": "yes", "length": "40000", "kv": "int8", "threads": "1"}
    assert json.loads(bench_reading.work(options, lambda *at: None, lambda: False)) == {"rows": []}
    assert (seen["lengths"], seen["kv"], seen["settings"]) == ((4096, 32768), "int8", ModelSettings("m", threads=1))


@pytest.mark.whole
@pytest.mark.full
def test_a_real_engine_is_measured(tmp_path, small_model, monkeypatch):
    monkeypatch.setattr(bench_reading, "SHORT", 600)
    monkeypatch.setattr(bench_reading, "TURNS", 1)
    monkeypatch.setattr(bench_reading, "let_go", lambda folder: False)  # one start of an engine less
    options = {"model": str(small_model), "data": str(tmp_path), "length": "3000", "compare": "no", "precision": "int8"}
    report = json.loads(bench_reading.work(options, lambda *at: None, lambda: False))
    assert all(row["ours"] > 0 for row in report["rows"])
    assert report["found"] == report["asked"] > 3
    reading, *_ = report["memory"]
    if sys.platform == "linux":
        assert 50_000_000 < reading["anonymous"] < 3_000_000_000
        assert reading["mapped"] > 10_000_000
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_loaded_is_said(tmp_path):
    with pytest.raises(RequestFailed):
        Desk(tmp_path, ModelSettings(str(tmp_path / "none")))
    assert write_document(tmp_path, "text", "name").name == "name"
