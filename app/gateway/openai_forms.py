"""The two shapes of OpenAI's answers."""

from collections.abc import Iterable
from typing import Any

from engine.protocol import Answered, Call, Likely, Written

Json = dict[str, Any]


class ChatForm:
    """Of /v1/chat/completions. `likely`: whether log-probabilities were asked for."""

    prefix = "chatcmpl"
    kind = "chat.completion"
    chunk_kind = "chat.completion.chunk"

    def __init__(self, *, likely: bool) -> None:
        self._likely = likely

    def first(self) -> list[Json]:
        return [_choice({"delta": {"role": "assistant", "content": ""}}, None)]

    def piece(self, text: str, tokens: tuple[Written, ...]) -> Json:
        choice = _choice({"delta": {"content": text}}, None)
        return choice | ({"logprobs": _likely(tokens)} if self._likely else {})

    def last(self, calls: tuple[Call, ...], finish: str) -> list[Json]:
        called = [{"index": number, **_call(call)} for number, call in enumerate(calls)]
        said = [_choice({"delta": {"tool_calls": [one]}}, None) for one in called]
        return [*said, _choice({"delta": {}}, finish)]

    def whole(self, answered: Answered, tokens: list[Written], finish: str) -> Json:
        content = answered.text if answered.text or not answered.calls else None
        message: Json = {"role": "assistant", "content": content, "refusal": None}
        if answered.calls:
            message["tool_calls"] = [_call(call) for call in answered.calls]
        return _choice({"message": message, "logprobs": _likely(tokens) if self._likely else None}, finish)


class TextForm:
    """Of /v1/completions."""

    prefix = "cmpl"
    kind = chunk_kind = "text_completion"

    def __init__(self, *, likely: bool) -> None:
        self._likely = likely
        self._offset = 0
        """Characters that were sent."""

    def first(self) -> list[Json]:
        return []

    def piece(self, text: str, tokens: tuple[Written, ...]) -> Json:
        likely = _listed(tokens, self._offset) if self._likely else None
        self._offset += len(text)
        return _choice({"text": text, "logprobs": likely}, None)

    def last(self, calls: tuple[Call, ...], finish: str) -> list[Json]:
        return [_choice({"text": "", "logprobs": None}, finish)]

    def whole(self, answered: Answered, tokens: list[Written], finish: str) -> Json:
        return _choice({"text": answered.text, "logprobs": _listed(tokens, 0) if self._likely else None}, finish)


def _choice(said: Json, finish: str | None) -> Json:
    return {"index": 0, **said, "finish_reason": finish}


def _call(call: Call) -> Json:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _likely(tokens: Iterable[Written]) -> Json:
    content = [_token(one.token) | {"top_logprobs": [_token(other) for other in one.top]} for one in tokens]
    return {"content": content, "refusal": None}


def _token(one: Likely) -> Json:
    return {"token": _text(one), "logprob": one.logprob, "bytes": list(one.bytes)}


def _listed(tokens: Iterable[Written], offset: int) -> Json:
    """The older form: a list for each thing."""
    listed: Json = {"tokens": [], "token_logprobs": [], "top_logprobs": [], "text_offset": []}
    written = b""
    for one in tokens:
        listed["tokens"].append(_text(one.token))
        listed["token_logprobs"].append(one.token.logprob)
        listed["top_logprobs"].append({_text(other): other.logprob for other in one.top})
        listed["text_offset"].append(offset + len(written.decode(errors="ignore")))
        written += one.token.bytes
    return listed


def _text(one: Likely) -> str:
    """A token need be no whole characters."""
    return one.bytes.decode(errors="replace")
