"""The gateway: a server on a thread of its own, with its own loop."""

import asyncio
import contextlib
import errno
import logging
import os
import socket
import ssl
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import uvicorn

from app import paths
from app.data.gateway import GatewaySettings, Running
from app.gateway import endpoints, reach, running, tls
from app.gateway.behind import Behind
from app.gateway.connection import protocol
from app.gateway.desk import Desk
from app.gateway.home import Home
from app.gateway.security import new_token
from app.gateway.tally import Keys, Tally
from app.services.problem import Problem

STOPS_WITHIN = 1
"""Seconds that answers under way are given at the end."""

log = logging.getLogger(__name__)


class Gateway:
    """Off until `start`. `start` and `stop` may be awaited on any loop; what they do happens on the gateway's.

    `sleep` stands in for time in tests.
    """

    def __init__(
        self,
        desk: Desk,
        settings: GatewaySettings,
        *,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.settings = settings
        self.address = ""
        """The base address for programs of this computer; empty while it is not served."""
        self.others: tuple[str, ...] = ()
        """Those for other computers."""
        self.certificate = ""
        """The file that clients must trust, where it was made here."""
        self._desk = desk
        self._sleep = sleep
        self._thread: threading.Thread | None = None
        self._server: _Server | None = None

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def under_way(self) -> int:
        """Requests that are being answered."""
        return self._desk.tally.under_way

    async def start(self) -> str:
        """Listen; `address`. Raises `Problem`: "api_port_taken", "api_no_address" or "api_certificate", and as
        `write_whole` does."""
        loop = asyncio.get_running_loop()
        listening = _listen(self.settings)
        try:
            certificate = tls.chosen(self.settings, paths.data())
        except BaseException:
            listening.close()
            raise
        token = new_token()
        config = uvicorn.Config(
            endpoints.application(self._desk, self.settings, token, self._sleep),
            http=protocol(self.settings),
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,  # nobody in front may say who asks
            timeout_keep_alive=75,
            timeout_graceful_shutdown=STOPS_WITHIN,
            ssl_certfile=certificate.certificate if certificate is not None else None,
            ssl_keyfile=certificate.key if certificate is not None else None,
            ssl_version=ssl.PROTOCOL_TLS_SERVER,
        )
        ready = loop.create_future()

        def begun(error: BaseException | None) -> None:
            def tell() -> None:
                if ready.done():
                    return
                if error is None:
                    ready.set_result(None)
                else:
                    ready.set_exception(error)

            with contextlib.suppress(RuntimeError):  # whoever started it has gone
                loop.call_soon_threadsafe(tell)

        self._server = _Server(config, begun)
        self._thread = threading.Thread(target=_serve, args=(self._live(listening), begun), name="gateway")
        self._thread.start()
        port = listening.getsockname()[1]
        try:
            await ready
            self.address = reach.base(self.settings, self.settings.near, port)
            self.others = tuple(reach.base(self.settings, host, port) for host in reach.others(self.settings))
            self.certificate = certificate.certificate if certificate is not None and certificate.own else ""
            running.write(Running(self.address, token, os.getpid(), self.certificate))
        except BaseException:
            await self.stop()
            raise
        return self.address

    async def _live(self, listening: socket.socket) -> None:
        """From the first connection to the last answer's end."""
        assert self._server is not None
        try:
            await self._server.serve([listening])
        finally:
            listening.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._desk.tally.settled(), STOPS_WITHIN)

    async def stop(self) -> None:
        """Listen no more; answers under way are cancelled. Afterwards there is no thread."""
        running.remove()
        server, thread = self._server, self._thread
        self.address, self.others, self._server = "", (), None
        if server is not None and thread is not None:
            server.should_exit = True
            await asyncio.to_thread(thread.join)
        self._thread = None


def built(
    behind: Behind,
    keys: Keys,
    settings: GatewaySettings,
    *,
    on_change: Callable[[], None] = lambda: None,
    on_problem: Callable[[Problem], object] = lambda problem: None,
) -> Gateway:
    """A gateway to what lives on this loop. `on_change` as for `Tally`, `on_problem` as for `Tally` and
    `Home`: in either's thread."""
    tally = Tally(keys, settings.queue, on_change, on_problem)
    home = Home(asyncio.get_running_loop(), on_problem)
    return Gateway(Desk(behind, home, tally, timeout=settings.request_timeout), settings)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, begun: Callable[[BaseException | None], None]) -> None:
        super().__init__(config)
        self._begun = begun

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._begun(None)


def _serve(living: Coroutine[Any, Any, None], begun: Callable[[BaseException | None], None]) -> None:
    try:
        asyncio.run(living)
    except BaseException as error:  # noqa: BLE001 - whoever waits for the start must hear of it, whatever it is
        log.error("the gateway ended: %s", type(error).__name__)
        begun(error)


def _listen(settings: GatewaySettings) -> socket.socket:
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, number, _, address = found[0]
    except OSError as error:
        raise Problem("api_no_address", subject=settings.host, message=error.strerror or "?") from error
    listening = socket.socket(family, kind, number)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        elif sys.platform == "win32":  # where others could listen at the same place, and hear the keys
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        if family == socket.AF_INET6:  # systems differ in whether :: stands for the older addresses as well
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, settings.host != "::")
        listening.bind(address)
        listening.listen(128)
    except OSError as error:
        listening.close()
        subject = f"{settings.host}:{settings.port}"
        if error.errno == errno.EADDRINUSE:
            raise Problem("api_port_taken", subject=subject) from error
        raise Problem("api_no_address", subject=subject, message=error.strerror or "?") from error
    return listening
