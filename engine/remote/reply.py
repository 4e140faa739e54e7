"""An answer as it comes from a server, piece by piece or whole, as the engine's own events."""

import time
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from engine.protocol import (
    Answered,
    Call,
    Delta,
    Done,
    Failed,
    Finish,
    Generate,
    Likely,
    Note,
    Usage,
    Written,
)
from engine.remote import estimate
from engine.remote.refusals import failed_inside

FINISHES: dict[str, Finish] = {"stop": "complete", "eos": "complete", "length": "length", "tool_calls": "calls"}
FINISHES["function_call"] = "calls"


class Garbled(Exception):
    """It is no answer of OpenAI's protocol."""


class Function(Struct):
    name: str | None = None
    arguments: str | None = None


class CallPiece(Struct):
    index: int = 0
    id: str | None = None
    function: Function | None = None


class Words(Struct):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: list[CallPiece] | None = None


class Rated(Struct):
    token: str
    logprob: float
    bytes: list[int] | None = None
    top_logprobs: list["Rated"] | None = None


class Ratings(Struct):
    content: list[Rated] | None = None


class Choice(Struct):
    index: int = 0
    delta: Words | None = None
    message: Words | None = None
    text: str | None = None
    finish_reason: str | None = None
    stop_reason: str | int | None = None
    """vLLM's: the stop word that ended it."""
    matched_stop: str | int | None = None
    """SGLang's."""
    logprobs: Ratings | None = None


class Cached(Struct):
    cached_tokens: int | None = None


class Ours(Struct):
    """What another Longread says beside."""

    mode: str = "whole"


class Tokens(Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: Cached | None = None
    longread: Ours | None = None


class Piece(Struct):
    choices: list[Choice] | None = None
    usage: Tokens | None = None
    error: Any | UnsetType = UNSET


class Reply:
    """Takes the pieces of one answer; `ending` is its `Done`. `host` and `model`: for what is told of failures."""

    def __init__(self, request: Generate, host: str, model: str, prompt: int) -> None:
        """`prompt`: tokens of it as estimated, for servers that do not count."""
        self.shown = False
        """Whether anything was given out."""
        self.finish: Finish | None = None
        self._request, self._host, self._model, self._prompt = request, host, model, prompt
        self._text: list[str] = []
        self._calls: dict[int, list[str]] = {}
        self._usage: Tokens | None = None
        self._stop: str | None = None
        self._reason = ""
        self._thought = 0
        self._began = time.monotonic()
        self._first: float | None = None

    @property
    def id(self) -> str:
        return self._request.id

    def take(self, data: str) -> Delta | Failed | None:
        """What a piece gives to show. Raises `Garbled`."""
        try:
            piece = msgspec.json.decode(data, type=Piece)
        except msgspec.MsgspecError as error:
            raise Garbled(type(error).__name__) from None
        if piece.error not in (UNSET, None):
            whole = msgspec.json.decode(data, type=dict[str, Any])
            return failed_inside(self._request.id, self._host, whole, self._model)
        self._usage = piece.usage or self._usage
        text = ""
        written: tuple[Written, ...] = ()
        for choice in piece.choices or ():
            said, rated = self._choice(choice)
            text += said
            written += rated
        if not text and not written:
            return None
        self._text.append(text)
        self.shown = True
        self._first = self._first or time.monotonic()
        return Delta(self._request.id, text, written)

    def _choice(self, choice: Choice) -> tuple[str, tuple[Written, ...]]:
        words = choice.delta or choice.message or Words()
        self._thought += len(words.reasoning_content or words.reasoning or "")
        for call in words.tool_calls or ():
            self._call(call)
        if choice.finish_reason is not None:
            self._end(choice)
        rated = choice.logprobs.content if choice.logprobs is not None else None
        return words.content or choice.text or "", tuple(_written(one) for one in rated or ())

    def _call(self, piece: CallPiece) -> None:
        """Its id and name come first, its arguments in pieces."""
        self.shown = True
        call = self._calls.setdefault(piece.index, ["", "", ""])
        function = piece.function or Function()
        call[0] = call[0] or piece.id or ""
        call[1] = call[1] or function.name or ""
        call[2] += function.arguments or ""

    def _end(self, choice: Choice) -> None:
        self._reason = choice.finish_reason or ""
        self.finish = FINISHES.get(self._reason, "stop")
        matched = choice.stop_reason if choice.stop_reason is not None else choice.matched_stop
        if isinstance(matched, str) and matched in self._request.sampling.stop:
            self.finish, self._stop = "stop", matched

    def ending(self, finish: Finish | None = None) -> Done:
        """`finish` instead of what the server said."""
        finish = finish or self.finish or "complete"
        text = "".join(self._text)
        calls = tuple(Call(id, name, arguments) for id, name, arguments in self._calls.values())
        return Done(
            self._request.id,
            "calls" if calls and finish == "complete" else finish,
            self._used(text),
            Answered(text, (), self._request.sampling.seed, calls, self._stop),
            self._notes(),
        )

    def _notes(self) -> tuple[Note, ...]:
        notes = [Note("remote", {"host": self._host, "model": self._model})]
        if self._usage is not None and self._usage.longread is not None and self._usage.longread.mode == "parallel":
            notes.append(Note("remote_segments", {"host": self._host}))
        if self._usage is None:
            notes.append(Note("remote_uncounted", {"host": self._host}))
        if self._thought:
            notes.append(Note("remote_thought"))
        if self._reason and self._reason not in FINISHES:
            notes.append(Note("remote_ended", {"host": self._host, "reason": self._reason}))
        return tuple(notes)

    def _used(self, text: str) -> Usage:
        counted = self._usage or Tokens(self._prompt, estimate.tokens(text))
        details, written = counted.prompt_tokens_details, counted.completion_tokens
        reused = min((details.cached_tokens if details is not None else None) or 0, counted.prompt_tokens)
        first = None if self._first is None else self._first - self._began
        seconds = 0.0 if self._first is None else time.monotonic() - self._first
        return Usage(
            counted.prompt_tokens,
            counted.prompt_tokens - reused,
            reused,
            written,
            first_token=first,
            writing_rate=(written - 1) / seconds if written > 1 and seconds else None,
        )


def _written(rated: Rated) -> Written:
    return Written(_likely(rated), tuple(_likely(one) for one in rated.top_logprobs or ()))


def _likely(rated: Rated) -> Likely:
    own = bytes(rated.bytes) if rated.bytes is not None else rated.token.encode()
    return Likely(own, rated.logprob)
