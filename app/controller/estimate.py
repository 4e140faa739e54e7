"""About how a text will be read, before it is: in how many segments or parts, and what its reading takes on disk."""

from collections.abc import Sequence

from msgspec import Struct

from app.data.settings import Settings
from engine.protocol import Loaded

SEGMENT = 2000
"""Tokens of a segment where neither the settings nor the model's calibration say."""
PART = 500
"""The same, of a part when every part is asked."""


class Estimate(Struct, frozen=True):
    """`segments`: of each text; None: they are read whole. `longer`: because together they do not fit the window.
    `disk`: bytes of each text's reading; None: it is not kept there. `parts`: of all texts together."""

    segments: tuple[int, ...] | None
    longer: bool
    disk: tuple[int, ...] | None
    parts: int


def estimate(tokens: Sequence[int], loaded: Loaded, settings: Settings) -> Estimate:
    """Of texts of so many tokens each, by the loaded model."""
    calibrated = loaded.calibration
    segment = settings.segment or (calibrated.segment if calibrated else SEGMENT)
    part = settings.part or (calibrated.part if calibrated else PART)
    longer = sum(tokens) > loaded.window
    apart = settings.reading_mode == "parallel" or (settings.reading_mode == "auto" and longer)
    # a long text is cut at ends of paragraphs, into segments nearly as long as may be; a short one is a part of one
    segments = tuple(_pieces(count, segment) for count in tokens) if apart else None
    row = loaded.kv_token_int8 if apart and settings.kv == "int8" else loaded.kv_token
    disk = tuple(count * row for count in tokens) if settings.save_readings and row else None
    return Estimate(segments, longer, disk, sum(_pieces(count, part) for count in tokens))


def _pieces(tokens: int, length: int) -> int:
    return max(1, -(-tokens // length))
