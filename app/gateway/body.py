"""A request's body as it comes: no more than is taken, and no slower."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request

from app.data.gateway import GatewaySettings
from app.gateway.errors import ApiError

AT_LEAST = 64 * 1024
"""Bytes a second, on the average, after the first `body_seconds`."""


class Bodies:
    """`clock`: seconds."""

    def __init__(self, settings: GatewaySettings, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = settings.body_limit
        self._within = settings.body_seconds
        self._clock = clock

    async def read(self, request: Request) -> bytes:
        """The whole body. Raises `ApiError`: "body_too_large" before more than the limit was held, or "too_slow"."""
        said = request.headers.get("content-length", "")
        if said.isdecimal() and int(said) > self._limit:
            raise self._too_large(int(said))
        pieces: list[bytes] = []
        size, began = 0, self._clock()
        stream = request.stream()
        while True:
            left = began + self._within + size / AT_LEAST - self._clock()
            try:
                piece = await asyncio.wait_for(anext(stream, None), max(left, 0))
            except TimeoutError:
                raise ApiError("too_slow") from None
            if piece is None:
                return b"".join(pieces)
            size += len(piece)
            if size > self._limit:
                raise self._too_large(size)
            pieces.append(piece)

    async def json(self, request: Request) -> dict[str, Any]:
        """The body as a JSON object. Raises `ApiError`."""
        kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise ApiError("unsupported_media")
        content = await self.read(request)
        try:
            return msgspec.json.decode(content, type=dict[str, Any])
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise ApiError("bad_json", why=str(error) or type(error).__name__) from None

    def _too_large(self, size: int) -> ApiError:
        return ApiError("body_too_large", size=f"{size:,}", limit=f"{self._limit:,}")


__all__ = ["Bodies", "ClientDisconnect"]
