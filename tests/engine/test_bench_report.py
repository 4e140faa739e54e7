"""The one form of every measurement."""

import json

import msgspec
import pytest

from engine import bench_report, jobs
from engine.protocol import FORMAT, Measured


@pytest.mark.parametrize(
    ("job", "options", "kind"),
    [
        ("bench", {}, "speed"),
        ("reading", {"needles": "no"}, "reading"),
        ("reading", {"needles": "yes"}, "needles"),
        ("eviction", {}, "eviction"),
        ("eviction", {"premise": "yes"}, "premise"),
        ("peers", {}, "peers"),
    ],
)
def test_what_a_job_measures_has_a_name(job, options, kind):
    assert bench_report.kind(job, options) == kind


def test_a_measurement_is_told_with_where_and_with_what_it_was_made(tiny_model, monkeypatch):
    class Job:
        @staticmethod
        def work(options, progress, stopped):
            return json.dumps({"rows": [{"ours": 1.5}]})

    monkeypatch.setattr("importlib.import_module", lambda name: Job)
    options = {"model": str(tiny_model), "data": "/a/place", "python": "/mine", "length": "4096"}
    report = msgspec.json.decode(jobs.work("reading", options, print, lambda: False), type=Measured)
    assert (report.format, report.kind) == (FORMAT, "reading")
    assert msgspec.json.decode(report.results) == {"rows": [{"ours": 1.5}]}
    # What was said, but no place on this computer
    assert report.options == {"length": "4096"}
    assert str(tiny_model.parent) not in msgspec.json.encode(report).decode()
    assert report.model is not None
    assert len(report.model.fingerprint) == 64
    assert report.machine.cores >= 1
    assert report.machine.memory > 1 << 28
    assert "torch" in report.versions
    assert report.began[-6] in "+-"
    assert report.seconds >= 0


def test_what_needs_no_model_names_none():
    report = msgspec.json.decode(bench_report.made("attention", {"model": ""}, lambda: "{}"), type=Measured)
    assert report.model is None


def test_what_is_no_measurement_stays_as_it_is(monkeypatch):
    class Job:
        @staticmethod
        def work(options, progress, stopped):
            return '{"out": "made"}'

    monkeypatch.setattr("importlib.import_module", lambda name: Job)
    assert jobs.work("quantize", {}, print, lambda: False) == '{"out": "made"}'
