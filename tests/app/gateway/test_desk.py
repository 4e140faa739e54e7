"""Requests on their way between two loops, and what is counted of them."""

import asyncio
import threading
from contextlib import aclosing

import pytest

from app.data.key import Key
from app.gateway.asked import Asked, Sent
from app.gateway.desk import Desk
from app.gateway.errors import ApiError
from app.gateway.home import Home
from app.gateway.metrics import Metrics
from app.gateway.tally import Tally
from app.services.problem import Problem
from engine.client import Stream
from engine.protocol import Answered, Conversation, Delta, Done, Expected, Failed, Generate, Usage

KEY = Key("k", "editor", "abcd")
ASKED = Asked("m", ())
USAGE = Usage(prompt=10, read=6, reused=4, written=2)


class Behind:
    """What answers, on a loop of its own: `say` decides what a request hears, `held` keeps it from being sent."""

    def __init__(self, say=lambda stream: None) -> None:
        self.say = say
        self.host = ""
        self.streams: list[Stream] = []
        self.begun = threading.Event()
        self.interrupted = threading.Event()
        self.held: asyncio.Event | None = None
        self.threads: set[str] = set()

    async def send(self, asked, key):
        self.threads.add(threading.current_thread().name)
        self.begun.set()
        if self.held is not None:
            try:
                await self.held.wait()
            except asyncio.CancelledError:
                self.interrupted.set()
                raise
        stream = Stream(Generate(f"{len(self.streams)}", Conversation((), "2026-01-01")), self._cancel)
        self.streams.append(stream)
        self.say(stream)
        return Sent("m", (), host=self.host), stream

    expect = send

    def _cancel(self, stream: Stream) -> None:
        self.threads.add(threading.current_thread().name)
        stream.put(Done(stream.id, "cancelled", USAGE))


class Kept:
    """Keys that tell what was written down."""

    def __init__(self) -> None:
        self.used_up = False
        self.problem: Problem | None = None
        self.written: list[dict] = []

    def check(self, secret):
        raise AssertionError("nobody comes through the door here")

    def used(self, id, **what) -> None:
        if self.problem is not None:
            raise self.problem
        self.written.append(what)

    def exceeded(self, key) -> bool:
        if self.problem is not None:
            raise self.problem
        return self.used_up


@pytest.fixture
def keys() -> Kept:
    return Kept()


@pytest.fixture
def elsewhere():
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="home")
    thread.start()
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture
def desk(elsewhere, keys):
    def made(behind, *, queue=2, timeout=0.0) -> Desk:
        return Desk(behind, Home(elsewhere), Tally(keys, queue), timeout=timeout)

    return made


def answers(stream: Stream) -> None:
    stream.put(Delta(stream.id, "Hello"))
    stream.put(Done(stream.id, "complete", USAGE, Answered("Hello", (1,), None)))


async def heard(desk: Desk) -> list:
    async with aclosing(desk.answer(ASKED, KEY)) as events:
        return [event async for event in events]


async def test_the_engine_is_touched_on_its_own_loop_alone(desk, keys) -> None:
    behind = Behind(answers)
    one = desk(behind)
    sent, delta, done = await heard(one)
    assert (sent.model, delta.text, done.finish) == ("m", "Hello", "complete")
    await one.tally.settled()
    assert behind.threads == {"home"}
    assert keys.written == [{"prompt": 10, "reused": 4, "written": 2, "error": ""}]
    assert one.tally.counts["editor"].requests == 1


async def test_who_stops_listening_cancels_and_still_pays(desk, keys) -> None:
    behind = Behind(lambda stream: stream.put(Delta(stream.id, "Hello")))
    one = desk(behind)
    async with aclosing(one.answer(ASKED, KEY)) as events:
        assert [type(await anext(events)) for _ in range(2)] == [Sent, Delta]
        assert one.tally.under_way == 1
    await one.tally.settled()
    assert one.tally.under_way == 0
    assert behind.streams[0].cancelled
    assert behind.threads == {"home"}
    assert keys.written == [{"prompt": 10, "reused": 4, "written": 2, "error": ""}]


async def test_who_leaves_before_it_was_sent_is_never_sent(desk, keys) -> None:
    behind = Behind(answers)
    behind.held = asyncio.Event()
    one = desk(behind)
    listening = asyncio.ensure_future(heard(one))
    await asyncio.to_thread(behind.begun.wait, 30)
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    await one.tally.settled()
    assert await asyncio.to_thread(behind.interrupted.wait, 30)
    assert behind.streams == []
    assert keys.written == [{"prompt": 0, "reused": 0, "written": 0, "error": ""}]


async def test_a_failure_is_raised_and_written_down(desk, keys) -> None:
    one = desk(Behind(lambda stream: stream.put(Failed(stream.id, "too_long", "", needed=9, available=4))))
    with pytest.raises(ApiError, match="context_length_exceeded") as caught:
        await heard(one)
    assert "9 tokens" in caught.value.message
    assert "4 tokens" in caught.value.message
    await one.tally.settled()
    assert [written["error"] for written in keys.written] == ["too_long"]


@pytest.mark.parametrize(("host", "headers"), [("box", {"x-longread-remote": "box"}), ("", {})])
async def test_a_refusal_tells_whether_what_was_asked_had_left_this_computer(desk, host, headers) -> None:
    behind = Behind(lambda stream: stream.put(Failed(stream.id, "remote_busy", "", subject="box")))
    behind.host = host
    with pytest.raises(ApiError) as caught:
        await heard(desk(behind))
    assert caught.value.headers == headers


async def test_what_takes_too_long_is_ended_and_does_not_count_as_done_well(desk, keys) -> None:
    behind = Behind()
    one = desk(behind, timeout=0.01)
    with pytest.raises(ApiError, match="timed_out") as caught:
        await heard(one)
    assert caught.value.status == 504
    await one.tally.settled()
    assert behind.streams[0].cancelled
    assert keys.written == [{"prompt": 10, "reused": 4, "written": 2, "error": "timed_out"}]
    assert one.tally.counts["editor"].failed == {"timed_out": 1}


async def test_an_engine_that_is_stopped_ends_the_answer(desk) -> None:
    one = desk(Behind(lambda stream: stream.put(Done(stream.id, "cancelled"))))
    with pytest.raises(ApiError, match="closing"):
        await heard(one)


async def test_more_than_may_wait(desk, keys) -> None:
    behind = Behind()
    one = desk(behind, queue=1)
    async with aclosing(one.answer(ASKED, KEY)) as events:
        await anext(events)
        with pytest.raises(ApiError, match="queue_full") as caught:
            await heard(one)
        assert caught.value.headers == {"retry-after": "2"}
    await one.tally.settled()
    behind.say = answers
    assert len(await heard(one)) == 3


async def test_a_day_that_is_used_up(desk, keys) -> None:
    keys.used_up = True
    limited = Key("k", "editor", "abcd", daily_tokens=5)
    with pytest.raises(ApiError, match="daily_limit"):
        await anext(desk(Behind(answers)).answer(ASKED, limited))


async def test_counting_has_the_limits_of_every_request(desk, keys) -> None:
    one = desk(Behind(lambda stream: stream.put(Done(stream.id, "complete", result=Expected(7, 7, 0)))), queue=1)
    assert (await one.count(ASKED, KEY)).prompt == 7
    async with aclosing(one.answer(ASKED, KEY)) as events:
        await anext(events)
        with pytest.raises(ApiError, match="queue_full"):
            await one.count(ASKED, KEY)
    keys.used_up = True
    with pytest.raises(ApiError, match="daily_limit"):
        await one.count(ASKED, Key("k", "editor", "abcd", daily_tokens=5))
    await one.tally.settled()
    assert one.tally.counts["editor"].failed == {"queue_full": 1, "daily_limit": 1}
    assert one.tally.counts["editor"].requests == 4


async def test_keys_that_cannot_be_read_or_written_are_told_once(desk, keys) -> None:
    told: list[str] = []
    one = desk(Behind(answers))
    one.tally.on_problem = lambda problem: told.append(problem.code)
    keys.problem = Problem("disk_full", subject="/data")
    for _ in range(2):
        assert len(await heard(one)) == 3, "an answer does not wait for what it cost to be written down"
        await one.tally.settled()
    with pytest.raises(ApiError, match="no_keys") as caught:
        await anext(one.answer(ASKED, Key("k", "editor", "abcd", daily_tokens=5)))
    assert (caught.value.status, told, "/data" in caught.value.message) == (503, ["disk_full"], False)
    problem, keys.problem = keys.problem, None
    await heard(one)
    await one.tally.settled()
    keys.problem = problem
    await heard(one)
    await one.tally.settled()
    assert told == ["disk_full", "disk_full"], "once more, after it had worked again"


@pytest.mark.parametrize(
    ("code", "status", "told"),
    [
        ("busy_database", 503, "busy"),
        ("damaged_database", 500, "trouble"),
        ("text_missing", 500, "trouble"),
        ("disk_full", 507, "cannot_keep"),
        ("cannot_write", 507, "cannot_keep"),
    ],
)
async def test_a_library_that_cannot_be_used_is_told_the_person_whole_and_the_client_without_names(
    elsewhere, keys, caplog, code, status, told
) -> None:
    problems: list[Problem] = []
    working = False

    def broken(stream: Stream) -> None:
        if not working:
            raise Problem(code, subject="anna.db", message="anna")
        answers(stream)

    one = Desk(Behind(broken), Home(elsewhere, problems.append), Tally(keys, 2))
    for working in (False, False, True, False):
        if working:
            await heard(one)
            continue
        with pytest.raises(ApiError, match=told) as caught:
            await heard(one)
        assert (caught.value.status, "anna" in caught.value.message) == (status, False)
        assert ("retry-after" in caught.value.headers) == (code == "busy_database")
    assert [problem.values["subject"] for problem in problems] == ["anna.db"] * 2, "once until it works"
    assert code in caplog.text
    assert "anna" not in caplog.text


async def test_a_key_that_was_made_anew_is_one_series_of_the_metrics(desk) -> None:
    one = desk(Behind(answers))
    for key in (KEY, Key("k2", "editor", "efgh")):
        async with aclosing(one.answer(ASKED, key)) as events:
            assert [event async for event in events]
    await one.tally.settled()
    told = (await Metrics(one).tell(None)).body.decode().splitlines()
    series = [line.rpartition(" ")[0] for line in told if not line.startswith("#")]
    assert len(series) == len(set(series))
    assert 'longread_requests_total{key="editor"} 2' in told


async def test_nothing_is_asked_of_a_loop_that_has_ended(keys) -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    one = Desk(Behind(answers), Home(loop), Tally(keys, 2))
    with pytest.raises(ApiError, match="closing"):
        await heard(one)
    with pytest.raises(ApiError, match="closing"):
        await one.do(lambda behind: 1)
    assert one.tally.under_way == 0
    await one.tally.settled()
