"""A GPU pack: the wheels of torch for NVIDIA cards in parts below 2 GB, with a manifest that names every byte.

Linux' wheels come from the package index, as its lock file names them; Windows' torch for NVIDIA cards is on torch's
own index alone, so its wheels are given as a folder.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

import bundle
import contents
import licences
import lock
import msgspec

from engine import runtime
from engine.runtime import Manifest, Part, Wheel

PART = 1_900_000_000
"""Bytes: below what FAT sticks and hosts of files take."""
PIECE = 1 << 24
DRIVERS = {"linux": {"12": "525.60.13", "13": "580.65.06"}, "windows": {"12": "528.33", "13": "580.88"}}
"""The oldest driver that CUDA's major version works with, by CUDA's release notes."""
PLATFORM = {"linux": "linux_x86_64", "windows": "win_amd64"}
NEEDED = {
    "linux": (*contents.RUNTIME_PACKAGES, "triton"),
    "windows": (*contents.RUNTIME_PACKAGES, "triton_windows"),
}
"""Beside NVIDIA's, which Linux' torch asks for and Windows' brings inside."""
WHEEL = re.compile(r"^(?P<name>[^-]+)-[^-]+(?:-\d[^-]*)?-(?P<python>[^-]+)-(?P<abi>[^-]+)-(?P<platform>[^-]+)\.whl$")
TORCH = re.compile(r"^torch-(\d+\.\d+\.\d+)(?:\+(\w+))?-(cp\d+)-.*\.whl$")
CUDA = re.compile(r"^nvidia_cuda_runtime(?:_cu\d+)?-(\d+)\.(\d+)\.")
DRIVER_MODULE = "cuda_utils"
"""The one module in C that Triton would compile on the person's computer."""


def make(target: str, wheels: Path | None, out: Path, *, part: int = PART) -> Path:
    """The pack's folder below `out`. SystemExit with a sentence where the wheels are no runtime."""
    with tempfile.TemporaryDirectory(dir=out) as scratch:
        if wheels is None:
            wheels = lock.fetched(f"{target}-gpu", bundle.BUILD / "gpu-wheels")
        named = chosen(wheels, target)
        files = list(named.values())
        torch = TORCH.match(named["torch"].name)
        if torch is None or not torch.group(1).startswith(f"{runtime.TORCH}."):
            sys.exit(f"Longread was checked with torch {runtime.TORCH}, which {named['torch'].name} is not.")
        cuda = cuda_of(torch.group(2), files)
        if cuda[0] not in DRIVERS[target]:
            sys.exit(
                f"Which driver CUDA {cuda[0]} needs is not known here: add it to DRIVERS in packaging/gpu_pack.py."
            )
        tag = f"cu{cuda[0]}{cuda[1]}-{torch.group(1)}"
        found = texts_of(files)
        if target == "linux":
            files.append(driver_wheel(named["triton"], Path(scratch)))
        folder = out / runtime.release_name(PLATFORM[target], tag)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        manifest = Manifest(
            format=runtime.FORMAT,
            tag=tag,
            kind="cuda",
            engine=runtime.GENERATION,
            python=torch.group(3),
            platform=PLATFORM[target],
            torch=torch.group(1),
            driver=DRIVERS[target][cuda[0]],
            unpacked=sum(_unpacked(file) for file in files),
            wheels=tuple(split(file, folder, part) for file in files),
        )
    (folder / runtime.PACK_MANIFEST).write_bytes(runtime.encode(manifest))
    licences.write(found, folder)
    return folder


def chosen(wheels: Path, target: str) -> dict[str, Path]:
    """The wheels of a folder that go in, by their names in small letters with underscores: all but those that hold
    nothing and only ask for others. SystemExit with a sentence where they are no runtime of the target's."""
    named = dict[str, Path]()
    for file in sorted(wheels.glob("*.whl")):
        match = WHEEL.match(file.name)
        if match is None or not _fits(match, target):
            sys.exit(f"{file.name} is not for {target.title()} and Python {lock.PYTHON[target]}.")
        name = re.sub(r"[-_.]+", "_", match["name"]).lower()
        if name in named:
            sys.exit(f"There are two wheels of {name} in {wheels}: leave one of them there.")
        if not zipfile.is_zipfile(file):
            sys.exit(f"{file.name} is no whole wheel: fetch it again.")
        with zipfile.ZipFile(file) as archive:
            if any(".dist-info/" not in member for member in archive.namelist()):
                named[name] = file
    if missing := [name for name in NEEDED[target] if name not in named]:
        sys.exit(f"There is no wheel of {', '.join(missing)} in {wheels}; the engine cannot do without.")
    return named


def _fits(wheel: re.Match[str], target: str) -> bool:
    python = f"cp{lock.PYTHON[target].replace('.', '')}"
    version = {"py3", python} & set(wheel["python"].split(".")) or wheel["abi"] == "abi3"
    return bool(version) and bool({"any", *lock.PLATFORMS[target]} & set(wheel["platform"].split(".")))


def texts_of(files: list[Path]) -> list[licences.Licence]:
    """The wheels' licences. SystemExit for GPL and AGPL, and where the text that must be handed on is not there."""
    found = licences.of_wheels(files, frozenset())
    if bad := licences.refused(found):
        sys.exit("These licences do not allow us to hand the pack on: " + "; ".join(bad))
    if bare := [one.name for one in found if not one.texts]:
        sys.exit(f"The text of the licence is missing in {', '.join(bare)}, and must be handed on.")
    return found


def for_release(folder: Path, out: Path) -> list[Path]:
    """Move a pack's files side by side into `out`; those that are no parts get names that tell the platform."""
    manifest = msgspec.json.decode((folder / runtime.PACK_MANIFEST).read_bytes(), type=Manifest)
    parts = {part.file for wheel in manifest.wheels for part in wheel.parts}
    moved = []
    for file in sorted(folder.iterdir()):
        name = file.name if file.name in parts else runtime.release_name(manifest.platform, file.name)
        moved.append(file.rename(out / name))
    folder.rmdir()
    return moved


def cuda_of(local: str | None, files: list[Path]) -> tuple[str, str]:
    """CUDA's major and minor version: of torch's own name (cu130), or of the wheels that it comes with."""
    if local and (named := re.match(r"cu(\d\d)(\d)$", local)):
        return named.group(1), named.group(2)
    found = next((match for file in files if (match := CUDA.match(file.name))), None)
    if found is None:
        sys.exit("Neither torch's wheel nor another one says which CUDA this is: is it the build for the processor?")
    return found.group(1), found.group(2)


def split(file: Path, folder: Path, part: int) -> Wheel:
    """Copy a wheel into the folder, in parts where it is longer than one may be."""
    whole, parts, size = hashlib.sha256(), list[Part](), file.stat().st_size
    plain = file.name.replace("+", ".")  # as GitHub would rename it
    with file.open("rb") as source:
        for number in range(max(1, -(-size // part))):
            name = plain if size <= part else f"{plain}.{number:03}"
            digest, left = hashlib.sha256(), min(part, size - number * part)
            with (folder / name).open("wb") as out:
                while left and (piece := source.read(min(PIECE, left))):
                    out.write(piece)
                    digest.update(piece)
                    whole.update(piece)
                    left -= len(piece)
            parts.append(Part(name, (folder / name).stat().st_size, digest.hexdigest()))
    return Wheel(file.name, size, whole.hexdigest(), tuple(parts))


def driver_wheel(triton: Path, scratch: Path) -> Path:
    """A wheel with Triton's module in C, compiled here, so that no compiler is needed where it runs.

    It is linked against an empty library of the driver's name: the driver itself is found when it is loaded.
    """
    with zipfile.ZipFile(triton) as archive:
        for name in archive.namelist():
            if name.startswith("triton/backends/nvidia/") and name.endswith((".c", ".h")):
                archive.extract(name, scratch)
    source = scratch / "triton" / "backends" / "nvidia"
    (scratch / "empty.c").write_text("")
    stub = ["cc", "-shared", "-o", str(scratch / "libcuda.so.1"), str(scratch / "empty.c"), "-Wl,-soname,libcuda.so.1"]
    made = scratch / f"{DRIVER_MODULE}.so"
    module = ["cc", "-O3", "-shared", "-fPIC", "-Wno-psabi", "-s", "-o", str(made), str(source / "driver.c")]
    module += [f"-I{source / 'include'}", f"-I{sysconfig.get_paths()['include']}"]
    module += ["-Wl,--no-as-needed", f"-L{scratch}", "-l:libcuda.so.1"]
    for command in (stub, module):
        if subprocess.run(command, check=False).returncode:
            sys.exit("Triton's module could not be compiled: the lines above say why.")
    wheel = scratch / "longread_triton-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        entry = zipfile.ZipInfo(f"{runtime.TRITON}/{made.name}", (2026, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, made.read_bytes())
    return wheel


def _unpacked(file: Path) -> int:
    with zipfile.ZipFile(file) as archive:
        return sum(member.file_size for member in archive.infolist())
