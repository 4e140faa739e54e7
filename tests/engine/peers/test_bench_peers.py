"""The job `peers` with peers of the tests: real processes whose numbers are made up, beside the real small engine."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine import bench_peers, bench_peers_documents
from engine.bench_peers import Plan
from engine.model.decoder import Stopped
from engine.peers import process
from engine.peers.theirs import Setup, Theirs, setup

FAKE = Path(__file__).with_name("fake_program.py")
PLAN = Plan(pythons=(sys.executable,), lengths=(64,), documents=(), rounds=1, seed=3, program=FAKE)
NATIVE = 4096
"""Tokens of the window that peers are told of."""


@pytest.fixture
def measured(tiny_model, tmp_path, monkeypatch):
    def as_gguf(path, folder, threads, pythons, limit, program):
        return Setup(path, True, None, threads, NATIVE, pythons, limit, program)

    def measure(plan=PLAN, how="", stopped=lambda: False, precision="int8"):
        monkeypatch.setenv("FAKE_PEER", how)
        monkeypatch.setattr(bench_peers, "setup", as_gguf)
        monkeypatch.setattr(bench_peers, "WRITTEN", 2)
        steps = []
        options = {"model": str(tiny_model), "precision": precision, "data": str(tmp_path)}
        report = bench_peers.run(options, plan, lambda done, of: steps.append((done, of)), stopped)
        return json.loads(json.dumps(report)), steps

    return measure


def by_place(report):
    return {(row["what"], row["length"], row["engine"]): row for row in report["rows"]}


def test_everybody_reads_and_writes_at_every_length_in_turns(measured):
    report, steps = measured(replace(PLAN, lengths=(64, 200), rounds=2))
    assert steps == [(done, 16) for done in range(1, 17)]
    names = ["longread", "llama-cpp", "llama-cpp, no flash", "transformers"]
    assert [one["name"] for one in report["engines"]] == names
    assert report["engines"][1]["about"]["version"] == "9.9"
    rows = by_place(report)
    assert set(rows) == {(what, length, name) for what in ("read", "write") for length in (64, 200) for name in names}
    assert rows["read", 64, "llama-cpp"]["median"] == rows["read", 200, "transformers"]["least"] == 100.0
    assert rows["write", 64, "transformers"]["most"] == 10.0
    assert rows["read", 64, "longread"]["least"] <= rows["read", 64, "longread"]["median"]


def test_who_is_missing_is_reported_with_what_to_type(measured):
    report, _ = measured(how="absent=llama-cpp")
    absent = {one["name"]: one.get("absent") for one in report["engines"]}
    assert "pip install llama-cpp-python" in absent["llama-cpp"]
    assert absent["transformers"] is None
    assert {row["engine"] for row in report["rows"]} == {"longread", "transformers"}


@pytest.mark.parametrize(("how", "told"), [("dies=write", "it died"), ("late=write", "stopped after 0 s")])
def test_who_dies_or_takes_too_long_is_reported_and_the_others_go_on(measured, how, told):
    plan = replace(PLAN, peers=("transformers",), limit=0.3)
    rows = by_place(measured(plan, how)[0])
    assert rows["read", 64, "transformers"]["median"] is None
    assert told in rows["read", 64, "transformers"]["failed"]
    assert rows["write", 64, "longread"]["median"] > 0


def test_it_stops_between_two_steps(measured):
    with pytest.raises(Stopped):
        measured(replace(PLAN, peers=()), stopped=lambda: True)


def test_beside_wide_weights_of_ours_int8_is_measured_as_well(measured):
    report, _ = measured(replace(PLAN, peers=()), precision="bf16")
    assert [one["name"] for one in report["engines"]] == ["longread", "longread, int8"]
    assert [one["flags"]["precision"] for one in report["engines"]] == ["bf16", "int8"]
    assert by_place(report)["write", 64, "longread, int8"]["median"] > 0


class Ours:
    """An engine that has read the text and answers with all of it."""

    opened = 0.5

    def __init__(self, data, settings, stopped):
        self.asked = 0

    async def open(self):
        return None

    async def close(self):
        return None

    async def ask(self, document, question, reading, max_tokens):
        self.asked += 1
        assert reading.save
        return Used(20.0 / self.asked), Path(document.path).read_text()


class Used:
    mode, read, segments, join, kv = "parallel", 900, (1, 2), "shared", "model"

    def __init__(self, first_token):
        self.first_token = first_token


@pytest.fixture
def asked(measured, monkeypatch):
    monkeypatch.setattr(bench_peers_documents, "Ours", Ours)
    plan = replace(PLAN, lengths=(), documents=(2500,), peers=("llama-cpp", "transformers"))

    def ask(how="", **other):
        report, steps = measured(replace(plan, **other), how)
        assert steps[-1] == (5, 5)
        return {(one["engine"], one["way"]): one for one in report["documents"]}

    return ask


def test_a_long_text_is_asked_three_questions_in_every_way(asked):
    rows = asked()
    assert list(rows) == [
        ("longread", "parallel"),
        ("llama-cpp", "dense"),
        ("llama-cpp", "search"),
        ("transformers", "dense"),
        ("transformers", "search"),
    ]
    assert all((one["right"], one["of"], one["failed"]) == (3, 3, "") for one in rows.values())
    ours, dense, searched = (rows[one] for one in [*rows][:3])
    assert (ours["first"], ours["later"], ours["reopened"]) == (20.0, pytest.approx(8.33, abs=0.01), 5.5)
    assert (dense["first"], dense["later"]) == (8.0, pytest.approx(3.33, abs=0.01))
    assert dense["reopened"] > 8.0
    assert searched["reopened"] is None
    assert rows["transformers", "dense"]["reopened"] is None
    assert dense["memory"] > 1 << 20
    assert searched["first"] > 8.0


def test_a_window_is_stretched_where_the_text_is_longer(asked, monkeypatch):
    assert asked()["llama-cpp", "dense"]["flags"] == {"n_ctx": NATIVE, "stretched": False}
    rows = asked(documents=(9000,))
    assert rows["llama-cpp", "dense"]["flags"]["n_ctx"] > 9000
    assert rows["llama-cpp", "dense"]["flags"]["stretched"]
    assert rows["llama-cpp", "search"]["flags"] == {"n_ctx": NATIVE, "stretched": False}
    assert rows["llama-cpp", "search"]["read"] <= NATIVE


def test_a_step_beyond_the_limit_is_told_as_such(asked):
    row = asked("late=ask", limit=0.3)["llama-cpp", "dense"]
    assert (row["stopped"], row["share"], row["first"], row["right"], row["failed"]) == (0.3, 0.5, None, 0, "")


def test_a_peer_that_dies_is_told_as_such(asked):
    assert "it died" in asked("dies=ask")["transformers", "search"]["failed"]


def test_a_report_names_no_place_of_this_computer(asked):
    told = asked("fails=ask,place=1")["llama-cpp", "dense"]["failed"]
    assert "not today" in told
    assert "/" not in told


def test_what_is_saved_and_cannot_be_opened_again_leaves_the_answers(asked):
    row = asked("fails=restore")["llama-cpp", "dense"]
    assert (row["right"], row["reopened"]) == (3, None)
    assert row["first"] == 8.0
    assert (row["failed"], row["not_reopened"]) == ("", "ValueError: not today")


def test_what_is_said_becomes_a_plan():
    said = {"peers": "transformers", "python": f"a{process.os.pathsep}b", "lengths": "512,1024", "documents": "none"}
    plan = bench_peers.plan(said | {"limit": "30", "seed": "4"})
    assert (plan.peers, plan.pythons, plan.lengths, plan.documents) == (("transformers",), ("a", "b"), (512, 1024), ())
    assert (plan.limit, plan.seed, plan.rounds) == (30.0, 4, 3)
    quick = bench_peers.plan({"quick": "yes"})
    assert (quick.lengths, quick.documents, quick.rounds) == ((512, 4096), (), 1)
    assert bench_peers.plan({}).seed != bench_peers.plan({}).seed


def test_a_model_that_is_no_gguf_file_is_none_of_llama_cpps(tiny_model, tmp_path):
    given = setup(tiny_model, tmp_path, 1, (), 1.0, FAKE)
    assert "GGUF" in Theirs("llama-cpp", "llama-cpp", {}, given, lambda: False).missing()
    assert (given.weights, given.native) == (None, 1024)


@pytest.mark.full
def test_transformers_itself_is_a_peer(small_model, tmp_path):
    """With a GGUF file's weights as we give them to it; a text beyond its window is reached by YaRN."""
    given = setup(small_model, tmp_path, 2, (sys.executable,), 120.0, process.PROGRAM)
    one = Theirs("transformers", "transformers", {}, given, lambda: False)
    assert one.missing() is None
    assert one.flags["attn_implementation"] == "sdpa"
    assert one.read(list(range(100, 164))) > 0
    assert one.write(2) > 0
    asked = one.start(2 * given.native).do("ask", 120, ids=list(range(100, 164)), count=2, ends=[])
    assert len(asked["tokens"]) == 2
    assert one.flags["factor"] == 2
    one.close()
