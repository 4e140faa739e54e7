"""Conversations about texts that are made to be asked about. Light: neither a model nor a tokenizer is needed."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from engine.protocol import Conversation, Document, Text, Turn

BEGAN = "2026-01-01T00:00:00"
"""The date that templates are given: prompts are the same on every day."""


def write_document(folder: Path, text: str, name: str) -> Document:
    """Our own copy of a text, as requests name it."""
    data = text.encode()
    digest = hashlib.sha256(data).hexdigest()
    path = folder / f"{digest}.txt"
    path.write_bytes(data)
    return Document(str(path), digest, name)


def talk(documents: Sequence[Document], question: str | None = None) -> Conversation:
    """Documents and what is asked about them, in one turn."""
    parts = (*documents, *(() if question is None else (Text(question),)))
    return Conversation((Turn("user", parts),), BEGAN)


def go_on(conversation: Conversation, answer: str, question: str) -> Conversation:
    """The same with what was answered, and what is asked next."""
    more = (Turn("assistant", (Text(answer),)), Turn("user", (Text(question),)))
    return Conversation((*conversation.turns, *more), conversation.began)
