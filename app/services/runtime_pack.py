"""A pack: the wheels of a runtime with a manifest, as a folder, the manifest in it, or a .tar of both."""

import contextlib
import hashlib
import re
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec

from app.services.problem import Problem
from engine import runtime
from engine.runtime import PACK_MANIFEST as MANIFEST
from engine.runtime import Manifest, Part, Wheel

PIECE = 1 << 20
EXECUTABLE = 0o111
NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._+-]*[A-Za-z0-9])?")
"""A name that is the same file on every system."""
TAKEN = (runtime.CURRENT, runtime.TRIED, MANIFEST)
DIGEST = re.compile(r"[0-9a-f]{64}")
LIBRARIES = ("purelib", "platlib")
"""Folders of a wheel's .data whose files belong beside its others."""

Step = Callable[[int], None]
"""Hears of so many bytes more; may raise, and is how a person's "stop" is heard."""


class Pack:
    """`open_part` gives a file's bytes by its name."""

    def __init__(self, manifest: Manifest, open_part: Callable[[str], IO[bytes]]) -> None:
        self.manifest = manifest
        self._open = open_part

    @property
    def size(self) -> int:
        return sum(part.size for wheel in self.manifest.wheels for part in wheel.parts)

    def check(self, step: Step) -> None:
        """Every part against the manifest. Raises `Problem("runtime_damaged")`: nothing was changed."""
        for wheel in self.manifest.wheels:
            for part in wheel.parts:
                digest, size = hashlib.sha256(), 0
                for piece in self._pieces(part):
                    digest.update(piece)
                    size += len(piece)
                    step(len(piece))
                if size != part.size or digest.hexdigest() != part.sha256:
                    raise Problem("runtime_damaged", subject=part.file)

    def unpack(self, folder: Path, step: Step) -> None:
        """All wheels into `folder`, which is made. Each is compared with the manifest again while it is read."""
        folder.mkdir(parents=True)
        for wheel in self.manifest.wheels:
            try:
                with self._whole(wheel, folder.parent) as file, zipfile.ZipFile(file) as archive:
                    _unpack(archive, folder, step)
            except zipfile.BadZipFile as error:
                raise Problem("runtime_damaged", subject=wheel.file) from error
        (folder / runtime.MANIFEST).write_bytes(runtime.encode(self.manifest))

    @contextlib.contextmanager
    def _whole(self, wheel: Wheel, beside: Path) -> Iterator[IO[bytes]]:
        """The wheel as one file: its parts joined, on the disk that it is unpacked to."""
        digest = hashlib.sha256()
        with tempfile.TemporaryFile(dir=beside) as joined:
            for part in wheel.parts:
                for piece in self._pieces(part):
                    digest.update(piece)
                    joined.write(piece)
            if digest.hexdigest() != wheel.sha256:
                raise Problem("runtime_damaged", subject=wheel.file)
            joined.seek(0)
            yield joined

    def _pieces(self, part: Part) -> Iterator[bytes]:
        """Its bytes. A place that is gone meanwhile, as a stick that was pulled out, is the pack's fault: the disk that
        is written to has no part in it."""
        try:
            with self._open(part.file) as file:
                while piece := file.read(PIECE):
                    yield piece
        except (OSError, KeyError, tarfile.TarError) as error:
            raise Problem("runtime_damaged", subject=part.file) from error


@contextlib.contextmanager
def opened(source: Path) -> Iterator[Pack]:
    """Raises `Problem("runtime_no_pack")` for anything that is none."""
    path = source / MANIFEST if source.is_dir() else source
    with contextlib.ExitStack() as held:
        try:
            if path.suffix == ".json":
                pack = Pack(decoded(path.read_bytes()), lambda name: (path.parent / name).open("rb"))
            else:
                pack = _of_archive(held.enter_context(tarfile.open(path, "r:")))
        except (OSError, KeyError, tarfile.TarError, msgspec.MsgspecError) as error:
            raise Problem("runtime_no_pack", subject=source.name) from error
        yield pack


def _of_archive(archive: tarfile.TarFile) -> Pack:
    members = {PurePosixPath(member.name).name: member for member in archive if member.isfile()}

    def member(name: str) -> IO[bytes]:
        file = archive.extractfile(members[name])
        assert file is not None  # it is a file
        return file

    with member(MANIFEST) as file:
        return Pack(decoded(file.read()), member)


def decoded(data: bytes) -> Manifest:
    """A pack's manifest. Raises `msgspec.MsgspecError` for what is none, or names what cannot lie in its folder."""
    manifest = msgspec.json.decode(data, type=Manifest)
    parts = [part for wheel in manifest.wheels for part in wheel.parts]
    for name in (manifest.tag, *(part.file for part in parts)):
        if not NAME.fullmatch(name) or name.lower() in TAKEN:
            raise msgspec.ValidationError("a name in it is none that a file of a pack can have")
    if not all(DIGEST.fullmatch(part.sha256) for part in parts):  # a growing file's name has some of it
        raise msgspec.ValidationError("a digest in it is none")
    return manifest


def _unpack(archive: zipfile.ZipFile, folder: Path, step: Step) -> None:
    for member in archive.infolist():
        place = _place(member.filename)
        if place is None or member.is_dir():
            continue
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(member) as source, target.open("wb") as out:
            shutil.copyfileobj(source, out, PIECE)
        if member.external_attr >> 16 & EXECUTABLE:
            target.chmod(0o755)  # ptxas is a program that Triton starts
        step(member.compress_size)


def _place(name: str) -> PurePosixPath | None:
    """Where a wheel's member goes; None: nowhere. Raises `Problem` for a name that leads out of the folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
        raise Problem("runtime_damaged", subject=name)
    if path.parts and path.parts[0].endswith(".data"):
        return PurePosixPath(*path.parts[2:]) if path.parts[1:2] and path.parts[1] in LIBRARIES else None
    return path
