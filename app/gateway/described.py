"""A document of the library as the API tells of it."""

from collections.abc import Iterable
from typing import Any

from app import document_words
from app.data.document import Item
from app.words import sentence
from engine.protocol import Saved


def document(item: Item, readings: Iterable[Saved] | None) -> dict[str, Any]:
    """`tokens`: null where the loaded model has not counted them. `read`: those that are kept on disk as read, null
    where that is not known. `pages`: as many as the text has of its `unit`."""
    return {
        "id": item.id,
        "object": "document",
        "title": item.name,
        "kind": item.kind,
        "unit": item.unit,
        "pages": item.units,
        "characters": item.characters,
        "tokens": item.tokens,
        "read": None if readings is None or item.tokens is None else read(item.id, item.tokens, readings),
        "created_at": int(item.added),
        "warnings": [sentence(document_words.WARNINGS, one.code, one.values) for one in item.warnings],
        "left_out": [
            {"what": one.what, "reason": sentence(document_words.REASONS, one.reason, {})} for one in item.left_out
        ],
    }


def read(id: str, tokens: int, readings: Iterable[Saved]) -> int:
    """All of them, or none: a reading is kept when it is whole. What was read whole goes on from its beginning, so one
    that begins with another document is of no use to this one alone; segments are of use wherever they stood."""
    mine = (
        saved for saved in readings if saved.documents == (id,) or (saved.mode != "whole" and id in saved.documents)
    )
    return tokens if any(mine) else 0
