"""Three starting points for the settings, each made only of settings that exist: precision and context window."""

from typing import Literal

import msgspec

from app.data.settings import Settings
from engine.protocol import Precision

Preset = Literal["exact", "balanced", "small"]
PRESETS: tuple[Preset, ...] = ("exact", "balanced", "small")

EXACTNESS: tuple[Precision, ...] = ("fp32", "bf16", "int8")
"""From the most exact to the smallest."""

SMALL_SHARE = 4
SMALL_LEAST = 2048


def offered(precisions: tuple[Precision, ...]) -> tuple[Precision, ...]:
    """The precisions that run here, from the most exact to the smallest."""
    return tuple(precision for precision in EXACTNESS if precision in precisions)


def of(preset: Preset, settings: Settings, precisions: tuple[Precision, ...], native_window: int) -> Settings:
    """The settings with the preset's precision and window.

    Exact: the most exact precision that runs here. Balanced: the precision that runs best here. Small: the smallest
    precision, and a quarter of the model's window (at least 2,048). Exact and Balanced take the largest window
    that fits.
    """
    choices = offered(precisions)
    if not choices or preset == "balanced":
        precision: Precision = "auto"
    else:
        precision = choices[0] if preset == "exact" else choices[-1]
    window = min(max(native_window // SMALL_SHARE, SMALL_LEAST), native_window) if preset == "small" else None
    return msgspec.structs.replace(settings, precision=precision, window=window)


def matching(settings: Settings, precisions: tuple[Precision, ...], native_window: int) -> Preset | None:
    """The preset whose precision and window these settings have."""
    return next((preset for preset in PRESETS if of(preset, settings, precisions, native_window) == settings), None)


RELOADING = ("model", "precision", "window", "device", "threads", "piece")
"""Settings that are a property of the loaded model: to change one, it is loaded anew and texts are read again."""


def reloaded_by(before: Settings, after: Settings) -> tuple[str, ...]:
    """The names of the changed settings that need the model loaded anew."""
    return tuple(name for name in RELOADING if getattr(before, name) != getattr(after, name))
