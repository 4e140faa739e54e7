"""A conversation to tokens: the template's text and the words of people and documents encoded apart, then joined.

Within a turn documents stand as they were given, each under a line with its name, and then what is asked about them:

    Document: NAME

    TEXT

    Question: WORDS

With these labels SmolLM2-135M found every number that was planted, one at a time, at 30 places of 4,000-token texts;
with a bare name, without "Question:", or with tags around the text it missed one now and then. The name's line and the
empty line after a document belong to the document: it is read whole and dropped whole.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct

from engine import protocol
from engine.document import BadDocument as BadDocument
from engine.document import text as read_text
from engine.marks import Said
from engine.protocol import Conversation, Turn
from engine.template import Template
from engine.tokenizer import Ids, Tokenizer
from engine.weights.checkpoint import BadModel

KEPT = 1 << 25
"""Tokens of documents kept in memory with their text, the least recently used forgotten first: some 400 MiB."""
ANSWERS = 256
"""Answers whose own ids are kept, so that the next turn finds exactly them in memory."""

QUESTION = "Question: "

Look = Callable[[int, int], None]


class Span(Struct, frozen=True):
    """Where a document is in a prompt: tokens `start` to `end`, of which `body` to `close` are its text."""

    start: int
    body: int
    close: int
    end: int


class Prompt(Struct, frozen=True):
    ids: Ids
    documents: tuple[Span, ...]

    def without_unread(self, known: int) -> "Prompt":
        """What is left when of the documents only the first `known` tokens of this prompt are kept: of one that is
        dropped an empty span."""
        keep = np.ones(len(self.ids), bool)
        for span in self.documents:
            if known <= span.body:
                keep[max(span.start, known) : span.end] = False
            else:
                keep[max(span.body, known) : span.close] = False
        moved = np.concatenate(([0], keep.cumsum())).tolist()
        kept = (Span(moved[one.start], moved[one.body], moved[one.close], moved[one.end]) for one in self.documents)
        return Prompt(self.ids[keep], tuple(kept))


class Placed(Struct, frozen=True):
    """A document's text, its ids, and the character that each of them begins at."""

    text: str
    ids: Ids
    starts: Ids

    def character(self, token: int) -> int:
        """Where a token begins, or after the last the text's end."""
        return int(self.starts[token]) if token < len(self.ids) else len(self.text)


class Texts:
    """Ids of documents, made once by content; and of answers, which need not be what encoding their text gives."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._documents: OrderedDict[str, Placed] = OrderedDict()
        self._answers: OrderedDict[str, Ids] = OrderedDict()

    def document(self, document: protocol.Document, look: Look) -> Ids:
        """Raises BadDocument. `look(characters done, of)` may raise to stop."""
        return self.placed(document, look).ids

    def placed(self, document: protocol.Document, look: Look) -> "Placed":
        """The document's ids with where each begins, and its text."""
        placed = self._documents.get(document.sha256)
        if placed is None:
            text = read_text(document)
            placed = Placed(text, *self._tokenizer.encode_placed(text, look=look))
            self._documents[document.sha256] = placed
        self._documents.move_to_end(document.sha256)
        while len(self._documents) > 1 and sum(len(one.ids) for one in self._documents.values()) > KEPT:
            self._documents.popitem(last=False)
        return placed

    def forget(self, documents: Sequence[str] | None) -> None:
        """Let go of the ids of these documents (sha256); None: of all, and of answers."""
        if documents is None:
            self._answers.clear()
        for sha256 in tuple(self._documents) if documents is None else documents:
            self._documents.pop(sha256, None)

    def remember(self, answer: str, ids: list[int]) -> None:
        """The ids that the model wrote for an answer, as long as none of them is control."""
        if self._tokenizer.control.isdisjoint(ids):
            self._answers[answer] = np.array(ids, np.int32)
            while len(self._answers) > ANSWERS:
                self._answers.popitem(last=False)

    def answer(self, text: str) -> Ids | None:
        return self._answers.get(text)


def build(
    conversation: Conversation,
    tokenizer: Tokenizer,
    template: Template,
    texts: Texts,
    *,
    answer: bool,
    look: Look = lambda done, total: None,
) -> Prompt:
    """The whole conversation as tokens. `answer`: up to where an answer begins; otherwise up to the end of the last
    turn's words, so that more words of that turn may follow. Raises BadModel, BadTool and BadDocument, and what `look`
    raises.
    """
    turns = conversation.turns
    if not turns:
        raise BadModel("its chat template refuses this conversation: it has no turns", "chat_template")
    if conversation.plain:
        return _plain(turns, tokenizer, texts, look)
    pieces = template.render(turns, conversation.began, answer=answer, tools=conversation.tools)
    if not answer and len(pieces) > 1 and pieces[-2] == len(turns) - 1:
        pieces[-1] = ""
    out = Joined(tokenizer, texts, look)
    for number, piece in enumerate(pieces):
        if isinstance(piece, int):
            turn = turns[piece]
            out.turn(turn, drop_thinking=template.drops_thinking and turn.role == "assistant")
        elif isinstance(piece, Said):
            out.words(piece.text)
        else:
            out.control(piece, last=number + 1 == len(pieces))
    return Prompt(out.ids, tuple(out.spans))


def _plain(turns: Sequence[Turn], tokenizer: Tokenizer, texts: Texts, look: Look) -> Prompt:
    """The words of all turns one after the other, behind what the tokenizer begins every text with."""
    out = Joined(tokenizer, texts, look)
    out.add(tokenizer.opening)
    for turn in turns:
        out.turn(turn, drop_thinking=False, label="")
    if not out.length:
        raise BadModel("nothing is there that it could go on from, and its tokenizer begins no text by itself", "")
    return Prompt(out.ids, tuple(out.spans))


class Joined:
    """Ids of template text, words and documents, in the order in which they are added."""

    def __init__(self, tokenizer: Tokenizer, texts: Texts, look: Look, *, opens: bool = True) -> None:
        self.parts: list[Ids] = []
        self.spans: list[Span] = []
        self._tokenizer = tokenizer
        self._texts = texts
        self._look = look
        self.length = 0
        self.opens = opens
        """Nothing but control has been added so far."""
        self.space = ""
        """A space that the template put before the words to come."""

    @property
    def ids(self) -> Ids:
        return np.concatenate(self.parts) if self.parts else np.empty(0, np.int32)

    def control(self, text: str, *, last: bool) -> None:
        """What the template wrote. A space that it puts before words becomes a part of their first word, as in the
        model's training."""
        space = " " if text.endswith(" ") and not last else ""
        text = text.removesuffix(" ") if space else text
        self.add(self._tokenizer.encode_template(text, opens=self.opens))
        self.opens = self._tokenizer.ends_with_control(text) or (self.opens and not text)
        self.space = space

    def turn(self, turn: Turn, *, drop_thinking: bool, label: str = QUESTION) -> None:
        """`label`: what stands before words that follow documents."""
        words, documents = "", len(self.spans)
        for part in turn.parts:
            if isinstance(part, protocol.Text):
                words += part.text
                continue
            self.words(words)
            words = ""
            self._document(part)
        if words and len(self.spans) > documents:
            words = label + words
        if drop_thinking and "</think>" in words:
            words = words.rpartition("</think>")[2].lstrip("\n")
        elif turn.role == "assistant" and self._remembered(words):
            return
        self.words(words)

    def _remembered(self, words: str) -> bool:
        ids = self._texts.answer(words) if not self.space else None
        if ids is None:
            return False
        self.add(ids)
        return True

    def _document(self, document: protocol.Document) -> None:
        start = self.length
        self.words(f"Document: {document.name}\n\n")
        body = self.length
        self.add(self._texts.document(document, self._look))
        close = self.length
        self.words("\n\n")
        self.spans.append(Span(start, body, close, self.length))

    def words(self, text: str) -> None:
        if text:
            self.add(self._tokenizer.encode(self.space + text, opens=self.opens and not self.space, look=self._look))
            self.opens, self.space = False, ""

    def add(self, ids: Ids) -> None:
        self.parts.append(ids)
        self.length += len(ids)
