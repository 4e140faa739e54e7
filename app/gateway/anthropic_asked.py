"""What a client asks in Anthropic's protocol, as `Asked`.

Nothing is passed over in silence: what changes no answer here is named in `app.gateway.anthropic_request`, everything
else is honoured or refused.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from app.gateway import anthropic_request as wire
from app.gateway.asked import Asked
from app.gateway.refusal import Refusal
from engine.protocol import Call, Document, Format, Part, Sampling, Text, Tool, Turn

Keep = Callable[[str, str], Document]
"""Keeps a text that came in a request under a name, for as long as it is asked about."""

NO_EFFECT = "clear_thinking"
"""Begins the names of the edits of a context that change nothing: earlier thinking is read in no case."""

_UNKNOWN = re.compile(r"Object contains unknown field `(?P<field>[^`]+)`(?: - at `\$\.?(?P<place>[^`]*)`)?")
_WRONG = re.compile(r"(?P<what>.*?) - at `\$\.?(?P<place>[^`]*)`", re.DOTALL)


def body(content: bytes) -> wire.Body:
    """Raises `Refusal`, which names every parameter that is not honoured."""
    try:
        raw = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refusal(400, f"The body is not JSON: {error}") from None
    if not isinstance(raw, dict):
        raise Refusal(400, "The body must be a JSON object.")
    if unknown := sorted(raw.keys() - set(wire.Body.__struct_fields__)):
        raise _not_honoured(unknown)
    try:
        return msgspec.convert(raw, wire.Body)
    except msgspec.ValidationError as error:
        raise _refusal(str(error)) from None


def asked(what: wire.Body, keep: Keep) -> Asked:
    """Raises `Refusal`."""
    _refuse_what_changes_answers(what)
    turns = tuple(_system(what.system)) + tuple(_together(_turns(what.messages, keep)))
    if turns[-1].role not in ("user", "tool"):
        raise Refusal(
            400,
            "messages: the last one is the assistant's. An answer is not begun for the model here; end with what the "
            "user says.",
            param="messages",
        )
    tools = tuple(_tool(tool, number) for number, tool in enumerate(what.tools))
    return Asked(
        model=what.model,
        turns=turns,
        sampling=_sampling(what),
        documents=what.documents,
        tools=tools,
        tool=_choice(what.tool_choice, tools),
        stream=what.stream,
    )


def _refuse_what_changes_answers(what: wire.Body) -> None:
    if what.thinking is not None and what.thinking.type == "enabled":
        raise Refusal(
            400,
            "thinking: a local model thinks or does not as it was made, and no number of tokens is set aside for it. "
            'Leave it out, or give {"type": "adaptive"}. Claude Code leaves it out with MAX_THINKING_TOKENS=0.',
            param="thinking",
        )
    if what.output_config is not None and what.output_config.effort not in (None, "high"):
        raise Refusal(
            400, "output_config.effort: a local model has one effort alone. Leave it out.", param="output_config.effort"
        )
    edits = what.context_management.edits if what.context_management is not None else ()
    for edit in edits:
        if not edit.type.startswith(NO_EFFECT):
            raise Refusal(
                400,
                f"context_management: {edit.type} would leave parts of the conversation out. Nothing is left out here; "
                "send the messages that shall be read, and no such edit.",
                param="context_management",
            )


def _sampling(what: wire.Body) -> Sampling:
    form = what.output_config.format if what.output_config is not None else None
    said = {"temperature": what.temperature, "top_p": what.top_p, "top_k": what.top_k, "max_tokens": what.max_tokens}
    return Sampling(
        stop=what.stop_sequences or (),
        format=None if form is None else Format("schema", _json(form.schema)),
        **{name: value for name, value in said.items() if value is not None},
    )


def _system(system: str | tuple[wire.TextBlock, ...]) -> Iterable[Turn]:
    words = system if isinstance(system, str) else "\n\n".join(block.text for block in system)
    if words:
        yield Turn("system", (Text(words),))


def _turns(messages: tuple[wire.Message, ...], keep: Keep) -> Iterable[Turn]:
    """Results of tools are turns of their own; they stand before what the user says with them."""
    for number, message in enumerate(messages):
        place = f"messages[{number}].content"
        if isinstance(message.content, str):
            yield Turn(message.role, (Text(message.content),) if message.content else ())
            continue
        parts: list[Part] = []
        calls: list[Call] = []
        for index, block in enumerate(message.content):
            at = f"{place}[{index}]"
            match block:
                case wire.TextBlock(text):
                    parts.append(Text(text))
                case wire.DocumentBlock() if message.role == "user":
                    parts.append(_document(block, at, keep))
                case wire.ToolUseBlock(id, name, given) if message.role == "assistant":
                    calls.append(Call(id, name, _json(given)))
                case wire.ToolResultBlock() if message.role == "user" and not parts:
                    yield Turn("tool", _result(block, at, keep), call=block.tool_use_id)
                case wire.ToolResultBlock() if message.role == "user":
                    raise Refusal(400, f"{at}: results of tools come before what the user says.", param=at)
                case wire.ThinkingBlock() | wire.RedactedThinkingBlock() if message.role == "assistant":
                    pass  # a chat template would leave it out
                case wire.ImageBlock():
                    raise _no_images(at)
                case _:
                    kind = block.__struct_config__.tag
                    raise Refusal(400, f"{at}: a {kind} block is not for the {message.role}'s messages.", param=at)
        if parts or calls:
            yield Turn(message.role, tuple(parts), tuple(calls))


def _together(turns: Iterable[Turn]) -> Iterable[Turn]:
    """Several messages of one speaker are one turn, since chat templates want the speakers to take turns."""
    before: Turn | None = None
    for turn in turns:
        if before is not None and before.role == turn.role and turn.role != "tool":
            between = (Text("\n\n"),) if before.parts and turn.parts else ()
            before = Turn(turn.role, before.parts + between + turn.parts, before.calls + turn.calls)
            continue
        if before is not None:
            yield before
        before = turn
    if before is not None:
        yield before


def _result(block: wire.ToolResultBlock, at: str, keep: Keep) -> tuple[Part, ...]:
    parts: list[Part] = [Text("Error: ")] if block.is_error else []
    if isinstance(block.content, str):
        return (*parts, Text(block.content))
    for index, inner in enumerate(block.content):
        if isinstance(inner, wire.ImageBlock):
            raise _no_images(f"{at}.content[{index}]")
        found = _document(inner, f"{at}.content[{index}]", keep) if isinstance(inner, wire.DocumentBlock) else inner
        parts.append(Text(found.text) if isinstance(found, wire.TextBlock) else found)
    return tuple(parts)


def _document(block: wire.DocumentBlock, at: str, keep: Keep) -> Document:
    if block.citations is not None and block.citations.enabled:
        raise Refusal(
            400, f"{at}.citations: answers through this address cite nothing. Leave it out.", param=f"{at}.citations"
        )
    match block.source:
        case wire.TextSource(data):
            text = data
        case wire.BlocksSource(str() as content):
            text = content
        case wire.BlocksSource(tuple() as blocks):
            if any(isinstance(one, wire.ImageBlock) for one in blocks):
                raise _no_images(f"{at}.source")
            text = "\n\n".join(one.text for one in blocks if isinstance(one, wire.TextBlock))
        case source:
            kind = source.__struct_config__.tag
            raise Refusal(
                400,
                f"{at}.source: a document comes as text here, not as {kind}. Send a file to /v1/documents once and "
                "name it in `documents`; it is then read in full, page by page.",
                param=f"{at}.source",
            )
    if not text.strip():
        raise Refusal(400, f"{at}.source: this document holds no text.", param=f"{at}.source")
    return keep(f"{block.context}\n\n{text}" if block.context else text, block.title or "Document")


def _tool(tool: wire.Tool, number: int) -> Tool:
    if tool.type not in (None, "custom"):
        raise Refusal(
            400,
            f"tools[{number}]: {tool.type} is a program that Anthropic runs; this computer has none. Give tools of "
            "your own, with a name and an input_schema.",
            param=f"tools[{number}].type",
        )
    return Tool(tool.name, tool.description, _json(tool.input_schema))


def _choice(choice: wire.ToolChoice | None, tools: tuple[Tool, ...]) -> str:
    if choice is None:
        return "auto"
    if choice.disable_parallel_tool_use:
        raise Refusal(
            400,
            "tool_choice.disable_parallel_tool_use: how many tools the model calls at once is its own choice. Leave it "
            "out.",
            param="tool_choice.disable_parallel_tool_use",
        )
    if choice.type == "tool":
        names = [tool.name for tool in tools]
        if choice.name not in names:
            raise Refusal(
                400,
                f"tool_choice.name: there is no tool {choice.name or 'without a name'} among: {', '.join(names)}.",
                param="tool_choice.name",
            )
        return choice.name
    return {"auto": "auto", "any": "required", "none": "none"}[choice.type]


def _no_images(at: str) -> Refusal:
    return Refusal(
        400,
        f"{at}: the models here read text, no pictures. Send a scan or a picture to /v1/documents: its words are "
        "recognised, and it is asked about by name.",
        param=at,
    )


def _not_honoured(names: list[str]) -> Refusal:
    told = ", ".join(names)
    return Refusal(400, f"Not honoured here, so leave it out: {told}.", code="unsupported_parameter", param=names[0])


def _refusal(said: str) -> Refusal:
    if (unknown := _UNKNOWN.match(said)) is not None:
        place, field = unknown["place"] or "", unknown["field"]
        return _not_honoured([f"{place}.{field}" if place else field])
    if (wrong := _WRONG.match(said)) is not None:
        return Refusal(400, f"{wrong['place']}: {wrong['what']}.", param=wrong["place"])
    return Refusal(400, f"{said}.")


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
