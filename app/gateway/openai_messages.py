"""OpenAI's messages, tools and formats as those of the engine."""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from app.gateway.anthropic_request import DocumentBlock
from app.gateway.anthropic_turns import document
from app.gateway.errors import ApiError
from app.gateway.passing import Keep
from engine.protocol import Call, Document, Format, Part, Text, Tool, Turn

EMPTY = ("refusal", "audio", "annotations", "function_call", "reasoning_content")
"""Fields that clients send back with an answer, empty."""


class Function(Struct, forbid_unknown_fields=True):
    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None
    """The model's arguments are made after the schema in any case where a call must be made."""


class ToolGiven(Struct, forbid_unknown_fields=True):
    type: Literal["function"]
    function: Function


class NameOnly(Struct, forbid_unknown_fields=True):
    name: str


class Choice(Struct, forbid_unknown_fields=True):
    type: Literal["function"]
    function: NameOnly


class Called(Struct, forbid_unknown_fields=True):
    name: str
    arguments: str


class CallGiven(Struct):
    id: str
    function: Called
    type: Literal["function"] = "function"


class Schema(Struct, forbid_unknown_fields=True):
    name: str
    schema: dict[str, Any] | None = None
    description: str | None = None
    strict: bool | None = None


class ResponseFormat(Struct, forbid_unknown_fields=True):
    type: Literal["text", "json_object", "json_schema"]
    json_schema: Schema | None = None


def turns(messages: list[dict[str, Any]], keep: Keep) -> tuple[Turn, ...]:
    """`keep`: documents that stand in them. Raises `ApiError("invalid_value")` or "unsupported_parameter"."""
    if not messages:
        raise ApiError("invalid_value", param="messages", why="it is empty")
    made = tuple(_turn(message, f"messages[{number}]", keep) for number, message in enumerate(messages))
    if made[-1].role not in ("user", "tool"):
        why = "the last one must be the user's, or what a tool gave: an answer cannot be continued"
        raise ApiError("invalid_value", param="messages", why=why)
    return made


def tools(given: list[ToolGiven]) -> tuple[Tool, ...]:
    return tuple(
        Tool(
            one.function.name,
            one.function.description or "",
            msgspec.json.encode(one.function.parameters or {}).decode(),
        )
        for one in given
    )


def tool(choice: str | Choice | None, known: tuple[Tool, ...]) -> str:
    """As in `Asked.tool`."""
    if choice is None:
        return "auto"
    if isinstance(choice, str):
        if choice not in ("auto", "none", "required"):
            raise ApiError("invalid_value", param="tool_choice", why="it is auto, none, required or a function")
        if choice == "required" and not known:
            raise ApiError("invalid_value", param="tool_choice", why="there are no tools to be called")
        return choice
    if all(choice.function.name != one.name for one in known):
        raise ApiError("invalid_value", param="tool_choice", why="no tool is called so")
    return choice.function.name


def answer_format(given: ResponseFormat | None) -> Format | None:
    if given is None or given.type == "text":
        return None
    if given.type == "json_object":
        return Format("json")
    if given.json_schema is None or given.json_schema.schema is None:
        raise ApiError("invalid_value", param="response_format", why="json_schema.schema is missing")
    return Format("schema", msgspec.json.encode(given.json_schema.schema).decode())


def _turn(message: dict[str, Any], where: str, keep: Keep) -> Turn:
    given = {name: value for name, value in message.items() if value is not None}
    for name in EMPTY:
        if not given.get(name):
            given.pop(name, None)
    role = given.pop("role", None)
    if role == "tool":
        given.pop("name", None)  # of the function, which the call's id tells
    roles: dict[Any, Literal["system", "user", "assistant", "tool"]]
    roles = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
    if not isinstance(role, str) or role not in roles:
        raise ApiError("invalid_value", param=f"{where}.role", why=f"it is one of {', '.join(roles)}")
    calls = _calls(given.pop("tool_calls", None), where) if role == "assistant" else ()
    call = given.pop("tool_call_id", None) if role == "tool" else None
    if role == "tool" and not isinstance(call, str):
        raise ApiError("invalid_value", param=f"{where}.tool_call_id", why="it is missing")
    content = given.pop("content", None)
    for name in given:
        raise ApiError("unsupported_parameter", param=f"{where}.{name}", why="messages have no such field here")
    if content is None and not calls:
        raise ApiError("invalid_value", param=f"{where}.content", why="it is missing")
    return Turn(roles[role], _parts(content, f"{where}.content", keep, role), calls, call)


def _parts(content: object, where: str, keep: Keep, role: str) -> tuple[Part, ...]:
    if content is None:
        return ()
    if isinstance(content, str):
        return (Text(content),) if content else ()
    if not isinstance(content, list):
        raise ApiError("invalid_value", param=where, why="it is a string or a list of parts")
    parts: list[Part] = []
    for number, part in enumerate(content):
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "document":
            if role not in ("user", "tool"):
                why = "a document stands in what the user says or what a tool gave"
                raise ApiError("invalid_value", param=f"{where}[{number}]", why=why)
            parts.append(_document(part, f"{where}[{number}]", keep))
            continue
        if kind != "text":
            shown = f"{where}[{number}]" + (f" of type {kind}" if isinstance(kind, str) else "")
            raise ApiError("unsupported_parameter", param=shown, why="the model reads text alone")
        text = part.get("text")
        if not isinstance(text, str):
            raise ApiError("invalid_value", param=f"{where}[{number}].text", why="it is missing")
        parts.append(Text(text))
    return tuple(parts)


def _document(part: object, where: str, keep: Keep) -> Document:
    """As Anthropic's protocol has it, since OpenAI's has none with text."""
    try:
        return document(msgspec.convert(part, DocumentBlock), where, keep)
    except msgspec.ValidationError as error:
        raise ApiError("invalid_value", param=where, why=str(error)) from None


def _calls(given: object, where: str) -> tuple[Call, ...]:
    try:
        made = msgspec.convert(given or [], list[CallGiven])
    except msgspec.ValidationError as error:
        raise ApiError("invalid_value", param=f"{where}.tool_calls", why=str(error)) from None
    return tuple(Call(one.id, one.function.name, one.function.arguments) for one in made)
