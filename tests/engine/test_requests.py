import threading

from engine.protocol import Conversation, Count, Forget, Generate, Inspect, Load, ModelSettings, Plan, Read, Work
from engine.requests import Requests

TALK = Conversation((), "2026-01-01")
MODEL = ModelSettings("model")


def filled(*requests):
    queue = Requests()
    for request in requests:
        assert queue.put(request)
    return queue


def order(queue, count):
    return [queue.next().id for _ in range(count)]


def test_questions_go_before_reading_and_reading_before_other_work():
    queue = filled(Work("w", "bench"), Read("r", TALK), Generate("g", TALK), Count("c", ()), Inspect("i"))
    assert order(queue, 5) == ["i", "c", "g", "r", "w"]


def test_none_but_plans_pass_a_load():
    queue = filled(Read("r", TALK), Load("l", MODEL), Generate("g", TALK), Plan("p", MODEL))
    assert order(queue, 4) == ["p", "r", "l", "g"]


def test_short_ones_are_served_in_between():
    queue = filled(Read("r", TALK), Count("c", ()), Plan("p", MODEL))
    queue.next()
    queue.next()
    queue.next()
    queue = filled(Read("r", TALK))
    assert queue.next().id == "r"
    assert queue.quick() is None
    for request in (Generate("g", TALK), Count("c", ()), Plan("p", MODEL)):
        queue.put(request)
    assert [queue.quick().id, queue.quick().id, queue.quick()] == ["p", "c", None]


def test_nothing_is_counted_while_a_model_is_loading():
    queue = filled(Load("l", MODEL), Count("c", ()))
    assert queue.next().id == "l"
    assert queue.quick() is None
    queue.put(Inspect("i"))
    assert queue.quick().id == "i"


def test_cancel_takes_the_waiting_and_tells_the_working():
    queue = filled(Read("a", TALK), Read("b", TALK))
    assert queue.next().id == "a"
    assert queue.cancel("b")
    assert not queue.cancel("a")
    assert not queue.cancel("unknown")
    assert queue.cancelled("a")
    queue.done("a")
    assert queue.put(Read("a", TALK))
    assert queue.next().id == "a"
    assert not queue.cancelled("a")


def test_an_id_is_taken_once_at_a_time():
    queue = filled(Read("a", TALK))
    assert not queue.put(Read("a", TALK))
    queue.next()
    assert not queue.put(Read("a", TALK))


def client(name, id, kind=Generate):
    return kind(id, TALK, whose="client", client=name)


def test_the_window_goes_before_clients():
    queue = filled(client("a", "1"), Read("r", TALK), client("a", "2", Read), Generate("g", TALK), Work("w", "bench"))
    assert order(queue, 5) == ["g", "r", "1", "2", "w"]


def test_clients_are_served_in_turn():
    queue = filled(*(client("many", f"m{n}") for n in range(4)), client("few", "f0", Read), client("new", "n0"))
    assert order(queue, 3) == ["m0", "f0", "n0"]
    queue.put(client("few", "f1"))
    # Whoever was served longest ago, however many there are of the others'
    assert order(queue, 3) == ["m1", "f1", "m2"]
    queue.put(client("few", "f2"))
    assert order(queue, 2) == ["f2", "m3"]


def test_whoever_takes_over_is_the_windows_and_asked_before_a_load():
    queue = filled(client("a", "1"))
    queue.next()
    assert queue.take_over("1") is None
    for request in (client("b", "2"), Work("w", "bench"), Forget("f"), Read("r", TALK), Generate("g", TALK)):
        queue.put(request)
    queue.put(Load("l", MODEL))
    queue.put(Generate("late", TALK))
    assert [queue.take_over("1").id, queue.take_over("1").id, queue.take_over("1")] == ["g", "r", None]


def test_cancelling_one_that_was_taken_over_from_is_told_once():
    queue = filled(client("a", "1"))
    queue.next()
    queue.put(Generate("g", TALK))
    assert queue.take_over("1").id == "g"
    assert queue.cancel("1")
    assert not queue.cancel("1")
    assert queue.told("1")
    queue.go_on("1")
    assert queue.cancelled("1")
    assert not queue.done("1")
    assert queue.done("g")
    assert queue.put(client("a", "1"))
    assert queue.next().id == "1"
    assert not queue.told("1")


def test_closing_wakes_who_waits():
    queue = Requests()
    got = []
    thread = threading.Thread(target=lambda: got.append(queue.next()))
    thread.start()
    queue.close()
    thread.join(10)
    assert got == [None]
    assert queue.cancelled("whatever is worked on")
