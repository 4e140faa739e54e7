"""Claims the process's input and output for the wire, before any library can print into it or a child inherit it."""

import os
import sys
from typing import IO

if sys.platform == "win32":
    import ctypes
    import msvcrt


def claim() -> tuple[IO[bytes], IO[bytes]]:
    """The byte streams that were descriptors 0 and 1. Afterwards 1 is stderr and 0 is empty, for C libraries, Python
    and children alike."""
    source, sink = os.dup(0), os.dup(1)  # not inheritable
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without stderr
        os.dup2(null, 1)
        os.dup2(null, 2)
    os.close(null)
    if sys.platform == "win32":
        for file in (source, sink):
            msvcrt.setmode(file, os.O_BINARY)
        # A program without a console keeps the handles that it was started with, and children are given those
        for standard, file in ((-10, 0), (-11, 1), (-12, 2)):
            ctypes.windll.kernel32.SetStdHandle(standard, ctypes.c_void_p(msvcrt.get_osfhandle(file)))
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - for the life of the process
    sys.stdout = sys.stderr
    return os.fdopen(source, "rb"), os.fdopen(sink, "wb")
