"""Anthropic's own client, unmodified, over a real socket; the engine answers by a script."""

import asyncio
import os
import queue

import anthropic
import pytest
from anthropic import Anthropic
from anthropic.types import Message

ASKED = {"model": "longread", "max_tokens": 50}


def user(words: str) -> list[dict]:
    return [{"role": "user", "content": words}]


@pytest.fixture(scope="module")
def client(scripted):
    with Anthropic(base_url=scripted.address, api_key="sk-all", max_retries=0, timeout=60) as one:
        yield one


def test_an_answer(client) -> None:
    answer = client.messages.create(**ASKED, messages=user("Who?"), metadata={"user_id": "u"})
    assert answer.content[0].text == "You asked: Who?"
    assert (answer.model, answer.role, answer.stop_reason) == ("longread", "assistant", "end_turn")
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (4, 2)


def test_a_stream(client) -> None:
    with client.messages.stream(**ASKED, messages=user("Who?")) as stream:
        assert "".join(stream.text_stream) == "You asked: Who?"
        answer = stream.get_final_message()
    assert answer.content[0].text == "You asked: Who?"
    assert (answer.stop_reason, answer.usage.input_tokens, answer.usage.output_tokens) == ("end_turn", 4, 2)


@pytest.mark.parametrize("place", ["", "/v1", "/api", "/api/v1"])
@pytest.mark.parametrize("secret", [{"api_key": "sk-all"}, {"auth_token": "sk-all"}])
def test_every_form_of_the_base_address_and_of_the_key(scripted, place, secret) -> None:
    with Anthropic(base_url=scripted.address + place, **secret, max_retries=0) as client:
        assert client.messages.count_tokens(model="longread", messages=user("Who?")).input_tokens == 100


def test_models(client) -> None:
    assert "longread" in [model.id for model in client.models.list()]
    assert client.models.retrieve("longread").id == "longread"


def test_a_wrong_key(scripted) -> None:
    with (
        Anthropic(base_url=scripted.address, api_key="sk-wrong", max_retries=0) as client,
        pytest.raises(anthropic.AuthenticationError, match="knows no such key"),
    ):
        client.messages.create(**ASKED, messages=user("Who?"))


@pytest.mark.parametrize("stream", [False, True])
def test_refusals_have_their_classes(client, stream) -> None:
    def ask(**said):
        return client.messages.create(**ASKED | {"messages": user("Who?"), "stream": stream} | said)

    with pytest.raises(anthropic.NotFoundError, match="no model claude") as caught:
        ask(model="claude")
    assert caught.value.type == "not_found_error"
    with pytest.raises(anthropic.BadRequestError, match="MAX_THINKING_TOKENS=0") as caught:
        ask(thinking={"type": "enabled", "budget_tokens": 1024})
    assert caught.value.type == "invalid_request_error"
    with pytest.raises(anthropic.BadRequestError, match=r"prompt is too long: .*9000 tokens"):
        ask(messages=user("too long"))
    with pytest.raises(anthropic.NotFoundError, match="no document contract"):
        ask(extra_body={"documents": ["contract.pdf"]})
    with pytest.raises(anthropic.BadRequestError, match="container"):
        ask(extra_body={"container": "c"})


def test_a_document_in_a_message_is_read_and_gone_afterwards(client, scripted, module_home) -> None:
    block = {
        "type": "document",
        "title": "Lease",
        "source": {"type": "text", "media_type": "text/plain", "data": "Rent."},
    }
    answer = client.messages.create(
        **ASKED, messages=[{"role": "user", "content": [block, {"type": "text", "text": "how"}]}]
    )
    assert '"save":false' in answer.content[0].text.replace(" ", "")
    assert answer.usage.input_tokens == len("Rent.") + len("how")
    assert list(module_home.glob(".passing-*")) == []
    assert scripted.library.items() == []


@pytest.mark.parametrize("stream", [False, True])
def test_a_tool_is_called_and_what_it_gave_is_answered(client, stream) -> None:
    tool = {"name": "search", "description": "Finds.", "input_schema": {"type": "object"}}

    def ask(messages: list[dict]) -> Message:
        if not stream:
            return client.messages.create(**ASKED, tools=[tool], messages=messages)
        with client.messages.stream(**ASKED, tools=[tool], messages=messages) as told:
            return told.get_final_message()

    asked = user("Where?")
    called = ask(asked)
    assert called.stop_reason == "tool_use"
    words, call = called.content
    assert (words.text, call.name, call.input) == ("You asked: Where?", "search", {"words": "Where?"})
    gave = {"type": "tool_result", "tool_use_id": call.id, "content": [{"type": "text", "text": "There."}]}
    answer = ask([*asked, called.to_param(), {"role": "user", "content": [gave]}])
    assert (answer.content[0].text, answer.stop_reason) == ("You asked: There.", "end_turn")


def test_an_engine_that_dies_in_the_middle_is_told_in_the_stream(client) -> None:
    said: list[str] = []

    def ask() -> None:
        with client.messages.stream(**ASKED, messages=user("die")) as stream:
            said.extend(stream.text_stream)

    with pytest.raises(anthropic.APIStatusError, match="engine stopped unexpectedly"):
        ask()
    assert said == ["Half "]
    assert client.messages.create(**ASKED, messages=user("Who?")).content[0].text == "You asked: Who?"


def test_a_client_that_leaves_ends_its_request(client, scripted) -> None:
    scripted.keys.uses = queue.Queue()
    with client.messages.stream(**ASKED, messages=user("hang")) as stream:
        assert next(stream.text_stream) == "Half "
        assert scripted.gateway.under_way == 1
    # what the script counts when it is told to end; what was read and written until then is charged. The use of the
    # request before may be written down as late as this one's
    uses = iter(lambda: scripted.keys.uses.get(timeout=30), None)
    assert any(use == (4, 0, 1, "") for use in uses)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the script waits at a named pipe")
def test_a_long_reading_is_never_silent_for_as_long_as_impatient_clients_wait(client, scripted, tmp_path) -> None:
    """A minute of reading passes in no time: the gateway's clock goes on at once whenever it waits."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        if sum(waited) > 60:
            await asyncio.Event().wait()  # from here on the engine answers
        waited.append(seconds)
        if sum(waited) > 60:
            await asyncio.to_thread(pipe.write_bytes, b"")

    scripted.sleep = sleep
    try:
        answer = client.messages.create(**ASKED, messages=user(f"wait {pipe}"), stream=True)
        told = list(answer.response.iter_lines())
    finally:
        scripted.sleep = asyncio.sleep
    assert sum(waited) > 60
    assert max(waited) <= 10  # a client that gives up after 30 silent seconds stays
    events = [line.removeprefix("event: ") for line in told if line.startswith("event: ")]
    assert events[:8] == ["message_start", *["ping"] * 6, "content_block_start"]
    assert events[-1] == "message_stop"
