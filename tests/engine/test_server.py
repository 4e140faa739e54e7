"""The server over real pipes with a worker that does what each request's model name says."""

import io
import os
import queue
import threading

import pytest

from engine import server, wire
from engine.protocol import (
    VERSION,
    Answered,
    Cancel,
    Conversation,
    Count,
    Counted,
    Delta,
    Document,
    Done,
    Failed,
    Gauges,
    Generate,
    Inspect,
    Load,
    MemoryParts,
    ModelSettings,
    Progress,
    Quit,
    Read,
    Ready,
    Text,
    Turn,
)

GAUGES = Gauges(MemoryParts(100, 0, 0, 0, 58, 42), 1, 2, 3)


class Secret(Exception):
    pass


class FakeWorker:
    """Carries out the last words of the conversation."""

    def __init__(self):
        self.recovered = 0
        self.layer = threading.Event()
        self.counting = threading.Event()

    def run(self, request, emit, stopped, border):
        match request:
            case Count(id, documents):
                while documents and not stopped():  # a long one
                    self.counting.set()
                if documents:
                    return Done(id, "cancelled")
                return Done(id, "complete", result=Counted((1,)))
            case Inspect(id):
                return Done(id, "complete")
            case Load(id):
                return Failed(id, "bad_model", "none here")
        words = request.conversation.turns[-1].parts[0].text
        match words:
            case "wait":
                self.layer.set()
                while not stopped():
                    pass
                return Done(request.id, "cancelled")
            case "piece by piece":
                self.layer.set()
                while not stopped():
                    border()
                emit(Delta(request.id, "what was held back"))
                return Done(request.id, "cancelled")
            case "hang":
                self.layer.set()
                threading.Event().wait()
            case "fall":
                for done in (3, 5, 2, 9):
                    emit(Progress(request.id, "read", done, 8))
            case "memory":
                raise MemoryError
            case "torch memory":
                raise type("OutOfMemoryError", (RuntimeError,), {})("CUDA out of memory. Tried to allocate 1.50 GiB.")
            case "allocator":
                raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 4096 bytes.")
            case "another":
                return Done("not mine", "complete")
            case "raise":
                raise Secret("the person's own words")
        emit(Delta(request.id, "yes"))
        return Done(request.id, "complete", result=Answered("yes", (1,), None))

    def gauges(self, busy):
        return Gauges(GAUGES.memory, 1, 2, 3, busy=busy)

    def recover(self):
        self.recovered += 1


class Line:
    """A server in a thread, spoken to as a client does."""

    def __init__(self):
        read_commands, self._commands = os.pipe()
        read_events, write_events = os.pipe()
        self.worker = FakeWorker()
        self.died = queue.SimpleQueue()
        self._out = os.fdopen(self._commands, "wb")
        self._in = os.fdopen(read_events, "rb")
        served = server.Server(
            os.fdopen(read_commands, "rb"), os.fdopen(write_events, "wb"), self._make, die=self.died.put
        )
        self.thread = threading.Thread(target=served.serve, daemon=True)
        self.thread.start()
        self.events = iter(wire.events(self._in))
        self.made = False
        self.gauges = []
        self.ready = next(self.events)

    def _make(self):
        self.made = True
        return self.worker

    def say(self, *commands):
        self.raw(b"".join(map(wire.encode, commands)))

    def raw(self, data):
        self._out.write(data)
        self._out.flush()

    def until(self, id):
        """Events up to the ending of a request."""
        heard = []
        for event in self.events:
            if isinstance(event, Gauges):
                self.gauges.append(event)
                continue
            heard.append(event)
            if isinstance(event, Done | Failed) and event.id == id:
                return heard
        raise AssertionError("the stream ended")

    def ended(self, *ids):
        """The endings of these requests, as they come."""
        endings = []
        while len(endings) < len(ids):
            event = next(self.events)
            if isinstance(event, Done | Failed):
                endings.append(event.id)
        assert set(endings) == set(ids)

    def close(self):
        self._out.close()


@pytest.fixture
def line():
    line = Line()
    yield line
    line.close()


def ask(id, words):
    return Generate(id, Conversation((Turn("user", (Text(words),)),), "2026-01-01"))


def client(id, words, name=""):
    return Generate(id, ask(id, words).conversation, whose="client", client=name)


def read(id, words):
    return Read(id, ask(id, words).conversation)


def test_ready_comes_before_anything_is_made(line):
    assert line.ready == Ready(VERSION, os.getpid())
    assert not line.made


def test_an_answer_and_the_gauges_after_it(line):
    line.say(ask("1", "hello"))
    assert [type(event) for event in line.until("1")] == [Delta, Done]
    line.say(Inspect("2"))
    line.until("2")
    assert [gauges.busy for gauges in line.gauges] == [None]


def test_progress_never_falls(line):
    line.say(read("1", "fall"))
    progress = [(event.done, event.total) for event in line.until("1") if isinstance(event, Progress)]
    assert progress == [(3, 8), (5, 8), (5, 8), (9, 9)]


@pytest.mark.parametrize(("words", "needed"), [("memory", None), ("torch memory", 3 << 29), ("allocator", 4096)])
def test_out_of_memory_is_said_and_the_engine_lives_on(line, words, needed):
    line.say(ask("1", words), ask("2", "hello"))
    (failed,) = line.until("1")
    assert (failed.code, failed.needed, failed.available) == ("out_of_memory", needed, 42)
    assert line.worker.recovered == 1
    assert line.until("2")[-1].finish == "complete"


def test_an_error_says_where_and_not_what_about(line):
    line.say(ask("1", "raise"), ask("2", "hello"))
    (failed,) = line.until("1")
    assert failed.code == "internal"
    assert failed.message.startswith("Secret at ")
    assert "words" not in failed.message
    assert line.until("2")[-1].finish == "complete"


def test_an_ending_of_another_request_is_not_passed_on(line):
    line.say(ask("1", "another"))
    assert [(event.id, event.code) for event in line.until("1")] == [("1", "internal")]


def test_cancel_while_working_and_while_waiting(line):
    line.say(ask("1", "wait"), ask("2", "hello"), ask("3", "hello"))
    line.worker.layer.wait(10)
    line.say(Cancel("2"), Cancel("1"), Cancel("1"), Cancel("unknown"))
    endings = [event for event in line.until("3") if isinstance(event, Done)]
    assert [(ending.id, ending.finish) for ending in endings] == [
        ("2", "cancelled"),
        ("1", "cancelled"),
        ("3", "complete"),
    ]


def test_short_requests_are_served_between_layers_with_gauges(line, monkeypatch):
    monkeypatch.setattr(server, "GAUGES_EVERY", 0.0)
    line.say(read("1", "wait"))
    line.worker.layer.wait(10)
    line.say(Count("2", ()), ask("4", "hello"))
    line.until("2")
    line.say(Inspect("3"))
    line.until("3")
    assert "1" in {gauges.busy for gauges in line.gauges}
    line.say(Cancel("1"))
    assert [event.id for event in line.until("4") if isinstance(event, Done)] == ["1", "4"]


def test_what_is_served_in_between_makes_way_for_a_cancel_and_comes_again(line):
    line.say(read("1", "wait"))
    line.worker.layer.wait(10)
    line.say(Count("2", (Document("", "", ""),)))
    line.worker.counting.wait(10)
    line.say(Cancel("1"))
    assert [event.id for event in line.until("1")] == ["1"]
    line.say(Cancel("2"))
    assert [event.finish for event in line.until("2")] == ["cancelled"]


def test_the_window_takes_over_from_a_client_and_the_client_goes_on(line):
    line.say(client("1", "piece by piece"))
    line.worker.layer.wait(10)
    line.say(client("2", "hello"), read("3", "hello"), ask("4", "hello"))
    line.ended("3", "4")
    line.say(Cancel("1"))
    assert [event.id for event in line.until("2") if isinstance(event, Done)] == ["1", "2"]


def test_a_client_that_waits_for_the_window_is_cancelled_at_once(line):
    line.say(client("1", "piece by piece"))
    line.worker.layer.wait(10)
    line.worker.layer.clear()
    line.say(ask("2", "wait"))
    line.worker.layer.wait(10)
    line.say(Cancel("1"))
    # Its ending comes while the window's still runs, and nothing after it
    assert [(event.id, event.finish) for event in line.until("1")] == [("1", "cancelled")]
    line.say(Cancel("1"), Cancel("2"))
    assert [(event.id, event.finish) for event in line.until("2")] == [("2", "cancelled")]
    line.say(client("1", "hello"))
    assert [type(event) for event in line.until("1")] == [Delta, Done]


def test_short_requests_are_served_while_the_window_takes_over(line):
    line.say(client("1", "piece by piece"))
    line.worker.layer.wait(10)
    line.worker.layer.clear()
    line.say(ask("2", "wait"))
    line.worker.layer.wait(10)
    line.say(Count("3", ()), Inspect("4"))
    line.ended("3", "4")
    line.say(Cancel("2"))
    line.until("2")
    line.say(Cancel("1"))
    assert line.until("1")[-1].finish == "cancelled"


def test_the_window_does_not_take_over_from_itself(line):
    line.say(ask("1", "piece by piece"))
    line.worker.layer.wait(10)
    line.say(ask("2", "hello"), Cancel("1"))
    assert [event.id for event in line.until("2") if isinstance(event, Done)] == ["1", "2"]


def test_garbage_with_an_id_is_answered_and_other_garbage_is_survived(line):
    line.raw(b'not a command\n{"type":"generate","id":"9","conversation":3}\n')
    line.say(ask("1", "hello"))
    events = line.until("1")
    assert (events[0].id, events[0].code) == ("9", "internal")


def test_an_id_in_use_gets_no_second_ending(line):
    line.say(ask("1", "wait"), ask("1", "hello"))
    line.worker.layer.wait(10)
    line.say(Cancel("1"), ask("2", "hello"))
    assert [event.id for event in line.until("2") if isinstance(event, Done)] == ["1", "2"]


def test_a_load_that_fails(line):
    line.say(Load("1", ModelSettings("model")))
    assert line.until("1")[0].code == "bad_model"


@pytest.mark.parametrize("end", ["quit", "close"])
def test_it_ends_when_told_or_left_even_while_working(line, end):
    line.say(ask("1", "wait"))
    line.worker.layer.wait(10)
    line.say(Quit()) if end == "quit" else line.close()
    line.thread.join(10)
    assert not line.thread.is_alive()
    assert line.died.empty()


def test_a_piece_that_does_not_come_back_is_not_waited_for(line, monkeypatch):
    monkeypatch.setattr(server, "GRACE", 0.0)
    line.say(ask("1", "hang"))
    line.worker.layer.wait(10)
    line.close()
    assert line.died.get(timeout=10) == 0


def test_nobody_listening_is_the_end():
    class Broken(io.RawIOBase):
        def write(self, data):
            raise BrokenPipeError

    served = server.Server(io.BytesIO(wire.encode(ask("1", "hello"))), Broken(), FakeWorker, die=lambda code: None)
    served.serve()
