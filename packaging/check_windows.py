"""Windows' setup program and zip, installed, used and removed under wine, as a person would on Windows.

What this cannot show is named in `packaging/wine.py`: there a handful of functions stand in for what wine lacks.
"""

import json
import shlex
import shutil
import subprocess
import time
import zipfile
from pathlib import Path

import bundle
import chroot
import linux_packages
import windowed
import windows_setup
import windows_tree
import wine

SETUP_LIMIT = 350e6
NEEDED = {
    "debootstrap": "debootstrap",
    "unshare": "util-linux",
    "ip": "iproute2",
    "Xvfb": "xvfb",
    "xdotool": "xdotool",
    "import": "imagemagick",
    "makensis": "nsis",
    f"{windows_tree.MINGW}gcc": "gcc-mingw-w64-x86-64",
}
"""Programs, and Debian's packages that bring them."""
OLDER = "0.0.1"
STALE = "Lib/site-packages/app/services/stale.py"
"""A module that only the older version has."""
FOLDER = r"C:\Prográmme für 长读\Long read"
ELSEWHERE = r"C:\Wo anders 别处"
PORTABLE = r"C:\Stick ü 优盘"
HOME = r"C:\Daten é 数据\Long read"
"""Where the window keeps its data."""
LOCAL = r"C:\users\root\AppData\Local"
DATA = rf"{LOCAL}\longread"
SHORTCUT = r"C:\users\root\AppData\Roaming\Microsoft\Windows\Start Menu\Programs\Longread.lnk"
DOCUMENT = r"C:\Bücher 书\Gull Röck 日志.md"
KEY = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Longread"
OPEN_WITH = r"HKCU\Software\Classes\.pdf\OpenWithProgids"
COLOURS = 100
"""An empty screen has one."""
ENDED_ITSELF = 2
"""NSIS' exit code where the script stopped it."""


class Wrong(chroot.Failed):
    """Something is not as it must be."""


def check(out: Path) -> str:
    """All of it, one after the other, since each goes on from the one before. Pictures are left in `out`."""
    lacking = {package for tool, package in NEEDED.items() if shutil.which(tool) is None}
    if lacking:
        raise Wrong(f"the check of Windows' program needs `apt-get install {' '.join(sorted(lacking))}`")
    setup, zipped, listing = made()
    size = setup.stat().st_size
    if size >= SETUP_LIMIT:
        raise Wrong(f"the setup program has {size / 1e6:.0f} MB; it may have {SETUP_LIMIT / 1e6:.0f}")
    older = older_setup()
    root = wine.debian()
    document = wine.place(root, DOCUMENT)
    document.parent.mkdir(parents=True)
    shutil.copyfile(bundle.ROOT / "resources" / "samples" / "self_test.md", document)
    told = [f"setup {size / 1e6:.0f} MB, zip {zipped.stat().st_size / 1e6:.0f} MB"]
    told.append(upgraded(root, older, setup, json.loads(listing.read_text(encoding="utf-8"))))
    told.append(self_tests(root))
    told.append(window(root, out))
    told.append(refused(root))
    told.append(uninstalled(root))
    told.append(deleted(root, older))
    told.append(portable(root, zipped))
    return "; ".join(told)


def made() -> tuple[Path, Path, Path]:
    """The setup program, the zip and the list of this version's files. Raises `Wrong` where one is not there."""
    name = f"longread-{linux_packages.version()}"
    found = [
        linux_packages.DIST / f"{name}{end}" for end in ("-setup.exe", "-windows-x64.zip", "-windows-x64.files.json")
    ]
    for path in (*found, windows_tree.TREE):
        if not path.exists():
            raise Wrong(f"{path.name} is not there: python3 packaging/build.py windows makes it")
    return found[0], found[1], found[2]


def older_setup() -> Path:
    """A setup program of the same folder that says it is of an older version, and has a module more."""
    tree = chroot.PLACE / "older"
    shutil.rmtree(tree, ignore_errors=True)
    tree.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "--archive", "--link", str(windows_tree.TREE), str(tree)], check=True)
    info = next((tree / "Lib/site-packages").glob("longread-*.dist-info"))
    info = info.rename(info.with_name(f"longread-{OLDER}.dist-info"))
    (info / "METADATA").unlink()  # it is one file with that of this version
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: longread\nVersion: {OLDER}\n")
    (tree / STALE).touch()
    target = chroot.PLACE / "older-setup.exe"
    windows_setup.installer(tree, target, OLDER, quick=True)
    shutil.rmtree(tree)
    return target


def install(root: Path, setup: Path, folder: str = "") -> float:
    """Silently. Seconds that it took. `folder`: where, else what the setup program thinks best."""
    shutil.copyfile(setup, wine.place(root, r"C:\setup.exe"))
    began = time.monotonic()
    # NSIS takes the rest of the line, without quotes: to wine each part is a word
    wine.run(root, [r"C:\setup.exe", "/S", *(f"/D={folder}".split(" ") if folder else ())])
    wine.place(root, r"C:\setup.exe").unlink()
    return time.monotonic() - began


def uninstaller(folder: str, *words: str) -> list[str]:
    """Silently; `_?=` makes it work where it lies, so that its end can be waited for. It stays itself, then."""
    return [rf"{folder}\Uninstall.exe", "/S", *words, *f"_?={folder}".split(" ")]


def upgraded(root: Path, older: Path, setup: Path, listing: dict[str, str]) -> str:
    """An older version, used; then this one over it: its files and no others, its words in Windows, and the data."""
    install(root, older, FOLDER)
    folder = wine.place(root, FOLDER)
    _same("the older version", version(root), OLDER)
    _there(folder / STALE)
    wine.run(root, [rf"{FOLDER}\longread.com", "read", "--into-library", DOCUMENT])
    kept = linux_packages.contents_of(wine.place(root, DATA))
    if not any(place.startswith("texts/") for place in kept):
        raise Wrong(f"the program keeps nothing in {DATA}")
    took = install(root, setup)
    _same("the version after the upgrade", version(root), linux_packages.version())
    found = linux_packages.contents_of(folder)
    found.pop("Uninstall.exe")
    if differing := linux_packages.differing(found, listing):
        raise Wrong(f"{len(differing)} files are not those of the list, the first: {differing[0]}")
    _same("the data", linux_packages.contents_of(wine.place(root, DATA)), kept)
    listed = wine.run(root, [rf"{FOLDER}\longread.com", "library", "list"]).stdout
    if Path(DOCUMENT.replace("\\", "/")).name not in listed:
        raise Wrong(f"the library does not know the document: {listed[-300:]}")
    _there(wine.place(root, SHORTCUT))
    # Name by name: wine writes the whole path in letters of one byte alone
    leads = wine.place(root, SHORTCUT).read_bytes()
    if not all(name.encode("utf-16-le") in leads for name in (*FOLDER.split("\\")[1:], "longread.exe")):
        raise Wrong("the shortcut in the Start menu leads elsewhere")
    about = query(root, KEY)
    last = FOLDER.rpartition("\\")[2]  # reg prints a question mark for letters that its console has not
    for words in (linux_packages.version(), rf"{last}\Uninstall.exe", "The Longread authors"):
        if words not in about:
            raise Wrong(f"Windows' list of programs lacks {words!r}: {about}")
    if "Longread.Document" not in query(root, OPEN_WITH):
        raise Wrong("`Open with` does not offer Longread for a PDF")
    return f"upgraded in {took:.0f} s with {len(found):,} files as built, shortcut, entries and data"


def version(root: Path) -> str:
    return wine.run(root, [rf"{FOLDER}\longread.com", "--version"]).stdout.strip()


def query(root: Path, key: str) -> str:
    """A key of the registry in reg's words; empty when it is not there."""
    done = wine.run(root, ["reg", "query", key], check=False)
    return "" if done.returncode else done.stdout


def self_tests(root: Path) -> str:
    took = []
    for name in ("longread-engine.exe", "longread.com"):
        began = time.monotonic()
        print(wine.run(root, [rf"{FOLDER}\{name}", "--self-test"]).stdout, end="", flush=True)
        took.append(f"{name} --self-test {time.monotonic() - began:.0f} s")
    return ", ".join(took)


def window(root: Path, out: Path) -> str:
    """A document opened with it, under names of three scripts. A picture of it, once it has come to rest, is left.

    It is looked at and not used: wine blanks a window that is given the keyboard where no window manager is.
    """
    out.mkdir(parents=True, exist_ok=True)
    settings = f"DISPLAY={windowed.DISPLAY} {shlex.quote(f'LONGREAD_HOME={HOME}')}"
    words = wine.command(root, wine.line([rf"{FOLDER}\longread.exe", DOCUMENT]), settings=settings, screen=True)
    picture = out / "opened.png"

    def drawn() -> bool:
        windowed._picture(picture)
        told = subprocess.run(["identify", "-format", "%k", str(picture)], capture_output=True, text=True, check=True)
        return int(told.stdout) > COLOURS

    with windowed._screen(), windowed._program(words, root):
        began = time.monotonic()
        windowed._until(drawn, 240, "a window with something in it")
        took = time.monotonic() - began
        windowed._still("the opened window")
        windowed._picture(picture)
    _there(wine.place(root, HOME) / "longread.db")
    return f"window drawn after {took:.0f} s, {picture}"


def refused(root: Path) -> str:
    """The uninstaller while the engine runs: it says so by its exit code and takes nothing away."""
    before = linux_packages.contents_of(wine.place(root, FOLDER))
    engine = shlex.join([rf"{FOLDER}\longread-engine.exe", "serve", "--data", r"C:\engine"])
    remove = f"read -r ready; {wine.line(uninstaller(FOLDER))}; echo code $?; wineserver -k"
    line = f"rm -f /tmp/in; mkfifo /tmp/in; wine {engine} <>/tmp/in | {{ {remove}; }}"  # an input without an end
    told = subprocess.run(
        wine.command(root, line), cwd=root, capture_output=True, text=True, errors="replace", timeout=900, check=False
    ).stdout
    _same("the uninstaller's end while the engine runs", told.strip(), f"code {ENDED_ITSELF}")
    _same("the program while it runs", linux_packages.contents_of(wine.place(root, FOLDER)), before)
    return "not removed while it runs"


def uninstalled(root: Path) -> str:
    """The program is gone with all that Windows knew of it, and the data are there."""
    kept = linux_packages.contents_of(wine.place(root, DATA))
    wine.run(root, uninstaller(FOLDER))
    left = {path.name for path in wine.place(root, FOLDER).glob("*")} - {"Uninstall.exe"}
    if left or wine.place(root, SHORTCUT).exists() or query(root, KEY) or "Longread" in query(root, OPEN_WITH):
        raise Wrong(f"the uninstaller leaves {sorted(left)}, the shortcut or its keys")
    _same("the data after the uninstaller", linux_packages.contents_of(wine.place(root, DATA)), kept)
    return "uninstalled with the data kept"


def deleted(root: Path, older: Path) -> str:
    """Folders that are not ours are refused; and the data go where that is asked for."""
    other = wine.place(root, ELSEWHERE)
    other.mkdir()
    (other / "letter.txt").write_text("mine")
    try:
        install(root, older, ELSEWHERE)
    except chroot.Failed:
        _same("a folder with other things", [path.name for path in other.iterdir()], ["letter.txt"])
    else:
        raise Wrong("it was installed among other things")
    install(root, older, FOLDER)
    wine.run(root, uninstaller(FOLDER, "/DATA"))
    if wine.place(root, DATA).exists():
        raise Wrong("/DATA leaves the data")
    return "deleted with /DATA"


def portable(root: Path, zipped: Path) -> str:
    """The zip in a folder of its own keeps its data there."""
    place = wine.place(root, PORTABLE)
    with zipfile.ZipFile(zipped) as archive:
        archive.extractall(place)
    wine.run(root, [rf"{PORTABLE}\{zipped.stem}\longread.com", "read", "--into-library", DOCUMENT])
    _there(place / zipped.stem / "data" / "longread.db")
    if wine.place(root, DATA).exists():
        raise Wrong("the portable program keeps data elsewhere")
    shutil.rmtree(place)
    return "portable with its data beside it"


def _same(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise Wrong(f"{what}: {found!r:.300} instead of {expected!r:.300}")


def _there(path: Path) -> None:
    if not path.is_file():
        raise Wrong(f"{path.name} is not there")
