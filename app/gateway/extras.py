"""Parameters of ours in a request's body, where the official clients put what their `extra_body` holds."""

from typing import Any

from msgspec import Struct

from app.gateway.desk import Desk
from app.gateway.errors import ApiError
from engine.protocol import ReadingSettings

METHODS = (
    "attention_impl",
    "kv_compress_ratio",
    "tri_score_window",
    "tri_adaptive_weight",
    "chunk_size",
    "eviction_strategy",
    "extrapolation",
)
NAMES = ("documents", *METHODS)


class Extras(Struct, frozen=True):
    """`methods`: by their names in a body."""

    documents: tuple[str, ...]
    methods: dict[str, Any]


def taken(given: dict[str, Any]) -> tuple[dict[str, Any], Extras]:
    """The rest of a request, and what it says in our parameters. Raises `ApiError`."""
    documents = given.get("documents", [])
    if not isinstance(documents, list) or not all(isinstance(one, str) and one for one in documents):
        raise ApiError(
            "invalid_value", param="documents", why="it is a list of ids or names of the library's documents"
        )
    methods = {name: given[name] for name in METHODS if name in given}
    rest = {name: value for name, value in given.items() if name not in NAMES}
    return rest, Extras(tuple(documents), methods)


async def reading(desk: Desk, model: str, extra: Extras) -> ReadingSettings | None:
    """How the model reads with these methods; None: as it does anyway. Raises `ApiError`."""
    if not extra.methods:
        return None
    raise ApiError("unsupported_parameter", param=next(iter(extra.methods)), why="not yet")
