"""Errors in Anthropic's shape."""

from typing import Any

from app.gateway.refusal import Refusal

TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
}
"""By status; others of the client's making are invalid requests, and all of the server's `api_error`."""

TOO_LONG = "prompt is too long: {needed} tokens > {available} maximum. "
"""Clients of this protocol shorten a conversation when they read the first four words."""


def body(refusal: Refusal) -> dict[str, Any]:
    kind = TYPES.get(refusal.status, "invalid_request_error" if refusal.status < 500 else "api_error")
    return {"type": "error", "error": {"type": kind, "message": refusal.message}}
