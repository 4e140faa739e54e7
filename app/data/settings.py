"""Every setting, declared once: type, limits and default. Kept as JSON by `app.services.settings`."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from app.data.gateway import LOOPBACK, PORT, GatewaySettings

VERSION = 1

DEFAULT_MODEL = "smollm2-135m-instruct"
"""The catalogue's name of the small model that comes with the first run."""


class Settings(Struct, frozen=True, forbid_unknown_fields=False):
    version: int = VERSION
    model: str = DEFAULT_MODEL
    """A name of the catalogue, or an absolute path of a folder or .gguf file."""
    precision: Literal["auto", "fp32", "bf16", "int8", "int4"] = "auto"
    window: Annotated[int, Meta(ge=512)] | None = None
    """Tokens; None: the largest that fits."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    temperature: Annotated[float, Meta(ge=0.0, le=2.0)] = 0.0
    max_tokens: Annotated[int, Meta(ge=1)] | None = None
    threads: Annotated[int, Meta(ge=1, le=1024)] | None = None
    piece: Annotated[int, Meta(ge=1)] | None = None
    reading_mode: Literal["auto", "whole", "parallel"] = "auto"
    """auto: whole where the text fits the window, else in segments."""
    extension: Literal["none", "yarn", "ntk"] = "none"
    """Stretches the positions of a model; `window` may then go beyond the one that it was made for."""
    segment: Annotated[int, Meta(ge=128)] | None = None
    """Tokens of a segment; None, here and below: what suits the model."""
    overlap: Annotated[int, Meta(ge=0)] | None = None
    """Tokens of the segment before that a segment begins with."""
    join: Literal["auto", "shared", "consecutive", "reread"] = "auto"
    keep: Annotated[int, Meta(ge=1)] | None = None
    """Segments that an answer is written over, at most."""
    asked: Annotated[int, Meta(ge=1)] | None = None
    """Segments that a question is put to; None: every one."""
    kept_rows: Annotated[float, Meta(gt=0.0, le=1.0)] = 1.0
    """Share of what was read that an answer is written over, taken from each segment when there are several."""
    calibrate: bool = False
    """Drop what a question attends to abnormally much in the kept segments."""
    kv: Literal["auto", "model", "int8"] = "auto"
    """How what was read is held in memory."""
    memory_share: Annotated[float, Meta(gt=0.0, le=1.0)] = 1.0
    """Of the device's memory, that the model and what it reads may take."""
    sparse_kernel: Literal["auto", "native", "triton", "torch"] = "auto"
    """How layers that choose what they look at are computed."""
    linear_kernel: Literal["auto", "native", "triton", "torch"] = "auto"
    """How lightning layers are."""
    selection: Literal["none", "quest", "blocks"] = "none"
    """What tokens look at of a long text that is read whole: quest when they are written, blocks when they are read."""
    policy: Literal["none", "triattention", "h2o", "snapkv", "streaming", "blocks"] = "none"
    """By which some keys and values of a text are forgotten; it is then read whole."""
    policy_keep: Annotated[float, Meta(gt=0.0, le=1.0)] | None = None
    """Share of a prompt's tokens that is kept."""
    policy_rows: Annotated[int, Meta(ge=176)] | None = None
    """Tokens that are kept; the smaller of both counts, and 4,096 where none is said."""
    policy_mode: Literal["auto", "per_head", "per_layer_per_head", "union", "mean", "max"] = "auto"
    """How heads choose: the first ones for triattention, mean and max for snapkv."""
    policy_score_window: Annotated[int, Meta(ge=1)] | None = None
    """For triattention: tokens ahead of the newest at which queries are thought to stand, at most; None: 65,536."""
    policy_adaptive_weight: bool = True
    """For triattention: the lengths of keys count for the more, the less alike a head's queries are."""
    policy_prompt: Literal["auto", "pieces", "end", "refuse"] = "auto"
    """What becomes of a prompt that is longer than what is kept."""
    part: Annotated[int, Meta(ge=32)] | None = None
    """Tokens of a part, when a question goes over every part of the text."""
    save_readings: bool = True
    """Keep what was read on disk, and use what is there."""
    readings_folder: str = ""
    """Where; empty: in the data folder."""
    readings_quota: Annotated[int, Meta(ge=0)] | None = None
    """Bytes that they may take in all; None: a tenth of what is free, at most 50 GB."""
    api_on: bool = False
    """Whether the local API is served while the window is open."""
    api_port: Annotated[int, Meta(ge=0, le=65535)] = PORT
    api_host: str = LOOPBACK
    """The address that it is served at; another than this computer's own lets others reach it."""
    api_names: tuple[str, ...] = ()
    """Names, beside this computer's own, by which clients may call it."""
    api_tls: bool = False
    """Whether connections are encrypted: with the certificate below, or with one that is made here."""
    api_tls_certificate: str = ""
    api_tls_key: str = ""
    theme: Literal["system", "light", "dark"] = "system"
    language: Literal["system", "en", "zh_CN"] = "system"
    enter_sends: bool = True
    """Return asks and Shift+Return breaks the line; otherwise Ctrl+Return asks."""
    hub: str = ""
    """Address that models are downloaded from; empty: HF_ENDPOINT, else the public hub."""
    packs: str = ""
    """Address that packs for graphics cards are downloaded from; empty: this version's release."""
    seen_first_run: bool = False


def gateway(settings: Settings) -> GatewaySettings:
    """How the local API is served."""
    files = settings.api_tls and bool(settings.api_tls_certificate or settings.api_tls_key)
    return GatewaySettings(
        host=settings.api_host,
        port=settings.api_port,
        names=settings.api_names,
        tls_certificate=settings.api_tls_certificate if files else "",
        tls_key=settings.api_tls_key if files else "",
        tls_own=settings.api_tls and not files,
    )
