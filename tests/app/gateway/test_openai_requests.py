"""What OpenAI's requests mean, and what of them is refused."""

from pathlib import Path

import msgspec
import pytest

from app.gateway import openai_requests, passing
from app.gateway.asked import Usual
from app.gateway.errors import ApiError
from app.gateway.names import Model
from app.gateway.parameters import NEUTRAL, NEVER
from engine.protocol import Call, Format, ReadingSettings, Sampling, Text, Tool, Turn

HELLO = {"role": "user", "content": "Hello"}
WEATHER = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}


class Desk:
    """Its model writes up to 100 tokens at 0.5, unless told otherwise. `looked_up`: what was asked for by name."""

    def __init__(self) -> None:
        self.looked_up: list[str] = []

    async def usual(self, model: str) -> Usual:
        self.looked_up.append(model)
        return Usual(Model(model, "local", None), Sampling(temperature=0.5, max_tokens=100), ReadingSettings())

    async def reading(self, model: Model, methods) -> ReadingSettings:
        return ReadingSettings(segment=methods.chunk_size)


async def chat(**body):
    with passing.files() as kept:
        return await openai_requests.chat(Desk(), {"model": "m", "messages": [HELLO]} | body, kept)


async def refused(**body) -> ApiError:
    with pytest.raises(ApiError) as caught:
        await chat(**body)
    assert caught.value.status == 400
    return caught.value


async def test_what_is_not_said_is_as_the_settings_say() -> None:
    wanted = await chat()
    assert wanted.asked.sampling == Sampling(temperature=0.5, max_tokens=100)
    assert wanted.asked.turns == (Turn("user", (Text("Hello"),)),)
    assert (wanted.asked.reading, wanted.asked.stream, wanted.usage) == (ReadingSettings(), False, False)


@pytest.mark.parametrize(
    "body",
    [
        {"seed": 2**63},
        {"seed": -(2**70)},
        {"chunk_size": 10**40},
        {"messages": [{"role": ["user"], "content": "x"}]},
        {"messages": [{"role": {}, "content": "x"}]},
    ],
)
async def test_what_no_engine_could_take_is_refused(body) -> None:
    assert (await refused(**body)).code == "invalid_value"


async def test_a_document_stands_in_a_message_as_anthropics_has_it(home) -> None:
    lease = {"type": "document", "title": "lease.txt", "source": {"type": "text", "data": "The rent."}}
    messages = [{"role": "user", "content": [lease, {"type": "text", "text": "Who pays?"}]}]
    with passing.files() as kept:
        asked = (await openai_requests.chat(Desk(), {"model": "m", "messages": messages}, kept)).asked
        document, question = asked.turns[0].parts
        assert Path(document.path).read_text() == "The rent."
    assert (document.name, question, asked.reading.save) == ("lease.txt", Text("Who pays?"), False)
    assert not Path(document.path).exists(), "it is there as long as it is answered"
    for role in ("system", "developer", "assistant"):
        found = await refused(messages=[{"role": role, "content": [lease]}, HELLO])
        assert (found.code, found.param) == ("invalid_value", "messages[0].content[0]")
    for wrong in ({"type": "document"}, lease | {"source": {"type": "base64"}}, lease | {"nothing": 1}):
        assert (await refused(messages=[{"role": "user", "content": [wrong]}])).param.startswith("messages[0].content")


async def test_a_model_is_looked_up_once_for_a_request() -> None:
    desk = Desk()
    with passing.files() as kept:
        body = {"model": "m", "messages": [HELLO], "chunk_size": 512}
        wanted = await openai_requests.chat(desk, body, kept)
    assert (desk.looked_up, wanted.asked.found.name, wanted.asked.reading.segment) == (["m"], "m", 512)


@pytest.mark.parametrize(
    ("said", "sampled"),
    [
        ({"temperature": 0}, {"temperature": 0.0}),
        (
            {"top_p": 0.9, "top_k": 40, "repetition_penalty": 1.1},
            {"top_p": 0.9, "top_k": 40, "repetition_penalty": 1.1},
        ),
        ({"seed": 7}, {"seed": 7}),
        ({"max_tokens": 5}, {"max_tokens": 5}),
        ({"max_completion_tokens": 6}, {"max_tokens": 6}),
        ({"stop": "END"}, {"stop": ("END",)}),
        ({"stop": ["a", "b"]}, {"stop": ("a", "b")}),
        ({"logprobs": True}, {"logprobs": 0}),
        ({"logprobs": True, "top_logprobs": 5}, {"logprobs": 5}),
        ({"logprobs": False}, {}),
        ({"response_format": {"type": "text"}}, {}),
        ({"response_format": {"type": "json_object"}}, {"format": Format("json")}),
        (
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "n", "schema": SCHEMA, "strict": True},
                }
            },
            {"format": Format("schema", msgspec.json.encode(SCHEMA).decode())},
        ),
        ({"temperature": None, "seed": None, "stop": None}, {}),
    ],
)
async def test_how_it_is_written(said, sampled) -> None:
    usual = Sampling(temperature=0.5, max_tokens=100)
    assert (await chat(**said)).asked.sampling == msgspec.structs.replace(usual, **sampled)


async def test_a_stream_may_tell_what_it_took() -> None:
    wanted = await chat(stream=True, stream_options={"include_usage": True})
    assert (wanted.asked.stream, wanted.usage) == (True, True)
    assert (await refused(stream_options={"include_usage": True})).param == "stream_options"


async def test_all_that_a_conversation_may_hold() -> None:
    wanted = await chat(
        messages=[
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "What "}, {"type": "text", "text": "weather?"}]},
            {
                "role": "assistant",
                "content": None,
                "refusal": None,
                "annotations": [],
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"at": "sea"}'}}
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "name": "weather", "content": "rain"},
        ],
        tools=[WEATHER],
    )
    assert wanted.asked.turns == (
        Turn("system", (Text("Be brief."),)),
        Turn("user", (Text("What "), Text("weather?"))),
        Turn("assistant", (), (Call("c1", "weather", '{"at": "sea"}'),)),
        Turn("tool", (Text("rain"),), (), "c1"),
    )
    assert wanted.asked.tools == (Tool("weather", "", '{"type":"object"}'),)


@pytest.mark.parametrize(
    ("choice", "means"),
    [
        (None, "auto"),
        ("auto", "auto"),
        ("none", "none"),
        ("required", "required"),
        ({"type": "function", "function": {"name": "weather"}}, "weather"),
    ],
)
async def test_whether_a_tool_is_called(choice, means) -> None:
    assert (await chat(tools=[WEATHER], tool_choice=choice)).asked.tool == means


@pytest.mark.parametrize(
    ("said", "param"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "assistant", "content": "I"}]}, "messages"),
        ({"messages": [{"role": "king", "content": "I"}]}, "messages[0].role"),
        ({"messages": [{"role": "user"}]}, "messages[0].content"),
        ({"messages": [HELLO | {"name": "Ann"}]}, "messages[0].name"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages[0].tool_call_id"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
            "messages[0].content[0] of type image_url",
        ),
        ({"messages": "Hello"}, "messages"),
        ({"messages": None}, "body"),
        ({"temperature": 3}, "temperature"),
        ({"temperature": "hot"}, "temperature"),
        ({"top_p": 0}, "top_p"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_tokens": 1, "max_completion_tokens": 1}, "max_tokens"),
        ({"stop": [""]}, "stop"),
        ({"stop": ["a", "b", "c", "d", "e"]}, "stop"),
        ({"top_logprobs": 3}, "top_logprobs"),
        ({"logprobs": True, "top_logprobs": 21}, "top_logprobs"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"tools": [WEATHER], "tool_choice": {"type": "function", "function": {"name": "time"}}}, "tool_choice"),
        ({"tools": [{"type": "web_search"}]}, "tools[0].type"),
        ({"tools": [WEATHER], "response_format": {"type": "json_object"}}, "response_format"),
        ({"response_format": {"type": "json_schema"}}, "response_format"),
        ({"response_format": {"type": "xml"}}, "response_format.type"),
        ({"documents": "lease.pdf"}, "documents"),
    ],
)
async def test_what_cannot_be_is_refused_with_its_place(said, param) -> None:
    error = await refused(**said)
    assert error.param == param
    assert param.split(" ")[0] in error.message


async def test_what_nobody_knows_is_refused_by_name() -> None:
    error = await refused(temprature=1)
    assert (error.code, error.param) == ("unknown_parameter", "temprature")
    assert "temperature" in error.message


@pytest.mark.parametrize("name", NEVER)
async def test_what_is_never_done_is_refused_with_the_reason(name: str) -> None:
    assert NEVER[name] in (await refused(**{name: {}})).message


@pytest.mark.parametrize("name", NEUTRAL)
async def test_only_what_is_done_anyway_may_be_asked_for(name: str) -> None:
    values, why = NEUTRAL[name]
    for value in values:
        assert await chat(**{name: value}) == await chat()
    for other in (0.5, 2, "high", True not in values, ["audio"], {"50256": -100}):
        error = await refused(**{name: other})
        assert error.param == name
        assert why in error.message


async def test_labels_ask_for_nothing() -> None:
    assert await chat(user="ann", metadata={"a": "b"}, prompt_cache_key="k") == await chat()


async def test_documents_and_methods_of_reading() -> None:
    wanted = await chat(documents=["lease.pdf"], chunk_size=1024)
    assert wanted.asked.documents == ("lease.pdf",)
    assert wanted.asked.reading == ReadingSettings(segment=1024)


async def test_a_plain_prompt() -> None:
    wanted = await openai_requests.completion(Desk(), {"model": "m", "prompt": "Once", "logprobs": 2, "echo": False})
    assert wanted.asked.plain
    assert wanted.asked.turns == (Turn("user", (Text("Once"),)),)
    assert wanted.asked.sampling.logprobs == 2


@pytest.mark.parametrize(
    "body", [{"prompt": ""}, {"prompt": ["a", "b"]}, {"prompt": [1, 2]}, {"prompt": "a", "echo": True}]
)
async def test_what_no_plain_prompt_can_be(body) -> None:
    with pytest.raises(ApiError):
        await openai_requests.completion(Desk(), {"model": "m"} | body)
