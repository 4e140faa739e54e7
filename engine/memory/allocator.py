"""How the C library gives memory back.

Reading allocates and frees tens of MB many times a layer. glibc returns blocks of that size to the system at once, and
the system fills every page with zeros when they are taken again: a fifteenth of the time of reading.
"""

import ctypes
import functools
import platform

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Of glibc's malloc.h."""
KEPT = 256 * 2**20
"""Bytes that may stay with the process at the end of its heap."""
OWN = 64 * 2**20
"""Blocks from this size on are the system's, returned as soon as they are freed: the matrices of large models."""


@functools.cache
def _glibc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None) if platform.libc_ver()[0] == "glibc" else None


@functools.cache
def keep_freed() -> bool:
    """Keep freed blocks for the next layer. False where the C library is another one."""
    library = _glibc()
    if library is None:
        return False
    return bool(library.mallopt(M_TRIM_THRESHOLD, KEPT)) and bool(library.mallopt(M_MMAP_THRESHOLD, OWN))


def give_back() -> None:
    """What was freed and kept goes back to the system: for when texts or models are let go of, whose blocks lie among
    others. Does nothing where the C library is another one."""
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)
