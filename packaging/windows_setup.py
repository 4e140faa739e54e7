"""Windows' folder as a setup program and as a portable zip, signed where there is something to sign with."""

import json
import os
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import bundle
import linux_packages
import windows_tree

OURS = ("longread.exe", "longread.com", "longread-engine.exe", "python3.dll")
"""What is signed of the folder: the rest is as its makers made it, and signed by those who do."""
WHEN = (2026, 1, 1, 0, 0, 0)
READ_ME = """\
Longread, portable

Start longread.exe in this folder. What is kept lies in the folder `data` beside this file, as long as the empty file
`portable` is here; without that file it lies in %LOCALAPPDATA%\\longread. If this folder cannot be written, set
LONGREAD_HOME to one that can.
"""


def make(tree: Path, *, quick: bool, signer: Path | None = None) -> list[Path]:
    """The setup program, the zip and a list of what is in them, into dist/. `signer`: of `signer()`."""
    version = linux_packages.version()
    linux_packages.DIST.mkdir(exist_ok=True)
    if signer:
        for name in OURS:
            sign(signer, tree / name)
    name = f"longread-{version}-windows-x64"
    listing = linux_packages.DIST / f"{name}.files.json"
    listing.write_text(json.dumps(linux_packages.contents_of(tree), indent=0), encoding="utf-8")
    setup = linux_packages.DIST / f"longread-{version}-setup.exe"
    made = [portable(tree, linux_packages.DIST / f"{name}.zip"), installer(tree, setup, version, quick, signer)]
    if signer:
        sign(signer, made[1])
    report(tree, made)
    return [*made, listing]


def signer(command: list[str]) -> Path:
    """A script that signs one file in its place by a command to which `-in FILE -out FILE` is appended.

    A script, since NSIS calls it as well, for the uninstaller that it makes.
    """
    work = windows_tree.BUILD / "work"
    work.mkdir(parents=True, exist_ok=True)
    script = work / "sign.sh"
    script.touch(0o700)
    lines = ["#!/bin/sh", "set -e", 'rm -f "$1.signed"', f'{shlex.join(command)} -in "$1" -out "$1.signed"']
    script.write_text("\n".join([*lines, 'mv -f "$1.signed" "$1"', ""]))
    return script


def sign(script: Path, file: Path) -> None:
    _run([str(script), str(file)], f"{file.name} could not be signed")


def installer(tree: Path, target: Path, version: str, quick: bool, script: Path | None = None) -> Path:
    """NSIS' setup program of a folder. `quick`: compressed lightly, and a third larger."""
    work = windows_tree.BUILD / "work"
    work.mkdir(parents=True, exist_ok=True)
    (work / "remove.nsh").write_text(removal(tree), encoding="utf-8")
    defined = {"VERSION": version, "NUMBERS": windows_tree.numbers(version), "TREE": str(tree), "OUT": str(target)}
    defined |= {"REMOVE": str(work / "remove.nsh"), "COMPRESSION": "zlib" if quick else "lzma"}
    defined |= {"SIGN": str(script)} if script else {}
    words = [f"-D{name}={value}" for name, value in defined.items()]
    _run(["nice", "-n", "19", "makensis", "-V2", *words, str(windows_tree.SOURCES / "setup.nsi")], "makensis failed")
    return target


def removal(tree: Path) -> str:
    """NSIS' lines that take away what the setup program brings, and nothing that somebody else put there."""
    lines = [
        f'RMDir /r "$INSTDIR\\{path.name}"' if path.is_dir() else f'Delete "$INSTDIR\\{path.name}"'
        for path in sorted(tree.iterdir())
    ]
    return "\n".join(lines) + "\n"


def portable(tree: Path, target: Path) -> Path:
    """A zip with one folder; in it `portable`, by which the program keeps its data beside itself."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path in sorted(tree.rglob("*")):
            if path.is_file():
                _add(archive, f"{target.stem}/{path.relative_to(tree).as_posix()}", path.read_bytes())
        _add(archive, f"{target.stem}/portable", b"")
        _add(archive, f"{target.stem}/README.txt", READ_ME.replace("\n", "\r\n").encode())
    return target


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, WHEN)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


def report(tree: Path, made: list[Path]) -> None:
    """What takes how much."""
    print("\nUnpacked, MB:")
    for path in (tree, *sorted(path for path in tree.iterdir() if path.is_dir())):
        size = sum(one.stat().st_size for one in path.rglob("*") if one.is_file())
        print(f"  {path.name:34} {size / 1e6:8.1f}")
    print("Packed, MB:")
    for path in made:
        print(f"  {path.name:34} {path.stat().st_size / 1e6:8.1f}")


def _run(command: list[str], failure: str) -> None:
    environment = os.environ | {"SOURCE_DATE_EPOCH": bundle.EPOCH}
    try:
        code = subprocess.run(command, check=False, env=environment).returncode
    except FileNotFoundError as missing:
        sys.exit(f"{failure}: {missing.filename} is not installed.")
    if code:
        sys.exit(f"{failure}: the lines above say why.")
