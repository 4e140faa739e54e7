"""What a model is given when texts are read in segments: measured by `longread bench joins`, else a careful default.

Measured calibrations are kept in the data folder, by the model's fingerprint.
"""

import os
from pathlib import Path

import msgspec

from engine.model.config import ModelConfig
from engine.protocol import Calibration

FOLDER = "calibrations"
SMALL = 1_000_000_000
"""Parameters below which a model mixes up several segments: it is given one unless two are alike to it."""

SMALL_MODELS = Calibration(segment=2000, overlap=64, join="shared", keep=1, gap=0.3, part=500)
"""Measured on SmolLM2-135M. Over 24,000 tokens with five facts of one form the right segment was ahead by a nat and
more; alone it gave 5 of 5 answers, and joined with others fewer by every join, `shared` staying right longest (5 and 4
of 5 over two segments, 4 over three, 3 over five). Of ten pairs of documents that contradict each other, with a
question naming one, it answered 10 right over one segment and 7 over two."""
LARGER_MODELS = Calibration(segment=4000, overlap=128, join="consecutive", keep=4, gap=0.7, part=1000)
"""Not measured on any: `longread bench joins` does."""


def load(data: Path, fingerprint: str, config: ModelConfig, parameters: int) -> Calibration:
    """The measured calibration, or the default, brought into the model's window."""
    try:
        kept = msgspec.json.decode(_file(data, fingerprint).read_bytes(), type=Calibration)
    except (OSError, msgspec.MsgspecError):
        kept = SMALL_MODELS if parameters < SMALL else LARGER_MODELS
    longest = longest_segment(config.window)
    return msgspec.structs.replace(kept, segment=min(kept.segment, longest), part=min(kept.part, longest))


def save(data: Path, fingerprint: str, calibration: Calibration) -> None:
    """Keep a measured calibration. Raises OSError."""
    file = _file(data, fingerprint)
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f"{file.name}.{os.getpid()}")
    temporary.write_bytes(msgspec.json.encode(calibration))
    temporary.replace(file)


def longest_segment(window: int) -> int:
    """Tokens: a segment leaves a quarter of the window for the question and the answer."""
    return window * 3 // 4


def _file(data: Path, fingerprint: str) -> Path:
    return data / FOLDER / f"{fingerprint}.json"
