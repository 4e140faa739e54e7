"""A tiny question in Anthropic's protocol, sent as Claude Code sends its own, and past any proxy."""

import asyncio
import json
import ssl
from typing import Any
from urllib.parse import urlsplit

import h11
import msgspec

QUESTION = "Answer with the one word: yes"
TOKENS = 16
PIECE = 65_536
VERSION = "2023-06-01"
"""Of the protocol."""


class Unanswered(Exception):
    """What came is no answer; `str()` says why."""


async def knock(address: str, secret: str, model: str, certificate: str = "") -> tuple[int, dict[str, Any]]:
    """Status and body of what `address`/v1/messages answers. `certificate`: a PEM file to trust. Raises `OSError` where
    nothing answers, and `Unanswered`."""
    parts = urlsplit(address)
    trusted = ssl.create_default_context(cafile=certificate or None) if parts.scheme == "https" else None
    port = parts.port or (443 if trusted else 80)
    reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=trusted)
    try:
        connection = h11.Connection(h11.CLIENT)
        for event in _asked(parts.netloc, secret, model):
            writer.write(connection.send(event) or b"")
        await writer.drain()
        return await _answered(connection, reader)
    finally:
        writer.close()


def _asked(host: str, secret: str, model: str) -> list[h11.Event]:
    body = {"model": model, "max_tokens": TOKENS, "messages": [{"role": "user", "content": QUESTION}]}
    content = json.dumps(body).encode()
    headers = {
        "host": host,
        "authorization": f"Bearer {secret}",
        "anthropic-version": VERSION,
        "content-type": "application/json",
        "content-length": str(len(content)),
        "connection": "close",
    }
    request = h11.Request(method="POST", target="/v1/messages", headers=list(headers.items()))
    return [request, h11.Data(data=content), h11.EndOfMessage()]


async def _answered(connection: h11.Connection, reader: asyncio.StreamReader) -> tuple[int, dict[str, Any]]:
    status, content = 0, b""
    try:
        while True:
            match connection.next_event():
                case h11.NEED_DATA:
                    connection.receive_data(await reader.read(PIECE))
                case h11.Response(status_code=code):
                    status = code
                case h11.Data(data=piece):
                    content += piece
                case h11.EndOfMessage() | h11.ConnectionClosed():
                    return status, msgspec.json.decode(content, type=dict[str, Any])
    except (h11.RemoteProtocolError, msgspec.MsgspecError) as error:
        raise Unanswered(type(error).__name__) from None
