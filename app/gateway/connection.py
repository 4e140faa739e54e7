"""One connection, and the times within which a client must do its part."""

import asyncio
import os
import socket
import struct
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.data.gateway import GatewaySettings

AT_ONCE = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)
"""Lingering is on, for no second."""


def protocol(settings: GatewaySettings) -> type[H11Protocol]:
    """The server's protocol with these settings' limits."""

    class Connection(H11Protocol):
        """Closed when a head does not come in time, when nothing of an answer is taken, or when there are too many."""

        _late: asyncio.TimerHandle | None = None
        _stuck: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(self.connections) > settings.connections:
                transport.abort()
                return
            self._await()

        def connection_lost(self, exc: Exception | None) -> None:
            self._end(self._late, self._stuck)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            # Bytes that are no whole head yet, or of a body that was refused
            if (self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]) or self._is_ending():
                self._await()
            else:
                self._end(self._late)
                self._late = None

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if self._is_ending():
                self._await()

        def _is_ending(self) -> bool:
            """Whether the client still sends what has been answered. It is let, for a while: one that is cut off in the
            middle never sees the answer."""
            return self.conn.our_state is h11.DONE and self.conn.their_state is h11.SEND_BODY

        def pause_writing(self) -> None:
            super().pause_writing()
            self._end(self._stuck)
            self._stuck = self.loop.call_later(settings.write_seconds, self._cut_off)

        def resume_writing(self) -> None:
            self._end(self._stuck)
            super().resume_writing()

        def _await(self) -> None:
            if self._late is None:
                self._late = self.loop.call_later(settings.header_seconds, self.transport.abort)

        def _cut_off(self) -> None:
            """What the system holds for who takes nothing goes too, instead of being offered for minutes."""
            if (connection := self.transport.get_extra_info("socket")) is not None:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            self.transport.abort()

        def _end(self, *timers: asyncio.TimerHandle | None) -> None:
            for timer in timers:
                if timer is not None:
                    timer.cancel()

    return Connection
