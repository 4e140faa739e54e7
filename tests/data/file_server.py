"""A web server of a test's own, whose files break off, stall or are elsewhere as the test says."""

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@dataclass
class Route:
    """What a path gives; `cuts`: after how many bytes each of the next connections breaks off."""

    content: bytes = b""
    status: int = 200
    cuts: list[int] = field(default_factory=list)
    ranges: bool = True
    kind: str = "application/octet-stream"
    location: str = ""
    stalls: threading.Event | None = None


class Server(ThreadingHTTPServer):
    """Its tests make routes of `Server.Route`."""

    Route = Route
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.routes: dict[str, Route] = {}
        self.asked: list[tuple[str, str, str]] = []
        self.tokens: set[str] = set()
        self.waiting = threading.Event()
        """Set when a connection has begun to stall."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def offer(self, folder: Path, below: str) -> dict[str, Route]:
        """A folder's files, each at its name below this path; their routes by name."""
        files = {file.name: Route(file.read_bytes()) for file in folder.iterdir()}
        self.routes |= {f"{below}/{name}": route for name, route in files.items()}
        return files

    def paths(self, end: str) -> list[str]:
        """The ranges that were asked for of a path with that end."""
        return [wanted for method, path, wanted in self.asked if method == "GET" and path.endswith(end)]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that breaks off is what is being tested."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on the terminal."""

    def do_GET(self) -> None:
        path, wanted = self.path.partition("?")[0], self.headers.get("Range", "")
        self.server.asked.append(("GET", path, wanted))
        self.server.tokens.add(self.headers.get("Authorization", ""))
        route = self.server.routes.get(path, Route(status=404))
        if route.location:
            self.send_response(302)
            self.send_header("Location", route.location)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        content, start = route.content, 0
        if wanted and route.ranges and route.status == 200:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(route.status)
        self.send_header("Content-Length", str(len(content) - start))
        self.send_header("Content-Type", route.kind)
        self.end_headers()
        content = content[start:]
        if route.cuts:
            self.wfile.write(content[: route.cuts.pop(0)])
            self.wfile.flush()
            self.close_connection = True
            self.connection.shutdown(2)
        elif route.stalls is not None:
            self.wfile.write(content[: len(content) // 2])
            self.wfile.flush()
            self.server.waiting.set()
            route.stalls.wait()
        else:
            self.wfile.write(content)


@contextlib.contextmanager
def running() -> Iterator[Server]:
    one = Server()
    thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield one
    for route in one.routes.values():
        if route.stalls is not None:
            route.stalls.set()
    one.shutdown()
    one.server_close()
