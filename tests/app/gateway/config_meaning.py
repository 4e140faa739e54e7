"""What a text of config.toml means, or why it is refused, with models that say what is said here."""

from pathlib import Path

import pytest

from app.data.fault import NotHonoured
from app.data.settings import Settings
from app.gateway import config_check
from app.gateway.config import serving
from app.gateway.config_file import parse
from app.serve_words import said
from engine.protocol import DeviceInfo, Planned

KEY = "sk-0123456789abcdef"
ENVIRONMENT = {"THE_KEY": KEY, "HOST": "engine.example.org"}


def meant(text: str, kept: Settings | None = None):
    return serving(parse(text), kept or Settings(), ENVIRONMENT)


def refused(text: str) -> list[str]:
    with pytest.raises(NotHonoured) as error:
        meant(text)
    return [said(fault) for fault in error.value.faults]


def planned(**changed) -> Planned:
    device = DeviceInfo("cpu", "a processor", 1, 1, ("bf16",))
    about = {"layers": {"sparse": 8, "lightning": 24}, "theta": 10_000.0, "stored": "BF16", "window": 4096} | changed
    sizes = dict.fromkeys(("weights", "kv", "state", "activations", "overhead", "needed", "available"), 0)
    return Planned(**sizes, native_window=4096, largest=4096, fits=True, precision="bf16", device=device, **about)


def by_the_model(text: str, where: Path = Path("/m"), named: Planned | None = None, **changed) -> list[str]:
    """What the model says to that, in sentences."""
    served = meant(text)
    try:
        config_check.checked(served, where, {"": planned(**changed)} | dict.fromkeys(served.named, named or planned()))
    except NotHonoured as error:
        return [said(fault) for fault in error.faults]
    return []


DENSE = {"layers": {"full": 30}}
