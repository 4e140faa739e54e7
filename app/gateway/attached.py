"""Documents that a request names: found in the library, and put where they stay read from turn to turn."""

from collections.abc import Iterable

from msgspec.structs import replace

from app.data.document import Item
from app.data.key import Key
from app.gateway.errors import ApiError, listed
from app.services.library import Library
from app.services.turns import document
from engine.protocol import Document, Text, Turn

SHORTEST = 6
"""Signs of an id's beginning that may stand for the whole."""
SHOWN, MOST = 12, 20
"""Signs of an id that are told in a refusal, and names."""


def named(library: Library, names: Iterable[str], key: Key) -> list[Item]:
    """The items that are called so, by id, the beginning of one, or name.

    Raises `ApiError`: "document_not_found", "document_ambiguous", "document_not_allowed".
    """
    items = library.items()
    return [_one(items, name, key) for name in names]


def held(library: Library, collection: str, ids: Iterable[str]) -> list[Item]:
    """The items of a collection. Raises `ApiError("collection_empty")`."""
    items = [library.get(id) for id in ids]
    if not items:
        raise ApiError("collection_empty", param="model", collection=collection)
    return items


def with_documents(turns: tuple[Turn, ...], library: Library, items: Iterable[Item]) -> tuple[Turn, ...]:
    """The documents at the head of the first question: there they stay at the next one, and are read once.

    Each is there once, in the order in which the library got them: another order in a request would be another text,
    to be read anew.
    """
    once = sorted({item.id: item for item in items}.values(), key=lambda item: (item.added, item.id))
    parts = tuple(document(item, library.spans(item.id)) for item in once)
    if not parts:
        return turns
    for place, turn in enumerate(turns):
        if turn.role == "user":
            first = replace(turn, parts=(*parts, *turn.parts))
            return (*turns[:place], first, *turns[place + 1 :])
    return (*turns, Turn("user", parts))


def documents(turns: Iterable[Turn]) -> tuple[Document, ...]:
    """Those of a conversation, in its order."""
    return tuple(part for turn in turns for part in turn.parts if isinstance(part, Document))


def without_system(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """For a model whose template has no place for what the system says: the first question begins with it."""
    said = [part for turn in turns if turn.role == "system" for part in turn.parts]
    rest = [turn for turn in turns if turn.role != "system"]
    for place, turn in enumerate(rest if said else ()):
        if turn.role == "user":
            rest[place] = replace(turn, parts=(*said, Text("\n\n"), *turn.parts))
            return tuple(rest)
    return turns


def _one(items: list[Item], name: str, key: Key) -> Item:
    by_id = [item for item in items if len(name) >= SHORTEST and item.id.startswith(name.lower())]
    replaced = {item.succeeds for item in items}
    called = [item for item in items if item.name.casefold() == name.casefold()]
    # of the versions of one file the newest is meant, unless another is named by its id
    meant = by_id or [item for item in called if item.id not in replaced] or called
    # what a key was not made for it need not know of either
    allowed = [item for item in meant if key.allows_document(item.id)]
    if not meant:
        raise ApiError("document_not_found", param="documents", document=name, known=_some(items, key))
    if not allowed:
        raise ApiError("document_not_allowed", param="documents", document=name)
    if len(allowed) > 1:
        ids = listed(item.id[:SHOWN] for item in allowed)
        raise ApiError("document_ambiguous", param="documents", document=name, count=str(len(allowed)), known=ids)
    return allowed[0]


def _some(items: list[Item], key: Key) -> str:
    """The names of what the key may ask about, the newest first, and how many more there are."""
    known = [item.name for item in items if key.allows_document(item.id)]
    more = f" and {len(known) - MOST:,} more" if len(known) > MOST else ""
    return listed(known[:MOST]) + more
