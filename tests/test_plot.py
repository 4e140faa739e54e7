"""The curves of the README are drawn from a report, each point where its numbers say."""

import sys
from pathlib import Path
from xml.etree import ElementTree

sys.path.append(str(Path(__file__).resolve().parents[1] / "packaging"))

import plot_attention

SVG = "{http://www.w3.org/2000/svg}"


def row(tokens, ours, theirs):
    name = f"24 lightning and 8 sparse layers beside 32 dense, {tokens:,} tokens"
    return {"name": name, "unit": "s", "ours": ours, "theirs": theirs, "ratio": None}


def test_points_lie_where_their_numbers_say():
    report = {"rows": [row(16_384, 10.0, 1000.0), {"name": "a sparse layer, 16,384 tokens"}, row(65_536, 100.0, None)]}
    mixed, dense = plot_attention.points(report)
    assert (mixed, dense) == ([(16384.0, 10.0), (65536.0, 100.0)], [(16384.0, 1000.0)])
    root = ElementTree.fromstring(plot_attention.picture(mixed, dense))
    circles = [(float(one.get("cx")), float(one.get("cy"))) for one in root.iter(f"{SVG}circle")]
    first, last, alone = circles
    assert first[0] == alone[0] < last[0]
    # Two tenfold steps up for one to the right of it: logarithmic, and upwards
    assert alone[1] - first[1] == 2 * (last[1] - first[1]) < 0
    said = [one.text for one in root.iter(f"{SVG}text")]
    assert {"10 s", "100 s", "1,000 s", "16,384", "65,536", "tokens", "32 dense"} <= set(said)
