"""What a client asks in Anthropic's protocol, as `Asked`.

Nothing is passed over in silence: what changes no answer here is named in `app.gateway.anthropic_request`, everything
else is honoured or refused.
"""

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from app.gateway import anthropic_request as wire
from app.gateway.asked import Asked
from app.gateway.errors import ApiError, listed
from app.gateway.extras import NAMES, Extras, taken
from app.gateway.passing import Keep
from engine.protocol import Call, Document, Format, Part, Sampling, Text, Tool, Turn

NO_EFFECT = "clear_thinking"
"""Begins the names of the edits of a context that change nothing: earlier thinking is read in no case."""

_UNKNOWN = re.compile(r"Object contains unknown field `(?P<field>[^`]+)`(?: - at `\$\.?(?P<place>[^`]*)`)?")
_WRONG = re.compile(r"(?P<what>.*?) - at `\$\.?(?P<place>[^`]*)`", re.DOTALL)


class Wanted(Struct, frozen=True):
    body: wire.Body
    extra: Extras


def wanted(raw: dict[str, Any]) -> Wanted:
    """Raises `ApiError`, which names every parameter that is not known."""
    known = (*wire.Body.__struct_fields__, *NAMES)
    if unknown := [name for name in raw if name not in known]:
        raise ApiError("unknown_parameter", param=", ".join(unknown), known=", ".join(known))
    rest, extra = taken(raw)
    try:
        return Wanted(msgspec.convert(rest, wire.Body), extra)
    except msgspec.ValidationError as error:
        raise _refusal(str(error)) from None


def asked(wanted: Wanted, keep: Keep, usual: Sampling) -> Asked:
    """`usual`: how is written where the request does not say. Raises `ApiError`."""
    what = wanted.body
    _refuse_what_changes_answers(what)
    turns = tuple(_system(what.system)) + tuple(_together(_turns(what.messages, keep)))
    if not turns or turns[-1].role not in ("user", "tool"):
        raise _wrong("messages", "the last one must be what the user says; an answer is not begun for the model here")
    tools = tuple(_tool(tool, f"tools[{number}]") for number, tool in enumerate(what.tools))
    return Asked(
        model=what.model,
        turns=turns,
        sampling=_sampling(what, usual),
        documents=wanted.extra.documents,
        tools=tools,
        tool=_choice(what.tool_choice, tools),
        stream=what.stream,
    )


def _refuse_what_changes_answers(what: wire.Body) -> None:
    if what.thinking is not None and what.thinking.type == "enabled":
        raise _not_honoured(
            "thinking",
            "a local model thinks or does not as it was made, and no tokens are set aside for it. Claude Code asks for "
            "none with MAX_THINKING_TOKENS=0",
        )
    if what.output_config is not None and what.output_config.effort not in (None, "high"):
        raise _not_honoured("output_config.effort", "a local model has one effort alone")
    if what.output_config is not None and what.output_config.format is not None and what.tools:
        raise _not_honoured("output_config.format", "an answer has one form: it may call tools, or follow a schema")
    edits = what.context_management.edits if what.context_management is not None else ()
    for edit in edits:
        if not edit.type.startswith(NO_EFFECT):
            raise _not_honoured("context_management", f"{edit.type} would leave out parts of what was said")


def _sampling(what: wire.Body, usual: Sampling) -> Sampling:
    form = what.output_config.format if what.output_config is not None else None
    said = {"temperature": what.temperature, "top_p": what.top_p, "top_k": what.top_k, "max_tokens": what.max_tokens}
    return replace(
        usual,
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
        at = f"messages[{number}].content"
        if isinstance(message.content, str):
            yield Turn(message.role, (Text(message.content),) if message.content else ())
        elif message.role == "user":
            yield from _said(message.content, at, keep)
        else:
            yield from _answered(message.content, at)


def _said(blocks: tuple[wire.Block, ...], at: str, keep: Keep) -> Iterable[Turn]:
    parts: list[Part] = []
    for index, block in enumerate(blocks):
        match block:
            case wire.TextBlock(text):
                parts.append(Text(text))
            case wire.DocumentBlock():
                parts.append(_document(block, f"{at}[{index}]", keep))
            case wire.ToolResultBlock() if parts:
                raise _wrong(f"{at}[{index}]", "results of tools come before what the user says with them")
            case wire.ToolResultBlock():
                yield Turn("tool", _result(block, f"{at}[{index}]", keep), call=block.tool_use_id)
            case _:
                raise _misplaced(block, f"{at}[{index}]", "user")
    if parts:
        yield Turn("user", tuple(parts))


def _answered(blocks: tuple[wire.Block, ...], at: str) -> Iterable[Turn]:
    parts: list[Part] = []
    calls: list[Call] = []
    for index, block in enumerate(blocks):
        match block:
            case wire.TextBlock(text):
                parts.append(Text(text))
            case wire.ToolUseBlock(id, name, given):
                calls.append(Call(id, name, _json(given)))
            case wire.ThinkingBlock() | wire.RedactedThinkingBlock():
                pass  # chat templates leave out what was thought before earlier answers
            case _:
                raise _misplaced(block, f"{at}[{index}]", "assistant")
    if parts or calls:
        yield Turn("assistant", tuple(parts), tuple(calls))


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
        match inner:
            case wire.TextBlock(text):
                parts.append(Text(text))
            case wire.DocumentBlock():
                parts.append(_document(inner, f"{at}.content[{index}]", keep))
            case _:
                raise _misplaced(inner, f"{at}.content[{index}]", "user")
    return tuple(parts)


def _document(block: wire.DocumentBlock, at: str, keep: Keep) -> Document:
    if block.citations is not None and block.citations.enabled:
        raise _not_honoured(f"{at}.citations", "answers through this address cite nothing")
    text = _text(block.source, f"{at}.source")
    if not text.strip():
        raise _wrong(f"{at}.source", "this document holds no text")
    return keep(f"{block.context}\n\n{text}" if block.context else text, block.title or "Document")


def _text(source: wire.Source, at: str) -> str:
    match source:
        case wire.TextSource(data):
            return data
        case wire.BlocksSource(str() as content):
            return content
        case wire.BlocksSource(blocks):
            for index, block in enumerate(blocks):
                if isinstance(block, wire.ImageBlock):
                    raise _misplaced(block, f"{at}.content[{index}]", "user")
            return "\n\n".join(block.text for block in blocks if isinstance(block, wire.TextBlock))
        case _:
            raise _wrong(
                at,
                f"a document comes as text here, not as {_tag(source)}. Send a file to /v1/documents once and name it "
                "in `documents`: it is then read in full, page by page",
            )


def _tool(tool: wire.Tool, at: str) -> Tool:
    if tool.type not in (None, "custom"):
        raise _wrong(
            f"{at}.type",
            f"{tool.type} is a program that Anthropic runs, and this computer has none. Give tools of your own, with a "
            "name and an input_schema",
        )
    return Tool(tool.name, tool.description, _json(tool.input_schema))


def _choice(choice: wire.ToolChoice | None, tools: tuple[Tool, ...]) -> str:
    if choice is None:
        return "auto"
    if choice.disable_parallel_tool_use:
        raise _not_honoured(
            "tool_choice.disable_parallel_tool_use", "how many tools are called at once is the model's own choice"
        )
    if choice.type in ("any", "tool") and not tools:
        raise _wrong("tool_choice", "there are no tools to be called")
    if choice.type != "tool":
        return {"auto": "auto", "any": "required", "none": "none"}[choice.type]
    names = [tool.name for tool in tools]
    if choice.name not in names:
        raise _wrong("tool_choice.name", f"{choice.name} is none of the tools: {listed(names)}")
    return choice.name


def _misplaced(block: Struct, at: str, role: str) -> ApiError:
    if isinstance(block, wire.ImageBlock):
        return _wrong(
            at,
            "the models here read text and see no pictures. Send a scan or a picture to /v1/documents: its words are "
            "recognised, and it can be asked about by name",
        )
    return _wrong(at, f"a {_tag(block)} block is not for messages of the {role}")


def _refusal(said: str) -> ApiError:
    """For what msgspec says of a body."""
    if (unknown := _UNKNOWN.match(said)) is not None:
        place, field = unknown["place"] or "", unknown["field"]
        return _not_honoured(f"{place}.{field}" if place else field, "it is not known")
    if (wrong := _WRONG.match(said)) is not None:
        return _wrong(wrong["place"], wrong["what"])
    return ApiError("invalid_value", param="the body", why=said)


def _wrong(at: str, why: str) -> ApiError:
    return ApiError("invalid_value", param=at, why=why)


def _not_honoured(at: str, why: str) -> ApiError:
    return ApiError("unsupported_parameter", param=at, why=why)


def _tag(block: Struct) -> str:
    return str(block.__struct_config__.tag)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
