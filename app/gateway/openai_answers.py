"""The engine's events as OpenAI's answers: a piece at a time, or whole."""

import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Protocol

import msgspec

from app.gateway.asked import Sent
from app.gateway.errors import ApiError
from engine.protocol import Answered, Call, Delta, Done, Event, Finish, Progress, Usage, Written

Events = AsyncGenerator[Sent | Event, None]
Json = dict[str, Any]

FINISHES: dict[Finish, str] = {
    "complete": "stop",
    "stop": "stop",
    "calls": "tool_calls",
    "length": "length",
    "loop": "length",  # it was cut short: it had begun to repeat itself
}


class Form(Protocol):
    """What differs between /v1/chat/completions and /v1/completions."""

    prefix: str
    """Of answers' ids."""
    kind: str
    chunk_kind: str

    def first(self) -> list[Json]:
        """Choices before the first word."""
        ...

    def piece(self, text: str, tokens: tuple[Written, ...]) -> Json:
        """A choice with some words."""
        ...

    def last(self, calls: tuple[Call, ...], finish: str) -> list[Json]:
        """Choices after the last word."""
        ...

    def whole(self, answered: Answered, tokens: list[Written], finish: str) -> Json:
        """The choice of a whole answer."""
        ...


class Answering:
    """One answer. `told`: whether a stream's last chunk says what it took."""

    def __init__(self, events: Events, form: Form, *, told: bool = False) -> None:
        self._events = events
        self._form = form
        self._told = told
        self._sent = Sent("", ())
        self._id = f"{form.prefix}-{uuid.uuid4().hex}"
        self._created = int(time.time())
        self._progress: Progress | None = None

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """Server-sent events, `[DONE]` last. Raises `ApiError`."""
        begun = False
        async with aclosing(self._events) as events:
            async for event in events:
                match event:
                    case Sent():
                        self._sent = event
                        continue
                    case Progress():
                        self._progress = event
                        if event.stage == "tokenise":
                            continue  # it may still be refused
                if not begun:
                    begun = True
                    for choice in self._form.first():
                        yield self._chunk([choice])
                match event:
                    case Delta(text=text, tokens=tokens) if text or tokens:
                        yield self._chunk([self._form.piece(text, tokens)])
                    case Done(finish=finish):
                        answered, usage = _ended(event)
                        for choice in self._form.last(answered.calls, FINISHES[finish]):
                            yield self._chunk([choice])
                        if self._told:
                            yield self._chunk([], self._usage(usage, event))
        yield b"data: [DONE]\n\n"

    async def whole(self) -> Json:
        """The answer as one object. Raises `ApiError`."""
        tokens: list[Written] = []
        done: Done | None = None
        async with aclosing(self._events) as events:
            async for event in events:
                match event:
                    case Sent():
                        self._sent = event
                    case Delta():
                        tokens.extend(event.tokens)
                    case Done():
                        done = event
        if done is None:
            raise ApiError("closing")
        answered, usage = _ended(done)
        choice = self._form.whole(answered, tokens, FINISHES[done.finish])
        return self._about(self._form.kind) | {"choices": [choice], "usage": self._usage(usage, done)}

    def alive(self) -> bytes:
        """A comment that says how far the reading is."""
        progress = self._progress
        if progress is None:
            return b": waiting\n\n"
        return f": {progress.stage} {progress.done} of {progress.total}\n\n".encode()

    def _chunk(self, choices: list[Json], usage: Json | None = None) -> bytes:
        chunk = self._about(self._form.chunk_kind) | {"choices": choices}
        if self._told:
            chunk["usage"] = usage
        return b"data: " + msgspec.json.encode(chunk) + b"\n\n"

    def _about(self, kind: str) -> Json:
        about = {"id": self._id, "object": kind, "created": self._created, "model": self._sent.model}
        return about | {"system_fingerprint": self._sent.fingerprint[:16] or None}

    def _usage(self, usage: Usage, done: Done) -> Json:
        """With what is particular to us under `longread`."""
        ours: Json = {
            "documents": [{"id": one.sha256, "name": one.name} for one in self._sent.documents],
            "mode": usage.mode,
            "finish": done.finish,
            "read": usage.read,
            "reopened": usage.reopened,
            "forgotten": usage.evicted,
            "window": usage.window,
            "notes": [note.code for note in done.notes],
        }
        return {
            "prompt_tokens": usage.prompt,
            "completion_tokens": usage.written,
            "total_tokens": usage.prompt + usage.written,
            "prompt_tokens_details": {"cached_tokens": usage.reused},
            "longread": ours,
        }


def error(what: ApiError) -> bytes:
    """A stream's end by a refusal, as the official clients raise it."""
    return b"data: " + msgspec.json.encode(what.openai()) + b"\n\n"


def _ended(done: Done) -> tuple[Answered, Usage]:
    if done.usage is None or not isinstance(done.result, Answered):
        raise ApiError("internal")
    return done.result, done.usage
