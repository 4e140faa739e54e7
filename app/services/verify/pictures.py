"""Pictures of what was found, as SVG: a heat map of lengths and depths, and a curve over lengths or cycles."""

import math
from collections.abc import Callable, Iterator, Sequence
from html import escape

from engine.verify_results import Cell, Outcome, Point

INK, QUIET, LINE, GOOD, BAD, ACCENT = "#2B2722", "#7C7265", "#DDD4C5", "#4A7A41", "#A9442E", "#A2673F"
CELL, LEFT, TOP = 46, 90, 26
WIDTH, HEIGHT, EDGE = 420, 210, 46
LINE_HEIGHT = 15


def picture(outcome: Outcome) -> str:
    """ "" where there is nothing to show."""
    if outcome.test == "needles" and outcome.cells:
        return heat_map(outcome.cells)
    if len(outcome.points) > 1:
        return curve(outcome.points, outcome.expected, logarithmic=outcome.test == "latency")
    return ""


def heat_map(cells: Sequence[Cell]) -> str:
    """A row for each length and a column for each depth; ✓ or ✗ beside the colour."""
    lengths, depths = sorted({c.length for c in cells}), sorted({c.depth for c in cells})
    body = []
    for at, depth in enumerate(depths):
        body.append(_text(LEFT + CELL * (at + 0.5), TOP - 9, f"{depth:.0%}", QUIET))
    for row, length in enumerate(lengths):
        body.append(_text(LEFT - 10, TOP + CELL * (row + 0.5) + 4, f"{length:,}", QUIET, "end"))
        for at, depth in enumerate(depths):
            here = [c for c in cells if (c.length, c.depth) == (length, depth)]
            if not here:
                continue
            share = sum(c.right for c in here) / sum(c.of for c in here)
            x, y = LEFT + CELL * at, TOP + CELL * row
            fill = GOOD if share == 1 else BAD
            body.append(f'<rect x="{x}" y="{y}" width="{CELL - 3}" height="{CELL - 3}" rx="5" fill="{fill}"/>')
            body.append(_text(x + CELL / 2 - 1.5, y + CELL / 2 + 4, "✓" if share == 1 else "✗", "#FFFFFF", size=16))
    return _svg(LEFT + CELL * len(depths) + 6, TOP + CELL * len(lengths) + 6, body)


def curve(points: Sequence[Point], expected: float | None, *, logarithmic: bool) -> str:
    """Values over what they were taken at, and tokens a second of writing below, where they were taken; dashed, from
    the first point on, the slope that was expected."""
    scale: Callable[[float], float] = math.log2 if logarithmic else float
    xs = [scale(p.at) for p in points]
    ys = [scale(max(p.value, 1e-6)) for p in points]
    ideal = [ys[0] + expected * (x - xs[0]) for x in xs] if expected is not None and logarithmic else []
    low, high = min([*ys, *ideal]), max([*ys, *ideal])
    if not logarithmic:
        low = 0.0
    body = [
        f'<path d="M {EDGE} 10 V {HEIGHT - EDGE / 2} H {WIDTH - 8}" stroke="{LINE}" fill="none"/>',
    ]

    def place(x: float, y: float) -> tuple[float, float]:
        across = (x - xs[0]) / ((xs[-1] - xs[0]) or 1)
        up = (y - low) / ((high - low) or 1)
        return EDGE + 14 + across * (WIDTH - EDGE - 50), HEIGHT - EDGE / 2 - 12 - up * (HEIGHT - EDGE - 6)

    if ideal:
        body.append(_path([place(x, y) for x, y in zip(xs, ideal, strict=True)], QUIET, dashed=True))
    places = [place(x, y) for x, y in zip(xs, ys, strict=True)]
    body.append(_path(places, ACCENT))
    for (x, y), point in zip(places, points, strict=True):
        body.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{ACCENT}"/>')
        if logarithmic:
            body.append(_text(x, y - 8, f"{point.value:.{2 if point.value < 10 else 1}f} s", INK))
        elif point in (points[0], points[-1]):  # there may be too many for a number at each
            body.append(_text(x, y - 8, f"{point.value:,.0f} MB", INK))
        body.append(_text(x, HEIGHT - 6, f"{point.at:,}", QUIET))
        if point.writing is not None:
            body.append(_text(x, HEIGHT - 6 + LINE_HEIGHT, f"{point.writing:.0f} tok/s", QUIET))
    return _svg(WIDTH, HEIGHT + LINE_HEIGHT * any(point.writing is not None for point in points), body)


def _path(places: Sequence[tuple[float, float]], color: str, *, dashed: bool = False) -> str:
    line = " L ".join(f"{x:.1f} {y:.1f}" for x, y in places)
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<path d="M {line}" stroke="{color}" stroke-width="2" fill="none"{dashes}/>'


def _text(x: float, y: float, words: str, color: str, anchor: str = "middle", size: int = 11) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="sans-serif" font-size="{size}" fill="{color}" '
        f'text-anchor="{anchor}">{escape(words)}</text>'
    )


def _svg(width: float, height: float, body: Sequence[str]) -> str:
    inside = "\n".join(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}"><rect width="100%" height="100%" fill="#FFFDF8"/>\n{inside}\n</svg>\n'
    )


def pictured(outcomes: Sequence[Outcome]) -> Iterator[tuple[Outcome, str]]:
    """Those with a picture."""
    for outcome in outcomes:
        if drawn := picture(outcome):
            yield outcome, drawn
