"""Runtimes: which there are, installing one from a pack, choosing one, removing one.

A new one is unpacked beside the others and tried in a process of its own; only then is anything switched, by writing
one small file. The program's own stays, and is what the engine falls back to.
"""

import asyncio
import contextlib
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import filelock
import msgspec

from app import processes
from app.data.runtime import Installed, RuntimeEntry, Stage
from app.services import runtime_pack
from app.services.files import storing, write_whole
from app.services.problem import Problem
from app.words import size
from engine import client, runtime
from engine.runtime import Manifest

LOOKED_EVERY = 0.2
"""Seconds: so soon a trial is ended that the person has had enough of."""
TRIAL_SECONDS = 300.0
"""torch's first import from a slow disk, and every kernel once."""
PARTIAL, OLD = ".partial", ".old"
SPARE = 1 << 28
"""Bytes that stay free beside what is unpacked."""

OnProgress = Callable[[Stage, int, int], None]


class _Stopped(Exception):
    """The person has had enough."""


class _Report(msgspec.Struct):
    """As `engine.runtime_check` says it."""

    torch: str
    cuda: str
    from_folder: bool
    devices: list[str]
    kinds: list[str]
    failures: list[str]


class Runtimes:
    """`data`: the data folder, in which they lie."""

    def __init__(self, data: Path, driver: Callable[[], str] | None = None) -> None:
        self._data = data
        self.folder = runtime.folder_of(data)
        self._driver = driver or _driver

    def all(self) -> tuple[RuntimeEntry, ...]:
        """The program's own first, then those that were installed, by name."""
        going = runtime.Runtime(self._data)
        found = [self._entry(path, going) for path in sorted(self.folder.glob("*/" + runtime.MANIFEST))]
        installed = [entry for entry in found if not entry.tag.startswith(".")]
        used = any(entry.used for entry in installed)
        own = runtime.read(place) if (place := runtime.shipped()) is not None else None
        torch = own.torch if own is not None else ""
        return (RuntimeEntry("", "cpu", torch, 0, not used, False), *installed)

    async def install(self, source: Path, on_progress: OnProgress = lambda stage, done, total: None) -> Installed:
        """Check, unpack and try a pack, and use it from the engine's next start on.

        Raises `Problem`, after which everything is as it was. Cancelling as well.
        """
        loop, stopped = asyncio.get_running_loop(), threading.Event()

        def report(stage: Stage, done: int, total: int) -> None:
            with contextlib.suppress(RuntimeError):  # the loop was closed: nobody waits any more
                loop.call_soon_threadsafe(on_progress, stage, done, total)

        working = asyncio.ensure_future(asyncio.to_thread(self._install, source, report, stopped))
        try:
            return await asyncio.shield(working)
        except asyncio.CancelledError:
            stopped.set()
            with contextlib.suppress(_Stopped, Problem):
                await working
            raise

    def use(self, tag: str) -> None:
        """From the engine's next start on; empty: the program's own. Raises `Problem`."""
        if not tag:
            (self.folder / runtime.CURRENT).unlink(missing_ok=True)
        else:
            manifest = self._known(tag)
            if (wrong := runtime.mismatch(manifest)) is not None:
                raise _misfit(manifest, wrong)
            write_whole(self.folder / runtime.CURRENT, tag.encode())
        (self.folder / runtime.TRIED).unlink(missing_ok=True)

    async def remove(self, tag: str) -> None:
        """For good. One that is in use is given up first, for the program's own. Raises `Problem`."""
        if not tag:
            raise Problem("runtime_own")
        self._known(tag)
        if runtime.current(self._data) == tag:
            self.use("")
        # out of the way at once, even where a running engine still holds files of it
        going = self.folder / f".{tag}{OLD}"
        await asyncio.to_thread(shutil.rmtree, going, ignore_errors=True)
        try:
            (self.folder / tag).rename(going)
        except OSError as error:
            raise Problem("runtime_held", subject=tag) from error
        await asyncio.to_thread(shutil.rmtree, going, ignore_errors=True)  # gigabytes

    def _install(self, source: Path, report: OnProgress, stopped: threading.Event) -> Installed:
        with storing(self.folder), runtime_pack.opened(source) as pack, self._alone():
            manifest = pack.manifest
            for left in [*self.folder.glob(f".*{PARTIAL}"), *self.folder.glob(f".*{OLD}")]:
                shutil.rmtree(left, ignore_errors=True)
            self.check(manifest)
            unpacked = self.folder / f".{manifest.tag}{PARTIAL}"
            shutil.rmtree(unpacked, ignore_errors=True)
            try:
                pack.check(_steps(report, "check", pack.size, stopped))
                pack.unpack(unpacked, _steps(report, "unpack", pack.size, stopped))
                report("try", 0, 1)
                found = _tried(unpacked, manifest, stopped)
                self._put(unpacked, manifest.tag)
            finally:
                shutil.rmtree(unpacked, ignore_errors=True)
        self.use(manifest.tag)
        entry = self._entry(self.folder / manifest.tag / runtime.MANIFEST, runtime.Runtime(self._data))
        return Installed(entry, tuple(found.devices), "cuda" in found.kinds, tuple(found.failures))

    def check(self, manifest: Manifest, more: int = 0) -> str:
        """Raises `Problem` where it does not fit this program or NVIDIA's driver, or where its unpacked files and so
        many bytes more do not fit the disk, or it refuses. The driver's version; empty: there is none."""
        if (wrong := runtime.mismatch(manifest)) is not None:
            raise _misfit(manifest, wrong)
        here = self._driver()
        if here and _numbers(here) < _numbers(manifest.driver):
            raise Problem("runtime_driver", available=here, needed=manifest.driver)
        needed = manifest.unpacked + max((wheel.size for wheel in manifest.wheels), default=0) + more + SPARE
        with storing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            free = shutil.disk_usage(self.folder).free
        if free < needed:
            raise Problem("no_space", subject=str(self.folder), needed=size(needed), available=size(free))
        return here

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Another program that installs at the same time would clear away what this one unpacks."""
        self._data.mkdir(parents=True, exist_ok=True)
        try:
            with filelock.FileLock(self._data / ".runtime.lock", timeout=0):
                yield
        except filelock.Timeout as error:
            raise Problem("runtime_busy") from error

    def _put(self, unpacked: Path, tag: str) -> None:
        """In its place; one of the same name makes way."""
        place, old = self.folder / tag, self.folder / f".{tag}{OLD}"
        try:
            if place.exists():
                place.rename(old)
            unpacked.rename(place)
        except OSError as error:
            if old.exists() and not place.exists():
                old.rename(place)
            raise Problem("runtime_held", subject=tag) from error
        shutil.rmtree(old, ignore_errors=True)

    def _known(self, tag: str) -> Manifest:
        manifest = runtime.read(self.folder / tag) if tag == Path(tag).name else None
        if manifest is None:
            raise Problem("runtime_unknown", subject=tag)
        return manifest

    def _entry(self, place: Path, going: runtime.Runtime) -> RuntimeEntry:
        """`going`: what the engine takes at its next start. One that it passes over is not in use."""
        tag, manifest = place.parent.name, runtime.read(place.parent)
        used = tag == going.tag and not going.problem
        if manifest is None:
            return RuntimeEntry(tag, "cpu", "", 0, used, True, "missing")
        wrong = runtime.mismatch(manifest) or ""
        return RuntimeEntry(tag, manifest.kind, manifest.torch, manifest.unpacked, used, True, wrong)


def _steps(report: OnProgress, stage: Stage, total: int, stopped: threading.Event) -> runtime_pack.Step:
    done, told = 0, 0

    def step(count: int) -> None:
        nonlocal done, told
        if stopped.is_set():
            raise _Stopped
        done += count
        if done >= total or done - told >= total / 200:
            told = done
            report(stage, min(done, total), total)

    return step


def _tried(folder: Path, manifest: Manifest, stopped: threading.Event) -> _Report:
    """What it is when it is loaded, in a process of its own: a library that crashes takes nothing with it. Raises
    `Problem` and, soon after `stopped`, `_Stopped`."""
    until = time.monotonic() + TRIAL_SECONDS
    try:
        trial = subprocess.Popen(
            [*client.program(), "check-runtime", str(folder)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=processes.environment() | {"PYTHONUTF8": "1"},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise Problem("runtime_fails", subject=manifest.tag, message=type(error).__name__) from error
    with trial:
        try:
            said, complaint = _heard(trial, until, stopped)
        except TimeoutError as error:
            raise Problem("runtime_fails", subject=manifest.tag, message="no answer") from error
        finally:
            trial.kill()
    try:
        report = msgspec.json.decode(said.strip().rpartition("\n")[2], type=_Report)
    except msgspec.MsgspecError as error:
        message = complaint.strip().rpartition("\n")[2]
        raise Problem("runtime_fails", subject=manifest.tag, message=message) from error
    if not report.from_folder:
        raise Problem("runtime_fails", subject=manifest.tag, message="it holds no torch")
    if report.torch.partition("+")[0] != manifest.torch:
        raise Problem("runtime_fails", subject=manifest.tag, message=f"its torch is {report.torch}")
    return report


def _heard(trial: "subprocess.Popen[str]", until: float, stopped: threading.Event) -> tuple[str, str]:
    """What it says and what it complains of, to its end. Raises TimeoutError and `_Stopped`."""
    while True:
        try:
            return trial.communicate(timeout=LOOKED_EVERY)
        except subprocess.TimeoutExpired as error:
            if stopped.is_set():
                raise _Stopped from None
            if time.monotonic() > until:
                raise TimeoutError from error


def _misfit(manifest: Manifest, wrong: runtime.Mismatch) -> Problem:
    has = {
        "format": (str(manifest.format), str(runtime.FORMAT)),
        "engine": (str(manifest.engine), str(runtime.GENERATION)),
        "python": (manifest.python, runtime.python_tag()),
        "platform": (manifest.platform, runtime.platform_tag()),
        "torch": (manifest.torch, runtime.TORCH),
    }
    made, needed = has[wrong]
    return Problem(f"runtime_{wrong}", subject=manifest.tag, made=made, needed=needed)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdecimal())


def _driver() -> str:
    """Version of NVIDIA's driver; empty where there is none."""
    import pynvml  # here, so that other commands do not pay for it

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return ""
    try:
        return str(pynvml.nvmlSystemGetDriverVersion())
    except pynvml.NVMLError:
        return ""
    finally:
        pynvml.nvmlShutdown()
