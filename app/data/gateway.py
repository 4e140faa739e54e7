"""How the local API is served, and what is known of it while it is."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

PORT = 8317
"""The usual one: free in the registry, and none of the well-known servers of models."""

LOOPBACK = "127.0.0.1"
EVERYWHERE = {"0.0.0.0": LOOPBACK, "::": "::1"}
"""Hosts that stand for every address of this computer, which is none to connect to; and the one for itself."""


class GatewaySettings(Struct, frozen=True):
    """`host`: the address that is listened on; one that other computers reach is never taken without being asked for.

    `names`: by which clients may call it, beside this computer's own. `tls_certificate` and `tls_key`: PEM files.
    `tls_own`: a certificate that was made here is served instead.
    """

    host: str = LOOPBACK
    port: Annotated[int, Meta(ge=0, le=65535)] = PORT
    """0: any that is free."""
    names: tuple[str, ...] = ()
    tls_certificate: str = ""
    tls_key: str = ""
    tls_own: bool = False
    queue: Annotated[int, Meta(ge=1)] = 64
    """Requests under way, all clients together; more are refused for the moment."""
    connections: Annotated[int, Meta(ge=1)] = 256
    body_limit: Annotated[int, Meta(ge=1024)] = 64 * 2**20
    """Bytes of a request's body, uploaded documents among them."""
    header_seconds: float = 10.0
    """In which a request's head must have come."""
    body_seconds: float = 30.0
    """In which a body must have come, and as much again for every 2 MiB of it."""
    write_seconds: float = 60.0
    """How long a client may take nothing of its answer."""
    request_timeout: Annotated[float, Meta(ge=0)] = 0.0
    """Seconds from a request to its answer's end; 0: as long as it takes."""

    @property
    def near(self) -> str:
        """The host for programs of this computer. A certificate of the person's own is for a name alone."""
        named = self.names[0] if self.tls_certificate and self.names else ""
        return named or EVERYWHERE.get(self.host, self.host)


class Running(Struct, frozen=True):
    """In gateway.json while it is served: where, and the secret with which programs of the same person may ask."""

    address: str
    token: str
    pid: int
    certificate: str = ""
    """The PEM file that a client must trust, where it was made here."""


class Served(Struct, frozen=True):
    """How the local API stands in the window. `address`: where it is served for this computer, or would be. `open`:
    others reach it, at the addresses `others`. `under_way`: requests. `code` and `values`: of the problem that stopped
    it."""

    state: Literal["off", "starting", "on", "failed"] = "off"
    address: str = ""
    open: bool = False
    under_way: int = 0
    code: str = ""
    values: dict[str, str] = {}
    others: tuple[str, ...] = ()
