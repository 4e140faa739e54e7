"""A subject that finds everything it is asked for in the text that it sees, and variants that are broken in one way.

It has the face of the engine: requests go in, streams of events come out, and what it says of itself is part of it.
"""

import asyncio
import re
from pathlib import Path
from typing import ClassVar

from msgspec.structs import replace

from engine.protocol import (
    Answered,
    Count,
    Counted,
    Delta,
    DeviceInfo,
    Document,
    Done,
    Expect,
    Expected,
    Forget,
    Forgotten,
    Found,
    Gauges,
    Generate,
    Loaded,
    MemoryParts,
    Place,
    Progress,
    Pruned,
    Text,
    Usage,
)
from engine.stream import Stream

MIB = 2**20
LETTERS = 4
DENSE_BELOW = 8192
LONG = 1400 * LETTERS
"""Characters from which what is lost of long texts alone is lost."""


class Double:
    """Exact. `now` is its own clock: reading takes a millisecond a token, and no time passes beside."""

    layers: ClassVar[dict[str, int]] = {"full": 4}
    which = -1
    """Of several values of one thing: the last."""
    parameters = 12 * 4 * 512**2

    def __init__(self) -> None:
        self.now = 0.0
        self.process = 500 * MIB
        self.disk: set[str] = set()
        self.memory: set[str] = set()
        self.loads = self.held = 0
        self.requests: list[object] = []

    @property
    def loaded(self) -> Loaded:
        device = DeviceInfo("cpu", "Test processor", 2**34, 2**33, ("bf16", "int8"))
        return Loaded(
            *("1", "double", "f" * 64, "llama", self.parameters, self.layers, 2**20, 2**20, "bf16", device),
            *("plain", {}, MemoryParts(0, 0, 0, 0, 0, 0), 0.0),
        )

    @property
    def gauges(self) -> Gauges:
        return Gauges(MemoryParts(2**34, 0, self.held, 0, 0, 0), self.process, 0, 2**20)

    async def load(self, settings, on_progress=None) -> Loaded:
        self.loads += 1
        self.memory.clear()
        return self.loaded

    def send(self, command) -> Stream:
        self.requests.append(command)
        stream = Stream(command, self.stop)
        match command:
            case Count():
                stream.put(Done(command.id, "complete", result=Counted(tuple(map(size, command.documents)))))
            case Expect():
                prompt = self.prompt(command.conversation)
                stream.put(Done(command.id, "complete", result=Expected(prompt, prompt, 0)))
            case Forget():
                self.memory.difference_update(command.documents or ())
                stream.put(Done(command.id, "complete", result=Forgotten(0, 0)))
            case Generate():
                stream.put(Progress(command.id, "read", 1, 2))
                asyncio.get_running_loop().call_soon(self.generate, stream)
        return stream

    def stop(self, stream: Stream) -> None:
        stream.put(Done(stream.id, "cancelled"))

    def generate(self, stream: Stream) -> None:
        if stream.ended is not None:
            return
        request = stream.request
        documents = [part for turn in request.conversation.turns for part in turn.parts if isinstance(part, Document)]
        question = [part.text for part in request.conversation.turns[-1].parts if isinstance(part, Text)][-1]
        whole = "\n\n".join(Path(one.path).read_text() for one in documents)
        prompt = self.prompt(request.conversation)
        self.now += self.cost(prompt)
        seen = self.seen(whole, request)
        if request.reading.coverage:
            for number, said in enumerate(re.findall(r"access number for the .*? is (\d+)", seen)):
                stream.put(Found(stream.id, number, 9, Place(0, 0, 1), said, 0.1, True, True))
        text = self.answer(seen, question, request)
        usage = self.usage(request, prompt, documents)
        stream.put(Delta(stream.id, text))
        done = Done(stream.id, "complete", usage, Answered(text, (), None))
        asyncio.get_running_loop().call_soon(lambda: stream.ended or stream.put(done))

    def prompt(self, conversation) -> int:
        parts = [part for turn in conversation.turns for part in turn.parts]
        return 12 + sum(size(p) if isinstance(p, Document) else len(p.text) // LETTERS for p in parts)

    def cost(self, tokens: int) -> float:
        return tokens / 1000

    def seen(self, text: str, request: Generate) -> str:
        return text

    def usage(self, request: Generate, prompt: int, documents: list[Document]) -> Usage:
        ids = {one.sha256 for one in documents}
        reopened = prompt - 12 if request.reading.save and ids <= self.disk - self.memory else 0
        self.memory |= ids
        self.disk |= ids if request.reading.save else set()
        usage = Usage(prompt, prompt - reopened, reopened, 8, reopened=reopened, layers=dict(self.layers))
        if (how := request.reading.eviction) is not None and how.rows and prompt > how.rows:
            pruned = Pruned(how, how.rows, how.rows, prompt + 8 - how.rows)
            usage = replace(usage, evicted=prompt + 8 - how.rows, pruned=pruned)
        return usage

    def answer(self, text: str, question: str, request: Generate) -> str:
        if "long sequence" in question:
            row = re.findall(r"long sequence is: ([\d ]+)", text)
            return (row[-1][::-1] if "reverse" in question else row[-1]).strip() if row else "None."
        if "REGISTER" in question:
            values = re.findall(r"REGISTER(?: is again| =) (\d+)", text)
            return values[-1] if values else "None."
        asked = re.search(r"What is the (?:latest )?(.+?)(?: now, after the correction)?\?$", question)
        found = re.findall(rf"[Tt]he {re.escape(asked[1])} is(?: now)? (\d+)", text) if asked else []
        return f"The {asked[1]} is {found[self.which]}." if asked and found else "The text does not say."


def size(document: Document) -> int:
    return Path(document.path).stat().st_size // LETTERS


class Cut(Double):
    """Drops a tenth of the prompt's text, and says that it read all."""

    first, last = 0.0, 0.1

    def seen(self, text, request):
        return text[: int(self.first * len(text))] + text[int(self.last * len(text)) :]


class CutFront(Cut):
    pass


class CutMiddle(Cut):
    first, last = 0.45, 0.55


class CutTail(Cut):
    first, last = 0.9, 1.0


class Short(Cut):
    """Says so by its count alone."""

    def usage(self, request, prompt, documents):
        usage = super().usage(request, prompt, documents)
        return replace(usage, prompt=int(prompt * 0.9), read=int(prompt * 0.9))


class Forgetful(Double):
    """Gives up single tokens of long texts without being asked to: every fifth digit that stands alone."""

    def seen(self, text, request):
        if len(text) < 1000 * LETTERS:
            return text
        count = iter(range(10**9))
        return re.sub(r"\b\d (?=\d\b)", lambda digit: "" if next(count) % 5 == 2 else digit[0], text)


class EvictsTooMuch(Double):
    """Keeps half of the rows that were promised."""

    def usage(self, request, prompt, documents):
        usage = super().usage(request, prompt, documents)
        if usage.pruned is None:
            return usage
        rows = usage.pruned.rows // 2
        gone = prompt + 8 - rows
        return replace(usage, evicted=gone, pruned=replace(usage.pruned, rows=rows, forgotten=gone))


class IgnoresPolicy(Double):
    def usage(self, request, prompt, documents):
        bare = replace(request, reading=replace(request.reading, eviction=None))
        return super().usage(bare, prompt, documents)


class Leaks(Double):
    """20 MiB an answer."""

    def usage(self, request, prompt, documents):
        self.process += 20 * MIB
        return super().usage(request, prompt, documents)


class Hybrid(Double):
    """Linear, and sparse from where it should be."""

    layers: ClassVar[dict[str, int]] = {"lightning": 3, "sparse": 1}

    def usage(self, request, prompt, documents):
        sparse = "sparse" if prompt >= DENSE_BELOW else "dense"
        return replace(super().usage(request, prompt, documents), calls={"lightning": 30, sparse: 10})


class FallsBack(Hybrid):
    """Computes its sparse layers densely."""

    def usage(self, request, prompt, documents):
        return replace(super().usage(request, prompt, documents), calls={"lightning": 30, "dense": 10})

    def cost(self, tokens):
        return tokens**2 / 1e6


class HoldsWhatWasStopped(Double):
    """Of a request that was ended early the rows stay."""

    def stop(self, stream):
        super().stop(stream)
        self.held += 100 * MIB


class FirstValue(Double):
    """Of a long text it gives up what came later, and answers with the value that was told first."""

    def answer(self, text, question, request):
        self.which = 0 if len(text) > LONG else -1
        return super().answer(text, question, request)


class OfOneForm(Double):
    """Of a long text it gives one number out for any of several that are told in the same words."""

    def answer(self, text, question, request):
        found = re.findall(r"The access number for the .*? is (\d+)", text)
        alike = len(found) > 1 and len(text) > LONG
        return f"It is {found[0]}." if alike else super().answer(text, question, request)


class FirstQuestion(Double):
    """Keeps what the first question asked for, and nothing else of a long text."""

    def answer(self, text, question, request):
        later = len(request.conversation.turns) > 1 and len(text) > LONG
        return "The text does not say." if later else super().answer(text, question, request)


class ListsSome(Double):
    """Passes over the later half of a long text's parts."""

    def seen(self, text, request):
        return text[: len(text) // 2] if request.reading.coverage and len(text) > LONG else text


class LosesState(Double):
    """Of more than four calls within calls, in a long text, it keeps the innermost."""

    def answer(self, text, question, request):
        values = re.findall(r"call level \d+: REGISTER = (\d+)", text)
        deep = "REGISTER" in question and len(values) > 4 and len(text) > LONG
        return values[-1] if deep else super().answer(text, question, request)


class MissesOnce(Double):
    """Misses the first number that it is asked for in the beginning of a long text."""

    missed = False

    def answer(self, text, question, request):
        begins = "access number" in text[:200] and len(text) > LONG
        if begins and not self.missed:
            self.missed = True
            return "The text does not say."
        return super().answer(text, question, request)


class Coarse(Double):
    """Held as int8, its keys are no longer told apart."""

    def seen(self, text, request):
        return text.replace("1", "7") if request.reading.kv == "int8" else text


class Mixes(Double):
    """Answers from the text that it was given last, of whichever conversation."""

    def send(self, command):
        if isinstance(command, Generate):
            self.latest = command
        return super().send(command)

    def seen(self, text, request):
        documents = [p for turn in self.latest.conversation.turns for p in turn.parts if isinstance(p, Document)]
        return "\n\n".join(Path(one.path).read_text() for one in documents)


class Stale(Double):
    """What it opens from disk is another text's."""

    def seen(self, text, request):
        return text.upper() if request.reading.save and self.loads else text


class Rereads(Double):
    """Saves nothing and says nothing of it."""

    def usage(self, request, prompt, documents):
        self.disk.clear()
        return super().usage(request, prompt, documents)


class Elsewhere(Double):
    """A server: it counts by letters, and what it computes nobody knows."""

    layers: ClassVar[dict[str, int]] = {}
    parameters = 0

    @property
    def loaded(self):
        return replace(super().loaded, device=DeviceInfo("remote", "host", 0, 0, ()))

    def send(self, command):
        stream = super().send(command)
        if isinstance(command, Expect):
            stream.ended = replace(stream.ended, result=replace(stream.ended.result, estimated=True))
        return stream


class CutsElsewhere(Elsewhere):
    """Takes no more than the last 2,000 tokens, as servers with a small window do, and counts those."""

    def seen(self, text, request):
        return text[-2000 * LETTERS :]

    def prompt(self, conversation):
        return super().prompt(conversation)

    def usage(self, request, prompt, documents):
        return super().usage(request, min(prompt, 2000), documents)
