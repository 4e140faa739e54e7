"""Every message between the window and the engine, and nothing else.

One JSON object a line (see `engine.wire`), typed as a tagged union. Commands go to the engine, events come from it.
A request (a command with an `id`) gets exactly one ending, `Loaded`, `Done` or `Failed`, and nothing after it.
Sentences for people are not written here: notes and failures carry a code and its values.
"""

from typing import Literal

from msgspec import Struct

VERSION = 1
"""Both sides say it (`Ready.version`); a difference is an error, never a guess."""

Precision = Literal["auto", "fp32", "bf16", "int8"]
Device = Literal["auto", "cpu", "cuda"]
Stage = Literal["load", "tokenise", "read", "write"]
Finish = Literal["complete", "stop", "length", "loop", "cancelled", "read"]
FailureCode = Literal["too_long", "out_of_memory", "bad_model", "bad_document", "engine_died", "internal"]


# Conversations, as the engine sees them


class Text(Struct, frozen=True, tag="text"):
    """Words of a person, or of the model in an earlier turn. Never parsed for control tokens."""

    text: str


class Document(Struct, frozen=True, tag="document"):
    """A UTF-8 text file on disk: our own immutable copy of a document's text.

    `sha256` is the hex digest of the file's bytes; a difference is `bad_document`. `name` is shown to the model.
    """

    path: str
    sha256: str
    name: str


Part = Text | Document


class Turn(Struct, frozen=True):
    role: Literal["system", "user", "assistant"]
    parts: tuple[Part, ...]


class Conversation(Struct, frozen=True):
    """All turns, oldest first. `began`: the ISO date and time that templates with a date are given, fixed for life."""

    turns: tuple[Turn, ...]
    began: str


class Sampling(Struct, frozen=True):
    """`temperature` 0 is greedy. `max_tokens` None: until the window is full. `seed` None: a new one, reported back."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    repetition_penalty: float = 1.0
    seed: int | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()


class ModelSettings(Struct, frozen=True):
    """`model` is a folder with a checkpoint, or a .gguf file. `window` None: the largest that the planner allows."""

    model: str
    precision: Precision = "auto"
    window: int | None = None
    device: Device = "auto"
    threads: int | None = None
    piece: int | None = None
    """Tokens read in one go; None: chosen by the engine."""


# Commands


class Load(Struct, frozen=True, tag="load"):
    """Make this model the loaded one. Ends with `Loaded`. A model loaded before is released first."""

    id: str
    settings: ModelSettings


class Read(Struct, frozen=True, tag="read"):
    """`Generate` without an answer: reads the conversation, which may end in a user turn of documents alone."""

    id: str
    conversation: Conversation


class Generate(Struct, frozen=True, tag="generate"):
    """Answer the last user turn. Streams `Delta`, ends with `Done` whose result is `Answered`.

    `only_read`: answer from what is already in memory of the documents, reading no more of them; what was not read
    is counted in `Usage.unread`.
    """

    id: str
    conversation: Conversation
    sampling: Sampling = Sampling()
    only_read: bool = False


class Count(Struct, frozen=True, tag="count"):
    """How many tokens each document is, by the loaded model's tokenizer. Result: `Counted`."""

    id: str
    documents: tuple[Document, ...]


class Plan(Struct, frozen=True, tag="plan"):
    """What these settings would need. Nothing is loaded. Result: `Planned`."""

    id: str
    settings: ModelSettings


class Inspect(Struct, frozen=True, tag="inspect"):
    """Devices, memory, versions. Result: `Inspected`."""

    id: str


class Work(Struct, frozen=True, tag="work"):
    """A longer job, by name (`bench`). Reports `Progress`; result: `Worked`."""

    id: str
    job: Literal["bench"]
    options: dict[str, str] = {}


class Cancel(Struct, frozen=True, tag="cancel"):
    """End request `target` soon: looked at between layers. Its ending says `cancelled`. Has no ending of its own."""

    target: str


class Quit(Struct, frozen=True, tag="quit"):
    """Finish now. End-of-file on the engine's input means the same."""


Command = Load | Read | Generate | Count | Plan | Inspect | Work | Cancel | Quit


# Events


class DeviceInfo(Struct, frozen=True):
    """`memory`, `free`: bytes; the machine's RAM for a CPU. `precisions`: those that run well here, best first."""

    kind: Literal["cpu", "cuda"]
    name: str
    memory: int
    free: int
    precisions: tuple[Precision, ...]


class Ready(Struct, frozen=True, tag="ready"):
    version: int
    pid: int


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


class Loaded(Struct, frozen=True, tag="loaded"):
    id: str
    name: str
    fingerprint: str
    """Hex sha256 over configuration and weights' identity: names what a reading was made with."""
    architecture: str
    parameters: int
    layers: dict[str, int]
    """Layers by kind of mixer: full, sparse, lightning."""
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


class Progress(Struct, frozen=True, tag="progress"):
    """`done` of `total`, never falling within a stage. `rate` a second and `left` seconds are None until known.

    Stage load counts bytes; tokenise, read and write count tokens. In stage read, `done` includes `reused`.
    """

    id: str
    stage: Stage
    done: int
    total: int
    reused: int = 0
    rate: float | None = None
    left: float | None = None


class Delta(Struct, frozen=True, tag="delta"):
    """Whole characters of the answer, to be appended."""

    id: str
    text: str


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


class Usage(Struct, frozen=True):
    """Tokens and seconds of one request. prompt = read + reused + unread."""

    prompt: int
    read: int
    reused: int
    written: int
    unread: int = 0
    evicted: int = 0
    first_token: float | None = None
    """Seconds from the engine's start on the request to its first written token."""
    reading_rate: float | None = None
    writing_rate: float | None = None
    layers: dict[str, int] = {}
    """Layers that ran, by kind of mixer."""
    window: int = 0
    """The effective window in tokens."""
    precision: Precision = "auto"
    writing: str = ""
    """The product that wrote the tokens, as in `Loaded.writing`."""


class Answered(Struct, frozen=True, tag="answered"):
    text: str
    tokens: tuple[int, ...]
    seed: int | None


class Counted(Struct, frozen=True, tag="counted"):
    """Tokens of each document, in the order asked."""

    tokens: tuple[int, ...]


class Planned(Struct, frozen=True, tag="planned"):
    """Bytes that the settings need at `window`; `largest` is the largest window that fits, 0 when none does."""

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


class Inspected(Struct, frozen=True, tag="inspected"):
    devices: tuple[DeviceInfo, ...]
    versions: dict[str, str]
    threads: int
    process: int
    model: str | None


class Worked(Struct, frozen=True, tag="worked"):
    """The job's report, as JSON text."""

    report: str


Result = Answered | Counted | Planned | Inspected | Worked


class Done(Struct, frozen=True, tag="done"):
    id: str
    finish: Finish
    usage: Usage | None = None
    result: Result | None = None
    notes: tuple[Note, ...] = ()


class Failed(Struct, frozen=True, tag="failed"):
    """`message` is for the log and for developers: it holds no text of the person's. `subject` names the file or
    tensor at fault, for the window only. `needed` and `available`: tokens for too_long, bytes for out_of_memory."""

    id: str
    code: FailureCode
    message: str
    subject: str | None = None
    needed: int | None = None
    available: int | None = None


Event = Ready | Loaded | Progress | Delta | Gauges | Done | Failed
Ending = Loaded | Done | Failed
