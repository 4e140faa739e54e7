"""An exception as a `Failed`, without a word of a person's text: a message may quote what could not be handled."""

import re
import traceback

from engine.protocol import Failed

_ALLOCATOR = re.compile(
    r"can't allocate memory|not enough memory|out of memory|CUBLAS_STATUS_ALLOC_FAILED|std::bad_alloc", re.IGNORECASE
)
_TRIED = re.compile(r"tried to allocate ([\d.]+) ?(bytes|[KMGT]iB)", re.IGNORECASE)
_UNITS = {"bytes": 1, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40}


def failed(id: str, error: BaseException) -> Failed:
    """`out_of_memory` with the bytes that were asked for if the allocator said so, else `internal`."""
    if out_of_memory(error):
        tried = _TRIED.search(str(error))
        needed = int(float(tried[1]) * _UNITS[tried[2].lower()]) if tried else None
        return Failed(id, "out_of_memory", type(error).__name__, None, needed)
    return Failed(id, "internal", describe(error))


def out_of_memory(error: BaseException) -> bool:
    """Python's, torch's of any device, or a plain RuntimeError in which an allocator says so."""
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError)  # torch.OutOfMemoryError is one; torch need not be loaded to know it
        and (type(error).__name__ == "OutOfMemoryError" or _ALLOCATOR.search(str(error)) is not None)
    )


def describe(error: BaseException) -> str:
    """What and where, not what about."""
    frames = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{_short(frame.filename)}:{frame.lineno}" for frame in reversed(frames[-4:]))
    said = str(error).partition("\n")[0][:200] if type(error) is RuntimeError else ""  # torch's: shapes and dtypes
    return " ".join(filter(None, (type(error).__name__, said, f"at {where}" if where else "")))


def _short(file: str) -> str:
    return "/".join(file.replace("\\", "/").split("/")[-2:])
