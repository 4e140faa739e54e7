"""A conversation to tokens: the template's text and the words of people and documents encoded apart, then joined.

Within a turn documents stand as they were given, each under a line with its name, and then what is asked about them:

    Document: NAME

    TEXT

    Question: WORDS

With these labels SmolLM2-135M found every number that was planted, one at a time, at 30 places of 4,000-token texts;
with a bare name, without "Question:", or with tags around the text it missed one now and then. The name's line and the
empty line after a document belong to the document: it is read whole and dropped whole.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import numpy as np
from msgspec import Struct

from engine import protocol
from engine.protocol import Conversation, Turn
from engine.template import Template
from engine.tokenizer import Ids, Tokenizer
from engine.weights.checkpoint import BadModel

KEPT = 1 << 25
"""Tokens of documents kept in memory, the least recently used forgotten first: 128 MiB."""
ANSWERS = 256
"""Answers whose own ids are kept, so that the next turn finds exactly them in memory."""

Look = Callable[[int, int], None]


class BadDocument(Exception):
    """A document's file is missing or not what its sha256 says. `subject`: its name, for the window only."""

    def __init__(self, message: str, subject: str) -> None:
        super().__init__(message)
        self.message = message
        self.subject = subject


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
        """What is left when of the documents only the first `known` tokens of this prompt are kept."""
        keep = np.ones(len(self.ids), bool)
        for span in self.documents:
            if known <= span.body:
                keep[max(span.start, known) : span.end] = False
            else:
                keep[max(span.body, known) : span.close] = False
        return Prompt(self.ids[keep], ())


class Texts:
    """Ids of documents, made once by content; and of answers, which need not be what encoding their text gives."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._documents: OrderedDict[str, Ids] = OrderedDict()
        self._answers: OrderedDict[str, Ids] = OrderedDict()

    def document(self, document: protocol.Document, look: Look) -> Ids:
        """Raises BadDocument. `look(characters done, of)` may raise to stop."""
        ids = self._documents.get(document.sha256)
        if ids is None:
            ids = self._tokenizer.encode(_read(document), look=look)
            self._documents[document.sha256] = ids
        self._documents.move_to_end(document.sha256)
        while len(self._documents) > 1 and sum(map(len, self._documents.values())) > KEPT:
            self._documents.popitem(last=False)
        return ids

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
    turn's words, so that more words of that turn may follow. Raises BadModel and BadDocument, and what `look` raises.
    """
    turns = conversation.turns
    if not turns:
        raise BadModel("its chat template refuses this conversation: it has no turns", "chat_template")
    pieces = template.render([turn.role for turn in turns], conversation.began, answer=answer)
    if not answer and pieces[-2] == len(turns) - 1:
        pieces[-1] = ""
    out = _Joined(tokenizer, texts, look)
    for number, piece in enumerate(pieces):
        if isinstance(piece, int):
            turn = turns[piece]
            earlier = template.drops_thinking and turn.role == "assistant"
            out.turn(turn, drop_thinking=earlier)
        else:
            # A space that the template puts before words becomes a part of their first word, as in the model's training
            spaced = piece.endswith(" ") and number + 1 < len(pieces)
            out.control(piece[:-1] if spaced else piece, space=" " if spaced else "")
    return Prompt(np.concatenate(out.parts) if out.parts else np.empty(0, np.int32), tuple(out.spans))


class _Joined:
    def __init__(self, tokenizer: Tokenizer, texts: Texts, look: Look) -> None:
        self.parts: list[Ids] = []
        self.spans: list[Span] = []
        self._tokenizer = tokenizer
        self._texts = texts
        self._look = look
        self._length = 0
        self._opens = True
        self._space = ""

    def control(self, text: str, space: str) -> None:
        self._add(self._tokenizer.encode_template(text, opens=self._opens))
        self._opens = self._tokenizer.ends_with_control(text) or (self._opens and not text)
        self._space = space

    def turn(self, turn: Turn, *, drop_thinking: bool) -> None:
        words, documents = "", len(self.spans)
        for part in turn.parts:
            if isinstance(part, protocol.Text):
                words += part.text
                continue
            self._words(words)
            words = ""
            self._document(part)
        if words and len(self.spans) > documents:
            words = f"Question: {words}"
        if drop_thinking and "</think>" in words:
            words = words.rpartition("</think>")[2].lstrip("\n")
        elif turn.role == "assistant" and self._remembered(words):
            return
        self._words(words)

    def _remembered(self, words: str) -> bool:
        ids = self._texts.answer(words) if not self._space else None
        if ids is None:
            return False
        self._add(ids)
        return True

    def _document(self, document: protocol.Document) -> None:
        start = self._length
        self._words(f"Document: {document.name}\n\n")
        body = self._length
        self._add(self._texts.document(document, self._look))
        close = self._length
        self._words("\n\n")
        self.spans.append(Span(start, body, close, self._length))

    def _words(self, text: str) -> None:
        if text:
            self._add(
                self._tokenizer.encode(self._space + text, opens=self._opens and not self._space, look=self._look)
            )
            self._opens, self._space = False, ""

    def _add(self, ids: Ids) -> None:
        self.parts.append(ids)
        self._length += len(ids)


def _read(document: protocol.Document) -> str:
    try:
        data = Path(document.path).read_bytes()
    except OSError as error:
        raise BadDocument(f"a document's text cannot be read ({type(error).__name__})", document.name) from None
    if hashlib.sha256(data).hexdigest() != document.sha256:
        raise BadDocument("a document's text is not what it was", document.name)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadDocument("a document's text is not UTF-8", document.name) from None
