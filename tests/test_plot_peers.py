"""The README's picture of other programs beside this one: each point where its numbers say."""

import sys
from pathlib import Path
from xml.etree import ElementTree

sys.path.append(str(Path(__file__).resolve().parents[1] / "packaging"))

import plot_peers

SVG = "{http://www.w3.org/2000/svg}"


def row(what, length, engine, median):
    known = {"median": median, "least": None, "most": None}
    if median is not None:
        known |= {"least": median / 2, "most": median * 2}
    return {"what": what, "length": length, "engine": engine, "failed": "", **known}


def report(*rows):
    return {"results": {"rows": list(rows)}}


def test_only_what_was_measured_is_a_point_and_a_later_report_stands():
    first = report(row("read", 512, "longread", 100.0), row("read", 512, "transformers", None))
    second = report(row("read", 512, "longread", 200.0), row("write", 512, "longread", 9.0))
    assert plot_peers.points([first, second], "read") == {"longread": {512: (200.0, 100.0, 400.0)}}


def test_points_lie_where_their_numbers_say():
    rows = [row("read", length, name, rate) for length, name, rate in (
        (512, "longread", 1000.0), (8128, "longread", 100.0), (512, "llama-cpp", 10.0), (8128, "llama-cpp", 1.0),
    )]  # fmt: skip
    writing = [row("write", 512, "longread", 50.0)]
    reports = [report(*rows, *writing)]
    drawn = plot_peers.picture(plot_peers.points(reports, "read"), plot_peers.points(reports, "write"))
    root = ElementTree.fromstring(drawn)
    places = [(float(one.get("cx")), float(one.get("cy"))) for one in root.iter(f"{SVG}circle")]
    fast, slower, slow, slowest, alone = places
    assert fast[0] == slow[0] < slower[0] == slowest[0] < alone[0]
    # Each tenfold step is as long as every other: logarithmic, and upwards
    steps = [slower[1] - fast[1], slow[1] - slower[1], slowest[1] - slow[1]]
    assert max(steps) - min(steps) < 0.3 < steps[0]
    said = [one.text for one in root.iter(f"{SVG}text")]
    assert {"512", "8,128", "1,000", "Longread", "reading, tokens a second"} <= set(said)
    assert said.count("llama.cpp") == 0  # in the left half nothing is named


def test_what_was_not_measured_is_not_drawn():
    only = plot_peers.points([report(row("read", 512, "longread", 5.0))], "read")
    said = [one.text for one in ElementTree.fromstring(plot_peers.picture(only, {})).iter(f"{SVG}text")]
    assert "Longread" in said
    assert "writing, tokens a second" not in said
