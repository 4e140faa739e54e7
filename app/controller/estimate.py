"""About how a text will be read, before it is: in how many segments or parts, and what its reading takes on disk."""

from collections.abc import Sequence

from msgspec import Struct

from app.data import policies
from app.data.settings import Settings
from engine.protocol import Loaded

SEGMENT = 2000
"""Tokens of a segment where neither the settings nor the model's calibration say."""
PART = 500
"""The same, of a part when every part is asked."""
USUAL = 0.7
"""Of the longest segment, so long is one in the mean: it ends where a paragraph does."""
ADDED = 100
"""Tokens of a segment that are no new text: the template, the line that names the document, what is said again."""


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
    # with a policy, and where less is looked at, every text is read whole or not at all
    longer = 0 < loaded.window < sum(tokens) and not policies.endless(settings)
    wanted = settings.reading_mode == "parallel" or (settings.reading_mode == "auto" and longer)
    apart = wanted and not loaded.whole_only and not policies.on(settings) and settings.selection == "none"
    segments = tuple(1 if count <= segment else _pieces(count, int(segment * USUAL)) for count in tokens)
    row = loaded.kv_token_int8 if settings.kv == "int8" else loaded.kv_token
    added = [some * ADDED * apart for some in segments]
    kept = tuple((count + more) * row for count, more in zip(tokens, added, strict=True))
    disk = kept if settings.save_readings and row and not policies.on(settings) else None
    return Estimate(segments if apart else None, longer, disk, sum(_pieces(count, part) for count in tokens))


def _pieces(tokens: int, length: int) -> int:
    return max(1, -(-tokens // length))
