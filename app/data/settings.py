"""Every setting, declared once: type, limits and default. Kept as JSON by `app.services.settings`."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

VERSION = 1

DEFAULT_MODEL = "smollm2-135m-instruct"
"""The catalogue's name of the small model that comes with the first run."""


class Settings(Struct, frozen=True, forbid_unknown_fields=False):
    version: int = VERSION
    model: str = DEFAULT_MODEL
    """A name of the catalogue, or an absolute path of a folder or .gguf file."""
    precision: Literal["auto", "fp32", "bf16", "int8"] = "auto"
    window: Annotated[int, Meta(ge=512)] | None = None
    """Tokens; None: the largest that fits."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    temperature: Annotated[float, Meta(ge=0.0, le=2.0)] = 0.0
    max_tokens: Annotated[int, Meta(ge=1)] | None = None
    threads: Annotated[int, Meta(ge=1, le=1024)] | None = None
    piece: Annotated[int, Meta(ge=1)] | None = None
    theme: Literal["system", "light", "dark"] = "system"
    language: Literal["system", "en", "zh_CN"] = "system"
    enter_sends: bool = True
    """Return asks and Shift+Return breaks the line; otherwise Ctrl+Return asks."""
    hub: str = ""
    """Address that models are downloaded from; empty: HF_ENDPOINT, else the public hub."""
    seen_first_run: bool = False
