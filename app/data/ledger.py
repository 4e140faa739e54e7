"""The ledger of an answer: what it was written from and with. Nothing is cut without a line here."""

from msgspec import Struct


class LedgerDocument(Struct, frozen=True):
    """`tokens` in the prompt, of which `unread` were not read ("answer from what has been read")."""

    id: str
    name: str
    sha256: str
    tokens: int
    unread: int = 0
    left_out: int = 0


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
