"""The pictures of the premise are drawn from a report, each head where its numbers say."""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "packaging"))

import plot_premise

ROOT = Path(__file__).resolve().parents[1]
SVG = "{http://www.w3.org/2000/svg}"
HEADS = [
    {"layer": 0, "head": 0, "distance": 1.0, "far": 0.5},
    {"layer": 0, "head": 1, "distance": 0.9999, "far": -0.1},
    {"layer": 2, "head": 0, "distance": 0.2, "far": 0.5},
]


@pytest.fixture(scope="module")
def root():
    names = {"distance": "of all", "far": "of the far"}
    return ElementTree.fromstring(plot_premise.picture(HEADS, 0.5, names))


def test_heads_lie_where_their_numbers_say(root):
    circles = [(one.get("class"), float(one.get("cx")), float(one.get("cy"))) for one in root.iter(f"{SVG}circle")]
    assert [kind for kind, _, _ in circles] == ["first"] * 3 + ["second"] * 3
    first, second = ([(x, y) for kind, x, y in circles if kind == wanted] for wanted in ("first", "second"))
    assert first[0][0] == first[1][0] < second[0][0] < first[2][0]
    # From -0.2, the next fifth below the least, to 1
    tall = plot_premise.HEIGHT - plot_premise.TOP - plot_premise.BOTTOM
    assert first[0][1] == plot_premise.TOP
    assert first[2][1] == pytest.approx(plot_premise.TOP + 0.8 / 1.2 * tall, abs=0.06)
    assert second[1][1] == pytest.approx(plot_premise.TOP + 1.1 / 1.2 * tall, abs=0.06)
    (dashed,) = [one for one in root.iter(f"{SVG}line") if one.get("stroke-dasharray")]
    assert float(dashed.get("y1")) == second[0][1] == second[2][1]


def test_bars_count_heads(root):
    bars = [one for one in root.iter(f"{SVG}rect") if one.get("class") in ("first", "second")]
    widths = {
        kind: [float(one.get("width")) for one in bars if one.get("class") == kind] for kind in ("first", "second")
    }
    assert len(widths["first"]) == len(widths["second"]) == 24
    assert sum(widths["first"]) == sum(widths["second"]) == pytest.approx(1.5 * plot_premise.BARS)
    assert widths["first"][-1] == plot_premise.BARS


def test_what_is_said_can_be_read_on_a_light_and_on_a_dark_page(root):
    said = {one.text for one in root.iter(f"{SVG}text")}
    assert {"1.0", "0.0", "−0.2", "0", "layer", "heads", "● of all", "● of the far"} <= said
    style = next(root.iter(f"{SVG}style")).text
    light, dark = style.split("prefers-color-scheme: dark")
    kinds = {one.get("class") for one in root.iter() if one.get("class")}
    for part in (light, dark):
        assert all(re.search(rf"\.{kind} {{ (fill|stroke): #[0-9a-f]{{6}} }}", part) for kind in kinds)


def test_the_page_shows_pictures_of_all_heads_that_are_there():
    page = ROOT / "engine" / "reading" / "eviction" / "PREMISE.md"
    shown = re.findall(r"\]\((\S+\.svg)\)", page.read_text(encoding="utf-8"))
    assert [Path(one).name for one in shown] == list(plot_premise.PICTURES)
    for one in shown:
        drawn = ElementTree.fromstring((page.parent / one).read_text(encoding="utf-8"))
        assert len(list(drawn.iter(f"{SVG}circle"))) == 2 * 270
