"""A kept conversation as the engine takes it: the documents of a question first, then its words."""

from collections.abc import Callable, Iterable

from msgspec import Struct

from app.data.conversation import Message
from app.data.document import Item, Span
from app.data.spans import place
from engine.protocol import Document, Label, Loaded, Part, Text, Turn

CAN_QUOTE = 1_000_000_000
"""Parameters of a model from which on it is asked to quote; smaller ones answer as they can. Of one
elsewhere the number is not known; who asks another computer asks for more than this one can."""
ASKED_TO_QUOTE = Turn(
    "system",
    (
        Text(
            "When you answer from a document, quote the passages that your answer rests on, word for word and in "
            "quotation marks. Change nothing inside of a quotation, and mark what you leave out with an ellipsis. When "
            "the documents do not say it, say so."
        ),
    ),
)
"""It is the same in every conversation and never changes, so that what was read stays read. It asks for no page: the
model is shown none, and the program finds it."""


class Prompt(Struct, frozen=True):
    """`items` are the documents in the order of the prompt; `forgotten` how many were there and are no longer kept."""

    turns: tuple[Turn, ...]
    items: tuple[Item, ...]
    forgotten: int


def prompt(
    messages: Iterable[Message],
    pending: Iterable[str],
    item: Callable[[str], Item],
    spans: Callable[[str], tuple[Span, ...]],
) -> Prompt:
    """The messages' turns, and a last turn of the `pending` documents, if any. `item` and `spans` raise KeyError for a
    document that was forgotten.

    A document is in the prompt once, where it was first attached. An answer that has no words is no turn: the
    question before it and the one after it are then one turn, since templates want the roles to take turns.
    """
    items: dict[str, Item] = {}
    lost: set[str] = set()
    roles: list[tuple[str, list[Part]]] = []

    def attach(ids: Iterable[str]) -> list[Part]:
        parts: list[Part] = []
        for id in ids:
            if id in items:
                continue
            try:
                found, labels = item(id), spans(id)
            except KeyError:
                lost.add(id)
                continue
            items[id] = found
            parts.append(document(found, labels))
        return parts

    def say(role: str, parts: list[Part]) -> None:
        if not parts:
            return
        if not roles or roles[-1][0] != role:
            roles.append((role, parts))
            return
        before = roles[-1][1]
        if isinstance(before[-1], Text) and isinstance(parts[0], Text):
            parts = [Text("\n\n" + parts[0].text), *parts[1:]]
        before.extend(parts)

    for message in messages:
        words: list[Part] = [Text(message.text)] if message.text else []
        say(message.role, attach(message.documents) + words)
    say("user", attach(pending))
    turns = tuple(Turn("user" if role == "user" else "assistant", tuple(parts)) for role, parts in roles)
    return Prompt(turns, tuple(items.values()), len(lost))


def asked_to_quote(turns: tuple[Turn, ...], loaded: Loaded | None) -> tuple[Turn, ...]:
    """The turns as the loaded model is given them: one that can is asked to quote, at their head."""
    large = loaded is not None and (loaded.parameters >= CAN_QUOTE or loaded.host is not None)
    can = loaded is not None and loaded.takes_system and large
    return (ASKED_TO_QUOTE, *turns) if can else turns


def document(item: Item, spans: tuple[Span, ...]) -> Document:
    """An item as a part of a turn."""
    return Document(item.path, item.id, item.name, item.unit, tuple(Label(span.start, place(span)) for span in spans))
