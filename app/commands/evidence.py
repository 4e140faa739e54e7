"""What the attention read while an answer was written, as lines and for programs."""

from collections.abc import Callable, Mapping

from app.commands.ledger import UNITS
from app.commands.quotes import described_place
from app.data.conversation import Message
from app.data.evidence import Passage
from app.data.quote import QuotePlace

SENTENCES = 12
"""That are told, in their order; all of them are in the JSON."""
SHOWN = 100
"""Letters of a sentence or a passage in its line, at most."""

Words = Callable[[QuotePlace], str]
"""What stands at a place."""


def lines(message: Message, names: Mapping[str, str], words: Words) -> list[str]:
    """For each sentence a line, and under it one for each of its passages."""
    if not message.evidence:
        return ["What the attention read: no passage of a document."]
    told = ["What the attention read:"]
    for sentence in message.evidence[:SENTENCES]:
        told.append(f"  {_cut(message.text[sentence.start : sentence.end])}")
        told += [
            f"    {passage.score:4.0%}  {_where(passage, names)}{_cut(words(passage.place))}"
            for passage in sentence.passages
        ]
    if len(message.evidence) > SENTENCES:
        told.append(f"  and for {len(message.evidence) - SENTENCES:,} more sentences, which --json tells")
    return told


def described(message: Message, names: Mapping[str, str], words: Words) -> list[dict[str, object]]:
    """For programs. `start` and `end` count the answer's characters, those of a passage the document's."""
    return [
        {
            "text": message.text[sentence.start : sentence.end],
            "start": sentence.start,
            "end": sentence.end,
            "how": sentence.how,
            "passages": [_passage(passage, names, words) for passage in sentence.passages],
        }
        for sentence in message.evidence
    ]


def _passage(passage: Passage, names: Mapping[str, str], words: Words) -> dict[str, object]:
    return {"score": passage.score, "text": words(passage.place), **described_place(passage.place, names)}


def _where(passage: Passage, names: Mapping[str, str]) -> str:
    """ "lease.pdf page 12, 3. Term: "; of one document its name is not said."""
    place = passage.place
    name = names.get(place.item, "")
    label = f"{UNITS[place.unit][0]} {place.label}" if place.label and place.label != name else ""
    heading = [title for title in place.path[-1:] if title != place.label]
    told = ", ".join(filter(None, (" ".join(filter(None, (name * (len(names) > 1), place.file, label))), *heading)))
    return f"{told}: " if told else ""


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1].rstrip()}…"
