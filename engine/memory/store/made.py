"""What rows depend on, and the names that follow from it."""

import functools
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Literal

import msgspec
import numpy as np

from engine.protocol import Mode, Precision

FORMAT = 1
"""Of blocks and of the rows in them. Part of every name: an older one is never opened, and goes at the next start."""


@dataclass(frozen=True)
class Made:
    """All that rows depend on besides their tokens.

    `template`: sha256 of the template's text and its special tokens. `model` is its name for people and names nothing
    here: the weights are known by `fingerprint`.
    """

    fingerprint: str
    precision: Precision
    template: str
    tokenizer: str
    mode: Mode
    kv: Literal["model", "int8"]
    model: str
    extension: str = "none"
    window: int = 0
    regime: str = ""
    """How sparse layers saw the prompt, where that made a difference."""

    @property
    def digest(self) -> str:
        """64 hex digits."""
        return _digest(self)

    @property
    def folder(self) -> str:
        """Half the digest: paths on Windows are short."""
        return f"{FORMAT}-{self.digest[:32]}"


def tokens(ids: Iterable[int]) -> np.ndarray:
    """As they are hashed and kept: int32, [T]."""
    return np.ascontiguousarray(ids if isinstance(ids, np.ndarray) else list(ids), dtype="<i4").reshape(-1)


def key(made: Made, ids: np.ndarray) -> str:
    """Of the block of these tokens: sha256 over what made it and all of them, and how many there are."""
    return next(prefix_keys(made, ids, [len(ids)]))


def prefix_keys(made: Made, ids: np.ndarray, lengths: Iterable[int]) -> Iterator[str]:
    """The keys of the first `lengths` of the tokens, shortest first, in one pass over them."""
    digest = hashlib.sha256(bytes.fromhex(made.digest))
    at = 0
    for length in sorted(lengths):
        digest.update(ids[at:length].tobytes())
        at = length
        yield f"{digest.hexdigest()}-{length}"


def reading_id(made: Made, documents: tuple[str, ...]) -> str:
    """Names the manifest of a reading of these documents (sha256 of each, in this order)."""
    return hashlib.sha256("\n".join((made.digest, *documents)).encode()).hexdigest()


@functools.cache
def _digest(made: Made) -> str:
    fields = asdict(made) | {"format": FORMAT}
    del fields["model"]
    if not made.regime:
        del fields["regime"]
    return hashlib.sha256(msgspec.json.encode(fields, order="sorted")).hexdigest()
