"""Which torch the packaged engine runs on: its own for the processor, or one that was installed for a graphics card.

A runtime is a folder of unpacked wheels that goes first on `sys.path`, with the manifest that says what it is made for.
The program brings one; others lie in the data folder, where the file `current` names the one in use. One that cannot be
loaded costs a restart and not the work: after it the program's own is used, and a note says so. Importing this costs
nothing; it must be done before torch is.
"""

import contextlib
import os
import platform
import sys
import sysconfig
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

MANIFEST = "runtime.json"
PACK_MANIFEST = "manifest.json"
"""In the folder of a pack."""
FORMAT = 1
GENERATION = 1
"""Rises when the engine needs something of its runtime that older ones do not have."""
TORCH = "2.13"
"""The releases of torch that the engine was checked with."""
TRIES = 2
"""Processes that may die while they load a runtime, one after the other, until it is passed over: a person may close
the window while it loads, once."""
CURRENT, TRIED = "current", "tried"
TRITON = "longread_triton"
"""Folder of a runtime with what Triton would compile."""

Kind = Literal["cpu", "cuda"]
Mismatch = Literal["format", "engine", "python", "platform", "torch"]


class Part(Struct, frozen=True):
    """A file of a pack: a wheel, or a piece of one. `size` in bytes, sha256 in hex, here and below."""

    file: str
    size: int
    sha256: str


class Wheel(Struct, frozen=True):
    """One wheel; its `parts` in order are its bytes."""

    file: str
    size: int
    sha256: str
    parts: tuple[Part, ...]


class Manifest(Struct, frozen=True):
    """What a runtime is and what it fits. `driver`: the oldest of NVIDIA's that it works with; empty: none needed."""

    format: int
    tag: str
    kind: Kind
    engine: int
    python: str
    """As wheels name it: cp311."""
    platform: str
    """linux_x86_64 or win_amd64."""
    torch: str
    driver: str = ""
    unpacked: int = 0
    """Bytes that it takes on disk."""
    wheels: tuple[Wheel, ...] = ()


def python_tag() -> str:
    return f"cp{sys.version_info.major}{sys.version_info.minor}"


def platform_tag() -> str:
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def mismatch(manifest: Manifest) -> Mismatch | None:
    """What of the manifest does not fit this program; None: it fits."""
    fits: dict[Mismatch, bool] = {
        "format": manifest.format == FORMAT,
        "engine": manifest.engine == GENERATION,
        "python": manifest.python == python_tag(),
        "platform": manifest.platform == platform_tag(),
        "torch": manifest.torch == TORCH or manifest.torch.startswith(f"{TORCH}."),
    }
    return next((name for name, right in fits.items() if not right), None)


def read(folder: Path) -> Manifest | None:
    """The manifest of an unpacked runtime; None when there is none or it is damaged."""
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    return None


def encode(manifest: Manifest) -> bytes:
    """As it lies in a runtime's folder and in a pack, for people to read as well."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1)


def release_name(platform: str, name: str = PACK_MANIFEST) -> str:
    """What a file of a pack is called in a release, where those of several platforms lie side by side."""
    return f"longread-gpu-{platform}-{name}"


def folder_of(data: Path) -> Path:
    """Where a person's runtimes lie."""
    return data / "runtime"


def shipped() -> Path | None:
    """The packaged program's own; None elsewhere, where torch is installed as any package."""
    found = sorted((Path(sys.executable).parent / "runtime").glob("*/" + MANIFEST))
    return found[0].parent if getattr(sys, "frozen", False) and found else None


def current(data: Path) -> str:
    """The tag of the chosen one; empty: the program's own."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return (folder_of(data) / CURRENT).read_text(encoding="utf-8").strip()
    return ""


def enter(folder: Path, data: Path) -> None:
    """Put a runtime first on `sys.path`, with what its libraries look for. Before torch is imported."""
    sys.path.insert(0, str(folder))
    if (folder / TRITON).is_dir():
        os.environ["LONGREAD_TRITON"] = str(folder / TRITON)
        # what Triton makes of the kernels is kept with the person's data, and goes with them
        os.environ.setdefault("TRITON_CACHE_DIR", str(data / "cache" / "triton"))
    if platform.system() == "Windows":
        # the libraries of a wheel look for each other beside themselves, and Windows does not
        for place in sorted(folder.glob("*/lib")) + sorted(folder.glob("nvidia/*/bin")):
            os.add_dll_directory(str(place))  # type: ignore[attr-defined,unused-ignore]


class Runtime:
    """The one of this process. `problem`: why it is not the chosen one; empty when it is."""

    def __init__(self, data: Path) -> None:
        self._marks = folder_of(data)
        self.tag, self.problem, self.folder = current(data), "", shipped()
        if self.tag:
            chosen = self._marks / self.tag
            self.problem = self._refused(chosen)
            if not self.problem:
                self.folder = chosen

    def activate(self) -> None:
        """`enter` it. Around torch's import `loading`, `loaded` or `failed` is told."""
        if self.folder is not None:
            enter(self.folder, self._marks.parent)

    def loading(self) -> None:
        """torch is imported next: whoever dies of it has tried."""
        if self.folder is not None and self.folder.parent == self._marks:
            self._note_try(self._tries() + 1)

    def loaded(self) -> None:
        """torch was imported: it works."""
        with contextlib.suppress(OSError):
            if not self.problem:
                (self._marks / TRIED).unlink(missing_ok=True)

    def failed(self) -> None:
        """torch could not be imported: the next process passes it over."""
        self._note_try(TRIES)

    def _refused(self, chosen: Path) -> str:
        manifest = read(chosen)
        if manifest is None:
            return "missing"
        if (wrong := mismatch(manifest)) is not None:
            return wrong
        return "broken" if self._tries() >= TRIES else ""

    def _tries(self) -> int:
        with contextlib.suppress(OSError, ValueError):
            tag, _, count = (self._marks / TRIED).read_text(encoding="utf-8").partition("\n")
            return int(count) if tag == self.tag else 0
        return 0

    def _note_try(self, count: int) -> None:
        with contextlib.suppress(OSError):  # where nothing can be written nothing was installed either
            (self._marks / TRIED).write_text(f"{self.tag}\n{count}", encoding="utf-8")


_active: Runtime | None = None


def activate(data: Path) -> None:
    """Choose this process's runtime by what the data folder says."""
    global _active
    _active = Runtime(data)
    _active.activate()


def active() -> Runtime | None:
    return _active
