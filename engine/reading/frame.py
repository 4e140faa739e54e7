"""A conversation taken apart for reading in segments: what stands before every segment, the documents, and the turns
that follow them.

All documents stand at the head of the first user turn, as if they had been given there: which turn they came with is
lost, so that a document that is added later makes no segment of another anew.
"""

from collections.abc import Sequence

from msgspec import Struct

from engine.marks import Said
from engine.prompt import QUESTION, Joined, Look, Texts
from engine.protocol import Conversation, Document, Text, Turn
from engine.template import Template
from engine.tokenizer import Ids, Tokenizer
from engine.weights.checkpoint import BadModel


class Frame(Struct, frozen=True):
    """`preamble`: the template up to the first user's words. `tail`: all turns' words, and the start of an answer.

    `last`: where in the tail the last user turn begins. `words`: of the tail, tokens of the last question itself.
    `space` and `opens` are for the words that follow the preamble, as in `engine.prompt.Joined`.
    """

    preamble: Ids
    documents: tuple[Document, ...]
    tail: Ids
    last: int
    words: tuple[int, int]
    space: str
    opens: bool


def frame(
    conversation: Conversation,
    tokenizer: Tokenizer,
    template: Template,
    texts: Texts,
    look: Look = lambda done, total: None,
) -> Frame:
    """Raises BadModel for conversations that the template refuses, and those without a user's turn."""
    turns = conversation.turns
    if conversation.plain:
        return _plain(turns, tokenizer, texts, look)
    first = next((number for number, turn in enumerate(turns) if turn.role == "user"), None)
    if first is None:
        raise BadModel("its chat template refuses this conversation: it has no user's turn", "chat_template")
    pieces = template.render(turns, conversation.began, answer=True, tools=conversation.tools)
    out = before = Joined(tokenizer, texts, look)
    last, words = 0, (0, 0)
    for number, piece in enumerate(pieces):
        if isinstance(piece, Said):
            out.words(piece.text)
            continue
        if not isinstance(piece, int):
            out.control(piece, last=number + 1 == len(pieces))
            continue
        if piece == first:
            out = Joined(tokenizer, texts, look, opens=False)
        if turns[piece].role == "user":
            last = out.length
            words = _ask(out, turns[piece])
        else:
            drops = template.drops_thinking and turns[piece].role == "assistant"
            out.turn(Turn(turns[piece].role, _words(turns[piece])), drop_thinking=drops)
    return Frame(before.ids, _documents(turns), out.ids, last, words, before.space, before.opens)


def _plain(turns: Sequence[Turn], tokenizer: Tokenizer, texts: Texts, look: Look) -> Frame:
    """No template: the documents come first, and all words behind them are the question."""
    before, out = Joined(tokenizer, texts, look), Joined(tokenizer, texts, look, opens=False)
    before.add(tokenizer.opening)
    out.words("".join(part.text for turn in turns for part in _words(turn)) or "\n")
    return Frame(before.ids, _documents(turns), out.ids, 0, (0, out.length), "", True)


def _documents(turns: Sequence[Turn]) -> tuple[Document, ...]:
    """Each once, in the order in which they were given."""
    return tuple({part.sha256: part for turn in turns for part in turn.parts if isinstance(part, Document)}.values())


def _ask(out: Joined, turn: Turn) -> tuple[int, int]:
    """Add a question; where its words are."""
    words = "".join(part.text for part in _words(turn))
    if not words:
        return out.length, out.length
    out.words(QUESTION.rstrip())
    start = out.length
    out.words(" " + words)
    return start, out.length


def _words(turn: Turn) -> tuple[Text, ...]:
    return tuple(part for part in turn.parts if isinstance(part, Text))
