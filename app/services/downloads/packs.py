"""Packs for graphics cards from a release of the program, or from an address that the person gives in its place."""

import contextlib
import hashlib
import shutil
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote, urljoin

import msgspec
from msgspec import Struct

from app.data.model import Download
from app.services import runtime_pack
from app.services.downloads.fetched import Wanted, alone, host_of
from app.services.downloads.job import Job, in_thread
from app.services.files import write_whole
from app.services.privacy import Connections
from app.services.problem import DownloadFailed
from engine import runtime
from engine.runtime import Manifest

RELEASES = "https://github.com/longread/longread/releases/download"
"""Below it, of each version: /v0.1.0/longread-gpu-linux_x86_64-manifest.json, and what the manifest names beside it."""
MOST = 1 << 22
"""Bytes that a manifest may have."""
GROWING = ".download"


class Found(Struct, frozen=True):
    """A pack that can be fetched. `data`: its manifest as it came."""

    address: str
    manifest: Manifest
    data: bytes

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        parts = [part for wheel in self.manifest.wheels for part in wheel.parts]
        return tuple(Wanted(one.file, urljoin(self.address, quote(one.file)), one.size, one.sha256) for one in parts)

    @property
    def size(self) -> int:
        return sum(file.size for file in self.wanted)


class Packs:
    """They grow in folders of their own in `folder`. `address`: as the setting says it."""

    def __init__(self, folder: Path, connections: Connections, address: str = "") -> None:
        self.address = address
        self._folder, self._connections = folder, connections

    @property
    def manifest_address(self) -> str:
        """An address that does not end in .json is of the folder that the release's files were copied to."""
        base = self.address or f"{RELEASES}/v{version('longread')}"
        return base if base.endswith(".json") else f"{base.rstrip('/')}/{runtime.release_name(runtime.platform_tag())}"

    @property
    def host(self) -> str:
        return host_of(self.manifest_address)

    async def look(self) -> Found:
        """Ask for the manifest, and for nothing else. Raises `DownloadFailed`."""
        address, host = self.manifest_address, self.host

        def work(job: Job) -> Found:
            from app.services.downloads.transfer import Transfer, client  # takes long to load

            with client() as one:
                data = Transfer(job, one, self._folder, self._connections, "pack_list").read(address, MOST)
            if data is None:
                raise DownloadFailed(
                    "pack_missing", subject=host, made=version("longread"), needed=runtime.platform_tag()
                )
            try:
                return Found(address, runtime_pack.decoded(data), data)
            except msgspec.MsgspecError as error:
                raise DownloadFailed("pack_none", subject=host) from error

        return await in_thread("pack", 0, lambda download: None, work)

    async def fetch(self, found: Found, on_progress: Callable[[Download], None]) -> Path:
        """Where all of its parts and its manifest lie, each part checked. What an earlier try brought is carried on
        with. Cancelling is heard at once and keeps what came. Raises `DownloadFailed` or another `Problem`."""
        place = self._place(found)

        def work(job: Job) -> Path:
            from app.services.downloads.transfer import Transfer, client

            running = DownloadFailed("download_running", subject=found.manifest.tag)
            with alone(place, self._lock, running), client() as one:
                job.done = self.arrived(found)
                for other in set(self._growing()) - {place}:  # of another pack, that nobody goes on with
                    shutil.rmtree(other, ignore_errors=True)
                transfer = Transfer(job, one, place, self._connections, "pack")
                for wanted in found.wanted:
                    transfer.fetch(wanted)
                write_whole(place / runtime.PACK_MANIFEST, found.data)
            return place

        return await in_thread(found.manifest.tag, found.size, on_progress, work)

    def arrived(self, found: Found) -> int:
        return sum(wanted.arrived(self._place(found)) for wanted in found.wanted)

    def kept(self) -> int:
        """Bytes of downloads that were not installed."""
        size = 0
        for place in self._growing():
            with contextlib.suppress(FileNotFoundError):  # it is being deleted
                for file in place.iterdir():
                    with contextlib.suppress(FileNotFoundError):  # a download that was stopped has just renamed it
                        size += file.stat().st_size
        return size

    def held(self) -> contextlib.AbstractContextManager[None]:
        """Nobody else installs or deletes meanwhile what is downloaded. Raises `DownloadFailed`."""
        return alone(self._folder, self._folder / ".packs.lock", DownloadFailed("pack_running"), seconds=0)

    def discard(self) -> None:
        """Delete them. One that was just cancelled is waited for. Raises `DownloadFailed` where one is under way, and
        what the disk refuses as a `Problem`."""
        if self._growing():
            with alone(self._folder, self._lock, DownloadFailed("pack_running")):
                for place in self._growing():
                    shutil.rmtree(place, ignore_errors=True)

    @property
    def _lock(self) -> Path:
        return self._folder / f"{GROWING}.lock"

    def _place(self, found: Found) -> Path:
        """Another manifest's parts grow elsewhere."""
        return self._folder / f".{hashlib.sha256(found.data).hexdigest()[:12]}{GROWING}"

    def _growing(self) -> list[Path]:
        return [place for place in self._folder.glob(f".*{GROWING}") if place.is_dir()]
