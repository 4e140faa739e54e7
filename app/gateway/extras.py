"""Parameters of ours in a request's body, where the official clients put what their `extra_body` holds."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from app.data.fault import NotHonoured
from app.gateway.asked import Usual
from app.gateway.desk import Desk
from app.gateway.errors import ApiError
from app.gateway.parameters import converted
from app.serve_words import said
from app.services.methods import IN_BODY, Methods
from engine.protocol import ReadingSettings

NAMES = ("documents", *IN_BODY.values())


Tokens = Annotated[int, Meta(le=2**31 - 1)]


class Extras(Struct, frozen=True):
    """`methods`: by their names in a body."""

    documents: tuple[str, ...]
    methods: dict[str, Any]


class _InBody(Struct, frozen=True):
    attention_impl: str | None = None
    kv_compress_ratio: float | None = None
    tri_score_window: Tokens | None = None
    tri_adaptive_weight: bool | None = None
    chunk_size: Tokens | None = None
    eviction_strategy: str | None = None
    extrapolation: str | None = None


def taken(given: dict[str, Any]) -> tuple[dict[str, Any], Extras]:
    """The rest of a request, and what it says in our parameters. Raises `ApiError`."""
    documents = given.get("documents", [])
    if not isinstance(documents, list) or not all(isinstance(one, str) and one for one in documents):
        raise ApiError(
            "invalid_value", param="documents", why="it is a list of ids or names of the library's documents"
        )
    methods = {name: given[name] for name in IN_BODY.values() if name in given}
    rest = {name: value for name, value in given.items() if name not in NAMES}
    return rest, Extras(tuple(documents), methods)


async def reading(desk: Desk, usual: Usual, extra: Extras) -> ReadingSettings:
    """How the model reads with these methods. Raises `ApiError`."""
    if not extra.methods:
        return usual.reading
    wanted = converted(extra.methods, _InBody)
    methods = Methods(**{field: getattr(wanted, name) for field, name in IN_BODY.items()})
    if usual.model is None:
        return usual.reading
    try:
        return await desk.reading(usual.model, methods)
    except NotHonoured as refused:
        first = refused.faults[0]
        raise ApiError("method_refused", param=first.key, said=" ".join(map(said, refused.faults))) from None
