"""A server that answers as a script says, over a real socket: what SGLang, vLLM and llama.cpp say, and what goes wrong.

It runs on a thread of its own, so that commands and windows under test may block theirs.
"""

import asyncio
import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

DIALOGUES = Path(__file__).with_name("dialogues")


@dataclass
class Script:
    """`then`: the answer is at its end, breaks off, or nothing more comes until the client leaves."""

    content: bytes = b""
    status: int = 200
    kind: str = "application/json"
    then: Literal["end", "cut", "hang"] = "end"
    headers: dict[str, str] = field(default_factory=dict)
    piece: int = 0
    """Bytes that are sent at a time; 0: all at once."""


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: dict


def said(dialogue: str, **how) -> Script:
    """A stream that is kept as a file."""
    return Script((DIALOGUES / f"{dialogue}.sse").read_bytes(), kind="text/event-stream; charset=utf-8", **how)


def stream(*pieces: dict | str, **how) -> Script:
    lines = (piece if isinstance(piece, str) else json.dumps(piece) for piece in pieces)
    return Script("".join(f"data: {line}\n\n" for line in lines).encode(), kind="text/event-stream", **how)


def words(*pieces: str, finish: str | None = "stop", **how) -> Script:
    """A short answer in OpenAI's shape."""
    told = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    ending = [{"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}, "[DONE]"] if finish else []
    return stream(*told, *ending, **how)


def refusal(status: int, body: dict | str, **headers: str) -> Script:
    content = body if isinstance(body, str) else json.dumps(body)
    kind = "text/html" if isinstance(body, str) else "application/json"
    return Script(content.encode(), status, kind, headers=headers)


MODELS = {"object": "list", "data": [{"id": "openbmb/MiniCPM-SALA", "object": "model", "max_model_len": 1048576}]}


class Server:
    """`scripts`: by path; of several the last one stays. Paths without one are not found, as FastAPI says it."""

    def __init__(self) -> None:
        self.scripts: dict[str, list[Script]] = {"/v1/models": [Script(json.dumps(MODELS).encode())]}
        self.asked: list[Asked] = []
        self.hangs = threading.Event()
        """A client waits for what does not come."""
        self.left = threading.Event()
        """That client has gone."""
        self.port = 0

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        return f"http://{self.host}"

    def answer(self, *scripts: Script, path: str = "/v1/chat/completions") -> None:
        self.scripts[path] = list(scripts)

    def questions(self) -> list[Asked]:
        return [one for one in self.asked if one.method == "POST"]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            method, path, _ = head[0].split(" ")
            named = (line.partition(": ") for line in head[1:] if line)
            headers = {name.lower(): value for name, _, value in named}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            self.asked.append(Asked(method, path, headers, json.loads(body or b"{}")))
            known = self.scripts.get(path, [refusal(404, {"detail": "Not Found"})])
            await self._play(known[0] if len(known) == 1 else known.pop(0), reader, writer)
        writer.close()

    async def _play(self, script: Script, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        headers = {"content-type": script.kind, "transfer-encoding": "chunked", "connection": "close"} | script.headers
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"HTTP/1.1 {script.status} As told\r\n{lines}\r\n".encode())
        step = script.piece or len(script.content) or 1
        for start in range(0, len(script.content), step):
            piece = script.content[start : start + step]
            writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            await writer.drain()
        if script.then == "hang":
            self.hangs.set()
            await reader.read()
            self.left.set()
        elif script.then == "end":
            writer.write(b"0\r\n\r\n")
            await writer.drain()


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    server, loop, ready = Server(), asyncio.new_event_loop(), threading.Event()

    async def live(stop: asyncio.Event) -> None:
        listening = await asyncio.start_server(server._serve, "127.0.0.1", 0)
        server.port = listening.sockets[0].getsockname()[1]
        ready.set()
        await stop.wait()
        listening.close()

    stop = asyncio.Event()
    thread = threading.Thread(target=loop.run_until_complete, args=(live(stop),), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
