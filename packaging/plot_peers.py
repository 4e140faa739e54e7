"""`python packaging/plot_peers.py REPORT.json... PICTURE.svg`: what `longread bench peers --json` found, drawn.

Tokens a second of reading and of writing by length, a line an engine, the bars from the least to the most of the
rounds. Of several reports the later one's numbers of a length stand.
"""

import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

WIDTH, HEIGHT, TOP, BOTTOM, LEFT, GAP, RIGHT = 860, 340, 40, 46, 60, 70, 150
COLOURS = ("#2f6f5e", "#7fae9f", "#b4532a", "#d99a6c", "#5a6fa8", "#8a6fa0")
INK, FAINT = "#444444", "#d8d8d8"
NAMES = {
    "longread": "Longread",
    "longread, int8": "Longread, INT8",
    "llama-cpp": "llama.cpp",
    "llama-cpp, no flash": "llama.cpp, no flash",
}
SINGLE = 15
"""Height of a name."""

Points = dict[str, dict[int, tuple[float, float, float]]]
"""By engine and length: the median, the least and the most tokens a second."""


def points(reports: Sequence[Mapping], what: str) -> Points:
    """Of reading or writing ("read", "write"); only what was measured."""
    found: Points = {}
    for report in reports:
        for row in report["results"]["rows"]:
            if row["what"] == what and row["median"] is not None:
                found.setdefault(row["engine"], {})[row["length"]] = (row["median"], row["least"], row["most"])
    return found


def picture(reading: Points, writing: Points) -> str:
    """Both beside each other, on logarithmic axes."""
    across = (WIDTH - LEFT - GAP - RIGHT) / 2
    engines = list(dict.fromkeys([*reading, *writing]))
    colours = dict(zip(engines, COLOURS, strict=False))
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="13" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        *_panel("reading, tokens a second", reading, LEFT, across, colours, named=not writing),
        *_panel("writing, tokens a second", writing, LEFT + across + GAP, across, colours, named=True),
    ]
    return "\n".join([*parts, "</svg>", ""])


def _panel(
    title: str, lines: Points, left: float, across: float, colours: Mapping[str, str], *, named: bool
) -> list[str]:
    if not lines:
        return []
    lengths = sorted({length for line in lines.values() for length in line})
    every = [rate for line in lines.values() for rates in line.values() for rate in rates]
    least, most = _scale(min(every), max(every))

    def at(length: float, rate: float) -> tuple[float, float]:
        share = math.log(length / lengths[0]) / math.log(lengths[-1] / lengths[0]) if len(lengths) > 1 else 0.5
        up = math.log(rate / least) / math.log(most / least)
        return left + share * across, HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    parts = [_text(left, TOP - 18, title, INK, "start")]
    for rate in _ticks(least, most):
        _, y = at(lengths[0], rate)
        parts.append(f'<line x1="{left}" x2="{left + across}" y1="{y:.1f}" y2="{y:.1f}" stroke="{FAINT}"/>')
        parts.append(_text(left - 8, y + 4, f"{rate:,.0f}", INK, "end"))
    for length in lengths:
        parts.append(_text(at(length, least)[0], HEIGHT - BOTTOM + 20, f"{length:,}", INK, "middle"))
    parts.append(_text(left + across / 2, HEIGHT - 6, "tokens", INK, "middle"))
    ends = []
    for engine, line in lines.items():
        colour, known = colours[engine], sorted(line.items())
        path = " ".join("{:.1f},{:.1f}".format(*at(length, rates[0])) for length, rates in known)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for length, (median, low, high) in known:
            x, y = at(length, median)
            span = (at(length, low)[1], at(length, high)[1])
            parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{span[0]:.1f}" y2="{span[1]:.1f}" stroke="{colour}"/>')
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
        ends.append((at(*(known[-1][0], known[-1][1][0])), engine))
    if named:
        lowest = -math.inf
        for (x, y), engine in sorted(ends, key=lambda end: end[0][1]):
            lowest = max(y, lowest + SINGLE)  # no name stands on another
            parts.append(_text(x + 10, lowest + 4, NAMES.get(engine, engine), colours[engine], "start"))
    return parts


def _scale(least: float, most: float) -> tuple[float, float]:
    """The ticks around all numbers."""
    ticks = [ten * one for ten in (10.0**power for power in range(-2, 7)) for one in (1, 2, 5)]
    return max(tick for tick in ticks if tick <= least), min(tick for tick in ticks if tick > most)


def _ticks(least: float, most: float) -> list[float]:
    ticks = [ten * one for ten in (10.0**power for power in range(-2, 7)) for one in (1, 2, 5)]
    return [tick for tick in ticks if least <= tick <= most]


def _text(x: float, y: float, words: str, colour: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{words}</text>'


if __name__ == "__main__":
    *reports, out = map(Path, sys.argv[1:])
    read = [json.loads(report.read_text(encoding="utf-8")) for report in reports]
    out.write_text(picture(points(read, "read"), points(read, "write")), encoding="utf-8")
