"""What a window needs of the system beyond pip: found by trying, installed where that is ours to do, else named."""

import ctypes
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

# The name that the loader knows, and Debian's and Ubuntu's package of it. What Qt's wheel needs and does not bring:
# the NEEDED entries of its libraries and of the xcb and offscreen platform plugins.
QT = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libzstd.so.1": "libzstd1",
}
XCB = {
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
FONT_FILES = {".ttf", ".otf", ".ttc"}


def ensure(*, programs: dict[str, str] | None = None, fonts: Iterable[str] = ()) -> None:
    """Make sure that Qt's libraries, one font at least, and `programs` (command to package) are there.

    `fonts` are packages asked for by name besides. Nothing is done on other systems than Linux. SystemExit with one
    sentence that names what is missing and the command that brings it, where it is not ours to install.
    """
    if not sys.platform.startswith("linux"):
        return
    libraries = missing_libraries()
    packages = [(QT | XCB)[name] for name in libraries]
    absent = {name: package for name, package in (programs or {}).items() if not shutil.which(name)}
    packages += absent.values()
    if not any_font():
        packages.append("fonts-dejavu-core")
    apt = shutil.which("apt-get")
    if apt:
        packages += [package for package in fonts if not _installed(package)]
    if not packages:
        return
    if apt and os.geteuid() == 0:
        install(packages)
        if still := missing_libraries():
            sys.exit(f"These system libraries are still missing after installing them: {', '.join(still)}.")
        return
    missing = [*libraries, *absent, *([] if any_font() else ["a font"])]
    if missing:
        command = _command(libraries, list(absent.values()), packages)
        sys.exit(f"Longread's window needs {', '.join(missing)}, which this system lacks. {command}")


def missing_libraries() -> list[str]:
    """Names of the libraries that the loader does not find."""

    def loads(name: str) -> bool:
        try:
            ctypes.CDLL(name)
        except OSError:
            return False
        return True

    return [name for name in QT | XCB if not loads(name)]


def any_font() -> bool:
    folders = (Path(folder).expanduser() for folder in FONT_FOLDERS)
    return any(file.suffix.lower() in FONT_FILES for folder in folders for file in folder.rglob("*"))


def install(packages: list[str]) -> None:
    """Install Debian's or Ubuntu's packages, as root. SystemExit with the command that failed."""
    print(f"Installing system packages: {' '.join(packages)}", flush=True)
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    settings: dict[str, Any] = {
        "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.DEVNULL,
        "check": False,
    }
    if subprocess.run(command, stderr=subprocess.DEVNULL, **settings).returncode == 0:
        return
    # A fresh machine has no package lists, or old ones
    for step in (["apt-get", "update"], command):
        if subprocess.run(step, **settings).returncode:
            sys.exit(f"Installing system packages failed at: {' '.join(step)}")


def _installed(package: str) -> bool:
    asked = subprocess.run(["dpkg-query", "-W", "-f=${Status}", package], capture_output=True, text=True, check=False)
    return asked.stdout.endswith("ok installed")


def _command(libraries: list[str], programs: list[str], packages: list[str]) -> str:
    """The sentence with the exact command for this system's own package tool."""
    if shutil.which("apt-get"):
        return f"Install with: sudo apt-get install {' '.join(packages)}"
    bits = "()(64bit)" if platform.architecture()[0] == "64bit" else ""
    wanted = " ".join(f"'{name}{bits}'" for name in libraries)
    wanted = " ".join(filter(None, (wanted, *programs)))
    for tool, install in (("dnf", "dnf install"), ("zypper", "zypper install")):
        if shutil.which(tool):
            return f"Install with: sudo {install} {wanted}"
    return "Install the packages of your system that hold them."
