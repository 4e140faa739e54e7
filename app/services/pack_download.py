"""A pack for the graphics card from elsewhere to its use: looked for, refused or offered, downloaded, installed."""

import asyncio
import contextlib
from collections.abc import Callable

from app.data.model import Download
from app.data.runtime import Installed, Offer
from app.services.downloads.packs import Found, Packs
from app.services.problem import Problem
from app.services.runtimes import OnProgress, Runtimes


class PackDownload:
    def __init__(self, runtimes: Runtimes, packs: Packs) -> None:
        self._runtimes, self.packs = runtimes, packs
        self._found: Found | None = None

    async def look(self) -> Offer:
        """What there is for this computer. Asks for the manifest and for nothing else.

        Raises `Problem`: there is none, it does not fit the program, the driver or the disk, or is not reached.
        """
        found = await self.packs.look()
        arrived = self.packs.arrived(found)
        driver = await asyncio.to_thread(self._runtimes.check, found.manifest, found.size - arrived)
        self._found = found
        return Offer(found.manifest.tag, self.packs.host, found.size, arrived, found.manifest.unpacked, driver)

    async def install(self, on_download: Callable[[Download], None], on_progress: OnProgress) -> Installed:
        """Download what was offered, install it and use it; then the downloaded files go. After a `Problem` or a stop
        everything is as it was, and what came is kept for the next try, but for what does not work here."""
        assert self._found is not None, "nothing was offered"
        with self.packs.held():
            folder = await self.packs.fetch(self._found, on_download)
            try:
                installed = await self._runtimes.install(folder, on_progress)
            except Problem as problem:
                if problem.code in ("runtime_fails", "runtime_damaged"):
                    await self._clear()
                raise
            await self._clear()
            return installed

    async def _clear(self) -> None:
        with contextlib.suppress(Problem):  # what is there is shown as kept
            await asyncio.to_thread(self.packs.discard)  # gigabytes

    async def discard(self) -> None:
        """Delete what downloads have brought. Raises `DownloadFailed` where one is under way or is installed."""
        with self.packs.held():
            await asyncio.to_thread(self.packs.discard)
