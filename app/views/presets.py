"""Three starting points for the settings, each of a precision and a context window, and what a change costs."""

from typing import Literal

import msgspec

from app.data.settings import Settings
from engine.protocol import Precision

Preset = Literal["exact", "balanced", "small"]
PRESETS: tuple[Preset, ...] = ("exact", "balanced", "small")

EXACTNESS: tuple[Precision, ...] = ("fp32", "bf16", "int8", "int4")
"""From the most exact to the smallest."""

SMALL_SHARE = 4
SMALL_LEAST = 2048


def offered(precisions: tuple[Precision, ...]) -> tuple[Precision, ...]:
    """The precisions that run here, from the most exact to the smallest."""
    return tuple(precision for precision in EXACTNESS if precision in precisions)


def of(preset: Preset, settings: Settings, precisions: tuple[Precision, ...], native_window: int) -> Settings:
    """The settings with the preset's precision and window.

    Exact: the most exact precision that runs here. Balanced: the precision that runs best here. Small: the smallest
    precision that hardly changes answers, so not int4, and a quarter of the model's window (at least 2,048). Exact and
    Balanced take the largest window that fits. None of them stretches the window.
    """
    choices = tuple(precision for precision in offered(precisions) if precision != "int4")
    if not choices or preset == "balanced":
        precision: Precision = "auto"
    else:
        precision = choices[0] if preset == "exact" else choices[-1]
    window = min(max(native_window // SMALL_SHARE, SMALL_LEAST), native_window) if preset == "small" else None
    return msgspec.structs.replace(settings, precision=precision, window=window, extension="none")


def matching(settings: Settings, precisions: tuple[Precision, ...], native_window: int) -> Preset | None:
    """The preset whose precision and window these settings have."""
    return next((preset for preset in PRESETS if of(preset, settings, precisions, native_window) == settings), None)


COMPUTING = ("threads", "piece", "memory_share", "sparse_kernel", "linear_kernel")
"""Settings of how the model is computed, and in how much memory."""

RELOADING = ("model", "precision", "window", "device", *COMPUTING, "extension")
"""Settings that are a property of the loaded model: to change one, it is loaded anew."""

REREADING = ("reading_mode", "segment", "overlap")
"""Settings that say how a long text is read: used from the next question on, when what they touch is read again."""

SAME_READING = frozenset({"window", *COMPUTING})
"""Of `RELOADING`: those after which a saved reading is still the model's own."""


def reloaded_by(before: Settings, after: Settings) -> tuple[str, ...]:
    """The names of the changed settings that need the model loaded anew; "kv" where it decides what window fits."""
    held = ("kv",) if "int8" in (before.kv, after.kv) else ()
    return _changed(before, after, RELOADING + held)


def reread_by(before: Settings, after: Settings) -> tuple[str, ...]:
    """The names of the changed settings after which long texts are read again, at the next question."""
    return _changed(before, after, REREADING)


def _changed(before: Settings, after: Settings, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if getattr(before, name) != getattr(after, name))
