"""Many clients at once, of whom half go away: nobody hears another's words, and nothing is left of them."""

import asyncio
import gc
import http.client
import json
import logging
import random
import select
import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from app.data.gateway import GatewaySettings
from app.gateway.openai_answers import Answering
from app.gateway.sse import EventStream
from engine.client import Stream, new_id
from engine.protocol import Conversation, Done, Generate, Text, Turn

CLIENTS, LEAVING = 50, 25
HEADERS = {"Authorization": "Bearer sk-all", "Content-Type": "application/json"}


class Quiet:
    """Told when nothing is under way any more."""

    def __init__(self, tally) -> None:
        self._tally = tally
        self._changed = threading.Condition()
        tally.on_change = self._notify

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def wait(self, under_way: int = 0) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self._tally.under_way == under_way, 30)


@pytest.fixture
def quiet(scripted):
    yield Quiet(scripted.desk.tally)
    scripted.desk.tally.on_change = lambda: None


def begun(address: str, question: str, *, stream: bool) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    body = {"model": "longread", "messages": [{"role": "user", "content": question}], "stream": stream}
    connection.request("POST", "/v1/chat/completions", json.dumps(body), HEADERS)
    return connection


def asks(address: str, question: str) -> str:
    connection = begun(address, question, stream=False)
    said = json.loads(connection.getresponse().read())
    connection.close()
    return said["choices"][0]["message"]["content"]


def answered(connection: http.client.HTTPConnection) -> bytes:
    """What came of an answer, which may have been cut off."""
    try:
        return connection.getresponse().read()
    except (http.client.HTTPException, ConnectionError) as cut:
        return getattr(cut, "partial", b"")
    finally:
        connection.close()


def leaves(address: str, *, stream: bool, after: int) -> None:
    """`after`: bytes of the answer that it takes."""
    connection = begun(address, "hang", stream=stream)
    if stream:
        connection.getresponse().read1(after or 1)
    connection.close()


def alive() -> int:
    gc.collect()
    return sum(isinstance(one, (Stream, EventStream, Answering)) for one in gc.get_objects())


async def test_fifty_clients_of_whom_half_leave(scripted, quiet) -> None:
    chance = random.Random(7)
    asks(scripted.address, "what is loaded once is loaded")
    quiet.wait()
    before = alive()
    with ThreadPoolExecutor(CLIENTS) as pool:
        answers, gone = {}, []
        for number in chance.sample(range(CLIENTS), CLIENTS):
            if number < LEAVING:
                leave = {"stream": chance.random() < 0.5, "after": chance.randrange(400)}
                gone.append(pool.submit(leaves, scripted.address, **leave))
            else:
                secret = f"secret {number} {chance.random()}"
                answers[secret] = pool.submit(asks, scripted.address, secret)

        async def window() -> Done:
            turns = (Turn("user", (Text("the window's"),)),)
            return await scripted.engine.send(Generate(new_id(), Conversation(turns, "2026-01-01"))).ending()

        assert scripted.do(window()).result.text == "You asked: the window's"
        assert {secret: answer.result() for secret, answer in answers.items()} == {
            secret: f"You asked: {secret}" for secret in answers
        }
        for one in gone:
            one.result()
    quiet.wait()
    assert scripted.engine._streams == {}
    assert alive() == before


@pytest.mark.parametrize("stream", [True, False])
def test_who_leaves_ends_the_engines_work(scripted, quiet, stream: bool) -> None:
    connection = begun(scripted.address, "hang", stream=stream)
    quiet.wait(under_way=1)
    connection.close()
    quiet.wait()
    assert scripted.engine._streams == {}


def test_more_than_may_wait_are_told_to_come_back(scripted, another, quiet) -> None:
    scripted.desk.tally._queue = 2
    try:
        waiting = [begun(scripted.address, "hang", stream=True) for _ in range(2)]
        quiet.wait(under_way=2)
        connection = begun(scripted.address, "one more", stream=False)
        refused = connection.getresponse()
        assert (refused.status, refused.getheader("retry-after")) == (429, "2")
        assert json.loads(refused.read())["error"]["code"] == "queue_full"
    finally:
        scripted.desk.tally._queue = 64
    for one in (*waiting, connection):
        one.close()
    quiet.wait()
    assert asks(scripted.address, "now") == "You asked: now"


def test_the_engine_dies_in_the_middle(scripted, quiet) -> None:
    connection = begun(scripted.address, "die", stream=True)
    told = connection.getresponse().read()
    connection.close()
    assert b"Half " in told
    last = told.strip().splitlines()[-1]
    assert json.loads(last.removeprefix(b"data: "))["error"]["code"] == "engine_failed"
    quiet.wait()
    assert asks(scripted.address, "are you back?") == "You asked: are you back?"


def test_the_gateway_may_be_stopped_in_the_middle(scripted, another, quiet) -> None:
    gateway = another(GatewaySettings(port=0))
    connection = begun(gateway.address, "hang", stream=True)
    quiet.wait(under_way=1)
    scripted.do(gateway.stop())
    assert not gateway.running
    assert b"[DONE]" not in answered(connection)
    quiet.wait()
    assert scripted.engine._streams == {}
    assert asks(scripted.address, "still there?") == "You asked: still there?"


@pytest.mark.skipif(
    not hasattr(select, "poll"), reason="this system cannot wait for an end without taking what is there"
)
def test_who_takes_nothing_of_an_answer_is_cut_off(scripted, another, quiet) -> None:
    gateway = another(GatewaySettings(port=0, write_seconds=0.05))
    connection = begun(gateway.address, "x" * 12_000_000, stream=False)
    quiet.wait()
    closed = select.poll()
    closed.register(connection.sock, select.POLLHUP | select.POLLERR)
    assert closed.poll(30_000)
    connection.close()


def test_the_log_holds_no_words(scripted, quiet, caplog) -> None:
    with caplog.at_level(logging.DEBUG, "app"), caplog.at_level(logging.DEBUG, "uvicorn"):
        asks(scripted.address, "the secret of the log")
        begun(scripted.address, "die", stream=False).getresponse().read()
    assert "POST" in caplog.text
    assert "secret" not in caplog.text
    assert "sk-all" not in caplog.text


def test_silence_is_broken_over_the_socket_too(scripted, quiet) -> None:
    passed = iter(range(4))

    async def sleep(seconds: float) -> None:
        """Time flies three times, and then stands still."""
        if next(passed, 3) >= 3:
            await asyncio.Event().wait()

    scripted.sleep = sleep
    try:
        connection = begun(scripted.address, "hang", stream=True)
        answer = connection.getresponse()
        assert answer.status == 200
        # its words came at once; the signs of life after them tell how far it is
        lines = iter(lambda: answer.readline().strip(), b": read 4 of 4")
        assert any(b"Half " in line for line in lines)
    finally:
        scripted.sleep = asyncio.sleep
        connection.close()
    quiet.wait()
