"""Anthropic's own client before the real engine with the small model: above all, what was read is not read again."""

import json
import random
from concurrent.futures import ThreadPoolExecutor

import anthropic
import httpx2
import pytest
from anthropic import Anthropic
from msgspec.structs import replace

from app.data.key import Key

PLACES = ["harbour", "stair", "window", "cellar", "garden", "market", "bridge", "island", "tower", "kitchen", "meadow"]
THINGS = ["lantern", "letter", "signal", "stone", "shelf", "ladder", "boat", "clock", "basket", "map", "bell", "rope"]
ASKED = {"model": "longread", "max_tokens": 12}


def book(tokens: int, seed: int, fact: str) -> bytes:
    """Some `tokens` tokens of made-up sentences with a fact in the middle."""
    chance = random.Random(seed)
    lines: list[str] = []
    while len(lines) * 11 < tokens:
        lines.append(
            f"A {chance.choice(THINGS)} and a {chance.choice(THINGS)} were seen at the {chance.choice(PLACES)}."
        )
    lines.insert(len(lines) // 2, fact)
    return "\n".join(lines).encode()


@pytest.fixture(scope="module")
def client(small):
    with Anthropic(base_url=small.address, api_key="sk-all", max_retries=0, timeout=300) as one:
        yield one


@pytest.fixture(scope="module")
def http(small):
    headers = {"x-api-key": "sk-all"}
    with httpx2.Client(base_url=small.address, headers=headers, trust_env=False, timeout=300) as one:
        yield one


@pytest.fixture(scope="module")
def send(http):
    def sent(name: str, content: bytes) -> int:
        """The tokens of a document that is put into the library."""
        made = http.post("/v1/documents", files={"file": (name, content)})
        assert made.status_code == 201
        return http.get(f"/v1/documents/{made.json()['id']}").json()["tokens"]

    return sent


@pytest.fixture(scope="module")
def library(client, send):
    """Two documents; the tokens of each by its title."""
    client.messages.create(**ASKED, messages=[{"role": "user", "content": "Hello."}])  # loads the model
    return {
        "harbour.txt": send("harbour.txt", book(400, 1, "The number of the harbour is 7319.")),
        "garden.txt": send("garden.txt", book(400, 2, "The number of the garden is 2846.")),
    }


def ask(client: Anthropic, document: str, question: str):
    messages = [{"role": "user", "content": question}]
    return client.messages.create(**ASKED, messages=messages, extra_body={"documents": [document]})


def test_clients_that_take_turns_over_two_documents_read_each_of_them_once(client, small, library) -> None:
    small.keys.known["sk-two"] = Key("k2", "two", "-two")
    other = client.with_options(api_key="sk-two")
    asked = [
        ("harbour.txt", "What is the number of the harbour?"),
        ("garden.txt", "What is the number of the garden?"),
        ("harbour.txt", "Which number does the harbour have?"),
        ("garden.txt", "Which number does the garden have?"),
    ]
    answers = [ask(one, *what) for one, what in zip((client, other) * 2, asked, strict=True)]
    for (document, _), answer in zip(asked[:2], answers[:2], strict=True):
        assert answer.usage.cache_read_input_tokens < 100  # the template's words at most
        assert answer.usage.input_tokens >= library[document]
    for (document, _), answer in zip(asked[2:], answers[2:], strict=True):
        assert answer.usage.cache_read_input_tokens >= library[document]
        assert answer.usage.input_tokens < 50
    assert "7319" in answers[0].content[0].text
    assert "2846" in answers[1].content[0].text


def test_an_answer_ends_where_the_client_says(client) -> None:
    messages = [{"role": "user", "content": "Count from one to nine: 1 2 3 4 5 6 7 8 9"}]
    whole = client.messages.create(model="longread", max_tokens=40, messages=messages)
    text = whole.content[0].text
    stop = text[len(text) // 2 : len(text) // 2 + 3]
    stopped = client.messages.create(model="longread", max_tokens=40, messages=messages, stop_sequences=[stop, "\x00"])
    assert (stopped.stop_reason, stopped.stop_sequence) == ("stop_sequence", stop)
    assert text.startswith(stopped.content[0].text)
    assert stop not in stopped.content[0].text
    short = client.messages.create(model="longread", max_tokens=2, messages=messages)
    assert (short.stop_reason, short.usage.output_tokens) == ("max_tokens", 2)


def test_an_answer_follows_a_schema(client) -> None:
    schema = {
        "type": "object",
        "properties": {"capital": {"type": "string", "maxLength": 12}},
        "required": ["capital"],
        "additionalProperties": False,
    }
    messages = [{"role": "user", "content": "What is the capital of France? Answer in JSON."}]
    form = {"format": {"type": "json_schema", "schema": schema}}
    answer = client.messages.create(model="longread", max_tokens=40, messages=messages, output_config=form)
    assert answer.stop_reason == "end_turn"
    assert list(json.loads(answer.content[0].text)) == ["capital"]


def test_a_model_without_a_place_for_tools_is_asked_with_none(client) -> None:
    tool = {"name": "search", "input_schema": {"type": "object"}}
    with pytest.raises(anthropic.BadRequestError, match="no place for tools"):
        client.messages.create(**ASKED, tools=[tool], messages=[{"role": "user", "content": "Where?"}])


def test_tokens_of_a_prompt_are_those_that_it_is_charged_with(client, library) -> None:
    messages = [{"role": "user", "content": "What is the number of the harbour?"}]
    counted = client.messages.count_tokens(
        model="longread", system="Be brief.", messages=messages, extra_body={"documents": ["harbour.txt"]}
    )
    answer = client.messages.create(
        **ASKED, system="Be brief.", messages=messages, extra_body={"documents": ["harbour.txt"]}
    )
    assert counted.input_tokens == answer.usage.input_tokens + answer.usage.cache_read_input_tokens


def test_the_windows_question_is_answered_while_a_clients_text_is_read(client, small, send) -> None:
    send("hill.txt", book(3_000, 4, "The number of the hill is 6184."))
    ended: list[str] = []

    def asked_by_a_program() -> str:
        answer = ask(client, "hill.txt", "What is the number of the hill?")
        ended.append("program")
        return answer.content[0].text

    async def asked_in_the_window() -> str:
        small.assistant.settings = replace(small.assistant.settings, max_tokens=8)
        answer = small.assistant.ask(small.conversations.new().id, "What is the capital of France?")
        await answer.wait()
        ended.append("window")
        return answer.message.text

    small.reading.clear()
    with ThreadPoolExecutor() as programs:
        program = programs.submit(asked_by_a_program)
        assert small.reading.wait(60)
        assert "Paris" in small.do(asked_in_the_window())
        assert "6184" in program.result(120)  # what it had read of its text is still there
    assert ended == ["window", "program"]


@pytest.mark.full
def test_a_document_of_thirty_thousand_tokens_is_read_once(client, http, send, library) -> None:
    tokens = send("road.txt", book(30_000, 3, "The number of the long road is 5927."))
    assert tokens >= 30_000
    first = ask(client, "road.txt", "What is the number of the long road?")
    second = ask(client, "road.txt", "Which number does the long road have?")
    assert first.usage.input_tokens >= tokens
    assert second.usage.cache_read_input_tokens >= tokens
    assert second.usage.input_tokens < 200
    assert http.get("/v1/documents/road.txt").json()["read"] == tokens
