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
from engine.protocol import Answered, Delta, Event, Found, Place, Progress, Sampling, Usage
from engine.reading.borders import borders
from engine.reading.joining import Alone, join
from engine.reading.segmented import Segmented
from engine.tokenizer import Ids

WRITTEN = 48
"""Tokens that a part's answer may have."""
CERTAIN = 0.35
"""Nats of mean negative log-likelihood up to which an answer counts as certain. SmolLM2-135M wrote planted numbers with
0.13 to 0.26, and invented ones with 0.39 and more."""
_WORD = re.compile(r"\w+")


class Part(Struct, frozen=True):
    """Tokens `start` to `end` of segment number `segment`'s ids, which stand at `place`."""

    segment: int
    start: int
    end: int
    place: Place


class Coverage(Segmented):
    """A question over every part. `texts`: of the frame's documents. `over`: whether the model is good enough to write
    an answer over what the parts gave; otherwise that itself is the answer, as a list."""

    texts: Sequence[Placed] = ()
    over = False

    def answer(self, sampling: Sampling, *, only_read: bool) -> Iterator[Event]:
        """Ends with `Done` and `Answered`."""
        if (failed := self.choose_form()) is not None:
            yield failed
            return
        answer = Answer(self.desk.tokenizer, sampling)
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
        if text := listed + answer.rest():
            yield Delta(self.id, text)
        result = Answered(answer.text + listed, tuple(answer.ids), answer.sampler.seed)
        yield self.done(answer.finish or "complete", result)

    def usage(self) -> Usage:
        return replace(super().usage(), mode="coverage")

    def parts(self, numbers: Sequence[int]) -> list[Part]:
        """All of these segments' own text, in parts."""
        longest = max(self.settings.part or self.desk.calibration.part, 16)
        made: list[Part] = []
        for number in numbers:
            for body in self.segments[number].bodies:
                text = self.texts[body.document]
                first, last = _at(text, body.start), _at(text, body.end)
                within = slice(body.start, body.end)
                own = Placed(text.text[first:last], text.ids[within], text.starts[within] - np.int32(first))
                for start, end in pairwise([0, *borders(own, longest), len(own.ids)]):
                    if end > start:
                        place = Place(body.document, _at(text, body.start + start), _at(text, body.start + end))
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
            text, surprise = self._ask(alone, part, tail)
            self.asked = number + 1
            use = self.uses[part.segment]
            self.uses[part.segment] = replace(use, kept=True, rows=use.rows + part.end - part.start)
            yield Progress(self.id, "ask", self.asked, len(parts))
            if not text:
                continue
            own = self.texts[part.place.document].text[part.place.start : part.place.end]
            stands = stands_in(text, own, self.settings.part_question or self._words())
            certain = stands and surprise <= CERTAIN
            yield Found(self.id, number, len(parts), part.place, text, surprise, stands, certain)

    def _first(self, segment: int) -> int:
        """Rows of a segment before its text: the preamble's and the head line's."""
        return min(body.at for body in self.segments[segment].bodies)

    def _ask(self, alone: Alone, part: Part, tail: Ids) -> tuple[str, float]:
        """What the model writes for a part, its first paragraph, and the mean negative log-likelihood of that."""
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
        said = nats[: len(nats) - (answer.finish in ("stop", "complete"))]
        return text, sum(said) / max(1, len(said))

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

    def _over(self, lines: Sequence[str], answer: Answer) -> Iterator[Event]:
        """The answer to the question as it was asked, written over what the parts gave."""
        desk, frame = self.desk, self.frame
        window = desk.decoder.config.window - len(frame.preamble) - len(frame.tail) - ROOM
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


def stands_in(text: str, part: str, question: str) -> bool:
    """Whether what was written for a part is in the part's own words: every number in it, or where it has none, every
    longer word that the question does not have."""
    own = part.casefold().replace(",", "")
    said = [word.casefold() for word in _WORD.findall(text.replace(",", ""))]
    payload = [word for word in said if any(map(str.isdigit, word))]
    if not payload:
        asked = {word.casefold() for word in _WORD.findall(question)}
        payload = [word for word in said if len(word) > 3 and word not in asked]
    known = set(_WORD.findall(own))
    return bool(payload) and all(word in known for word in payload)


def _lines(found: Sequence[Found]) -> list[str]:
    """Each certain answer once, in the text's order."""
    return list(dict.fromkeys(one.text for one in found if one.certain))


def _at(text: Placed, token: int) -> int:
    return int(text.starts[token]) if token < len(text.ids) else len(text.text)
