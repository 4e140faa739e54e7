"""The official client, as it comes, against the real engine with the small model."""

import json

import make_tiny_model
import openai
import pytest
import tool_templates

from app.data.key import KeyRefused
from app.data.settings import Settings
from engine.client import new_id
from engine.protocol import Conversation, Generate, Sampling, Text, Turn

CAPITAL = [{"role": "user", "content": "What is the capital of France? Answer in one sentence."}]
STORY = [{"role": "user", "content": "Tell me a very long story about a lighthouse."}]
TOLD = {"include_usage": True}


@pytest.fixture(scope="module")
def client(small):
    with openai.OpenAI(base_url=f"{small.address}/v1", api_key="sk-all", max_retries=0, timeout=120) as client:
        yield client


def ask(client, **said):
    return client.chat.completions.create(**{"model": "longread", "messages": CAPITAL, "max_tokens": 12} | said)


@pytest.mark.parametrize("base", ["", "/v1", "/api", "/api/v1", "/v1/"])
def test_every_form_of_the_base_address(small, base: str) -> None:
    with openai.OpenAI(base_url=small.address + base, api_key="sk-all", max_retries=0, timeout=120) as client:
        assert "longread" in [model.id for model in client.models.list()]
        assert ask(client, max_tokens=1).usage.completion_tokens == 1


def test_a_model_is_called_as_its_file_is_and_not_by_a_path(client, small) -> None:
    names = [model.id for model in client.models.list()]
    assert not [name for name in names if "/" in name]
    assert client.models.retrieve("longread").max_model_len == 8192
    path = small.assistant.settings.model
    for name in (*names, path):
        assert ask(client, model=name, max_tokens=1).model in names


def test_the_same_in_pieces_as_whole(client) -> None:
    whole = ask(client)
    assert "Paris" in whole.choices[0].message.content
    chunks = list(ask(client, stream=True, stream_options=TOLD))
    pieces = [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices]
    assert "".join(pieces) == whole.choices[0].message.content
    assert len([piece for piece in pieces if piece]) > 3
    usage = chunks[-1].usage
    assert (usage.prompt_tokens, usage.completion_tokens) == (whole.usage.prompt_tokens, whole.usage.completion_tokens)
    # its prompt was read a moment ago; the last token is always looked at again
    assert usage.prompt_tokens_details.cached_tokens >= usage.prompt_tokens - 1
    assert usage.longread["mode"] == "whole"


def test_an_answer_ends_at_a_text(client) -> None:
    content = ask(client).choices[0].message.content
    ended = ask(client, stop=["Paris"])
    assert ended.choices[0].message.content == content[: content.index("Paris")]
    assert ended.choices[0].finish_reason == "stop"
    assert ask(client, max_tokens=2).choices[0].finish_reason == "length"


def test_a_seed_makes_an_answer_repeatable(client) -> None:
    first, again, other = (ask(client, temperature=1.5, seed=seed).choices[0].message.content for seed in (5, 5, 6))
    assert first == again != other


def test_how_likely_each_token_was(client) -> None:
    choice = ask(client, logprobs=True, top_logprobs=2).choices[0]
    tokens = choice.logprobs.content
    assert b"".join(bytes(token.bytes) for token in tokens).decode() == choice.message.content
    for token in tokens:
        assert token.logprob == pytest.approx(max(one.logprob for one in token.top_logprobs))  # it was the likeliest
        assert len(token.top_logprobs) == 2


def test_words_are_gone_on_from(client) -> None:
    said = client.completions.create(model="longread", prompt="The capital of France is", max_tokens=3, logprobs=1)
    assert "Paris" in said.choices[0].text
    assert "".join(said.choices[0].logprobs.tokens) == said.choices[0].text
    pieces = client.completions.create(model="longread", prompt="The capital of France is", max_tokens=3, stream=True)
    assert "".join(piece.choices[0].text for piece in pieces if piece.choices) == said.choices[0].text


def test_a_conversation_goes_on_from_what_was_read(client) -> None:
    first = ask(client)
    more = [*CAPITAL, first.choices[0].message.model_dump(), {"role": "user", "content": "And of Spain?"}]
    second = ask(client, messages=more, max_tokens=1)
    assert second.usage.prompt_tokens_details.cached_tokens > first.usage.prompt_tokens


def test_a_key_that_opens_nothing(small) -> None:
    for key in ("sk-wrong", "sk-all ", "sk-all%0A"):
        small.keys.known[key] = KeyRefused("malformed" if key != "sk-wrong" else "unknown")
    for key in ("sk-wrong", "sk-all%0A"):
        with (
            openai.OpenAI(base_url=small.address, api_key=key, max_retries=0) as client,
            pytest.raises(openai.AuthenticationError),
        ):
            client.models.list()


def test_a_model_that_nobody_knows(client) -> None:
    with pytest.raises(openai.NotFoundError) as caught:
        ask(client, model="gpt-4o")
    assert caught.value.code == "model_not_found"
    assert "longread" in caught.value.message


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"frequency_penalty": 1.0}, "unsupported_value"),
        ({"n": 2}, "unsupported_value"),
        ({"extra_body": {"mirostat": 1}}, "unknown_parameter"),
        ({"temperature": 9}, "invalid_value"),
        ({"extra_body": {"documents": ["nothing.pdf"]}}, None),
    ],
)
def test_what_is_not_honoured(client, said, code) -> None:
    with pytest.raises(openai.BadRequestError if code else openai.NotFoundError) as caught:
        ask(client, **said)
    assert caught.value.code == (code or "document_not_found")


@pytest.mark.parametrize("stream", [False, True])
def test_what_is_too_long_is_refused_with_both_numbers(client, stream: bool) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        ask(client, messages=[{"role": "user", "content": "word " * 9000}], stream=stream)
    assert caught.value.code == "context_length_exceeded"
    assert "8192" in caught.value.message
    assert "90" in caught.value.message


def test_who_goes_away_is_not_written_for(client, small) -> None:
    with ask(client, messages=STORY, max_tokens=5000, stream=True) as stream:
        next(iter(stream))
    # the next question is answered, though thousands of tokens were still to be written
    assert ask(client, max_tokens=1).usage.completion_tokens == 1


def test_the_windows_question_is_answered_while_a_client_is_written_for(client, small) -> None:
    turns = (Turn("user", (Text(CAPITAL[0]["content"]),)),)
    question = Generate(new_id(), Conversation(turns, "2026-01-01T00:00:00"), Sampling(max_tokens=8))

    async def window() -> str:
        done = await small.engine.send(question).ending()
        return done.result.text

    with ask(client, messages=STORY, max_tokens=5000, stream=True) as stream:
        pieces = iter(stream)
        next(pieces)
        assert "Paris" in small.do(window())
        assert small.gateway.under_way == 1
        assert next(pieces).choices[0].finish_reason is None  # and the client's goes on


def test_a_method_of_reading_that_cannot_be(client) -> None:
    with pytest.raises(openai.BadRequestError):
        ask(client, extra_body={"attention_impl": "moba"})
    assert ask(client, extra_body={"attention_impl": "streaming"}, max_tokens=1).usage.longread["forgotten"] == 0


SCHEMA = {
    "type": "object",
    "properties": {"capital": {"type": "string", "maxLength": 12}, "large": {"type": "boolean"}},
    "required": ["capital", "large"],
    "additionalProperties": False,
}
WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "How the weather is.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"enum": ["Bern", "Zürich"]}, "days": {"enum": [1, 2]}},
            "required": ["city", "days"],
            "additionalProperties": False,
        },
    },
}


@pytest.mark.parametrize("temperature", [0, 1.5])
def test_an_answer_after_a_schema_is_valid(client, temperature: float) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "capital", "schema": SCHEMA, "strict": True}}
    said = ask(client, response_format=form, temperature=temperature, seed=3, max_tokens=80)
    answer = json.loads(said.choices[0].message.content)
    assert answer.keys() == {"capital", "large"}
    assert isinstance(answer["capital"], str)
    assert isinstance(answer["large"], bool)
    assert said.choices[0].finish_reason == "stop"


def test_an_answer_may_be_held_to_json(client) -> None:
    asked = [{"role": "user", "content": 'Repeat this and nothing else: {"capital": "Paris"}'}]
    chunks = ask(client, messages=asked, response_format={"type": "json_object"}, max_tokens=40, stream=True)
    assert isinstance(json.loads("".join(chunk.choices[0].delta.content or "" for chunk in chunks)), dict)


def test_a_schema_that_cannot_be_followed(client) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "nothing"}}}
    with pytest.raises(openai.BadRequestError) as caught:
        ask(client, response_format=form)
    assert caught.value.code == "bad_format"


def test_a_model_without_a_place_for_tools(client) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        ask(client, tools=[WEATHER])
    assert caught.value.code == "no_tools"
    assert ask(client, tools=[WEATHER], tool_choice="none", max_tokens=1).choices[0].finish_reason == "length"


@pytest.fixture(scope="module")
def calling(client, small, tmp_path_factory):
    """The client of a model of random weights that has a place for tools. It stays loaded: its tests are the last."""
    folder = make_tiny_model.make(tmp_path_factory.mktemp("tools") / "tiny", tool_templates.QWEN)
    small.do(small.assistant.load(Settings(model=str(folder))))
    return client


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "weather"}}])
def test_a_call_that_must_be_made(calling, choice) -> None:
    said = ask(calling, tools=[WEATHER], tool_choice=choice, max_tokens=300).choices[0]
    assert said.finish_reason == "tool_calls"
    for call in said.message.tool_calls:
        arguments = json.loads(call.function.arguments)
        assert call.function.name == "weather"
        assert arguments["city"] in ("Bern", "Zürich")
        assert arguments["days"] in (1, 2)
    (*_, told) = [
        chunk.choices[0].delta.tool_calls
        for chunk in ask(calling, tools=[WEATHER], tool_choice=choice, max_tokens=300, stream=True)
        if chunk.choices[0].delta.tool_calls
    ]
    assert told[0].function.arguments == said.message.tool_calls[-1].function.arguments


def test_what_a_tool_gave_is_read(calling) -> None:
    asked = {"tools": [WEATHER], "tool_choice": {"type": "function", "function": {"name": "weather"}}}
    called = ask(calling, **asked, max_tokens=300).choices[0].message
    gave = {"role": "tool", "tool_call_id": called.tool_calls[0].id, "content": "It rains."}
    more = [*CAPITAL, called.model_dump(exclude_none=True), gave]
    before = ask(calling, **asked, max_tokens=300).usage.prompt_tokens
    answer = ask(calling, messages=more, tools=[WEATHER], tool_choice="auto", max_tokens=3)
    assert answer.usage.prompt_tokens > before + len("It rains.") // 4
