"""What the engine says, in Anthropic's protocol: a message, or the events of its stream."""

import uuid
from collections.abc import Iterator
from typing import Any

import msgspec

from app.gateway.asked import Sent
from app.gateway.errors import ApiError
from engine.protocol import Answered, Call, Delta, Done, Event, Finish, Usage

Named = tuple[str, dict[str, Any]]
"""An event of the stream: its name and its data."""

STOPS: dict[Finish, str] = {
    "complete": "end_turn",
    "stop": "stop_sequence",
    "length": "max_tokens",
    "loop": "max_tokens",
    "calls": "tool_use",
}
"""max_tokens: the answer is not complete. One that began to repeat itself is not, either."""

PING: Named = ("ping", {"type": "ping"})


def new_id() -> str:
    return f"msg_{uuid.uuid4().hex}"


def message(id: str, model: str, done: Done) -> dict[str, Any]:
    """The whole answer. Raises `ApiError` where there is none."""
    answered = _answered(done)
    content: list[dict[str, Any]] = [{"type": "text", "text": answered.text}] if answered.text else []
    content += [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": _input(call)} for call in answered.calls
    ]
    stop = {"stop_reason": STOPS[done.finish], "stop_sequence": answered.stop}
    return _begun(id, model) | {"content": content, **stop, "usage": usage(done.usage)}


def usage(used: Usage | None) -> dict[str, int]:
    """In tokens. This protocol counts what was read before apart from the rest of the prompt."""
    prompt, reused, written = (used.prompt, used.reused, used.written) if used is not None else (0, 0, 0)
    return {
        "input_tokens": prompt - reused,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": reused,
        "output_tokens": written,
    }


class Narrator:
    """The events of one answer's stream, in their order. Nothing is begun before something is said or `alive` is asked
    for, so that what is refused at once is refused by its status."""

    def __init__(self, id: str, model: str) -> None:
        self._id, self._model = id, model
        self._begun = False
        self._block = 0
        self._open = False

    def alive(self) -> Named:
        """A sign of life: the stream's first event, and after it pings."""
        return PING if self._begun else self._begin()

    def tell(self, event: Sent | Event) -> Iterator[Named]:
        """Raises `ApiError` where there is no answer. Events that say nothing to a client give nothing."""
        match event:
            case Delta(text=text) if text:
                if not self._begun:
                    yield self._begin()
                if not self._open:
                    yield self._start({"type": "text", "text": ""})
                yield self._delta({"type": "text_delta", "text": text})
            case Done():
                yield from self._end(event)

    def _begin(self) -> Named:
        """Tokens are told at the end: how many there are is not known before they are counted."""
        self._begun = True
        told = _begun(self._id, self._model) | {"usage": usage(None)}
        return "message_start", {"type": "message_start", "message": told}

    def _end(self, done: Done) -> Iterator[Named]:
        answered = _answered(done)
        if not self._begun:
            yield self._begin()
        if self._open:
            yield self._stop()
        for call in answered.calls:
            yield self._start({"type": "tool_use", "id": call.id, "name": call.name, "input": {}})
            yield self._delta({"type": "input_json_delta", "partial_json": msgspec.json.encode(_input(call)).decode()})
            yield self._stop()
        delta = {"stop_reason": STOPS[done.finish], "stop_sequence": answered.stop}
        yield "message_delta", {"type": "message_delta", "delta": delta, "usage": usage(done.usage)}
        yield "message_stop", {"type": "message_stop"}

    def _start(self, block: dict[str, Any]) -> Named:
        self._open = True
        return "content_block_start", {
            "type": "content_block_start",
            "index": self._block,
            "content_block": block,
        }

    def _delta(self, delta: dict[str, Any]) -> Named:
        return "content_block_delta", {"type": "content_block_delta", "index": self._block, "delta": delta}

    def _stop(self) -> Named:
        stopped = self._block
        self._open, self._block = False, self._block + 1
        return "content_block_stop", {"type": "content_block_stop", "index": stopped}


def encoded(event: Named) -> bytes:
    """As a server-sent event."""
    name, data = event
    return b"event: %s\ndata: %s\n\n" % (name.encode(), msgspec.json.encode(data))


def _begun(id: str, model: str) -> dict[str, Any]:
    return {
        "id": id,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }


def _answered(done: Done) -> Answered:
    if not isinstance(done.result, Answered) or done.finish not in STOPS:
        raise ApiError("closing")
    return done.result


def _input(call: Call) -> dict[str, Any]:
    """What a tool is called with must be an object in this protocol; a small model may write something else."""
    try:
        return msgspec.json.decode(call.arguments, type=dict[str, Any])
    except msgspec.DecodeError:
        raise ApiError("bad_call", tool=call.name) from None
