"""What the programs of a folder ask of the system's loader: libraries that they do not bring, and how new a C library.

The libraries' names become the dependencies of the packages, so that a computer without a desktop gets them.
"""

import re
import struct
from collections.abc import Iterator
from pathlib import Path

import system_libraries

GLIBC = re.compile(rb"GLIBC_2\.(\d+)(?:\.\d+)?\0")
DEBIAN = system_libraries.QT | system_libraries.XCB | {
    "libc.so.6": "libc6", "libm.so.6": "libc6", "libdl.so.2": "libc6", "libpthread.so.0": "libc6",
    "librt.so.1": "libc6",
    "libutil.so.1": "libc6", "ld-linux-x86-64.so.2": "libc6", "libresolv.so.2": "libc6", "libcrypt.so.1": "libcrypt1",
    "libnsl.so.1": "libc6", "libanl.so.1": "libc6", "libmvec.so.1": "libc6", "libthread_db.so.1": "libc6",
    "libgcc_s.so.1": "libgcc-s1", "libstdc++.so.6": "libstdc++6",
    "libwayland-client.so.0": "libwayland-client0", "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1", "libdrm.so.2": "libdrm2", "libGLX.so.0": "libglx0",
    "libOpenGL.so.0": "libopengl0", "libgthread-2.0.so.0": "libglib2.0-0", "libgio-2.0.so.0": "libglib2.0-0",
    "libbrotlidec.so.1": "libbrotli1", "libbrotlicommon.so.1": "libbrotli1", "libgobject-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2", "libexpat.so.1": "libexpat1", "libpng16.so.16": "libpng16-16",
    "libXext.so.6": "libxext6", "libXrender.so.1": "libxrender1", "libxcb-glx.so.0": "libxcb-glx0",
    "libXau.so.6": "libxau6", "libXdmcp.so.6": "libxdmcp6",
}  # fmt: skip
"""Debian's package of each library that may be the system's."""
NO_PACKAGE = re.compile(r"^(libcuda|libnvidia|libcudart|libcublas|libnv|libtbb|libGLES)")
"""Asked for by what is not used without a graphics card, or not at all."""
NEWEST = 35
"""The C library 2.35 that the packages depend on: Ubuntu 22.04, Debian 12, Fedora 36, openSUSE Leap 15.6, Red Hat 10
and what is newer have it. The wheels ask for 2.34 at most (`lock.GLIBC`, Qt's); for 2.35 asks Python's own library,
since the computer that builds has that one or a newer one. `check.py glibc` compares this with the files."""


def files(folder: Path) -> Iterator[Path]:
    """Programs and libraries in the ELF format."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def outside(folder: Path) -> set[str]:
    """Names of libraries that files of the folder need and that are not in it."""
    brought, needed = {path.name for path in folder.rglob("*.so*")}, set[str]()
    for path in files(folder):
        needed |= set(asked_for(path))
    return {name for name in needed if name not in brought and not NO_PACKAGE.match(name)}


def debian(libraries: set[str]) -> list[str]:
    """Packages. KeyError for a library that none is known for: it must be brought along or named above."""
    packages = {DEBIAN[name] for name in libraries} - {"libc6"}
    return sorted(packages | {f"libc6 (>= 2.{NEWEST})"})


def fedora(libraries: set[str]) -> list[str]:
    """RPM names them by the libraries themselves."""
    named = {f"{name}()(64bit)" for name in libraries if not name.startswith("ld-linux")}
    return sorted(named | {f"libc.so.6(GLIBC_2.{NEWEST})(64bit)"})


def highest_glibc(folder: Path) -> str:
    """The newest version of the C library that a file of the folder asks for, as "2.34"."""
    highest = 0
    for path in files(folder):
        highest = max([highest, *(int(number) for number in GLIBC.findall(path.read_bytes()))])
    return f"2.{highest}"


def asked_for(path: Path) -> list[str]:
    """The NEEDED entries of a 64-bit ELF file."""
    data = path.read_bytes()
    if data[4] != 2:
        return []
    (table,), (size, count) = struct.unpack_from("<Q", data, 32), struct.unpack_from("<HH", data, 54)
    segments = [struct.unpack_from("<IIQQQQQQ", data, table + size * number) for number in range(count)]
    dynamic = next((segment for segment in segments if segment[0] == 2), None)
    if dynamic is None:
        return []
    entries = [struct.unpack_from("<qQ", data, dynamic[2] + 16 * number) for number in range(dynamic[5] // 16)]
    strings = next((value for tag, value in entries if tag == 5), 0)
    offset = next(
        (strings - one[3] + one[2] for one in segments if one[0] == 1 and one[3] <= strings < one[3] + one[5]), 0
    )
    return [data[offset + value : data.index(b"\0", offset + value)].decode() for tag, value in entries if tag == 1]
