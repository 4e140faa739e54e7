"""How a model is loaded, a text read and an answer written."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Precision = Literal["auto", "fp32", "bf16", "int8", "int4"]
Device = Literal["auto", "cpu", "cuda"]
Extension = Literal["none", "yarn", "ntk"]
Kernel = Literal["auto", "native", "triton", "torch"]
"""How operations of attention are computed: compiled for this CPU, by Triton on a card, in torch's own; auto: by the
fastest that this computer has."""


Policy = Literal["triattention", "h2o", "snapkv", "streaming", "blocks"]


class Eviction(Struct, frozen=True, omit_defaults=True):
    """What of a text's keys and values is kept, when it is read whole: every head of every layer keeps as many rows, of
    its own choice by the `policy`. The first few and the newest rows always stay. The rest is forgotten for good.

    blocks, for models whose layers choose blocks of rows themselves, and for those alone: whole blocks go, those that
    were chosen least often and least strongly; the blocks that are always chosen stay."""

    policy: Policy
    keep: Annotated[float, Meta(gt=0, le=1)] | None = None
    """Share of the prompt's tokens; 176 stay in any case, or four thirds of the blocks that are always chosen."""
    rows: Annotated[int, Meta(ge=1)] | None = None
    """Their number, 176 at least; the smaller of both counts, and 4,096 where none is said."""
    mode: Literal["auto", "per_head", "per_layer_per_head", "union", "mean", "max"] = "auto"
    """triattention: key heads choose alike in every layer (auto), for themselves, or all together. snapkv: of a group's
    heads the mean counts (auto) or the most."""
    prompt: Literal["auto", "pieces", "end", "refuse"] = "auto"
    """When a prompt that is longer than what is kept is pruned: between its pieces, so that memory never holds it whole
    (auto, but for snapkv); at its end, of which more is right; or it is refused."""
    score_window: Annotated[int, Meta(ge=1)] | None = None
    """triattention: how far ahead of the newest token the queries to come are thought to stand, at 1, 2, 4, ... tokens.
    None: 65,536."""
    adaptive_weight: bool = True
    """triattention: the lengths of keys count for the more, the less alike a head's queries are. False: whatever those
    are like."""


class Format(Struct, frozen=True):
    """What an answer must be: any JSON value that is an object, JSON after a schema (`schema`: as JSON text), or calls
    of the conversation's tools, of `tool` alone where one is named."""

    kind: Literal["json", "schema", "calls"]
    schema: str = ""
    tool: str = ""


class Sampling(Struct, frozen=True, omit_defaults=True):
    """`temperature` 0 is greedy. `max_tokens` None: until the window is full. `seed` None: a new one, reported back.

    `format`: each token is chosen among those with which the answer can still become one. `logprobs`: tell of each
    token its own and that many of the likeliest ones' (0 to 20), before temperature and penalties; None: of none.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    repetition_penalty: float = 1.0
    seed: int | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    format: Format | None = None
    logprobs: Annotated[int, Meta(ge=0, le=20)] | None = None


class Selection(Struct, frozen=True, omit_defaults=True):
    """Which rows of a long text a dense model's tokens look at. All are kept; what is not looked at is only not read.

    quest: written tokens look at the pages of 16 rows that may match their queries best, `budget` rows in all. blocks:
    tokens that are read look at the blocks of 128 rows that hold `threshold` of their attention, as estimated.
    """

    kind: Literal["none", "quest", "blocks"] = "none"
    budget: Annotated[int, Meta(ge=160)] | None = None
    """Rows; the first page and the newest nine are among them. None: 2,048, or an eighth of all where that is more."""
    threshold: Annotated[float, Meta(gt=0, le=1)] = 0.9
    least: Annotated[int, Meta(ge=0)] | None = None
    """Rows below which all are looked at: of the rows held when a token is written, or of a whole prompt. None: 12,288
    for quest, 16,384 for blocks."""


class ReadingSettings(Struct, frozen=True, omit_defaults=True):
    """How a conversation's documents are read and asked, request by request. None and "auto": the engine's choice."""

    mode: Literal["auto", "whole", "parallel"] = "auto"
    """auto: whole where the text fits the model's window, else in parallel segments."""
    segment: Annotated[int, Meta(ge=1)] | None = None
    """Tokens of a segment, at most."""
    overlap: Annotated[int, Meta(ge=0)] | None = None
    """Tokens of the segment before that a segment begins with."""
    join: Literal["auto", "shared", "consecutive", "reread"] = "auto"
    """How the kept segments' rows are put together: see `engine.reading.joining`."""
    keep: Annotated[int, Meta(ge=1)] | None = None
    """Segments that an answer is written over."""
    asked: Annotated[int, Meta(ge=1)] | None = None
    """Segments that a question is put to, the likeliest by a first look; None: every one."""
    budget: Annotated[float, Meta(gt=0, le=1)] = 1.0
    """Share of each kept segment's rows that is joined, those the question attends to most."""
    calibrate: bool = False
    """Drop rows of kept segments that the question attends to abnormally much (ParallelComp's calibration)."""
    kv: Literal["auto", "model", "int8"] = "auto"
    """How keys and values are held. auto: segments' as the model computes, or int8 when only that fits; those of a text
    that is read whole as the model was loaded for."""
    coverage: bool = False
    """Go over every part of the text with the question, and answer from what each part gave."""
    part: Annotated[int, Meta(ge=1)] | None = None
    """Tokens of a part in coverage."""
    part_question: str | None = None
    """What is asked of each part; None: the question as it is."""
    save: bool = True
    """Keep readings on disk, and use those that are there. False: nothing is written and nothing opened."""
    folder: str | None = None
    """Where readings are kept; None: in the data folder."""
    quota: Annotated[int, Meta(ge=0)] | None = None
    """Bytes that all readings on disk may take; None: a tenth of what is free, at most 50 GB."""
    selection: Selection = Selection()
    """Rows that are looked at, where the model's layers are dense and the text is read whole; not beside `eviction`."""
    eviction: Eviction | None = None
    """Keep some of the keys and values alone. The text is then read whole, and nothing of it is saved."""
    evidence: Annotated[int, Meta(ge=0)] = 3
    """Passages that are told for each sentence of an answer, at most; 0: none is looked for."""


class ModelSettings(Struct, frozen=True):
    """`model` is a folder with a checkpoint, or a .gguf file. `window` None: the largest that the planner allows."""

    model: str
    precision: Precision = "auto"
    window: int | None = None
    device: Device = "auto"
    threads: int | None = None
    piece: int | None = None
    """Tokens read in one go; None: chosen by the engine."""
    extension: Extension = "none"
    """Stretches the positions of a dense model beyond its native window: `window` may then be up to eight times it."""
    kv: Literal["model", "int8"] = "model"
    """How keys and values of a text that is read whole are held: what `window` may be depends on it."""
    memory: Annotated[float, Meta(gt=0, le=1)] = 1.0
    """Share of the device's memory that the model and what it reads may take, at most."""
    sparse: Kernel = "auto"
    """Of layers that choose what they look at."""
    linear: Kernel = "auto"
    """Of lightning layers."""
