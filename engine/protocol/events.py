"""What the engine says."""

from typing import Literal

from msgspec import Struct

from engine.protocol.results import Advice, Calibration, DeviceInfo, MemoryParts, Note, Place, Result, Usage
from engine.protocol.settings import Precision

Stage = Literal["load", "tokenise", "read", "ask", "write"]
Finish = Literal["complete", "stop", "length", "loop", "cancelled", "read", "calls"]
FailureCode = Literal[
    "too_long",
    "too_long_model",
    "no_selection",
    "selection_whole",
    "out_of_memory",
    "bad_model",
    "bad_document",
    "engine_died",
    "internal",
    "evict_model",
    "evict_sparse",
    "evict_blocks",
    "evict_mode",
    "evict_pieces",
    "evict_segments",
    "evict_selection",
    "evict_budget",
    "evict_refused",
    "evict_inactive",
    "no_tools",
    "bad_format",
    "no_kernel",
    "remote_address",
    "remote_unreached",
    "remote_proxy",
    "remote_certificate",
    "remote_silent",
    "remote_broke",
    "remote_garbled",
    "remote_moved",
    "remote_path",
    "remote_key",
    "remote_key_line",
    "remote_key_space",
    "remote_key_letters",
    "remote_forbidden",
    "remote_model",
    "remote_no_models",
    "remote_large",
    "remote_busy",
    "remote_loading",
    "remote_broken",
    "remote_refused",
    "remote_coverage",
    "remote_reading",
]
"""no_tools: the model's chat template has no place for tools. bad_format: a schema that cannot be followed.
no_kernel: attention was to be computed in a way that this computer or the model has not.
too_long_model: a model that reads every text whole. no_selection: its layers look at no selection of rows.
selection_whole: the text would be read in segments, which are looked at in full. evict_...: what `Eviction` asks for
cannot be: with this model, any policy; with one whose layers choose blocks (sparse), any but `blocks`, and that one
with any other; this mode of the policy, or what it does not know, pieces of a prompt (by SnapKV), a text in segments,
beside a selection, so few rows; a prompt was to be refused that is longer than what is kept; nothing was forgotten
though there was more. remote_...: of an engine elsewhere, see `engine.remote`; its host is the `subject`."""


class Ready(Struct, frozen=True, tag="ready"):
    version: int
    pid: int


class Loaded(Struct, frozen=True, tag="loaded"):
    id: str
    name: str
    fingerprint: str
    """Hex sha256 over configuration and weights' identity: names what a reading was made with."""
    architecture: str
    parameters: int
    layers: dict[str, int]
    """Layers by kind of mixer: full, sliding, sparse, lightning, moba, nsa."""
    native_window: int
    window: int
    precision: Precision
    device: DeviceInfo
    writing: str
    """Name of the product that was timed fastest for writing tokens."""
    candidates: dict[str, float]
    """Milliseconds a layer of every product that was timed."""
    memory: MemoryParts
    seconds: float
    notes: tuple[Note, ...] = ()
    calibration: Calibration | None = None
    kv_token: int = 0
    """Bytes of keys and values of one token, as the model computes them."""
    kv_token_int8: int = 0
    """The same, held as int8 with their scales."""
    takes_system: bool = False
    """Whether its chat template has a place for a system turn, at the head of a conversation."""
    takes_tools: bool = False
    """Whether it has one for tools and their calls."""

    @property
    def host(self) -> str | None:
        """The server that answers, where it is not an engine of this computer."""
        return self.device.name if self.device.kind == "remote" else None

    @property
    def whole_only(self) -> bool:
        """Whether texts are read whole whatever their length: what lightning layers keep of two cannot be joined, and
        layers that choose blocks were made for long ones; and a server does as it does."""
        return self.device.kind == "remote" or not self.layers.keys() <= {"full", "sliding"}


class Progress(Struct, frozen=True, tag="progress"):
    """`done` of `total`, never falling within a stage. `rate` a second and `left` seconds are None until known.

    Stage load counts bytes; tokenise, read and write count tokens; ask counts segments, and in coverage parts. In
    stage read, `done` includes `reused`.
    """

    id: str
    stage: Stage
    done: int
    total: int
    reused: int = 0
    rate: float | None = None
    left: float | None = None


class Likely(Struct, frozen=True, array_like=True):
    """A token's own bytes, which need be no whole characters, and its natural log-probability."""

    bytes: bytes
    logprob: float


class Written(Struct, frozen=True, array_like=True):
    """A token of an answer and the likeliest ones in its place, the best first."""

    token: Likely
    top: tuple[Likely, ...]


class Delta(Struct, frozen=True, tag="delta", omit_defaults=True):
    """Whole characters of the answer, to be appended. `tokens`: those that begin in them, where log-probabilities were
    asked for; none of what ends an answer, nor of calls of tools."""

    id: str
    text: str
    tokens: tuple[Written, ...] = ()


class Found(Struct, frozen=True, tag="found"):
    """In coverage: what the model wrote for part `part` (from 0) of `parts`.

    `surprise`: mean negative log-likelihood, in nats, of what was written. `stands`: it is in the part's own text,
    checked afterwards. `certain`: both speak for it.
    """

    id: str
    part: int
    parts: int
    place: Place
    text: str
    surprise: float
    stands: bool
    certain: bool


class Passage(Struct, frozen=True):
    """`score`: its share, 0 to 1, of what all passages of the text weigh for the sentence."""

    place: Place
    score: float


class Evidence(Struct, frozen=True, tag="evidence"):
    """What the attention read most while characters `start` to `end` of the answer, a sentence, were written; the best
    passage first. `how`: by the blocks that sparse layers chose, by the mass of retrieval heads, or by the
    self-information of segments. After the `Delta` that ends the sentence, before the ending."""

    id: str
    start: int
    end: int
    passages: tuple[Passage, ...]
    how: Literal["blocks", "heads", "segments"]


class Gauges(Struct, frozen=True, tag="gauges"):
    """About two a second while busy, and once after each ending."""

    memory: MemoryParts
    process: int
    """Resident bytes of the engine's process."""
    window_used: int
    window: int
    reading: float | None = None
    """Tokens a second, smoothed over 2 s; None when idle."""
    writing: float | None = None
    busy: str | None = None
    """The request being worked on."""
    rows: int | None = None
    """Where a policy is on: what every head holds of the text in use; None: nothing is forgotten of it."""
    forgotten: int = 0
    """Tokens of it whose rows are gone, of each head as many."""


class Done(Struct, frozen=True, tag="done"):
    id: str
    finish: Finish
    usage: Usage | None = None
    result: Result | None = None
    notes: tuple[Note, ...] = ()
    ids: tuple[int, ...] = ()
    """Of the whole prompt as the model read it, now or before, where they were asked for; none in segments."""


class Failed(Struct, frozen=True, tag="failed"):
    """`message` is for the log and for developers: it holds no text of the person's. `subject` names the file or
    tensor at fault, for the window only. `needed` and `available`: tokens for too_long, bytes for out_of_memory,
    seconds for remote_silent.
    `advice` as in `Planned`, for a model that was not loaded."""

    id: str
    code: FailureCode
    message: str
    subject: str | None = None
    needed: int | None = None
    available: int | None = None
    advice: tuple[Advice, ...] = ()
    said: str = ""
    """A server's own words, for the window only: they may hold some of the person's."""


Event = Ready | Loaded | Progress | Delta | Found | Evidence | Gauges | Done | Failed
Ending = Loaded | Done | Failed
