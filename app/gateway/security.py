"""Who may come in: the name by which the server is called, web pages kept out, and the key."""

import hmac
import ipaddress
import secrets
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.data.gateway import GatewaySettings
from app.data.key import Key, KeyRefused
from app.gateway.errors import ApiError
from app.gateway.reach import is_loopback
from app.gateway.tally import Tally

OPEN = ("/health",)
"""Paths that tell nothing and need no key."""

REFUSED = {
    "missing": "missing_api_key",
    "malformed": "malformed_api_key",
    "unknown": "invalid_api_key",
    "revoked": "revoked_api_key",
}
LOCAL = Key("local", "this computer", "", remote=True)
"""Stands for the programs of the same person that read the running server's own secret from its file."""


class Guard:
    """Around the application: lets in whom it knows, and puts the `Key` into the request's state as `key`."""

    def __init__(self, app: ASGIApp, tally: Tally, settings: GatewaySettings, token: str) -> None:
        self._app = app
        self._tally = tally
        self._names = _names(settings)
        self._token = token
        self._loopback = is_loopback(settings.host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            self._check_host(headers)
            _check_origin(headers, scope["scheme"])
            if scope["path"] not in OPEN:
                scope["state"]["key"] = await self._key(headers)
        await self._app(scope, receive, send)

    def _check_host(self, headers: Headers) -> None:
        """A page can make its own name mean this computer (DNS rebinding), but not an address."""
        host = headers.get("host", "")
        try:
            name = urlsplit(f"//{host}").hostname or ""
            if name in self._names:
                return
            address = ipaddress.ip_address(name)
        except ValueError:
            raise ApiError("foreign_host", host=host) from None
        if self._loopback and not address.is_loopback:
            raise ApiError("foreign_host", host=host)

    async def _key(self, headers: Headers) -> Key:
        secret = _secret(headers)
        if secret and hmac.compare_digest(secret.encode(), self._token.encode()):
            return LOCAL
        found = await self._tally.looked_up(self._tally.keys.check, secret)
        if isinstance(found, KeyRefused):
            raise ApiError(REFUSED[found.code])
        return found


def new_token() -> str:
    """A secret for as long as the server runs."""
    return f"sk-local-{secrets.token_urlsafe(32)}"


def _secret(headers: Headers) -> str:
    """As it came: what is wrong with it is told, not put right."""
    if key := headers.get("x-api-key"):
        return key
    scheme, _, secret = headers.get("authorization", "").partition(" ")
    return secret if scheme.lower() == "bearer" else ""


def _check_origin(headers: Headers, scheme: str) -> None:
    """Browsers say from which page a request comes; programs do not."""
    own = f"{scheme}://{headers.get('host', '')}"
    if (origin := headers.get("origin")) is not None and origin != own:
        raise ApiError("foreign_origin")
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise ApiError("foreign_origin")


def _names(settings: GatewaySettings) -> frozenset[str]:
    names = {"localhost", *(name.lower() for name in settings.names)}
    if not is_loopback(settings.host):
        names |= {socket.gethostname().lower(), settings.host.lower()}
    return frozenset(names)
