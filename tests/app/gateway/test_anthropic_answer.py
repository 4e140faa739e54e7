"""What the engine says becomes Anthropic's message and stream; the official client reads both the same."""

import json

import pytest
from anthropic.types import Message

from app.gateway import anthropic_answer
from app.gateway.anthropic_answer import Narrator
from app.gateway.errors import ApiError
from engine.protocol import Answered, Call, Delta, Done, Progress, Usage

USED = Usage(prompt=100, read=30, reused=60, written=7, unread=10)


def done(text: str = "", finish="complete", calls=(), stop=None) -> Done:
    return Done("1", finish, USED, Answered(text, (1,), None, calls, stop))


def told(*events) -> list[tuple[str, dict]]:
    narrator = Narrator("msg_1", "m")
    named = []
    for event in events:
        named += narrator.tell(event)
    assert all(name == data["type"] for name, data in named)
    return named


def test_a_message() -> None:
    whole = anthropic_answer.message("msg_1", "m", done("Yes.", "stop", stop="END"))
    read = Message.model_validate(whole)
    assert (read.content[0].text, read.stop_reason, read.stop_sequence) == ("Yes.", "stop_sequence", "END")
    # what was read before is counted apart, as this protocol does
    assert (read.usage.input_tokens, read.usage.cache_read_input_tokens, read.usage.output_tokens) == (40, 60, 7)


@pytest.mark.parametrize(
    ("finish", "reason"),
    [("complete", "end_turn"), ("length", "max_tokens"), ("loop", "max_tokens"), ("calls", "tool_use")],
)
def test_why_it_ended(finish, reason) -> None:
    assert anthropic_answer.message("msg_1", "m", done("Yes.", finish))["stop_reason"] == reason


def test_a_stream_of_words() -> None:
    events = told(Progress("1", "read", 1, 2), Delta("1", "Ye"), Delta("1", ""), Delta("1", "s."), done("Yes."))
    assert [name for name, _ in events] == [
        "message_start",
        "content_block_start",
        *("content_block_delta",) * 2,
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert [data["delta"]["text"] for name, data in events if name == "content_block_delta"] == ["Ye", "s."]
    assert events[-2][1]["delta"] == {"stop_reason": "end_turn", "stop_sequence": None}
    assert events[-2][1]["usage"]["cache_read_input_tokens"] == 60


def test_a_stream_of_words_and_calls() -> None:
    calls = (Call("c1", "find", '{"what": "a"}'), Call("c2", "find", "{}"))
    events = told(Delta("1", "I look."), done("I look.", "calls", calls))
    started = [data for name, data in events if name == "content_block_start"]
    assert [one["index"] for one in started] == [0, 1, 2]
    assert started[1]["content_block"] == {"type": "tool_use", "id": "c1", "name": "find", "input": {}}
    given = [
        data["delta"]["partial_json"]
        for name, data in events
        if data.get("delta", {}).get("type") == "input_json_delta"
    ]
    assert [json.loads(one) for one in given] == [{"what": "a"}, {}]
    assert [data["index"] for name, data in events if name == "content_block_stop"] == [0, 1, 2]
    whole = anthropic_answer.message("msg_1", "m", done("I look.", "calls", calls))
    assert [block["type"] for block in whole["content"]] == ["text", "tool_use", "tool_use"]
    assert whole["content"][1]["input"] == {"what": "a"}


def test_signs_of_life_begin_the_stream_once() -> None:
    narrator = Narrator("msg_1", "m")
    assert [narrator.alive()[0] for _ in range(3)] == ["message_start", "ping", "ping"]
    assert [name for name, _ in narrator.tell(Delta("1", "Yes."))] == ["content_block_start", "content_block_delta"]


def test_an_answer_without_words() -> None:
    assert [name for name, _ in told(done())] == ["message_start", "message_delta", "message_stop"]
    assert anthropic_answer.message("msg_1", "m", done())["content"] == []


@pytest.mark.parametrize("ending", [Done("1", "cancelled"), done(calls=(Call("c1", "find", "[1]"),), finish="calls")])
def test_no_answer_is_refused(ending) -> None:
    with pytest.raises(ApiError):
        anthropic_answer.message("msg_1", "m", ending)
    with pytest.raises(ApiError):
        told(ending)


def test_events_on_the_wire() -> None:
    assert anthropic_answer.encoded(anthropic_answer.PING) == b'event: ping\ndata: {"type":"ping"}\n\n'
    odd = anthropic_answer.encoded(("x", {"text": "a\n\nb\r\u2028"}))
    assert odd.count(b"\n") == 3  # a line of a text ends no event


def test_errors() -> None:
    refused = ApiError("model_not_found", model="x", known="m").anthropic()
    assert (refused["type"], refused["error"]["type"]) == ("error", "not_found_error")
    # by these words clients of this protocol know that a conversation must become shorter
    long = ApiError("context_length_exceeded", needed="9", available="8").anthropic()
    assert long["error"]["message"].startswith("prompt is too long")
