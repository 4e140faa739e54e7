"""What a request comes to, and what events are made of."""

from typing import Literal

from msgspec import Struct

from engine.protocol.conversation import Call
from engine.protocol.settings import Eviction, Policy, Precision

Mode = Literal["whole", "parallel", "coverage"]
Join = Literal["shared", "consecutive", "reread"]


class DeviceInfo(Struct, frozen=True):
    """`memory`, `free`: bytes; the machine's RAM for a CPU. `precisions`: those that run well here, best first.

    remote: a server, whose host is the `name`; nothing else is known of it."""

    kind: Literal["cpu", "cuda", "remote"]
    name: str
    memory: int
    free: int
    precisions: tuple[Precision, ...]


class Note(Struct, frozen=True):
    """Something that the person should know and that stopped nothing. Codes and their sentences: `app/words.py`."""

    code: str
    values: dict[str, str] = {}


class MemoryParts(Struct, frozen=True):
    """Bytes. `total` is the device's memory; `other` everything else in use on it, by us or by other programs."""

    total: int
    weights: int
    kv: int
    state: int
    other: int
    free: int


class Calibration(Struct, frozen=True):
    """What the engine chooses for a model when texts are read in parallel. `measured`: by `longread bench joins`."""

    segment: int
    overlap: int
    join: Join
    keep: int
    """Segments joined at most."""
    gap: float
    """Nats of mean negative log-likelihood by which a segment may be behind the first and still be joined."""
    part: int
    measured: bool = False


class Place(Struct, frozen=True):
    """Characters `start` to `end` of document number `document`, counted from 0 in the conversation's order."""

    document: int
    start: int
    end: int


class SegmentUse(Struct, frozen=True):
    """A segment of the text in an answer. `number` counts from 1. `score`: mean negative log-likelihood of the question
    after it, in nats, None when it was not asked. `rows`: those of it that the answer was written over."""

    number: int
    places: tuple[Place, ...]
    tokens: int
    score: float | None = None
    kept: bool = False
    rows: int = 0


class ForgottenPart(Struct, frozen=True):
    """Of a document's part of `tokens`, the `share` (0 to 1) of rows, over all heads and layers, that are gone."""

    place: Place
    tokens: int
    share: float


class Pruned(Struct, frozen=True):
    """What a policy left. `rows` of every head are kept, `forgotten` are gone since the text began: together all tokens
    that were read and written. `budget`: rows at a prompt's end. `parts`: where something is gone, in order."""

    how: Eviction
    budget: int
    rows: int
    forgotten: int
    parts: tuple[ForgottenPart, ...] = ()


class Usage(Struct, frozen=True):
    """Tokens and seconds of one request. prompt = read + reused + unread."""

    prompt: int
    read: int
    reused: int
    written: int
    unread: int = 0
    evicted: int = 0
    """Tokens whose rows a policy gave up: of each head as many."""
    first_token: float | None = None
    """Seconds from the engine's start on the request to its first written token."""
    reading_rate: float | None = None
    writing_rate: float | None = None
    layers: dict[str, int] = {}
    """Layers that ran, by kind of mixer."""
    calls: dict[str, int] = {}
    """Of models with several ways, and with a selection: how often layers ran as lightning, sparse, dense, or as quest,
    blocks, full, over all pieces and tokens."""
    window: int = 0
    """The effective window in tokens."""
    precision: Precision = "auto"
    writing: str = ""
    """The product that wrote the tokens, as in `Loaded.writing`."""
    mode: Mode = "whole"
    reopened: int = 0
    """Of `reused`: tokens that came from a reading on disk."""
    segments: tuple[SegmentUse, ...] = ()
    """All segments of the text, in order, when it was read in parallel."""
    asked: int = 0
    """Segments, or in coverage parts, that the question was put to."""
    join: Join | None = None
    kv: Literal["model", "int8"] = "model"
    """How the rows that were read were held."""
    pruned: Pruned | None = None
    """Where a policy was on."""


class Answered(Struct, frozen=True, tag="answered", omit_defaults=True):
    """`calls`: the calls of tools that the text asks for; they are no longer in `text`. `stop`: the text of
    `Sampling.stop` that ended it."""

    text: str
    tokens: tuple[int, ...]
    seed: int | None
    calls: tuple[Call, ...] = ()
    stop: str | None = None


class Counted(Struct, frozen=True, tag="counted"):
    """Tokens of each document, in the order asked. `estimated`: by their letters, without the model's tokenizer."""

    tokens: tuple[int, ...]
    estimated: bool = False


class Expected(Struct, frozen=True, tag="expected"):
    """Tokens of a prompt that was not run: prompt = read + reused. Of `reused`, `reopened` would come from disk."""

    prompt: int
    read: int
    reused: int
    reopened: int = 0
    mode: Mode = "whole"
    asked: int = 0
    """Segments, or in coverage parts, that the question would be put to."""
    estimated: bool = False
    """As in `Counted`; what a server has of it is not known, so nothing counts as reused."""


class Advice(Struct, frozen=True):
    """A change with which settings that do not fit would. `window`: tokens that then do. kv: int8 for keys and values,
    beside the change told before it."""

    change: Literal["window", "int8", "int4", "kv"]
    window: int


class PlannedPolicy(Struct, frozen=True):
    """What a policy would make of the keys and values of a full window: bytes at most while it is read, and once it is.
    `rows`: that every head keeps. `refused`: a `FailureCode` where it could not be had; then nothing is counted."""

    how: Eviction
    rows: int = 0
    reading: int = 0
    after: int = 0
    refused: str = ""


class Planned(Struct, frozen=True, tag="planned"):
    """Bytes that the settings need at `window`; `largest` is the largest window that fits, 0 when none does. `advice`:
    where it does not fit, what would, the least harmful change first."""

    weights: int
    kv: int
    state: int
    activations: int
    overhead: int
    needed: int
    available: int
    window: int
    native_window: int
    largest: int
    fits: bool
    precision: Precision
    device: DeviceInfo
    notes: tuple[Note, ...] = ()
    advice: tuple[Advice, ...] = ()
    layers: dict[str, int] = {}
    """As in `Loaded`."""
    theta: float = 0.0
    """The base of its positions' frequencies, as the checkpoint has it."""
    stored: str = ""
    """As what most of its weights are stored: BF16, GPTQ4, Q4_1."""
    policies: tuple[Policy, ...] = ()
    """Those that a model of this kind can have."""
    policy: PlannedPolicy | None = None
    """Of the one that was asked about. `kv` and `needed` are without it: what other questions keep is theirs."""


class Saved(Struct, frozen=True):
    """A reading on disk. `documents`: sha256 of each. `created` and `used`: seconds since the epoch. `opens`: seconds
    that opening it takes, by the last time or by its size; None: it is being used."""

    id: str
    documents: tuple[str, ...]
    mode: Mode
    tokens: int
    bytes: int
    created: float
    used: float
    model: str
    fingerprint: str
    precision: Precision
    opens: float | None = None


class Listed(Struct, frozen=True, tag="listed"):
    """`bytes` of all, `quota` and `free` bytes of the disk that they are on."""

    readings: tuple[Saved, ...]
    bytes: int
    quota: int
    free: int
    folder: str


class Forgotten(Struct, frozen=True, tag="forgotten"):
    readings: int
    bytes: int


class Inspected(Struct, frozen=True, tag="inspected"):
    devices: tuple[DeviceInfo, ...]
    versions: dict[str, str]
    threads: int
    process: int
    model: str | None


class Worked(Struct, frozen=True, tag="worked"):
    """The job's report, as JSON text; a measurement's is a `Measured`."""

    report: str


Result = Answered | Counted | Expected | Planned | Listed | Forgotten | Inspected | Worked
