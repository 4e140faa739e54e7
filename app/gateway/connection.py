"""One connection, and the times within which a client must do its part."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.data.gateway import GatewaySettings


def protocol(settings: GatewaySettings) -> type[H11Protocol]:
    """The server's protocol with these settings' limits."""

    class Connection(H11Protocol):
        """Closed when a head does not come in time, when nothing of an answer is taken, or when there are too many."""

        _head: asyncio.TimerHandle | None = None
        _stuck: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(self.connections) > settings.connections:
                transport.abort()
                return
            self._await_head()

        def connection_lost(self, exc: Exception | None) -> None:
            self._end(self._head, self._stuck)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            # Bytes that are no whole head yet: of the first request, or of one after it
            if self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
                self._await_head()
            elif self.conn.their_state is not h11.IDLE:
                self._end(self._head)
                self._head = None

        def pause_writing(self) -> None:
            super().pause_writing()
            self._end(self._stuck)
            self._stuck = self.loop.call_later(settings.write_seconds, self.transport.abort)

        def resume_writing(self) -> None:
            self._end(self._stuck)
            super().resume_writing()

        def _await_head(self) -> None:
            if self._head is None:
                self._head = self.loop.call_later(settings.header_seconds, self.transport.abort)

        def _end(self, *timers: asyncio.TimerHandle | None) -> None:
            for timer in timers:
                if timer is not None:
                    timer.cancel()

    return Connection
