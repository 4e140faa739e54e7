"""A conversation as a request of OpenAI's protocol: documents stand in it with all of their text."""

from typing import Any

import msgspec

from engine import document
from engine.protocol import Conversation, Document, Format, Generate, Part, Sampling, Text, Turn

QUESTION = "Question: "
"""As `engine.prompt` writes it, so that a model is asked alike wherever it runs."""

Body = dict[str, Any]


def body(request: Generate, model: str, *, documents: bool = False) -> tuple[str, Body]:
    """The endpoint under the server's root and what is sent to it. `documents`: they go as parts of their own. Raises
    `engine.document.BadDocument`."""
    conversation = request.conversation
    made: Body = {"model": model, "stream": True, "stream_options": {"include_usage": True}}
    if conversation.plain:
        made["prompt"] = "".join(words(turn) for turn in conversation.turns)
        return "/completions", made | _sampling(request.sampling, plain=True)
    made["messages"] = [_message(turn, documents) for turn in conversation.turns]
    return "/chat/completions", made | _tools(conversation) | _sampling(request.sampling, plain=False)


def words(turn: Turn) -> str:
    """All of a turn: each document under a line with its name, then what is asked about them."""
    told, asked = "", ""
    has_documents = False
    for part in turn.parts:
        if isinstance(part, Text):
            asked += part.text
            continue
        told += f"{asked}Document: {part.name}\n\n{document.text(part)}\n\n"
        asked, has_documents = "", True
    return told + (QUESTION + asked if has_documents and asked else asked)


def _message(turn: Turn, documents: bool) -> Body:
    apart = documents and any(isinstance(part, Document) for part in turn.parts)
    content = [_part(part) for part in turn.parts] if apart else words(turn)
    message: Body = {"role": turn.role, "content": content}
    if turn.calls:
        message["content"] = message["content"] or None
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in turn.calls
        ]
    if turn.call is not None:
        message["tool_call_id"] = turn.call
    return message


def _part(part: Part) -> Body:
    """A document as Anthropic's protocol has it, which another Longread takes in either."""
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    source = {"type": "text", "media_type": "text/plain", "data": document.text(part)}
    return {"type": "document", "title": part.name, "source": source}


def _tools(conversation: Conversation) -> Body:
    if not conversation.tools:
        return {}
    functions = [
        {"name": tool.name, "description": tool.description, "parameters": msgspec.json.decode(tool.parameters)}
        for tool in conversation.tools
    ]
    return {"tools": [{"type": "function", "function": function} for function in functions]}


def _sampling(sampling: Sampling, *, plain: bool) -> Body:
    """What is not as usual; `temperature` always, since servers have a usual one of their own."""
    made: Body = {"temperature": sampling.temperature}
    if sampling.top_p != 1.0:
        made["top_p"] = sampling.top_p
    if sampling.top_k:
        made["top_k"] = sampling.top_k
    if sampling.repetition_penalty != 1.0:
        made["repetition_penalty"] = sampling.repetition_penalty
    if sampling.seed is not None:
        made["seed"] = sampling.seed
    if sampling.max_tokens is not None:
        made["max_tokens"] = sampling.max_tokens
    if sampling.stop:
        made["stop"] = list(sampling.stop)
    if sampling.logprobs is not None:
        made |= {"logprobs": sampling.logprobs} if plain else {"logprobs": True, "top_logprobs": sampling.logprobs}
    return made | (_format(sampling.format) if sampling.format is not None else {})


def _format(wanted: Format) -> Body:
    if wanted.kind == "json":
        return {"response_format": {"type": "json_object"}}
    if wanted.kind == "schema":
        schema = {"name": "answer", "schema": msgspec.json.decode(wanted.schema), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    named = {"type": "function", "function": {"name": wanted.tool}}
    return {"tool_choice": named if wanted.tool else "required"}
