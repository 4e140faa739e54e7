"""Anthropic's requests become `Asked`, or are refused by the name of what is not honoured. No server is needed."""

import json

import pytest

from app.gateway import anthropic_asked
from app.gateway.asked import Asked
from app.gateway.errors import ApiError
from engine.protocol import Call, Document, Format, Sampling, Text, Tool, Turn

ASKED = {"model": "m", "max_tokens": 5, "messages": [{"role": "user", "content": "Who?"}]}
USUAL = Sampling(temperature=0.25, max_tokens=9)
SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}}

TOOL = {"name": "find", "description": "Finds.", "input_schema": SCHEMA}
FORM = {"type": "json_schema", "schema": SCHEMA}


def keep(text: str, name: str) -> Document:
    return Document(f"/kept/{name}", f"sha of {text}", name)


def asked(**said) -> Asked:
    return anthropic_asked.asked(anthropic_asked.wanted(ASKED | said), keep, USUAL)


def content(*blocks, role: str = "user") -> list[dict]:
    return [{"role": role, "content": list(blocks)}]


def refused(**said) -> ApiError:
    with pytest.raises(ApiError) as caught:
        asked(**said)
    assert caught.value.status == 400
    return caught.value


def test_the_least() -> None:
    assert asked() == Asked("m", (Turn("user", (Text("Who?"),)),), Sampling(temperature=0.25, max_tokens=5))


def test_everything_that_shapes_an_answer_is_handed_on() -> None:
    what = asked(
        system=[
            {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}},
            {"type": "text", "text": "And kind."},
        ],
        stop_sequences=["END"],
        temperature=0.5,
        top_p=0.9,
        top_k=7,
        stream=True,
        documents=["lease.pdf"],
        output_config={"format": FORM},
    )
    assert what.turns[0] == Turn("system", (Text("Be brief.\n\nAnd kind."),))
    schema = json.dumps(SCHEMA, separators=(",", ":"))
    assert what.sampling == Sampling(
        temperature=0.5, top_p=0.9, top_k=7, max_tokens=5, stop=("END",), format=Format("schema", schema)
    )
    assert (what.documents, what.stream) == (("lease.pdf",), True)


@pytest.mark.parametrize(
    ("choice", "tool"),
    [
        ({"type": "any"}, "required"),
        ({"type": "tool", "name": "find", "disable_parallel_tool_use": True}, "find"),
        ({"type": "none"}, "none"),
        ({"type": "tool", "name": "find"}, "find"),
        (None, "auto"),
    ],
)
def test_tools(choice, tool) -> None:
    what = asked(tools=[TOOL], tool_choice=choice)
    assert what.tools == (Tool("find", "Finds.", json.dumps(SCHEMA, separators=(",", ":"))),)
    assert what.tool == tool


def test_a_conversation_with_tools() -> None:
    what = asked(
        messages=[
            {"role": "user", "content": "What is the weather?"},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Hm.", "signature": "x"},
                    {"type": "text", "text": "I look."},
                    {"type": "tool_use", "id": "c1", "name": "weather", "input": {"city": "Ulm"}},
                    {"type": "tool_use", "id": "c2", "name": "weather", "input": {"city": "Bonn"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": "Rain."},
                    {
                        "type": "tool_result",
                        "tool_use_id": "c2",
                        "content": [{"type": "text", "text": "No such city."}],
                        "is_error": True,
                    },
                    {"type": "text", "text": "And?"},
                ],
            },
        ]
    )
    assert what.turns[1:] == (
        Turn(
            "assistant",
            (Text("I look."),),
            (Call("c1", "weather", '{"city":"Ulm"}'), Call("c2", "weather", '{"city":"Bonn"}')),
        ),
        Turn("tool", (Text("Rain."),), call="c1"),
        Turn("tool", (Text("Error: "), Text("No such city.")), call="c2"),
        Turn("user", (Text("And?"),)),
    )


@pytest.mark.parametrize("sign", ["cch=97bd6;", "cch=24c2d;"])
def test_the_line_for_bills_is_not_said_to_the_model(sign) -> None:
    line = f"x-anthropic-billing-header: cc_version=2.1.177; {sign}"
    blocks = [{"type": "text", "text": line}, {"type": "text", "text": "Be brief."}]
    for system in (blocks, f"{line}\nBe brief."):
        assert asked(system=system).turns[0] == Turn("system", (Text("Be brief."),))
    assert asked(system=[blocks[0]]) == asked()
    assert asked(system="Say x-anthropic-billing-header: a").turns[0].parts == (
        Text("Say x-anthropic-billing-header: a"),
    )


def test_blocks_of_text_are_paragraphs() -> None:
    (turn,) = asked(messages=content({"type": "text", "text": "A."}, {"type": "text", "text": "B."})).turns
    assert "".join(part.text for part in turn.parts) == "A.\n\nB."


def test_messages_of_one_speaker_are_one_turn() -> None:
    said = [{"role": "user", "content": words} for words in ("One.", "Two.")]
    assert asked(messages=said).turns == (Turn("user", (Text("One."), Text("\n\n"), Text("Two."))),)


def test_documents_in_a_message_are_kept_and_stand_in_their_places() -> None:
    first = {
        "type": "document",
        "title": "Lease",
        "source": {"type": "text", "media_type": "text/plain", "data": "Rent."},
    }
    blocks = {"type": "content", "content": [{"type": "text", "text": "A"}, {"type": "text", "text": "B"}]}
    second = {"type": "document", "context": "A note.", "source": blocks}
    (turn,) = asked(messages=content(first, second, {"type": "text", "text": "How much?"})).turns
    assert turn.parts == (keep("Rent.", "Lease"), keep("A note.\n\nA\n\nB", "Document"), Text("How much?"))


@pytest.mark.parametrize(
    "said",
    [
        {"metadata": {"user_id": "u"}},
        {"cache_control": {"type": "ephemeral"}},
        {"thinking": {"type": "adaptive", "display": "omitted"}},
        {"thinking": {"type": "disabled"}},
        {"service_tier": "auto"},
        {"output_config": {"effort": "high"}},
        {"context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]}},
        {"tool_choice": {"type": "auto"}},
        {"tools": None, "system": None, "documents": None},
    ],
)
def test_what_changes_no_answer_is_taken(said) -> None:
    assert asked(**said) == asked()


@pytest.mark.parametrize(
    ("said", "param", "words"),
    [
        ({"thinking": {"type": "enabled", "budget_tokens": 1024}}, "thinking", "MAX_THINKING_TOKENS=0"),
        ({"output_config": {"effort": "max"}}, "output_config.effort", "Leave it out"),
        (
            {"context_management": {"edits": [{"type": "clear_tool_uses_20250919"}]}},
            "context_management",
            "clear_tool_uses",
        ),
        ({"container": "c", "mcp_servers": []}, "container, mcp_servers", "container, mcp_servers"),
        (
            {"tools": [{"type": "web_search_20250305", "name": "web_search", "input_schema": {}}]},
            "tools[0].type",
            "Anthropic runs",
        ),
        ({"tools": [{"name": "a", "input_schema": {}, "strict": True}]}, "tools[0].strict", "strict"),
        ({"tool_choice": {"type": "any"}}, "tool_choice", "no tools"),
        (
            {"tools": [TOOL], "tool_choice": {"type": "tool", "name": "b"}},
            "tool_choice.name",
            "none of the tools: find",
        ),
        ({"tools": [TOOL], "output_config": {"format": FORM}}, "output_config.format", "one form"),
        (
            {"tool_choice": {"type": "any", "disable_parallel_tool_use": True}},
            "tool_choice.disable_parallel_tool_use",
            "Leave",
        ),
        ({"temperature": 3}, "temperature", "<= 2"),
        ({"max_tokens": "many"}, "max_tokens", "Expected"),
        ({"messages": []}, "messages", "length >= 1"),
        ({"messages": [{"role": "assistant", "content": "I"}]}, "messages", "last one must be what the user says"),
        ({"messages": [{"role": "system", "content": "I"}]}, "messages[0].role", "system"),
        (
            {"messages": content({"type": "image", "source": {"type": "url", "url": "x"}})},
            "messages[0].content[0]",
            "no pictures",
        ),
        (
            {
                "messages": content(
                    {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": ""}}
                )
            },
            "messages[0].content[0].source",
            "/v1/documents",
        ),
        (
            {
                "messages": content(
                    {"type": "document", "source": {"type": "text", "data": "a"}, "citations": {"enabled": True}}
                )
            },
            "messages[0].content[0].citations",
            "cite nothing",
        ),
        (
            {"messages": content({"type": "document", "source": {"type": "text", "data": " "}})},
            "messages[0].content[0].source",
            "no text",
        ),
        (
            {"messages": content({"type": "tool_use", "id": "a", "name": "b", "input": {}})},
            "messages[0].content[0]",
            "tool_use block",
        ),
        (
            {"messages": content({"type": "text", "text": "a"}, {"type": "tool_result", "tool_use_id": "a"})},
            "messages[0].content[1]",
            "come before",
        ),
    ],
)
def test_what_is_not_honoured_is_named(said, param, words) -> None:
    refusal = refused(**said)
    assert words in refusal.message
    assert refusal.param == param
