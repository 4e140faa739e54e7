"""How the file that an item was made from stands now, in words with a sign."""

from app import document_words
from app.data.original import OriginalState
from app.models.spoken import spoken

SIGNS: dict[OriginalState, str] = {"changed": "↻", "maybe": "↻", "missing": "∅", "older": "↶"}


def original_words(state: OriginalState) -> tuple[str, ...]:
    """A sign and a few words; nothing where there is nothing to say."""
    return (SIGNS[state], spoken(document_words.ORIGINALS, state)) if state in SIGNS else ()
