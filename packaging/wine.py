"""wine in a Debian of its own, in which Windows' program is installed and used; and what wine lacks for it.

Debian 13's wine 10 or newer: with 8, torch's OpenMP stops at GetNumaNodeProcessorMaskEx. What is added here is added to
that Debian and its prefixes, and to nothing that is handed on.
"""

import shlex
import shutil
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import chroot
import windows_tree

PREFIX = f"{chroot.HOME}/.wine"
DRIVE = f"{PREFIX}/drive_c"
BUILTIN = "usr/lib/x86_64-linux-gnu/wine/x86_64-windows"
PACKAGES = "wine64 wine fonts-dejavu-core fonts-noto-cjk"
RETURN_0 = b"\x31\xc0\xc3"
LACKING = {
    # numpy's complex numbers: one of floats comes in a register, one of doubles by its address
    "ucrtbase.dll": {
        "crealf": b"\x66\x0f\x6e\xc1\xc3",  # movd xmm0, ecx
        "cimagf": b"\x48\xc1\xe9\x20\x66\x0f\x6e\xc1\xc3",  # shr rcx, 32; movd xmm0, ecx
        "creal": b"\xf2\x0f\x10\x01\xc3",  # movsd xmm0, [rcx]
        "cimag": b"\xf2\x0f\x10\x41\x08\xc3",  # movsd xmm0, [rcx + 8]
    },
    # Qt asks for the screen's profile of colours, and does without
    "mscms.dll": {"WcsCreateIccProfile": RETURN_0},
}
"""Functions that wine 10 has by name only and ends the program at, with machine code that does what is asked for."""
ICU = ("ucnv_open", "ucnv_close", "UCNV_FROM_U_CALLBACK_SUBSTITUTE", "UCNV_TO_U_CALLBACK_SUBSTITUTE", "ucnv_reset",
       "ucnv_getMaxCharSize", "ucnv_getName", "ucnv_getToUCallBack", "ucnv_getFromUCallBack", "ucnv_setToUCallBack",
       "ucnv_setFromUCallBack", "ucnv_cbToUWriteUChars", "ucnv_toUnicode", "ucnv_cbFromUWriteUChars",
       "ucnv_toUCountPending", "ucnv_fromUCountPending", "ucnv_getStandardName", "ucnv_getAvailableName",
       "ucnv_countAvailable", "ucnv_fromUnicode")  # fmt: skip
"""What Qt takes from Windows' own icuuc.dll, which wine has not: here they do nothing, and Qt knows UTF-8 by itself."""
NATIVE = "msvcp140,msvcp140_1,msvcp140_2,vcruntime140,vcruntime140_1,concrt140"
"""Libraries of which wine has its own as well: those that the program brings are to be tried."""
# Newer processors' tiles (AMX) must be asked for on Linux: wine does not, and a library of torch's uses them at once
SURROUNDINGS = (
    f"{chroot.SURROUNDINGS} ONEDNN_MAX_CPU_ISA=AVX512_CORE_BF16 XDG_RUNTIME_DIR=/tmp WINEDEBUG=-all "
    f"WINEDLLOVERRIDES={shlex.quote(f'mscoree=;mshtml=;{NATIVE}=n')}"
)


def debian() -> Path:
    """A Debian with wine, made once, and a new prefix in it: a Windows on which nothing was installed."""
    root = chroot.PLACE / "wine"
    if not (root / "usr/bin/wine").exists():
        chroot.debian("wine")
        line = f"apt-get update -q >/dev/null; apt-get install -y -q --no-install-recommends {PACKAGES}"
        chroot.run(root, f"export DEBIAN_FRONTEND=noninteractive; {line}", network=True)
    for library, functions in LACKING.items():
        path = root / BUILTIN / library
        path.write_bytes(taught(path.read_bytes(), functions))
    shutil.rmtree(root / PREFIX[1:], ignore_errors=True)
    run(root, ["wineboot", "-i"])
    _icu(root / DRIVE[1:] / "windows" / "system32" / "icuuc.dll")
    return root


def taught(library: bytes, functions: dict[str, bytes]) -> bytes:
    """A library in which the functions do what their machine code says. ValueError when it has none of the name."""
    known, changed = exports(library), bytearray(library)
    for name, code in functions.items():
        if name not in known:
            raise ValueError(f"the library exports no {name}")
        changed[known[name] : known[name] + len(code)] = code
    return bytes(changed)


def exports(library: bytes) -> dict[str, int]:
    """Where each exported function begins in the file of a 64-bit library."""
    header = struct.unpack_from("<I", library, 0x3C)[0]
    count, optional = (
        struct.unpack_from("<H", library, header + 6)[0],
        struct.unpack_from("<H", library, header + 20)[0],
    )
    table = header + 24 + optional
    sections = [struct.unpack_from("<IIII", library, table + 40 * number + 8) for number in range(count)]

    def offset(address: int) -> int:
        return next(raw + address - at for size, at, taken, raw in sections if at <= address < at + max(size, taken))

    found = offset(struct.unpack_from("<I", library, header + 24 + 112)[0])
    _, names, functions, spelt, ordinals = struct.unpack_from("<5I", library, found + 20)
    listed = {}
    for number in range(names):
        name = offset(struct.unpack_from("<I", library, offset(spelt) + 4 * number)[0])
        ordinal = struct.unpack_from("<H", library, offset(ordinals) + 2 * number)[0]
        place = struct.unpack_from("<I", library, offset(functions) + 4 * ordinal)[0]
        listed[library[name : library.index(b"\0", name)].decode("ascii")] = offset(place)
    return listed


def _icu(target: Path) -> None:
    source = chroot.PLACE / "icuuc.c"
    lines = [f"__declspec(dllexport) void *{name}(void) {{ return 0; }}" for name in ICU]
    source.write_text("\n".join([*lines, "int __stdcall DllMain(void *a, unsigned b, void *c) { return 1; }\n"]))
    command = [f"{windows_tree.MINGW}gcc", "-shared", "-nostdlib", "-s", "-Wl,-e,DllMain", "-o", str(target)]
    if subprocess.run([*command, str(source)], check=False).returncode:
        sys.exit("icuuc.dll could not be made: the lines above say why.")


def line(words: Sequence[str]) -> str:
    """The shell's, that starts a program of Windows."""
    return f"wine {shlex.join(words)} </dev/null"


def command(root: Path, started: str, *, settings: str = "", screen: bool = False) -> list[str]:
    """A line of the shell in which wine is started, to be started itself in the folder `root`.

    There is no network but the computer's own, through which asyncio's loops on Windows wake themselves.
    """
    # the server writes the registry down when it ends, and what is started here ends with the first of its processes
    whole = f"{started}; code=$?; timeout 60 wineserver -w || wineserver -k; exit $code"
    inside = chroot.command(root, whole, network=True, screen=screen, settings=f"{SURROUNDINGS} {settings}")
    return ["unshare", "--net", "/bin/sh", "-c", 'ip link set lo up && exec "$@"', "sh", *inside]


def run(
    root: Path, words: Sequence[str], *, check: bool = True, minutes: float = chroot.MINUTES
) -> subprocess.CompletedProcess[str]:
    """Run it to its end, and wine's server with it. Raises `chroot.Failed` with the end of what it said."""
    return chroot.ended(root, command(root, line(words)), words[0], check=check, minutes=minutes)


def place(root: Path, path: str) -> Path:
    r"""Where a path of Windows (C:\a\b) lies in this system."""
    return root / DRIVE[1:] / path.removeprefix("C:\\").replace("\\", "/")
