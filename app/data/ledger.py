"""The ledger of an answer: what it was written from and with. Nothing is cut without a line here."""

from typing import Literal

from msgspec import Struct

from app.data.document import Unit


class LedgerDocument(Struct, frozen=True):
    """`tokens` in the prompt, of which `unread` were not read ("answer from what has been read")."""

    id: str
    name: str
    sha256: str
    tokens: int
    unread: int = 0
    left_out: int = 0


class LedgerPlace(Struct, frozen=True):
    """Characters `start` to `end` of the text of library item `item`: from its page, section or file `first_label` to
    `last_label`, which are "" when they are not known any more. `file`: in this file of a folder, an archive or a mail;
    a place that touches several of them is told by the files alone."""

    item: str
    start: int
    end: int
    first_label: str = ""
    last_label: str = ""
    unit: Unit = "page"
    file: str = ""


class LedgerSegment(Struct, frozen=True):
    """A segment of the text, counted from 1. `score`: mean negative log-likelihood of the question after it, in nats,
    None when it was not asked. `kept`: the answer was written over `rows` of its tokens."""

    number: int
    places: tuple[LedgerPlace, ...]
    tokens: int
    score: float | None = None
    kept: bool = False
    rows: int = 0


class LedgerForgotten(Struct, frozen=True):
    """Of these `tokens` the `share` (0 to 1) of what was kept of them, over all heads, is gone."""

    place: LedgerPlace
    tokens: int
    share: float


class LedgerPruned(Struct, frozen=True):
    """What a policy left: of every head `rows`, of which a prompt had `budget` at its end; `forgotten` are gone."""

    policy: str
    mode: str
    budget: int
    rows: int
    forgotten: int
    parts: tuple[LedgerForgotten, ...] = ()


class Ledger(Struct, frozen=True):
    documents: tuple[LedgerDocument, ...]
    prompt: int
    read: int
    reused: int
    written: int
    unread: int
    evicted: int
    finish: str
    first_token: float | None
    """Seconds from the question to the first word, as the person waited."""
    reading_rate: float | None
    writing_rate: float | None
    model: str
    fingerprint: str
    precision: str
    writing: str
    device: str
    window: int
    layers: dict[str, int]
    temperature: float
    seed: int | None
    notes: tuple[str, ...] = ()
    """Codes: those of ours, then the engine's."""
    note_values: dict[str, dict[str, str]] = {}
    """By code: what fills the gaps of the note's sentence."""
    mode: Literal["whole", "parallel", "coverage"] = "whole"
    segments: tuple[LedgerSegment, ...] = ()
    """All segments of the text, in order, when it was read in parallel."""
    asked: int = 0
    """Segments, or with mode "coverage" parts, that the question was put to."""
    join: Literal["shared", "consecutive", "reread"] | None = None
    kv: Literal["model", "int8"] = "model"
    reopened: int = 0
    """Of `reused`: tokens that came from a reading on disk."""
    pruned: LedgerPruned | None = None
    """Where a policy was on."""

    @property
    def host(self) -> str | None:
        """The server that answered; None: this computer."""
        return self.device if "remote" in self.notes else None
