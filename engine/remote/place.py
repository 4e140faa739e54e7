"""One model of one server: where it is, with which key, and how patient to be."""

from collections.abc import Iterator
from typing import Protocol

from engine.remote.address import Address


class Connections(Protocol):
    """Whoever keeps the list of connections. Called from the thread that makes them."""

    def opened(self, host: str, purpose: str) -> int: ...

    def received(self, number: int, count: int, sent: int = 0) -> None: ...


class Unlisted:
    """Nobody keeps a list."""

    def opened(self, host: str, purpose: str) -> int:
        return 0

    def received(self, number: int, count: int, sent: int = 0) -> None:
        pass


class Place:
    """`timeout`: seconds without a byte after which nothing is waited for; `connect`: to reach the server at all.
    `certificate`: a PEM file that is trusted in the place of those of the system.
    `documents`: it takes them apart from what is said, as another Longread does, and reads them in full."""

    def __init__(
        self,
        address: Address,
        model: str,
        key: str,
        *,
        timeout: float,
        connect: float,
        retries: int,
        certificate: str,
        connections: Connections,
        documents: bool,
    ) -> None:
        self.address, self.model, self.key = address, model, key
        self.timeout, self.connect, self.retries = timeout, connect, retries
        self.certificate, self.connections, self.documents = certificate, connections, documents
        self.root: str | None = None
        """Under which of the address's roots it answered."""

    def roots(self) -> Iterator[str]:
        """Those to try: the one that is known, or each."""
        yield from (self.root,) if self.root is not None else self.address.roots
