"""The engine's events as OpenAI's answers."""

import json

import pytest

from app.gateway.asked import Sent
from app.gateway.errors import ApiError
from app.gateway.openai_answers import Answering, error
from app.gateway.openai_forms import ChatForm, TextForm
from engine.protocol import Answered, Call, Delta, Document, Done, Likely, Note, Progress, Usage, Written

USAGE = Usage(prompt=30, read=10, reused=20, written=2, evicted=4, reopened=8, window=4096)
SENT = Sent("small", (Document("/texts/a", "a" * 64, "lease.pdf"),), "f" * 64)
EURO = "€".encode()


def done(text="Hello", finish="complete", **values) -> Done:
    return Done("1", finish, USAGE, Answered(text, (1, 2), None, **values), (Note("read_parallel"),))


async def given(*events):
    for event in events:
        if isinstance(event, Exception):
            raise event
        yield event


async def streamed(*events, form=None, told=False) -> list:
    """The chunks; the last is what ends a stream."""
    answering = Answering(given(*events), form or ChatForm(likely=False), told=told)
    pieces = [piece async for piece in answering.stream()]
    assert all(piece.startswith(b"data: ") and piece.endswith(b"\n\n") for piece in pieces)
    assert pieces[-1] == b"data: [DONE]\n\n"
    return [json.loads(piece[6:]) for piece in pieces[:-1]]


def choices(chunks) -> list:
    return [chunk["choices"][0] for chunk in chunks if chunk["choices"]]


async def test_an_answer_in_pieces() -> None:
    chunks = await streamed(SENT, Delta("1", "Hel"), Delta("1", "lo"), done())
    assert [choice["delta"] for choice in choices(chunks)] == [
        {"role": "assistant", "content": ""},
        {"content": "Hel"},
        {"content": "lo"},
        {},
    ]
    assert [choice["finish_reason"] for choice in choices(chunks)] == [None, None, None, "stop"]
    assert {chunk["object"] for chunk in chunks} == {"chat.completion.chunk"}
    assert len({chunk["id"] for chunk in chunks}) == 1
    assert {chunk["model"] for chunk in chunks} == {"small"}
    assert all("usage" not in chunk for chunk in chunks)


async def test_what_it_took_comes_last_when_it_was_asked_for() -> None:
    chunks = await streamed(SENT, Delta("1", "Hello"), done(), told=True)
    assert [chunk["usage"] for chunk in chunks[:-1]] == [None] * (len(chunks) - 1)
    assert chunks[-1]["choices"] == []
    usage = chunks[-1]["usage"]
    assert (usage["prompt_tokens"], usage["completion_tokens"], usage["total_tokens"]) == (30, 2, 32)
    assert usage["prompt_tokens_details"] == {"cached_tokens": 20}
    assert usage["longread"] == {
        "documents": [{"id": "a" * 64, "name": "lease.pdf"}],
        "mode": "whole",
        "finish": "complete",
        "read": 10,
        "reopened": 8,
        "forgotten": 4,
        "window": 4096,
        "notes": ["read_parallel"],
    }


@pytest.mark.parametrize(
    ("finish", "reason"), [("complete", "stop"), ("stop", "stop"), ("length", "length"), ("loop", "length")]
)
async def test_why_it_ended(finish: str, reason: str) -> None:
    assert choices(await streamed(SENT, done(finish=finish)))[-1]["finish_reason"] == reason
    answer = await Answering(given(SENT, done(finish=finish)), ChatForm(likely=False)).whole()
    assert answer["choices"][0]["finish_reason"] == reason


async def test_nothing_is_said_until_it_may_no_longer_be_refused() -> None:
    answering = Answering(given(SENT, Progress("1", "tokenise", 5, 9), ApiError("queue_full")), ChatForm(likely=False))
    stream = answering.stream()
    with pytest.raises(ApiError):
        await anext(stream)
    assert answering.alive() == b": tokenise 5 of 9\n\n"


async def test_a_reading_begins_the_answer() -> None:
    answering = Answering(given(SENT, Progress("1", "read", 5, 9), ApiError("engine_failed")), ChatForm(likely=False))
    stream = answering.stream()
    assert b"assistant" in await anext(stream)
    with pytest.raises(ApiError):
        await anext(stream)


async def test_calls_of_tools() -> None:
    calls = (Call("c1", "weather", '{"at":"sea"}'), Call("c2", "time", "{}"))
    events = (SENT, done("", "calls", calls=calls))
    chunks = choices(await streamed(*events))
    told = [choice["delta"]["tool_calls"][0] for choice in chunks[1:-1]]
    assert [(one["index"], one["id"], one["function"]["name"]) for one in told] == [
        (0, "c1", "weather"),
        (1, "c2", "time"),
    ]
    assert chunks[-1]["finish_reason"] == "tool_calls"
    (choice,) = (await Answering(given(*events), ChatForm(likely=False)).whole())["choices"]
    assert choice["message"]["content"] is None
    assert choice["message"]["tool_calls"][0] == {
        "id": "c1",
        "type": "function",
        "function": {"name": "weather", "arguments": '{"at":"sea"}'},
    }


async def test_how_likely_tokens_were() -> None:
    tokens = (Written(Likely(EURO[:1], -0.5), (Likely(b"a", -0.25),)), Written(Likely(EURO[1:], -0.75), ()))
    events = (SENT, Delta("1", "€", tokens), done("€"))
    content = choices(await streamed(*events, form=ChatForm(likely=True)))[1]["logprobs"]["content"]
    assert [token["logprob"] for token in content] == [-0.5, -0.75]
    assert bytes(value for token in content for value in token["bytes"]) == EURO
    assert content[0]["top_logprobs"] == [{"token": "a", "logprob": -0.25, "bytes": [97]}]
    whole = await Answering(given(*events), ChatForm(likely=True)).whole()
    assert whole["choices"][0]["logprobs"]["content"] == content


async def test_the_older_form() -> None:
    tokens = (Written(Likely(b"Hel", -0.5), (Likely(b"Hal", -0.25),)), Written(Likely(b"lo", -0.75), ()))
    events = (SENT, Delta("1", "Hel", tokens[:1]), Delta("1", "lo", tokens[1:]), done())
    chunks = choices(await streamed(*events, form=TextForm(likely=True)))
    assert [choice["text"] for choice in chunks] == ["Hel", "lo", ""]
    assert chunks[1]["logprobs"] == {
        "tokens": ["lo"],
        "token_logprobs": [-0.75],
        "top_logprobs": [{}],
        "text_offset": [3],
    }
    whole = await Answering(given(*events), TextForm(likely=True)).whole()
    assert whole["object"] == "text_completion"
    assert whole["choices"][0]["logprobs"]["text_offset"] == [0, 3]


def test_a_streams_refusal_has_the_form_that_clients_raise() -> None:
    told = json.loads(error(ApiError("engine_failed", said="It broke."))[6:])
    assert told["error"] == {"message": "It broke.", "type": "server_error", "param": None, "code": "engine_failed"}
