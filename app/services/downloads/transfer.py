"""The part of the program that downloads: whole files over as many connections as it takes, each of which is noted.

Imported when the person asks for a file and not before, since the library behind it takes long to load.
"""

import contextlib
import itertools
import os
import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import httpx2

from app.services.downloads.fetched import Wanted, host_of
from app.services.downloads.job import Job
from app.services.privacy import Connections, Purpose
from app.services.problem import DownloadFailed
from engine.remote.address import is_local

TRIES = 5
"""Connections that may break off one after another without a byte."""
PAUSE = 1.0
"""Seconds between them."""
SILENCE = 10.0
"""Seconds without a byte after which a connection counts as broken."""

AGAIN = (408, 425, 429, 500, 502, 503, 504)
"""Answers of a server that another try may change."""
NONE = (404, 410)


class Transfer:
    """Files of one job into one folder. Its methods may raise `Stopped`."""

    def __init__(self, job: Job, client: httpx2.Client, folder: Path, connections: Connections, purpose: Purpose):
        self._job, self._client, self._folder = job, client, folder
        self._connections, self._purpose = connections, purpose

    def fetch(self, wanted: Wanted) -> None:
        """The file, whole and checked, in the folder. What is there of it is carried on with."""
        place, part = self._folder / wanted.name, wanted.part(self._folder)
        if place.is_file():
            return
        part.touch()
        failures = 0
        while (have := part.stat().st_size) < wanted.size:
            why = self._receive(wanted, part, have)
            self._job.check()
            failures = failures + 1 if part.stat().st_size <= have else 0
            if failures == TRIES:
                raise why
            if failures:
                self._job.pause(PAUSE)
        self._job.say("checking")
        if have != wanted.size or not wanted.check(part, self._job.check):
            self._job.done -= have
            part.unlink()
            raise DownloadFailed("download_wrong", subject=wanted.name)
        part.replace(place)

    def _receive(self, wanted: Wanted, part: Path, have: int) -> DownloadFailed:
        """One connection's worth of bytes; what to tell the person if it was the last try.

        Raises what another try cannot change.
        """
        host = host_of(wanted.url)
        headers = {"range": f"bytes={have}-"} if have else {}
        try:
            with self._open(wanted.url, headers) as answer:
                host = host_of(str(answer.url))
                goes_on = answer.headers.get("content-range", "").startswith(f"bytes {have}-")
                if answer.status_code in AGAIN:
                    return refused(host, answer)
                if answer.status_code != (206 if goes_on else 200):
                    raise refused(host, answer)
                if not goes_on:  # the server sends all of it again
                    self._job.done -= have
                    have = 0
                self._write(answer, part, "ab" if goes_on else "wb", wanted.size - have)
        except httpx2.InvalidURL as error:
            raise DownloadFailed("no_connection", subject=host) from error
        except httpx2.ConnectError:
            return DownloadFailed("no_connection", subject=host)
        except (httpx2.RequestError, httpx2.StreamError):
            self._job.check()
        return DownloadFailed("download_cut", subject=host)

    def read(self, url: str, most: int) -> bytes | None:
        """A file of at most so many bytes that nothing is known of, so that the way to it must be one that nobody else
        can write on: https, or this computer. None: there is no such file. Raises `DownloadFailed`."""
        host = host_of(url)
        try:
            if not _is_safe(url):
                raise DownloadFailed("download_open", subject=host)
            with self._open(url, {}) as answer:
                host = host_of(str(answer.url))
                if not all(_is_safe(str(one.url)) for one in (*answer.history, answer)):
                    raise DownloadFailed("download_open", subject=host)
                if answer.status_code in NONE:
                    return None
                if answer.status_code != 200:
                    raise refused(host, answer)
                data = b""
                for piece in answer.iter_raw():
                    data += piece
                    if len(data) > most:
                        raise DownloadFailed("pack_none", subject=host)
                return data
        except (httpx2.RequestError, httpx2.StreamError, httpx2.InvalidURL, ValueError) as error:
            self._job.check()
            raise DownloadFailed("no_connection", subject=host) from error

    @contextlib.contextmanager
    def _open(self, url: str, headers: dict[str, str]) -> Iterator[httpx2.Response]:
        """A request, with a note of each host that it reaches, redirects included."""
        number = self._connections.opened(host_of(url), self._purpose)
        with self._client.stream("GET", url, headers=headers) as answer:
            hosts = [host_of(str(one.url)) for one in (*answer.history, answer)]
            for before, host in itertools.pairwise(hosts):
                if host != before:
                    number = self._connections.opened(host, self._purpose)
            self._job.cut = partial(_cut, answer)
            try:
                yield answer
            finally:
                self._job.cut = None
                self._connections.received(number, answer.num_bytes_downloaded)

    def _write(self, answer: httpx2.Response, part: Path, mode: str, room: int) -> None:
        with part.open(mode) as file:
            for piece in answer.iter_raw():
                file.write(piece)
                self._job.advance(len(piece))
                room -= len(piece)
                if room < 0:  # it will be found too long, and must not fill the disk meanwhile
                    break
            file.flush()
            os.fsync(file.fileno())


def client() -> httpx2.Client:
    """Sends no cookie, no token and no name but the program's."""
    agent = {"user-agent": "longread", "accept-encoding": "identity"}
    return httpx2.Client(follow_redirects=True, timeout=SILENCE, headers=agent)


def refused(host: str, answer: httpx2.Response) -> DownloadFailed:
    message = f"{answer.status_code} {answer.reason_phrase}".rstrip()
    return DownloadFailed("download_refused", subject=host, message=message)


def _is_safe(url: str) -> bool:
    """Raises ValueError for what is no address."""
    parts = urlsplit(url)
    return parts.scheme == "https" or is_local(parts.hostname or "")


def _cut(answer: httpx2.Response) -> None:
    """Wake a thread that waits for this answer's next bytes."""
    line = answer.extensions["network_stream"].get_extra_info("socket")
    if isinstance(line, socket.socket):
        with contextlib.suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)
