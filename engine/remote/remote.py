"""The engine's face over a server that speaks OpenAI's protocol: SGLang, vLLM, llama.cpp, another Longread.

Everything that waits does so on a thread with a loop of its own, so that it works under asyncio and Qt alike; events
are put where the request was sent from.
"""

import asyncio
import contextlib
import hashlib
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from functools import cache, partial
from typing import Any, TypeVar

from msgspec import Struct

from engine import document
from engine.protocol import (
    Answered,
    Conversation,
    Count,
    Counted,
    DeviceInfo,
    Done,
    Event,
    Expect,
    Expected,
    Failed,
    Generate,
    Loaded,
    MemoryParts,
    Note,
    Read,
    ReadingSettings,
    Sampling,
    Text,
    Turn,
)
from engine.remote import estimate
from engine.remote.address import Address, BadAddress, Proxy, address, key_fault
from engine.remote.body import words
from engine.remote.place import Connections, Place, Unlisted
from engine.stream import RequestFailed, Stream

CONNECT = 10.0
"""Seconds to reach a server; one that is there answers that at once, however long it reads afterwards."""
TIMEOUT = 600.0
RETRIES = 2
WINDOWS = ("max_model_len", "context_length", "max_context_length", "context_window", "window")
"""Where servers say how many tokens a model takes, beside its id."""
TINY = "Answer with the one word: yes"
TINY_ANSWER = 16
"""Tokens that a test may be answered with."""

Result = TypeVar("Result")


class Listed(Struct, frozen=True):
    """A model of the server. `window`: tokens, 0 where it does not say."""

    name: str
    window: int = 0


class Tested(Struct, frozen=True):
    """`answered`: by `model`, to a tiny question, with the first word after `seconds`. `models`: what the server lists;
    None where it lists nothing."""

    model: str
    answered: str
    seconds: float
    models: tuple[Listed, ...] | None


class Remote:
    """`model` as the server names it. Raises `BadAddress`; a key that cannot be one fails each request instead.

    `timeout`: seconds without a byte that are waited for. `retries`: of a request of which nothing was shown.
    `certificate`: a PEM file to trust in the place of those of the system. `documents` as for `Place`.
    """

    def __init__(
        self,
        base_url: str,
        *,
        model: str = "",
        key: str = "",
        timeout: float = TIMEOUT,
        retries: int = RETRIES,
        window: int = 0,
        connect: float = CONNECT,
        certificate: str = "",
        connections: Connections | None = None,
        documents: bool = False,
    ) -> None:
        self.address: Address = address(base_url)
        self._window = window
        self._place = Place(
            *(self.address, model, key),
            timeout=timeout,
            connect=connect,
            retries=retries,
            certificate=certificate,
            connections=connections or Unlisted(),
            documents=documents,
        )
        self._open: dict[str, Future[None]] = {}

    @property
    def model(self) -> str:
        return self._place.model

    @property
    def loaded(self) -> Loaded:
        """What is known of it without asking: nothing is connected for this."""
        where = f"{self.address.host}\n{self.model}"
        return Loaded(
            *("", self.model, f"remote-{hashlib.sha256(where.encode()).hexdigest()}", "remote", 0, {}),
            native_window=self._window,
            window=self._window,
            precision="auto",
            device=DeviceInfo("remote", self.address.host, 0, 0, ()),
            writing="",
            candidates={},
            memory=MemoryParts(0, 0, 0, 0, 0, 0),
            seconds=0.0,
            takes_system=True,
            takes_tools=True,
        )

    def send(self, command: Generate | Read | Count | Expect) -> Stream:
        """Send a request. What goes wrong is told by the stream's ending, never raised.

        Only `Generate` leaves this computer. `Read` ends at once, having read nothing: texts go out with a question
        and not before. `Count` and `Expect` are estimates.
        """
        stream = Stream(command, self._cancel)
        match command:
            case Generate():
                self._generate(stream, command, "remote_question")
            case Read(id):
                stream.put(Done(id, "read", notes=(Note("remote_reads_later"),)))
            case _:
                self._begin(stream, partial(_estimate, command))
        return stream

    async def models(self) -> tuple[str, ...]:
        """Names of the server's models. Raises `RequestFailed`."""
        return tuple(one.name for one in await self.listed())

    async def listed(self) -> tuple[Listed, ...]:
        """The server's models. Raises `RequestFailed`."""
        self._check_key("models")
        return await self._away(_list(self._place))

    async def test(self) -> Tested:
        """Ask for the list of models and then a tiny question, of the list's first model where none was named. Raises
        `RequestFailed` with what is wrong."""
        models: tuple[Listed, ...] | None = None
        try:
            models = await self.listed()
        except RequestFailed as error:
            # some servers answer and list nothing; where no model was named either, that is what is wrong
            if error.failed.code not in ("remote_path", "remote_garbled") or not self.model:
                raise
        if not self.model:
            if not models:
                raise RequestFailed(Failed("models", "remote_no_models", "an empty list", self.address.host))
            self._place.model = models[0].name
        asked = Conversation((Turn("user", (Text(TINY),)),), "")
        began = time.monotonic()
        request = Generate("test", asked, Sampling(max_tokens=TINY_ANSWER))
        stream = Stream(request, self._cancel)
        self._generate(stream, request, "remote_test")
        ending = await stream.ending()
        if isinstance(ending, Failed):
            raise RequestFailed(ending)
        said = ending.result.text if isinstance(ending.result, Answered) else ""
        first = ending.usage.first_token if ending.usage is not None else None
        return Tested(self.model, said, first if first is not None else time.monotonic() - began, models)

    def _generate(self, stream: Stream, request: Generate, purpose: str) -> None:
        if (refused := self._refusal(request)) is not None:
            stream.put(refused)
            return
        self._begin(stream, partial(_generate, self._place, request, purpose))

    def _begin(self, stream: Stream, work: Callable[[Callable[[Event], None]], Coroutine[Any, Any, None]]) -> None:
        """`work` is done on the loop of all remote engines, with what puts its events where it was asked for."""
        put = partial(_put, asyncio.get_running_loop(), stream)
        self._open[stream.id] = asyncio.run_coroutine_threadsafe(work(put), _loop())
        self._open[stream.id].add_done_callback(lambda _: self._open.pop(stream.id, None))

    def _refusal(self, request: Generate) -> Failed | None:
        """What no server is asked, since it could not do it."""
        fault = key_fault(self._place.key)
        if fault is not None:
            return Failed(request.id, fault, "the key cannot be sent", self.address.host)
        how, usual = request.reading, ReadingSettings()
        if how.coverage:
            return Failed(request.id, "remote_coverage", "parts are asked by the local engine", self.address.host)
        if how.mode == "parallel" or how.eviction is not None or how.selection != usual.selection or request.only_read:
            return Failed(request.id, "remote_reading", "it reads whole, and as it does", self.address.host)
        return None

    def _check_key(self, id: str) -> None:
        fault = key_fault(self._place.key)
        if fault is not None:
            raise RequestFailed(Failed(id, fault, "the key cannot be sent", self.address.host))

    def _cancel(self, stream: Stream) -> None:
        """The connection is closed, by which a server hears of it."""
        if (under_way := self._open.get(stream.id)) is not None:
            _loop().call_soon_threadsafe(under_way.cancel)

    async def _away(self, work: Coroutine[Any, Any, Result]) -> Result:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, _loop()))


def proxy_variables() -> tuple[Proxy, ...]:
    """The proxies that variables name. Each is knocked at, for a second at most. Loopback goes through none of them."""
    from engine.remote.proxies import proxies  # what speaks HTTP takes its time to load, and few ask for this

    return proxies()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Of the one thread that all remote engines wait on, as long as the process lives."""
    made = asyncio.new_event_loop()
    threading.Thread(target=made.run_forever, name="remote", daemon=True).start()
    return made


def _put(loop: asyncio.AbstractEventLoop, stream: Stream, event: Event) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
        loop.call_soon_threadsafe(stream.put, event)


async def _generate(place: Place, request: Generate, purpose: str, put: Callable[[Event], None]) -> None:
    from engine.remote import calling  # what it stands on takes four tenths of a second, which no start-up should pay

    await calling.generate(place, request, purpose, put)


async def _list(place: Place) -> tuple[Listed, ...]:
    from engine.remote import calling

    try:
        listed = await calling.get(place, "models", "/models", "remote_models")
    except calling.Refused as error:
        raise RequestFailed(error.failed) from None
    entries = listed.get("data")
    if not isinstance(entries, list):
        raise RequestFailed(Failed("models", "remote_garbled", "the list has no data", place.address.host))
    named = (one for one in entries if isinstance(one, dict) and isinstance(one.get("id"), str))
    return tuple(Listed(one["id"], _window(one)) for one in named)


def _window(entry: dict[str, Any]) -> int:
    """As SGLang and vLLM say it, and others; llama.cpp says it among other facts."""
    facts = entry.get("meta")
    known = entry | (facts if isinstance(facts, dict) else {})
    return next((known[name] for name in (*WINDOWS, "n_ctx") if isinstance(known.get(name), int)), 0)


async def _estimate(command: Count | Expect, put: Callable[[Event], None]) -> None:
    """On a thread: books are read from the disk for it."""
    try:
        put(await asyncio.to_thread(_estimated, command))
    except asyncio.CancelledError:
        put(Done(command.id, "cancelled"))
    except document.BadDocument as error:
        put(Failed(command.id, "bad_document", error.message, error.subject))
    except Exception as error:  # noqa: BLE001 - whoever waits for the ending must get one
        put(Failed(command.id, "internal", f"an estimate: {type(error).__name__}"))


def _estimated(command: Count | Expect) -> Done:
    match command:
        case Count():
            texts = [document.text(one) for one in command.documents]
            return Done(command.id, "complete", result=Counted(tuple(map(estimate.tokens, texts)), estimated=True))
        case Expect():
            prompt = sum(estimate.tokens(words(turn)) for turn in command.conversation.turns)
            return Done(command.id, "complete", result=Expected(prompt, prompt, 0, estimated=True))


__all__ = ["BadAddress", "Listed", "Remote", "Tested"]
