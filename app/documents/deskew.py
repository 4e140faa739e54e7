"""Pages that were laid askew on the scanner: how much, and the page turned straight."""

import math
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

STEEPEST = 12
"""Degrees to either side. A page on its side or on its head is no matter of slope: its letters tell."""
STEP = 0.25
LEAST = 0.5
"""Degrees under which a page is left as it is: Tesseract follows such lines by itself."""
SMALL = 600
"""Pixels of the longer side of the copy that the slope is measured on."""
CLEARER = 1.15
"""How much sharper the lines must stand out when the page is turned: pictures without lines are left alone."""


class Grey:
    """A picture in grey on white paper."""

    def __init__(self, picture: "Image") -> None:
        self._picture = _grey(picture)
        self._slope = slope(self._picture)

    def straight(self, turn: int) -> "Straight":
        """Its lines straight, and turned by so many degrees more."""
        return Straight(self._picture, self._slope + turn)


class Straight:
    """`given` turned by `angle` degrees against the clock."""

    def __init__(self, given: "Image", angle: float) -> None:
        self._given = given.size
        self.angle = angle
        self.picture = given.rotate(angle, expand=True, resample=2, fillcolor=255) if angle else given

    def box(self, left: int, top: int, right: int, bottom: int) -> tuple[int, int, int, int]:
        """A box on the turned picture as the box around it on the picture that was given."""
        if not self.angle:
            return left, top, right, bottom
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        width, height = self._given
        across, down = self.picture.width / 2, self.picture.height / 2
        corners = [(x - across, y - down) for x in (left, right) for y in (top, bottom)]
        xs = [x * cos - y * sin + width / 2 for x, y in corners]
        ys = [x * sin + y * cos + height / 2 for x, y in corners]
        return (
            max(0, math.floor(min(xs))),
            max(0, math.floor(min(ys))),
            min(width, math.ceil(max(xs))),
            min(height, math.ceil(max(ys))),
        )


def slope(grey: "Image") -> float:
    """By how many degrees against the clock a page must be turned for its lines, or its columns, to be straight.

    The angle at which dark and light rows differ most from one to the next; 0 when no angle stands out.
    """
    small = grey.copy()
    small.thumbnail((SMALL, SMALL))
    if min(small.size) < 32:
        return 0.0
    unturned = _sharpness(small, 0.0)
    best = max(range(-STEEPEST, STEEPEST + 1), key=lambda angle: _sharpness(small, angle))
    near = [best + step * STEP for step in range(-3, 4)]
    angle = max(near, key=lambda angle: _sharpness(small, angle))
    if abs(angle) < LEAST or _sharpness(small, angle) < CLEARER * unturned:
        return 0.0
    return float(angle)


def _sharpness(small: "Image", angle: float) -> float:
    turned = small.rotate(angle, resample=2, fillcolor=255) if angle else small
    width, height = turned.size
    rows, columns = turned.resize((1, height), 4).tobytes(), turned.resize((width, 1), 4).tobytes()
    return max(_steps(rows), _steps(columns))


def _steps(line: bytes) -> float:
    return sum((a - b) ** 2 for a, b in pairwise(line)) / len(line)


def _grey(picture: "Image") -> "Image":
    """What is transparent is white: it stands on paper."""
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        paper = picture.copy()
        paper.paste((255, 255, 255, 255), (0, 0, *paper.size))
        paper.alpha_composite(picture)
        picture = paper
    return picture.convert("L")
