"""The ledger of an answer, from what the engine reports and what was attached."""

from app.data.document import Item
from app.data.ledger import Ledger, LedgerDocument
from app.services.places import Places
from engine.protocol import Answered, Done, Loaded, Usage


def ledger(
    done: Done,
    usage: Usage,
    loaded: Loaded,
    items: tuple[Item, ...],
    places: Places,
    *,
    temperature: float,
    first_token: float | None,
    notes: tuple[str, ...] = (),
) -> Ledger:
    """`first_token`: seconds as the person waited. `notes`: codes of ours, put before the engine's."""
    return Ledger(
        documents=_documents(items, usage.unread),
        prompt=usage.prompt,
        read=usage.read,
        reused=usage.reused,
        written=usage.written,
        unread=usage.unread,
        evicted=usage.evicted,
        finish=done.finish,
        first_token=first_token,
        reading_rate=usage.reading_rate,
        writing_rate=usage.writing_rate,
        model=loaded.name,
        fingerprint=loaded.fingerprint,
        precision=usage.precision,
        writing=usage.writing,
        device=loaded.device.name,
        window=usage.window or loaded.window,
        layers=usage.layers,
        temperature=temperature,
        seed=done.result.seed if isinstance(done.result, Answered) else None,
        notes=notes + tuple(note.code for note in done.notes),
        note_values={note.code: note.values for note in done.notes if note.values},
        mode=usage.mode,
        segments=places.segments(usage),
        asked=usage.asked,
        join=usage.join,
        kv=usage.kv,
        reopened=usage.reopened,
        pruned=places.pruned(usage),
    )


def _documents(items: tuple[Item, ...], unread: int) -> tuple[LedgerDocument, ...]:
    """Reading goes from the first document to the last, so what is unread lies at the end of them."""
    entries: list[LedgerDocument] = []
    for item in reversed(items):
        tokens = item.tokens or 0
        missing = min(unread, tokens)
        unread -= missing
        entries.append(LedgerDocument(item.id, item.name, item.id, tokens, missing, len(item.left_out)))
    return tuple(reversed(entries))
