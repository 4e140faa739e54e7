"""Packs of runtimes for tests: wheels of a few bytes, and an engine's trial that imports what they hold."""

import hashlib
import io
import tarfile
import zipfile
from pathlib import Path

from engine import runtime
from engine.runtime import Manifest, Part, Wheel

TRIAL = """\
import json, pathlib, sys
folder = pathlib.Path(sys.argv[2])
sys.path.insert(0, str(folder))
import torch
print("a library talks on stdout")
told = dict(torch=torch.__version__, cuda="13.0", devices=["CPU"], kinds=["cpu"], failures=[])
print(json.dumps(told | dict(from_folder=pathlib.Path(torch.__file__).is_relative_to(folder))))
"""
"""In the engine's place: `TRIAL check-runtime FOLDER`."""


def wheel(files: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def pack(
    folder: Path, files: dict[str, str] | None = None, parts: int = 1, data: bytes | None = None, **told: object
) -> Path:
    """A pack of one wheel in so many parts. `data`: its bytes, instead of files. `told`: what its manifest says
    else."""
    folder.mkdir()
    data = data or wheel({"torch/__init__.py": "__version__ = '2.13.0+cu130'\n"} if files is None else files)
    each = -(-len(data) // parts)
    names = [f"torch.whl.{number}" for number in range(parts)]
    pieces = [data[number * each : (number + 1) * each] for number in range(parts)]
    for name, piece in zip(names, pieces, strict=True):
        (folder / name).write_bytes(piece)
    listed = tuple(
        Part(name, len(piece), hashlib.sha256(piece).hexdigest()) for name, piece in zip(names, pieces, strict=True)
    )
    one = Wheel("torch.whl", len(data), hashlib.sha256(data).hexdigest(), listed)
    made: dict[str, object] = {
        "format": runtime.FORMAT,
        "tag": "cu130-2.13.0",
        "kind": "cuda",
        "engine": runtime.GENERATION,
        "python": runtime.python_tag(),
        "platform": runtime.platform_tag(),
        "torch": "2.13.0",
        "wheels": (one,),
    }
    (folder / "manifest.json").write_bytes(runtime.encode(Manifest(**(made | told))))  # type: ignore[arg-type]
    return folder


def released(folder: Path) -> Path:
    """The pack's manifest under the name that it has in a release."""
    (folder / "manifest.json").rename(folder / runtime.release_name(runtime.platform_tag()))
    return folder


def tar_of(folder: Path) -> Path:
    made = folder.with_suffix(".tar")
    with tarfile.open(made, "w") as archive:
        archive.add(folder, folder.name)
    return made
