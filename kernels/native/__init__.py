"""Kernels in C, compiled on the computer that runs them, for its own processor.

When one token is written, torch's products fetch memory at half the speed that it has, since nothing asks for a weight
before it is needed, and a token is a thousand torch operations; when many are read, torch takes several passes over
what lies between two products. Where there is a C compiler with OpenMP (`CC`, cc, gcc or clang) the sources
here are compiled once, in some seconds, and kept in the user's cache folder by the hash of what made them. Where
there is none, or it fails, `library` says why and everything runs in torch alone.
"""

import ctypes
import functools
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path

from platformdirs import user_cache_path

from kernels.native import prebuilt

SOURCES = (
    "program.c",
    "linear.c",
    "attention.c",
    "pages.c",
    "rows.c",
    "bytes.c",
    "attend.c",
    "scores.c",
    "sparse.c",
    "lightning.c",
)
HEADERS = (
    "operation.h",
    "vectors.h",
    "bytes.h",
    "tiles.h",
    "softmax.h",
    "shares.h",
    "attend.h",
    "lightning.h",
    "sparse.h",
)
FLAGS = ("-O3", "-Wno-psabi", "-march=native", "-ffp-contract=fast", "-fopenmp", "-shared", "-fPIC")
WIDE = "-mprefer-vector-width=512"
"""Only x86 compilers know it; without it they halve the vectors."""
SECONDS = 120


class Unavailable(RuntimeError):
    """There is no compiled library here, and why."""


@functools.cache
def library() -> ctypes.CDLL:
    """The compiled kernels. Raises Unavailable."""
    try:
        return _declared(ctypes.CDLL(str(_built())))
    except (OSError, AttributeError) as problem:  # a file that was cut short, or of other sources
        raise Unavailable(f"the compiled library cannot be loaded: {problem}") from problem


def _declared(compiled: ctypes.CDLL) -> ctypes.CDLL:
    pointer, count, number, flag = ctypes.c_void_p, ctypes.c_long, ctypes.c_float, ctypes.c_int
    compiled.run.argtypes = [pointer, count, count, pointer, count, flag]  # operations, count, at, room, each, threads
    compiled.norm_rows.argtypes = [flag, pointer, count, count, pointer, number, pointer, flag]
    compiled.gate_rows.argtypes = [flag, pointer, count, count, pointer, flag]
    compiled.turn_rows.argtypes = [
        *(flag, pointer, count, count, count, count),  # bits, x, rows, stride, heads, width
        *(pointer, number, pointer, pointer, count, flag),  # gain, epsilon, cosine, sine, period, threads
    ]
    compiled.dequantize.argtypes = [flag, pointer, pointer, count, count, pointer, flag]
    compiled.dequantize_groups.argtypes = [flag, flag, pointer, pointer, pointer, count, count, count, pointer, flag]
    compiled.pack_rows.argtypes = [flag, pointer, *[count] * 7, pointer, pointer, flag]
    compiled.unpack_rows.argtypes = [flag, pointer, *[count] * 7, pointer, *[count] * 3, pointer, flag]
    compiled.attend.argtypes = compiled.lightning_read.argtypes = compiled.lightning_write.argtypes = [pointer, flag]
    compiled.attend_tiles.argtypes, compiled.attend_tiles.restype = [pointer, pointer, flag], None
    compiled.choose_blocks.argtypes = compiled.attend_chosen.argtypes = [pointer, flag]
    compiled.choose_blocks.restype = compiled.attend_chosen.restype = None
    compiled.attend_here.argtypes, compiled.attend_here.restype = [], flag
    compiled.dequantize_groups.restype = None
    for name in ("run", "norm_rows", "gate_rows", "turn_rows", "dequantize", "pack_rows", "unpack_rows", "attend"):
        getattr(compiled, name).restype = None
    compiled.lightning_read.restype = compiled.lightning_write.restype = None
    return compiled


def _built() -> Path:
    if (ready := prebuilt.find()) is not None:
        return ready
    compiler = os.environ.get("CC") or next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    if compiler is None or os.name != "posix":
        raise Unavailable("there is no C compiler")
    folder = Path(__file__).parent
    flags = (*FLAGS, WIDE) if platform.machine() in ("x86_64", "AMD64") else FLAGS
    made_of = hashlib.sha256(repr((compiler, flags, _processor())).encode())
    for name in (*SOURCES, *HEADERS):
        made_of.update((folder / name).read_bytes())
    built = user_cache_path("longread") / "kernels" / f"{made_of.hexdigest()[:16]}.so"
    if not built.is_file():
        _compile([compiler, *flags, *(str(folder / name) for name in SOURCES), "-lm"], built)
    return built


def _compile(command: list[str], built: Path) -> None:
    try:
        built.parent.mkdir(parents=True, exist_ok=True)
        # Made beside its place and moved there, so that another process never loads half of it
        with tempfile.TemporaryDirectory(dir=built.parent) as scratch:
            made = Path(scratch) / "kernels.so"
            done = subprocess.run(
                [*command, "-o", str(made)], capture_output=True, text=True, timeout=SECONDS, check=False
            )
            if done.returncode:
                raise Unavailable(f"{command[0]} failed: {done.stderr.strip().splitlines()[-1:]}")
            made.replace(built)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise Unavailable(f"{command[0]} did not run: {problem}") from problem


def _processor() -> str:
    """What -march=native depends on: a cache folder may move between computers."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return "".join(sorted({line for line in lines if line.startswith(("model name", "flags", "Features"))}))
