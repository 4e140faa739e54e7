"""The kernels in C as the packaged program brings them: compiled for processors from a certain year on.

A computer that it is installed on need not have a compiler, and one that has is not asked to use it.
"""

import platform
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "prebuilt"

LEVELS: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {
    "x86-64-v4-bf16": (
        ("-march=x86-64-v4", "-mavx512bf16", "-mprefer-vector-width=512"),
        frozenset({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512_bf16"}),
    ),
    "x86-64-v4": (
        ("-march=x86-64-v4", "-mprefer-vector-width=512"),
        frozenset({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}),
    ),
    "x86-64-v3": (("-march=x86-64-v3",), frozenset({"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"})),
}
"""By name, the newest first: what compilers are told, and what /proc/cpuinfo must name. Each asks for what stands
below it as well."""


def find(folder: Path = FOLDER, flags: frozenset[str] | None = None) -> Path | None:
    """The library for this processor; None when there is none, as in a checkout, where it is compiled."""
    if not sys.platform.startswith("linux") or platform.machine() != "x86_64":
        return None
    known = _flags() if flags is None else flags
    needed = LEVELS["x86-64-v3"][1]
    for name, (_, own) in LEVELS.items():
        if needed | own <= known and (library := folder / f"{name}.so").is_file():
            return library
    return None


def _flags() -> frozenset[str]:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return frozenset()
    return frozenset(next((line.partition(":")[2].split() for line in lines if line.startswith("flags")), ()))
