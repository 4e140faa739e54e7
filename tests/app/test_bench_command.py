"""What `longread bench` is told, and what it says of what was measured."""

import argparse
import json
import os

import pytest

from app.commands import bench, bench_options, bench_tables
from app.data.settings import Settings

SPEED = {
    "model": "small",
    "precision": "bf16",
    "writing": "int8",
    "device": "a chip",
    "threads": 2,
    "rows": [
        {"name": "read 400 tokens", "unit": "tokens/s", "ours": 900.0, "theirs": 450.0, "ratio": 2.0},
        {"name": "first token", "unit": "s", "ours": 1.5, "theirs": None, "ratio": None},
    ],
}


FORM = {
    "format": 1,
    "program": "0.1.0",
    "versions": {},
    "machine": {"cpu": "a chip", "cores": 2, "features": [], "memory": 1},
    "model": None,
    "options": {},
    "began": "2026-01-01T00:00:00+00:00",
    "seconds": 1.0,
}


@pytest.fixture
def told():
    parser = argparse.ArgumentParser()
    bench_options.add(parser.add_subparsers())
    return lambda *words: parser.parse_args(["bench", *words])


def test_without_a_name_speed_is_measured_as_ever(told):
    arguments = told("--compare", "--model", "m", "--json")
    assert (arguments.kind, arguments.compare, arguments.model, arguments.json) == ("speed", True, "m", True)
    assert not told().compare
    assert told("speed", "--compare").compare


def test_what_is_said_before_the_name_stays(told):
    arguments = told("--model", "m", "--json", "reading", "--length", "9000", "--threads", "1")
    assert (arguments.model, arguments.json, arguments.length, arguments.threads) == ("m", True, 9000, 1)
    assert told("joins", "--quick", "--model", "n").model == "n"
    assert told("--json", "attention").json is True


def test_a_report_goes_to_a_file_or_to_the_terminal(told):
    assert told("peers", "--json", "out.json").json == "out.json"
    assert told("peers", "--json").json is True
    assert told("peers").json is False
    compared = told("compare", "--json", "a", "b")
    assert (compared.json, str(compared.first)) == (True, "a")


@pytest.mark.parametrize(
    "wrong",
    [
        ["joins", "--length", "9000"],
        ["reading", "--quick"],
        ["--quick"],
        ["other"],
        ["peers", "--with", "other"],
        ["peers", "--lengths", "few"],
        ["peers", "--documents", "9"],
    ],
)
def test_options_of_another_measurement_are_refused(told, wrong, capsys):
    with pytest.raises(SystemExit):
        told(*wrong)
    assert "error" in capsys.readouterr().err


def test_a_text_that_fits_most_windows_is_refused(told, capsys):
    with pytest.raises(SystemExit):
        told("reading", "--length", "100")
    assert "4096 or more" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ([], {"compare": "no"}),
        (["joins"], {"quick": "no", "threads": "3"}),
        (["attention"], {"compare": "yes", "threads": "3"}),
        (["attention", "--alone", "--length", "40000"], {"compare": "no", "length": "40000", "threads": "3"}),
        (["selection"], {"threads": "3"}),
        (["peers"], {"quick": "no", "threads": "3"}),
        (
            ["peers", "--quick", "--with", "llama-cpp", "--python", "a", "--python", "b", "--documents", "none"],
            {"quick": "yes", "peers": "llama-cpp", "python": f"a{os.pathsep}b", "documents": "none", "threads": "3"},
        ),
        (
            ["peers", "--lengths", "512,1024", "--limit", "30", "--seed", "4"],
            {"quick": "no", "lengths": "512,1024", "limit": "30", "seed": "4", "threads": "3"},
        ),
        (["selection", "--length", "9000"], {"length": "9000", "threads": "3"}),
        (["joins", "--quick"], {"quick": "yes", "threads": "3"}),
        (["eviction"], {"premise": "no", "threads": "3"}),
        (["eviction", "--length", "5000"], {"premise": "no", "length": "5000", "threads": "3"}),
        (["eviction", "--premise"], {"premise": "yes", "threads": "3"}),
        (["reading"], {"kv": "auto", "compare": "yes", "needles": "no", "threads": "3"}),
        (
            ["reading", "--alone", "--needles", "--length", "32768"],
            {"kv": "auto", "compare": "no", "needles": "yes", "length": "32768", "threads": "3"},
        ),
    ],
)
def test_the_job_is_told_what_was_said(told, words, options, home):
    arguments = told(*words)
    said = bench._options(arguments.kind, arguments, Settings(threads=3))
    assert said == (options | {"data": str(home), "device": "auto"} if words else options)


def test_the_table_of_speed():
    assert bench_tables.speed(json.dumps(SPEED)) == (
        "small, bf16, int8, a chip, 2 threads\n"
        "  read 400 tokens  900 tokens/s, beside 450, 2.00 times\n"
        "  first token      1.50 s\n"
    )


def test_the_table_of_reading_says_what_was_sampled():
    memory = [
        {"what": "reading", "anonymous": 3 << 30, "mapped": 1 << 20, "resident": 4 << 30},
        {"what": "elsewhere", "anonymous": None, "mapped": None, "resident": 4 << 30},
    ]
    report = SPEED | {"memory": memory, "found": 9, "asked": 10, "sampled": {"read": 3, "of": 33, "tokens": 4000}}
    table = bench_tables.reading(json.dumps(report))
    assert "  memory, reading    3.0 GB of its own at most, 1.0 MB of files mapped\n" in table
    assert "  memory, elsewhere  4.0 GB at most\n" in table
    assert "9 of 10 planted numbers found" in table
    assert "3 of 33 segments of 4,000 tokens a turn; its time of a question is that of 3 segments times 11.0" in table
    assert "transformers" not in bench_tables.reading(json.dumps(report | {"sampled": None}))


def test_the_table_of_policies():
    row = {"policy": "none", "share": 1.0, "length": 4096, "rows": 4100, "after": 5, "before": 5, "of": 5}
    row |= {"perplexity": 12.345, "forward": 1.0, "reverse": 0.25, "rate": 30.0, "times": 1.0}
    row["bytes"] = 90 << 20
    less = row | {"policy": "h2o", "share": 0.3, "before": 3, "perplexity": 14.0, "rate": 51.0, "times": 1.7}
    less["bytes"] = 27 << 20
    less["reads"] = 610.0
    table = bench_tables.eviction(json.dumps({"model": "small", "precision": "bf16", "rows": [row, less]}))
    first, all_of_it, some = table.splitlines()
    assert first == "small, bf16"
    assert all_of_it.split("  ")[1:4] == ["4,096 tokens", "everything", "100% kept"]
    assert "h2o         30% kept   5 of 5 found, 3 with the text pruned before the question" in some
    assert all_of_it.endswith("digits 100%, in reverse 25%  90 MB  writes 30 tok/s, 1.00 times")
    assert some.endswith(
        "perplexity 14.0  digits 100%, in reverse 25%  27 MB  writes 51 tok/s, 1.70 times, reads 610 tok/s"
    )


def test_the_table_of_the_premise(told):
    one = {"mean": 0.8812, "median": 0.9, "least": -0.25, "above": 0.95, "share": 0.5}
    names = ("concentration", "strongest", "distance", "nearness", "keys", "far", "far_nearness")
    layers = [
        {"layer": number, "distance": number / 10, "keys": 0.5} | dict.fromkeys(names[:2], 1.0) for number in (7, 2)
    ]
    report = {"model": "small", "precision": "bf16", "calibrated": 2052, "length": 8192, "farthest": 4096}
    report |= {"summary": dict.fromkeys(names, one), "layers": layers, "heads": [{"layer": 0, "keys": 0.5}] * 2}
    options = bench._options("eviction", told("eviction", "--premise"), Settings())
    assert options["premise"] == "yes"
    lines = bench.table(json.dumps(FORM | {"kind": "premise", "results": report})).splitlines()
    assert lines[0] == (
        "small, bf16; 2 query heads, known from 2,052 tokens, looked at in 8,192 others at distances of 1 to 4,096"
    )
    assert len(lines) == 9
    assert lines[1].startswith("  R, all bands by their weight ")
    assert lines[1].endswith("  mean 0.881  median 0.900  least -0.250  1 above 0.95")
    assert lines[8] == "  layers told worst, by mean and single logits: 2 (0.20 and 0.50), 7 (0.70 and 0.50)"


ROW = {"segment": 2000, "join": "shared", "keep": 2, "kept": 1.4, "found": 5, "of": 5, "seconds": 3.0}
JOINS = {
    "model": "small",
    "precision": "bf16",
    "tokens": 24000,
    "cuts": [{"segment": 2000, "segments": 13, "rate": 800.0, "first": 5, "of": 5, "behind": 0.0, "ahead": 1.25}],
    "rows": [ROW | {"keep": 1}, ROW],
    "chosen": {"segment": 2000, "overlap": 64, "join": "shared", "keep": 2, "gap": 0.3, "part": 500, "measured": True},
    "checked": ROW,
}


def test_the_table_of_joins():
    table = bench_tables.joins(json.dumps(JOINS))
    assert "the right one first 5 of 5, ahead by 1.25 nats" in table
    assert "  segments of 2,000  alone             5 of 5 found, 3.0 s\n" in table
    assert "  segments of 2,000  2 joined, shared  5 of 5 found, 3.0 s\n" in table
    assert "chosen: segments of 2,000, up to 2 joined, shared, no more than 0.30 nats behind the first" in table
    assert "with it: 5 of 5 found, 1.4 joined" in table
    nothing = bench_tables.joins(json.dumps(JOINS | {"chosen": None, "checked": None}))
    assert nothing.endswith("nothing is changed.\n")


def test_the_table_of_attention():
    row = {"name": "24 and 8 layers", "unit": "s", "ours": 60.0, "theirs": 1200.0, "ratio": 20.0}
    rows = [row | {"name": "a layer", "ours": 2.0, "theirs": None, "ratio": None}, row]
    growth = {"first": 16384, "last": 131072, "measured": 1.234, "counted": 1.21}
    report = {"device": "a chip", "threads": 2, "torch": "3", "rows": rows, "growth": growth}
    assert bench_tables.attention(json.dumps(report)) == (
        "a chip, 2 threads\n"
        "  a layer          2.00 s\n"
        "  24 and 8 layers  60.0 s, beside 1,200, 20.0 times\n"
        "  from 16,384 to 131,072 tokens time grows by the power 1.23 of the length, the operations counted by 1.21\n"
    )
    assert "grows" not in bench_tables.attention(json.dumps(report | {"growth": None}))


def test_the_table_of_selections():
    rows = [{"name": "write at 900", "unit": "tokens/s", "ours": 20.0, "theirs": 8.0, "ratio": 2.5}]
    judged = [
        {"kind": "quest", "tokens": 256, "perplexity": 12.5, "dense": 12.25, "density": [None, 0.125]},
        {"kind": "blocks", "tokens": 8191, "perplexity": 9.0, "dense": 9.0, "density": [0.5, 1.0]},
    ]
    about = {"model": "small", "precision": "bf16", "device": "a chip", "threads": 2, "torch": "3"}
    reading = {"density": 0.214, "error": 0.0512, "choosing": 0.25}
    table = bench_tables.selection(json.dumps(about | {"rows": rows, "reading": reading, "judged": judged}))
    assert table == (
        "small, bf16, a chip, 2 threads\n"
        "  write at 900  20.0 tokens/s, beside 8.00, 2.50 times\n"
        "  read: 21% of all blocks looked at, which takes 25% of its time to choose; what comes out differs by 5.1%\n"
        "  quest, 256 tokens: perplexity 12.500, densely 12.250\n"
        "    looked at, layer by layer: all 12%\n"
        "  blocks, 8,191 tokens: perplexity 9.000, densely 9.000\n"
        "    looked at, layer by layer: 50% 100%\n"
    )


def test_the_table_of_needles():
    row = {"length": 32768, "mode": "parallel", "found": 29, "of": 30, "low": 0.833, "high": 0.994, "rate": 900.0}
    rows = [row | {"hard": hard, "read": 3900.5, "seconds": 6.0, "first_token": 5.0} for hard in (False, True)]
    table = bench_tables.needles(json.dumps({"model": "small", "precision": "bf16", "rows": rows}))
    assert "  32,768 tokens  parallel  plain  29 of 30 found (83% to 99%)  3,900 tokens and 6.0 s a question\n" in table
    assert "  hard   " in table
