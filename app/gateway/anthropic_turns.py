"""What is said in Anthropic's protocol, as turns of a conversation."""

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from app.gateway import anthropic_request as wire
from app.gateway.errors import ApiError
from app.gateway.passing import Keep
from engine.protocol import Call, Document, Part, Text, Turn

BILLING = re.compile(r"\Ax-anthropic-billing-header:[^\n]*\n*")
"""What Claude Code writes at the head of its system prompt for Anthropic's bills. It is another one in every request:
said to the model, it would have every document read anew at each question."""


def turns(what: wire.Body, keep: Keep) -> tuple[Turn, ...]:
    """The system's turn and those of the messages. Raises `ApiError`."""
    made = (*_system(what.system), *_together(_turns(what.messages, keep)))
    if not made or made[-1].role not in ("user", "tool"):
        raise wrong("messages", "the last one must be what the user says; an answer is not begun for the model here")
    return made


def _system(system: str | tuple[wire.TextBlock, ...]) -> Iterable[Turn]:
    words = system if isinstance(system, str) else "\n\n".join(block.text for block in system)
    words = BILLING.sub("", words, count=1)
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
                _add(parts, text)
            case wire.DocumentBlock():
                parts.append(document(block, f"{at}[{index}]", keep))
            case wire.ToolResultBlock() if parts:
                raise wrong(f"{at}[{index}]", "results of tools come before what the user says with them")
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
                calls.append(Call(id, name, as_json(given)))
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
    blocks = (wire.TextBlock(block.content),) if isinstance(block.content, str) else block.content
    parts: list[Part] = []
    for index, inner in enumerate(blocks):
        match inner:
            case wire.TextBlock(text):
                _add(parts, text)
            case wire.DocumentBlock():
                parts.append(document(inner, f"{at}.content[{index}]", keep))
            case _:
                raise _misplaced(inner, f"{at}.content[{index}]", "user")
    return (Text("Error: "), *parts) if block.is_error else tuple(parts)


def _add(parts: list[Part], text: str) -> None:
    """Blocks of text are paragraphs: nothing stands between them otherwise."""
    parts.append(Text("\n\n" + text if parts and isinstance(parts[-1], Text) else text))


def document(block: wire.DocumentBlock, at: str, keep: Keep) -> Document:
    if block.citations is not None and block.citations.enabled:
        raise not_honoured(f"{at}.citations", "answers through this address cite nothing")
    text = _text(block.source, f"{at}.source")
    if not text.strip():
        raise wrong(f"{at}.source", "this document holds no text")
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
            raise wrong(
                at,
                f"a document comes as text here, not as {_tag(source)}. Send a file to /v1/documents once and name it "
                "in `documents`: it is then read in full, page by page",
            )


def _misplaced(block: Struct, at: str, role: str) -> ApiError:
    if isinstance(block, wire.ImageBlock):
        return wrong(
            at,
            "the models here read text and see no pictures. Send a scan or a picture to /v1/documents: its words are "
            "recognised, and it can be asked about by name",
        )
    return wrong(at, f"a {_tag(block)} block is not for messages of the {role}")


def wrong(at: str, why: str) -> ApiError:
    return ApiError("invalid_value", param=at, why=why)


def not_honoured(at: str, why: str) -> ApiError:
    return ApiError("unsupported_parameter", param=at, why=why)


def _tag(block: Struct) -> str:
    return str(block.__struct_config__.tag)


def as_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
