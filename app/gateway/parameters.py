"""Which parameters of OpenAI's protocol are honoured. What is not is refused by name: nothing is ignored in silence."""

from collections.abc import Collection
from typing import Any, TypeVar

import msgspec

from app.gateway.errors import ApiError, listed

T = TypeVar("T")

LABELS = {"user", "metadata", "safety_identifier", "prompt_cache_key"}
"""They ask for nothing: a service keeps them beside its bill."""

NEUTRAL: dict[str, tuple[tuple[Any, ...], str]] = {
    "n": ((1,), "one answer is written to a request"),
    "best_of": ((1,), "one answer is written to a request"),
    "presence_penalty": ((0,), "the engine has no such penalty; it has `repetition_penalty`"),
    "frequency_penalty": ((0,), "the engine has no such penalty; it has `repetition_penalty`"),
    "logit_bias": (({},), "the engine changes no single token's weight"),
    "store": ((False,), "nothing of requests is kept"),
    "service_tier": (("auto", "default"), "there is one way of serving"),
    "parallel_tool_calls": ((True,), "the model calls as many tools as it likes"),
    "modalities": ((["text"],), "there is text alone"),
    "reasoning_effort": (("none",), "how long a model thinks cannot be set"),
    "verbosity": (("medium",), "say in words how long the answer shall be"),
    "suffix": (("",), "text is written at the end alone"),
    "echo": ((False,), "the prompt is not sent back"),
}
"""Values with which a parameter asks for what is done anyway, and why no other is taken."""

NEVER: dict[str, str] = {
    "audio": "there is text alone",
    "prediction": "no answer is predicted",
    "web_search_options": "nothing is fetched from anywhere",
    "functions": "use `tools`",
    "function_call": "use `tool_choice`",
    "prompt_cache_retention": "what was read is kept as the settings say",
    "moderation": "nothing is sent to be looked at",
}


def honoured(body: dict[str, Any], known: Collection[str]) -> dict[str, Any]:
    """What of a request is to be done: without nulls, labels, and values that ask for what is done anyway.

    Raises `ApiError`: "unsupported_parameter" or "unsupported_value" with the reason, or "unknown_parameter" with those
    that are `known`.
    """
    given = {name: value for name, value in body.items() if value is not None and name not in LABELS}
    for name, value in list(given.items()):
        if name in known:
            continue
        if name in NEVER:
            raise ApiError("unsupported_parameter", param=name, why=NEVER[name])
        if name not in NEUTRAL:
            raise ApiError("unknown_parameter", param=name, known=listed(sorted(known)))
        values, why = NEUTRAL[name]
        # 1 == True in Python, and not in JSON
        if not any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in values):
            taken = " or ".join(_shown(one) for one in values)
            raise ApiError("unsupported_value", param=name, value=_shown(value), why=why, taken=taken)
        del given[name]
    return given


def converted(given: dict[str, Any], kind: type[T]) -> T:
    """The request as its type. Raises `ApiError("invalid_value")` with the field at fault."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at `")
        param = path.rstrip("`").removeprefix("$").removeprefix(".")
        raise ApiError("invalid_value", param=param or "body", why=why) from None


def _shown(value: object) -> str:
    shown = msgspec.json.encode(value).decode()
    return shown if len(shown) <= 40 else f"{shown[:40]}…"
