"""The bundle as a .deb, an .rpm and a portable archive, and what each of them comes to."""

import io
import json
import lzma
import os
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import bundle
import loader

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DIST = ROOT / "dist"
LINUX = HERE / "linux"

PLACE = "/usr/lib/longread"
LIGHT, WELL = 1, 4
"""xz's presets. 6 saves another two hundredths and takes a third longer."""
DATA = ("longread.desktop", "longread.1", "io.github.longread.Longread.metainfo.xml")
READ_ME = """\
Longread, portable

Start ./longread in this folder. What is kept lies in the folder `data` beside this file, as long as the empty file
`portable` is here; without that file it lies in ~/.local/share/longread. If this folder cannot be written, set
LONGREAD_HOME to one that can.
"""


def version() -> str:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def make(folder: Path, *, quick: bool) -> list[Path]:
    """All three into dist/, with a list of what is in them and their sha256."""
    DIST.mkdir(exist_ok=True)
    made = [*_by_nfpm(folder), _portable(folder, LIGHT if quick else WELL)]
    listing = DIST / f"longread-{version()}-linux-x86_64.files.json"
    listing.write_text(json.dumps(contents_of(folder), indent=0), encoding="utf-8")
    digests = "".join(f"{bundle.digest_of(path)}  {path.name}\n" for path in [*made, listing])
    (DIST / "SHA256SUMS").write_text(digests, encoding="utf-8")
    report(folder, made)
    return made


def contents_of(folder: Path) -> dict[str, str]:
    """Each file's sha256 by its place, or where a link leads: two builds of the same inputs are compared by it."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(folder))] = f"-> {path.readlink()}"
        elif path.is_file():
            found[str(path.relative_to(folder))] = bundle.digest_of(path)
    return found


def differing(before: dict[str, str], now: dict[str, str]) -> list[str]:
    """Places whose files are not the same, or that only one of two such lists names."""
    return sorted(place for place in before.keys() | now.keys() if before.get(place) != now.get(place))


def configuration(folder: Path, target: Path) -> dict:
    """nfpm's, as JSON, which is YAML as well."""
    outside = loader.outside(folder)
    share = "/usr/share"
    files = [
        {"src": str(folder), "dst": PLACE, "type": "tree"},
        *(
            {"src": f"{PLACE}/{name}", "dst": f"/usr/bin/{name}", "type": "symlink"}
            for name in ("longread", "longread-engine")
        ),
        {"src": str(LINUX / DATA[0]), "dst": f"{share}/applications/{DATA[0]}"},
        {"src": str(target / "longread.1.gz"), "dst": f"{share}/man/man1/longread.1.gz"},
        {"src": str(LINUX / DATA[2]), "dst": f"{share}/metainfo/{DATA[2]}"},
        {"src": str(ROOT / "resources/icons/longread.svg"), "dst": f"{share}/icons/hicolor/scalable/apps/longread.svg"},
        {"dst": f"{share}/doc/longread", "type": "dir"},  # rpm would leave it behind
        {"src": str(ROOT / "LICENSE"), "dst": f"{share}/doc/longread/copyright"},
    ]
    return {
        "name": "longread",
        "arch": "amd64",
        "platform": "linux",
        "version": version(),
        "section": "text",
        "priority": "optional",
        "maintainer": "The Longread authors <longread@example.org>",
        "description": "Private, long-context chat over whole books, contracts and code\n"
        "Documents are read in full by a language model on this computer. A small one comes along.",
        "license": "Apache-2.0",
        "contents": files,
        "mtime": "2026-01-01T00:00:00Z",
        "deb": {"compression": "zstd"},
        "rpm": {"compression": "zstd"},
        "overrides": {
            "deb": {"depends": loader.debian(outside), "recommends": ["fonts-dejavu-core"]},
            "rpm": {"depends": loader.fedora(outside)},
        },
    }


def _by_nfpm(folder: Path) -> list[Path]:
    work = bundle.BUILD / "nfpm"
    work.mkdir(parents=True, exist_ok=True)
    import gzip

    man = gzip.compress((LINUX / DATA[1]).read_bytes(), mtime=0)
    (work / "longread.1.gz").write_bytes(man)
    for path in (folder, *folder.rglob("*")):
        if path.is_symlink():
            continue
        path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
    written = work / "nfpm.yaml"
    written.write_text(json.dumps(configuration(folder, work), indent=1), encoding="utf-8")
    made = []
    for kind, name in (("deb", f"longread_{version()}_amd64.deb"), ("rpm", f"longread-{version()}.x86_64.rpm")):
        command = ["nice", "-n", "19", str(bundle.VENV / "bin" / "nfpm"), "package", "--config", str(written)]
        if subprocess.run([*command, "--packager", kind, "--target", str(DIST / name)], check=False).returncode:
            sys.exit(f"nfpm could not make {name}: the lines above say why.")
        made.append(DIST / name)
    return made


def _portable(folder: Path, preset: int) -> Path:
    """A .tar.xz with one folder; in it `portable`, by which the program keeps its data beside itself."""
    name = f"longread-{version()}-linux-x86_64"
    path = DIST / f"{name}.tar.xz"
    with lzma.open(path, "wb", preset=preset) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for place in sorted(folder.rglob("*")):
            archive.add(place, f"{name}/{place.relative_to(folder)}", recursive=False, filter=_plain)
        for member, text in (("portable", ""), ("README.txt", READ_ME)):
            entry = tarfile.TarInfo(f"{name}/{member}")
            entry.size, entry.mode = len(text.encode()), 0o644
            archive.addfile(_plain(entry), io.BytesIO(text.encode()))
    return path


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mtime = int(bundle.EPOCH)
    return entry


def report(folder: Path, made: list[Path]) -> None:
    """What takes how much."""
    parts = {path.name: _size(path) for path in sorted(folder.iterdir()) if path.is_dir()}
    inner = {path.name: _size(path) for path in (folder / "_internal").iterdir()}
    print("\nUnpacked, MB:")
    for name, size in [*parts.items(), *sorted(inner.items(), key=lambda one: -one[1])[:8]]:
        print(f"  {name:34} {size / 1e6:8.1f}")
    print("Packed, MB:")
    for path in made:
        print(f"  {path.name:34} {path.stat().st_size / 1e6:8.1f}")
    print(f"The highest symbol of the C library is GLIBC_{loader.highest_glibc(folder)}.")


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(one.stat().st_size for one in files if one.is_file() and not one.is_symlink())
