"""Questions that need all of a text: every part of it is asked, and what they gave is put together.

A part is some hundred tokens of a segment, and is asked over the segment's rows of just these tokens, behind the
preamble's and the head line's: nothing is read again. What the model writes for a part is an answer or an invention;
its mean negative log-likelihood tells them apart for the most part, and a check of the part's own text for the rest. No
search takes part in finding.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from engine.answer import Answer
from engine.generate import ROOM
from engine.model.decoder import Stopped
from engine.prompt import QUESTION, Placed
from engine.protocol import Delta, Event, Found, Place, Progress, Sampling, Usage
from engine.reading.borders import borders
from engine.reading.joining import Alone, join
from engine.reading.segmented import Segmented
from engine.tokenizer import Ids, Tokenizer

WRITTEN = 48
"""Tokens that a part's answer may have."""
CERTAIN = 0.15
"""Nats of mean negative log-likelihood up to which a number counts as certain. SmolLM2-135M wrote planted numbers with
0.02 to 0.08, and most that it made up, or took from elsewhere in the part, with 0.2 and more."""
CERTAIN_WORDS = 1.0
"""The same for words: there are many ways to say a thing."""
_WORD = re.compile(r"\w+")


class Part(Struct, frozen=True):
    """Tokens `start` to `end` of segment number `segment`'s ids, which stand at `place`."""

    segment: int
    start: int
    end: int
    place: Place


class Coverage(Segmented):
    """A question over every part. `over`: whether the model is good enough to write an answer over what the parts gave;
    otherwise that itself is the answer, as a list. Each `Found` names its part, so there is no evidence beside it."""

    over = False

    def answer(self, answer: Answer, *, only_read: bool) -> Iterator[Event | None]:
        """Ends with `Done` and `Answered`."""
        if (failed := self.choose_form()) is not None:
            yield failed
            return
        listed = ""
        try:
            numbers: Sequence[int] = range(len(self.segments))
            if only_read:
                numbers = self.present()
            else:
                yield from self.read_missing()
            found: list[Found] = []
            for event in self._visit(numbers):
                if isinstance(event, Found):
                    found.append(event)
                yield event
            lines = _lines(found)
            if self.over and lines:
                yield from self._over(lines, answer)
            else:
                listed = "\n".join(f"- {line}" for line in lines)
                answer.finish = "complete"
        except Stopped:
            answer.finish = "cancelled"
        yield from answer.deltas(self.id, listed + answer.rest(), last=True)
        yield self.done(answer.finish or "complete", answer.answered(answer.text + listed))

    def usage(self) -> Usage:
        return replace(super().usage(), mode="coverage")

    def parts(self, numbers: Sequence[int]) -> list[Part]:
        """All of these segments' own text, in parts."""
        longest = max(self.settings.part or self.desk.calibration.part, 16)
        made: list[Part] = []
        for number in numbers:
            for body in self.segments[number].bodies:
                text = self.texts[body.document]
                first = text.character(body.start)
                within = slice(body.start, body.end)
                words = text.text[first : text.character(body.end)]
                own = Placed(words, text.ids[within], text.starts[within] - np.int32(first))
                for start, end in pairwise([0, *borders(own, longest), len(own.ids)]):
                    if end > start:
                        place = Place(
                            body.document, text.character(body.start + start), text.character(body.start + end)
                        )
                        made.append(Part(number, body.at + start, body.at + end, place))
        return made

    def _visit(self, numbers: Sequence[int]) -> Iterator[Event]:
        parts, tail = self.parts(numbers), self._question()
        # One place for all, so that what is recorded of writing a token holds for all of them
        heads = max((self._first(part.segment) for part in parts), default=0)
        longest = heads + max((part.end - part.start for part in parts), default=0)
        alone = Alone(self.desk.decoder, longest, len(tail) + WRITTEN, self.desk.piece)
        yield Progress(self.id, "ask", 0, len(parts))
        for number, part in enumerate(parts):
            text, nats = self._ask(alone, part, tail)
            self.asked = number + 1
            use = self.uses[part.segment]
            self.uses[part.segment] = replace(use, kept=True, rows=use.rows + part.end - part.start)
            yield Progress(self.id, "ask", self.asked, len(parts))
            if not text:
                continue
            own = self.texts[part.place.document].text[part.place.start : part.place.end]
            stands = stands_in(text, own, self.settings.part_question or self._words())
            certain = stands and nats <= (CERTAIN if any(map(str.isdigit, text)) else CERTAIN_WORDS)
            yield Found(self.id, number, len(parts), part.place, text, nats, stands, certain)

    def _first(self, segment: int) -> int:
        """Rows of a segment before its text: the preamble's and the head line's."""
        return min(body.at for body in self.segments[segment].bodies)

    def _ask(self, alone: Alone, part: Part, tail: Ids) -> tuple[str, float]:
        """What the model writes for a part, its first line, and the mean negative log-likelihood of what it says."""
        rows = self.rows(part.segment).part(min(self._first(part.segment), part.start), part.start, part.end)
        alone.take(rows, part.end)
        logits = alone.read(tail, self.stopped)
        # A line is an answer: what small models write after it repeats it, or the text
        answer = Answer(self.desk.tokenizer, Sampling(stop=("\n",), max_tokens=WRITTEN))
        nats: list[float] = []
        while answer.finish is None and len(nats) < WRITTEN:
            if self.stopped():
                raise Stopped
            id = answer.sampler.next(logits, answer.ids)
            nats.append(float(logits.logsumexp(-1) - logits[id]))
            answer.add(id)
            if answer.finish is None:
                logits = alone.write(id)
        answer.rest()
        text = answer.text.strip() + ("…" if answer.finish is None else "")
        return text, surprise(self.desk.tokenizer, answer.ids, nats, self.settings.part_question or self._words())

    def _question(self) -> Ids:
        """The part's question and the start of an answer."""
        frame, encode = self.frame, self.desk.tokenizer.encode
        closing = frame.tail[max(frame.words[1], frame.last) :]
        words = self.settings.part_question
        asked = frame.tail[frame.words[0] : frame.words[1]] if words is None else encode(" " + words)
        return np.concatenate((encode(QUESTION.rstrip()), asked, closing))

    def _words(self) -> str:
        first, last = self.frame.words
        return self.desk.tokenizer.decode(self.frame.tail[first:last].tolist())

    def _over(self, lines: Sequence[str], answer: Answer) -> Iterator[Event | None]:
        """The answer to the question as it was asked, written over what the parts gave."""
        desk, frame = self.desk, self.frame
        window = desk.window - len(frame.preamble) - len(frame.tail) - ROOM
        ids = desk.tokenizer.encode(frame.space + "\n".join(f"- {line}" for line in lines) + "\n\n")
        if len(ids) > window:
            # Too much for one reading: the list itself says it all, and cutting it would not
            answer.finish = "complete"
            yield Delta(self.id, answer_list := "\n".join(f"- {line}" for line in lines))
            answer.text += answer_list
            return
        joined = join(desk.decoder, [], [], [], "shared", len(frame.preamble) + len(ids) + len(frame.tail), desk.piece)
        logits = joined.read(np.concatenate((frame.preamble, ids, frame.tail)), self.stopped)
        self.tail = self.tail_read = len(frame.tail)
        yield from self.writer.write(answer, logits, joined)


def payload(text: str, question: str) -> list[tuple[int, int]]:
    """Where in an answer stands what it says: its numbers, or where it has none, every longer word that the question
    does not have."""
    words = [match.span() for match in _WORD.finditer(text)]
    numbers = [(a, b) for a, b in words if any(map(str.isdigit, text[a:b]))]
    if numbers:
        return numbers
    asked = {word.casefold() for word in _WORD.findall(question)}
    return [(a, b) for a, b in words if b - a > 3 and text[a:b].casefold() not in asked]


def stands_in(text: str, part: str, question: str) -> bool:
    """Whether what an answer says is in the part's own words."""
    text, part = text.replace(",", ""), part.replace(",", "")
    said = {text[a:b].casefold() for a, b in payload(text, question)}
    return bool(said) and said <= set(_WORD.findall(part.casefold()))


def surprise(tokenizer: Tokenizer, ids: Sequence[int], nats: Sequence[float], question: str) -> float:
    """Mean of the `nats` that `ids` were written with, over those that write what the answer says; an invented number
    hides in a sentence that is likely for the rest. Over all of them, where it says nothing."""
    pieces = [tokenizer.decode([id]) for id in ids]
    text = "".join(pieces).split("\n")[0]
    spans, own, at = payload(text, question), [], 0
    for piece, nat in zip(pieces, nats, strict=False):
        if any(at < b and a < at + len(piece) for a, b in spans):
            own.append(nat)
        at += len(piece)
    said = own or list(nats)
    return sum(said) / max(1, len(said))


def _lines(found: Sequence[Found]) -> list[str]:
    """Each certain answer once, in the text's order."""
    return list(dict.fromkeys(one.text for one in found if one.certain))
