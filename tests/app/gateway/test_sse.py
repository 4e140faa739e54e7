"""Answers on their way, with a clock that the tests turn."""

import asyncio

import pytest

from app.gateway.errors import ApiError
from app.gateway.sse import HEADERS_WITHIN, SILENCE, EventStream, Gone, whole


class Client:
    """What it received; `leaves` is awaited before it goes away. `time`: each wait ends when `pass_time` says so."""

    def __init__(self) -> None:
        self.got: list[dict] = []
        self.gone = asyncio.Event()
        self.waits: list[float] = []
        self._waiting: list[asyncio.Event] = []
        self._changed = asyncio.Condition()

    async def receive(self) -> dict:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict) -> None:
        self.got.append(message)
        async with self._changed:
            self._changed.notify_all()

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        ended = asyncio.Event()
        self._waiting.append(ended)
        async with self._changed:
            self._changed.notify_all()
        try:
            await ended.wait()
        except asyncio.CancelledError:
            self._waiting.remove(ended)
            raise

    async def pass_time(self) -> float:
        """Let the wait that was begun last, or the next one, be over; how long it was."""
        await self.until(lambda: bool(self._waiting))
        self._waiting.pop().set()
        return self.waits[-1]

    async def until(self, met) -> None:
        async with self._changed:
            await self._changed.wait_for(met)

    @property
    def text(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.got)

    @property
    def ended(self) -> bool:
        return bool(self.got) and not self.got[-1].get("more_body", True)


class Pieces:
    """An answer that comes as the test puts it."""

    def __init__(self) -> None:
        self.coming: asyncio.Queue = asyncio.Queue()
        self.closed = False

    async def all(self):
        try:
            while (piece := await self.coming.get()) is not None:
                if isinstance(piece, Exception):
                    raise piece
                yield piece
        finally:
            self.closed = True


@pytest.fixture
def client() -> Client:
    return Client()


@pytest.fixture
def pieces() -> Pieces:
    return Pieces()


@pytest.fixture
async def answer(client: Client, pieces: Pieces):
    stream = EventStream(pieces.all(), lambda error: error.code.encode(), alive=b":alive\n\n", sleep=client.sleep)
    return asyncio.ensure_future(stream({"type": "http"}, client.receive, client.send))


async def test_what_comes_at_once_is_sent_as_it_is(answer, client, pieces) -> None:
    for piece in (b"a", b"b", None):
        pieces.coming.put_nowait(piece)
    await answer
    assert client.got[0]["status"] == 200
    assert client.text == b"ab"
    assert client.ended
    assert pieces.closed


async def test_headers_are_sent_though_nothing_is_said(answer, client, pieces) -> None:
    assert await client.pass_time() == HEADERS_WITHIN
    await client.until(lambda: len(client.got) == 2)
    assert client.text == b":alive\n\n"
    pieces.coming.put_nowait(None)
    await answer


async def test_every_ten_seconds_of_silence_are_broken(answer, client, pieces) -> None:
    await client.pass_time()
    for count in (2, 3, 4):
        assert await client.pass_time() == SILENCE == 10
        await client.until(lambda count=count: client.text.count(b":alive") == count)
    pieces.coming.put_nowait(b"said")
    pieces.coming.put_nowait(None)
    await answer
    assert client.text.endswith(b":alive\n\nsaid")


async def test_an_early_refusal_has_its_status(answer, client, pieces) -> None:
    pieces.coming.put_nowait(ApiError("queue_full", count="1"))
    with pytest.raises(ApiError, match="queue_full"):
        await answer
    assert client.got == []


async def test_a_late_refusal_ends_the_stream_with_its_words(answer, client, pieces) -> None:
    pieces.coming.put_nowait(b"half ")
    pieces.coming.put_nowait(ApiError("engine_failed", said=""))
    await answer
    assert client.text == b"half engine_failed"
    assert client.ended


async def test_an_early_fault_of_ours_is_not_an_answer(answer, client, pieces) -> None:
    pieces.coming.put_nowait(RuntimeError("boom"))
    with pytest.raises(RuntimeError):
        await answer
    assert client.got == []


@pytest.mark.parametrize("said", [(), (b"half",)])
async def test_who_leaves_ends_it(answer, client, pieces, said) -> None:
    for piece in said:
        pieces.coming.put_nowait(piece)
    await client.until(lambda: len(client.got) == 2 if said else bool(client.waits))
    client.gone.set()
    await answer
    assert pieces.closed
    assert client.text == b"".join(said)


async def test_a_whole_answer_is_waited_for_as_long_as_somebody_waits(client) -> None:
    class Asking:
        receive = client.receive

    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    asked = asyncio.ensure_future(whole(Asking(), work()))
    await begun.wait()
    client.gone.set()
    with pytest.raises(Gone):
        await asked
    assert cancelled.is_set()


async def test_a_whole_answer_is_given(client) -> None:
    class Asking:
        receive = client.receive

    async def work() -> int:
        return 5

    assert await whole(Asking(), work()) == 5
