"""`python packaging/plot_attention.py REPORT.json PICTURE.svg`: the curves of `longread bench attention --json`."""

import json
import math
import re
import sys
from collections.abc import Sequence
from pathlib import Path

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 70, 170, 24, 46
DENSE, MIXED, INK, FAINT = "#b4532a", "#2f6f5e", "#444444", "#d8d8d8"
ROW = re.compile(r"^\d+ lightning and \d+ sparse layers beside \d+ dense, ([\d,]+) tokens$")

Point = tuple[float, float]
"""Tokens and seconds."""


def points(report: dict) -> tuple[list[Point], list[Point]]:
    """The hybrid's layers and the dense ones, of a report's results."""
    mixed, dense = [], []
    for row in report["rows"]:
        if (found := ROW.match(row["name"])) is None:
            continue
        tokens = float(found[1].replace(",", ""))
        mixed.append((tokens, row["ours"]))
        if row["theirs"] is not None:
            dense.append((tokens, row["theirs"]))
    return mixed, dense


def picture(mixed: Sequence[Point], dense: Sequence[Point]) -> str:
    """Both on logarithmic axes."""
    every = [*mixed, *dense]
    low, high = min(t for t, _ in every), max(t for t, _ in every)
    least = 10 ** math.floor(math.log10(min(s for _, s in every)))
    most = 10 ** math.ceil(math.log10(max(s for _, s in every)))

    def at(point: Point) -> tuple[float, float]:
        across = math.log(point[0] / low) / math.log(high / low)
        up = math.log(point[1] / least) / math.log(most / least)
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="13" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for power in range(round(math.log10(least)), round(math.log10(most)) + 1):
        _, y = at((low, 10.0**power))
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{FAINT}"/>')
        parts.append(_text(LEFT - 8, y + 4, f"{10**power:,} s", INK, "end"))
    for tokens in sorted({t for t, _ in every}):
        x, _ = at((tokens, least))
        parts.append(_text(x, HEIGHT - BOTTOM + 20, f"{tokens:,.0f}", INK, "middle"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "tokens", INK, "middle"))
    for name, colour, line in (("24 lightning, 8 sparse", MIXED, mixed), ("32 dense", DENSE, dense)):
        if not line:
            continue
        places = [at(point) for point in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in places]
        parts.append(_text(places[-1][0] + 10, places[-1][1] + 4, name, colour, "start"))
    return "\n".join([*parts, "</svg>", ""])


def _text(x: float, y: float, words: str, colour: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{words}</text>'


if __name__ == "__main__":
    report, out = map(Path, sys.argv[1:])
    out.write_text(picture(*points(json.loads(report.read_text())["results"])), encoding="utf-8")
