"""What a server says when it refuses, by its status and its own words, as a failure that says what to do.

Servers agree on no shape: {"error": {"message", "type", "code"}} is OpenAI's, {"message"} beside {"object": "error"}
that of vLLM and SGLang, {"detail"} FastAPI's, {"error": "words"} some keys' guardians'.
"""

import re
from typing import Any

import msgspec

from engine.protocol import Failed, FailureCode

AGAIN = (408, 425, 429, 500, 502, 503, 504)
"""Statuses that another try may change."""
LONGEST = 600
"""Characters of a server's own words that are passed on."""

TOO_LONG_CODES = ("context_length_exceeded", "exceed_context_size_error")
TOO_LONG = re.compile(
    r"context (?:length|size|window)|maximum (?:model|context) length|longer than the (?:model|max)|prompt is too long",
    re.IGNORECASE,
)
N = r"([\d,]+)"
AVAILABLE = (
    rf"(?:maximum )?(?:context|model) length (?:here )?(?:is |of |of only |limit of )?\(?{N}",
    rf"context (?:size|window)(?: of)? \(?{N}",
    rf"> {N} maximum",
)
NEEDED = (
    rf"requested (?:a total of |about )?{N}",
    rf"request has {N}",
    rf"input \({N}",
    rf"\(length {N}\)",
    rf"request \({N}",
    rf"tokens \({N}\)",
    rf"is {N} tokens",
    rf"too long: {N}",
    rf"first {N} tokens",
)


class Told(msgspec.Struct, frozen=True):
    """`said`: a server's words, in short. `code`, `kind`: what it calls the error."""

    said: str = ""
    code: str = ""
    kind: str = ""
    param: str = ""
    needed: int | None = None
    available: int | None = None


def told(content: bytes) -> Told | None:
    """What the body of a refusal says; None where it is no JSON object."""
    try:
        whole = msgspec.json.decode(content, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return told_by(whole)


def told_by(whole: dict[str, Any]) -> Told:
    error = whole.get("error", whole)
    if not isinstance(error, dict):
        error = {"message": error}
    said = error.get("message") or error.get("detail") or whole.get("message") or whole.get("detail") or ""
    words = said if isinstance(said, str) else msgspec.json.encode(said).decode()
    needed, available = _tokens(error, "n_prompt_tokens", "needed"), _tokens(error, "n_ctx", "available")
    code, kind, param = (str(error.get(name) or "") for name in ("code", "type", "param"))
    return Told(" ".join(words.split())[:LONGEST], code, kind, param, needed, available)


def refused(id: str, host: str, status: int, content: bytes, model: str) -> Failed:
    """`host` is where it was asked, `model` as it was named."""
    given = told(content)
    said = given or Told()
    message = f"the server answered with {status}"

    def failed(code: FailureCode, subject: str = host) -> Failed:
        return Failed(id, code, message, subject, said=said.said)

    if is_too_long(status, said):
        needed, available = numbers(said)
        return Failed(id, "too_long", message, host, needed, available, said=said.said)
    match status:
        case 401:
            return failed("remote_key")
        case 403:
            return failed("remote_forbidden")
        case 404 if names_model(said):
            return failed("remote_model", model)
        case 400 | 422 if said.code == "model_not_found":
            return failed("remote_model", model)
        case 404 | 405:
            return failed("remote_path")
        case 407:
            return failed("remote_proxy")
        case 413:
            return failed("remote_large")
        case 429:
            return failed("remote_busy")
        case 503 if "model" in said.said.lower() and "loading" in said.said.lower():
            return failed("remote_loading")
        case _ if status >= 500:
            return failed("remote_broken")
        case _ if given is None or 300 <= status < 400:
            return failed("remote_garbled")
        case _:
            return failed("remote_refused")


def failed_inside(id: str, host: str, whole: dict[str, Any], model: str) -> Failed:
    """An error that came within an answer that had begun well."""
    code = told_by(whole).code
    status = int(code) if code.isdecimal() and 400 <= int(code) < 600 else 500
    return refused(id, host, status, msgspec.json.encode(whole), model)


def is_too_long(status: int, said: Told) -> bool:
    if {said.code, said.kind} & set(TOO_LONG_CODES):
        return True
    return status in (400, 413, 422, 500) and bool(TOO_LONG.search(said.said))


def numbers(said: Told) -> tuple[int | None, int | None]:
    """Tokens that were needed and that there are, as far as the words tell."""
    needed = said.needed if said.needed is not None else _first(NEEDED, said.said)
    return needed, said.available if said.available is not None else _first(AVAILABLE, said.said)


def names_model(said: Told) -> bool:
    """Whether it is the model that is not found, and not the address."""
    if said.code == "model_not_found" or said.param == "model":
        return True
    return "model" in said.said.lower()


def _first(patterns: tuple[str, ...], said: str) -> int | None:
    for pattern in patterns:
        if found := re.search(pattern, said, re.IGNORECASE):
            return int(found[1].replace(",", ""))
    return None


def _tokens(error: dict[str, Any], *names: str) -> int | None:
    return next((error[name] for name in names if isinstance(error.get(name), int)), None)
