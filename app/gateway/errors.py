"""What a client did, or asked for, that is not done: a code with its values, and its form in each protocol."""

from collections.abc import Iterable

from app.gateway.refusals import REFUSALS
from app.words import FAILURES, sentence
from engine.protocol import Failed

RETRY = 2
"""Seconds after which a client is told to ask again what may be answered then."""
REMOTE = "x-longread-remote"
"""With the host that answered. Answers of this computer have none, and neither have refusals of what was not sent."""
ANTHROPIC = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
}
"""By status; api_error otherwise."""
OPENAI = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
"""By status; otherwise invalid_request_error below 500 and server_error above."""

CONTEXT = ("too_long", "too_long_model", "evict_refused")
"""Failures that clients know as `context_length_exceeded`."""
OURS = ("engine_died", "internal", "out_of_memory", "evict_inactive")
"""Failures of the engine that are no fault of the request."""


class ApiError(Exception):
    """`code` is one of `REFUSALS`; `param`: the field at fault; `retry_after`: seconds. `str()` is the code alone, so
    that no log holds what was asked."""

    def __init__(self, code: str, *, param: str | None = None, retry_after: int | None = None, **values: str) -> None:
        super().__init__(code)
        self.code = code
        self.param = param
        self.retry_after = retry_after
        self.status = REFUSALS[code].status
        self.host = ""
        """Where what was asked had been sent by then; empty: nowhere else."""
        self.message = sentence({code: REFUSALS[code].sentence}, code, {"param": param or "", **values})

    @property
    def headers(self) -> dict[str, str]:
        headers = {} if self.retry_after is None else {"retry-after": str(self.retry_after)}
        headers |= {REMOTE: self.host} if self.host else {}
        return headers | ({"www-authenticate": "Bearer"} if self.status == 401 else {})

    def openai(self) -> dict[str, object]:
        kind = OPENAI.get(self.status, "invalid_request_error" if self.status < 500 else "server_error")
        return {"error": {"message": self.message, "type": kind, "param": self.param, "code": self.code}}

    def anthropic(self) -> dict[str, object]:
        kind = ANTHROPIC.get(self.status, "api_error")
        # by the words that it begins with, clients of this protocol know that they must shorten a conversation
        too_long = "prompt is too long: " if self.code == "context_length_exceeded" else ""
        return {"type": "error", "error": {"type": kind, "message": too_long + self.message}}

    def shaped(self, path: str) -> dict[str, object]:
        """As the protocol has it to which the path (`/v1/...`) belongs."""
        return self.anthropic() if path.startswith("/v1/messages") else self.openai()


def failed(failure: Failed) -> ApiError:
    """What the engine's refusal is for a client."""
    needed, available = str(failure.needed or "?"), str(failure.available or "?")
    if failure.code in CONTEXT:
        return ApiError("context_length_exceeded", param="messages", needed=needed, available=available)
    if failure.code in ("no_tools", "bad_format"):
        return ApiError(failure.code, message=failure.subject or failure.message)
    values = {"message": failure.message, "subject": failure.subject or "?", "needed": needed, "available": available}
    code = "engine_failed" if failure.code in OURS else "engine_refused"
    said = sentence(FAILURES, failure.code, values) if failure.code in FAILURES else failure.message
    return ApiError(code, said=said)


def listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
