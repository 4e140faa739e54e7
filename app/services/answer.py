"""What was asked of the engine and is under way: it goes on, and is kept, whether or not somebody listens."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec

from app.data.conversation import Failure, FoundPart, Message
from app.data.evidence import SentenceEvidence
from app.data.ledger import Ledger
from app.data.quote import Quote
from app.services.conversations import Conversations, Removed
from app.services.problem import Problem
from engine.client import EngineBusy, EngineDown, RequestFailed, Stream
from engine.protocol import Answered, Delta, Done, Event, Evidence, Failed, Found, Usage

KEPT_EVERY = 1.0
"""Seconds between two savings of a growing answer: what a power cut may cost."""

log = logging.getLogger(__name__)


class UnderWay:
    """Events of one request, in order; `async for` may start at any time and hears all of them.

    The ending is the last, unless the engine could not be asked: then the failure is kept and there is no ending.
    """

    def __init__(self, open_stream: Callable[[], Awaitable[Stream]]) -> None:
        self._open = open_stream
        self._events: list[Event] = []
        self._more = asyncio.Event()
        self._stream: Stream | None = None
        self._stopped = False
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def __aiter__(self) -> AsyncIterator[Event]:
        heard = 0
        while True:
            while heard < len(self._events):
                heard += 1
                yield self._events[heard - 1]
            if self._task.done():
                return
            self._more.clear()
            waiting = asyncio.ensure_future(self._more.wait())
            await asyncio.wait((waiting, self._task), return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()

    def cancel(self) -> None:
        """Stop soon; the ending says `cancelled`. Nothing that was read or written is lost."""
        self._stopped = True
        if self._stream is not None:
            self._stream.cancel()

    async def close(self) -> None:
        """Stop now, without waiting for the engine. For the program's end."""
        self._task.cancel()
        await asyncio.wait((self._task,))

    async def wait(self) -> None:
        """Until it has ended and is kept."""
        await asyncio.wait((self._task,))

    def on_end(self, call: Callable[[], None]) -> None:
        """Call this once it has ended and is kept."""
        self._task.add_done_callback(lambda _: call())

    async def _run(self) -> None:
        try:
            if not self._stopped:
                self._stream = await self._open()
            if self._stream is None or self._stopped:
                if self._stream is not None:
                    self._stream.cancel()
                    await self._stream.ending()
                self._take(Done("", "cancelled"))
                return
            async for event in self._stream:
                self._take(event)
        except RequestFailed as error:
            self._take(error.failed)
        except Problem as problem:
            self._fail(Failure(problem.code, problem.values.get("subject"), message=problem.values.get("message", "")))
        except EngineBusy:
            self._fail(Failure("engine_busy"))
        except EngineDown as error:
            self._fail(Failure("engine_down", str(error.log)))
        except asyncio.CancelledError:
            if self._stream is not None:
                self._stream.cancel()
            self._take(Done("", "cancelled"))
            raise
        except Exception as error:
            self._fail(Failure("internal", message=type(error).__name__))  # shown as failed, not as for ever waiting
            raise

    def _take(self, event: Event) -> None:
        self._events.append(event)
        self._more.set()

    def _fail(self, failure: Failure) -> None:
        """It ended without the engine's word."""


class Reading(UnderWay):
    """Documents being read before anything is asked about them. `failure` says why it ended early."""

    failure: Failure | None = None

    def _take(self, event: Event) -> None:
        if isinstance(event, Failed):
            self.failure = failure(event)
        super()._take(event)

    def _fail(self, failure: Failure) -> None:
        self.failure = failure


class Answer(UnderWay):
    """`question` as it was kept and `message`, the answer so far. `removed`: what a new answer took the place of.

    `whole`: the documents are to be read whole, so that they may be too long.

    What is found while every part of the text is asked is in `message.found` by the time that its `Found` is heard; the
    message waits until the answer itself begins. So is what the attention read while a sentence was written, in
    `message.evidence`.

    What the answer quotes is looked for after its end: `checked` waits for it, and then `message.quotes` has it.

    `problem` is set when the answer could not be kept on disk; it then lives in `message` alone.
    """

    def __init__(
        self,
        open_stream: Callable[[], Awaitable[Stream]],
        *,
        question: Message,
        message: Message,
        removed: Removed | None,
        conversations: Conversations,
        whole: bool,
        found: Callable[[Found], FoundPart],
        evidence: Callable[[Evidence], SentenceEvidence],
        write_ledger: Callable[[Done, Usage, float | None], Ledger],
        find_quotes: Callable[[str], Awaitable[tuple[Quote, ...]]],
    ) -> None:
        self.question = question
        self.message = message
        self.removed = removed
        self.problem: Problem | None = None
        self._conversations = conversations
        self._whole = whole
        self._found = found
        self._evidence = evidence
        self._write_ledger = write_ledger
        self._find_quotes = find_quotes
        self._asked = time.monotonic()
        self._first: float | None = None
        self._kept = self._asked
        super().__init__(open_stream)
        self._checking = asyncio.get_running_loop().create_task(self._check())

    async def checked(self) -> tuple[Quote, ...]:
        """What the answer quotes, once that was looked for and is kept. Raises what went wrong in looking for it."""
        await asyncio.wait((self._checking,))
        if not self._checking.cancelled():
            self._checking.result()
        return self.message.quotes

    async def close(self) -> None:
        self._checking.cancel()
        await super().close()
        await asyncio.wait((self._checking,))

    def on_end(self, call: Callable[[], None]) -> None:
        """Call this once it has ended, its quotes were looked for, and all is kept."""
        self._checking.add_done_callback(lambda _: call())

    @property
    def waited(self) -> float:
        """Seconds from the question to the first word, or until now."""
        return self._first if self._first is not None else time.monotonic() - self._asked

    def _take(self, event: Event) -> None:
        if isinstance(event, Delta):
            self._grow(event.text)
        elif isinstance(event, Found):
            self._change(found=(*self.message.found, self._found(event)))
        elif isinstance(event, Evidence):
            self._change(evidence=(*self.message.evidence, self._evidence(event)))
        elif isinstance(event, Done):
            self._end(event)
        elif isinstance(event, Failed):
            self._become(state="failed", failure=failure(event, whole=self._whole))
        super()._take(event)

    def _fail(self, failure: Failure) -> None:
        self._become(state="failed", failure=failure)

    def _grow(self, text: str) -> None:
        if self._first is None:
            self._first = time.monotonic() - self._asked
        self._change(text=self.message.text + text, state="writing")

    def _change(self, **changes: object) -> None:
        self.message = msgspec.structs.replace(self.message, **changes)
        if time.monotonic() - self._kept >= KEPT_EVERY:
            self._keep()

    def _end(self, done: Done) -> None:
        text = done.result.text if isinstance(done.result, Answered) else self.message.text
        ledger = None if done.usage is None else self._write_ledger(done, done.usage, self._first)
        self._become(text=text, state="stopped" if done.finish == "cancelled" else "answered", ledger=ledger)

    async def _check(self) -> None:
        await self.wait()
        if self.message.state in ("answered", "stopped") and self.message.text:
            quotes = await self._find_quotes(self.message.text)
            with contextlib.suppress(KeyError):  # the conversation was deleted for good meanwhile
                self._become(quotes=quotes)

    def _become(self, **changes: object) -> None:
        self.message = msgspec.structs.replace(self.message, **changes)
        self._keep()

    def _keep(self) -> None:
        self._kept = time.monotonic()
        try:
            self._conversations.update(self.message)
        except Problem as problem:
            self.problem = problem
            log.warning("an answer could not be kept: %s", problem)


def failure(failed: Failed, *, whole: bool = True) -> Failure:
    """A `Failed` as it is kept. Where documents are not read `whole`, it is the question that is too long."""
    code = failed.code if failed.code != "too_long" else _too_long(failed, whole)
    return Failure(code, failed.subject, failed.needed, failed.available, failed.message, failed.advice, failed.said)


def _too_long(failed: Failed, whole: bool) -> str:
    if failed.subject is not None:  # a server's host
        told = None not in (failed.needed, failed.available)
        return "too_long_remote" if told else "too_long_remote_unknown"
    return "too_long" if whole else "too_long_question"
