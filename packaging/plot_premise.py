"""`python packaging/plot_premise.py REPORT.json FOLDER`: what `longread bench eviction --premise --json` found, drawn.

Two pictures: every query head's concentrations, and its correlations. A dot is a head, at its layer; at the right, how
many heads lie where. Colours follow the reader's light or dark page.
"""

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 760, 400, 56, 44, 46
ACROSS, BARS = 470, 170
"""Pixels of the dots and of the bars beside them."""
GAP = 24
BIN = 0.05

STYLE = """<style>
.page { fill: #ffffff } .ink { fill: #444444 } .faint { stroke: #d8d8d8 } .mark { stroke: #888888 }
.first { fill: #2f6f5e } .second { fill: #b4532a }
@media (prefers-color-scheme: dark) {
.page { fill: #1b1d1f } .ink { fill: #c8c8c8 } .faint { stroke: #3a3d40 } .mark { stroke: #8a8a8a }
.first { fill: #6fbfa8 } .second { fill: #e08a5f }
}
</style>"""

PICTURES = {
    "premise-concentration.svg": (0.95, {"strongest": "R of the strongest band", "concentration": "R of all bands"}),
    "premise-correlation.svg": (0.5, {"distance": "mean logit by distance", "far": "single logits, far keys"}),
}
"""By name: where the paper draws a line, and a head's numbers with what they are called."""

Head = dict[str, float]


def picture(heads: Sequence[Head], line: float, names: dict[str, str]) -> str:
    """Two of the heads' numbers, up to 1, with a dashed line."""
    least = min(line, *(head[name] for head in heads for name in names))
    low, high = math.floor(least * 5 - 1e-9) / 5, 1.0
    layers = round(max(head["layer"] for head in heads)) + 1

    def up(value: float) -> float:
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    def across(layer: float) -> float:
        return LEFT + (layer + 0.5) / layers * ACROSS

    bars = LEFT + ACROSS + GAP
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="13" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">',
        STYLE,
        f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>',
    ]
    for step in range(round((high - low) * 5) + 1):
        value = low + step / 5
        y = up(value)
        parts.append(f'<line class="faint" x1="{LEFT}" x2="{bars + BARS}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(_text(LEFT - 8, y + 4, f"{value + 0.0:.1f}".replace("-", "\u2212"), "ink", "end"))
    y = up(line)
    parts.append(
        f'<line class="mark" x1="{LEFT}" x2="{bars + BARS}" y1="{y:.1f}" y2="{y:.1f}" stroke-dasharray="4 3"/>'
    )
    parts += [_text(across(at), HEIGHT - BOTTOM + 20, f"{at}", "ink", "middle") for at in range(0, layers, 5)]
    parts.append(_text(LEFT + ACROSS / 2, HEIGHT - 6, "layer", "ink", "middle"))
    parts.append(_text(bars + BARS / 2, HEIGHT - 6, "heads", "ink", "middle"))
    counts = {name: _counts([head[name] for head in heads], low) for name in names}
    most = max(max(each) for each in counts.values())
    for place, (kind, (name, title)) in enumerate(zip(("first", "second"), names.items(), strict=True)):
        for head in heads:
            x, y = across(head["layer"] + (place - 0.5) * 0.4), up(head[name])
            parts.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill-opacity="0.75"/>')
        tall = (up(low) - up(low + BIN)) / 2 - 1
        for number, count in enumerate(counts[name]):
            top = up(low + (number + 1) * BIN) + 1 + place * tall
            size = f'width="{count / most * BARS:.1f}" height="{tall:.1f}"'
            parts.append(f'<rect class="{kind}" x="{bars}" y="{top:.1f}" {size}/>')
        parts.append(_text(LEFT + place * 240, TOP - 22, f"\u25cf {title}", kind, "start"))
    return "\n".join([*parts, "</svg>", ""])


def _counts(values: Sequence[float], low: float) -> list[int]:
    """Of values from `low` to 1, bin by bin; 1 and what rounding puts above it belong to the last."""
    bins = round((1 - low) / BIN)
    counts = [0] * bins
    for value in values:
        counts[min(int((value - low) / BIN), bins - 1)] += 1
    return counts


def _text(x: float, y: float, words: str, kind: str, anchor: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'


if __name__ == "__main__":
    report, folder = map(Path, sys.argv[1:])
    for file, (line, names) in PICTURES.items():
        heads = json.loads(report.read_text(encoding="utf-8"))["results"]["heads"]
        (folder / file).write_text(picture(heads, line, names), encoding="utf-8")
