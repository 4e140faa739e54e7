"""Operations in C, run one by one, or recorded while they run and then repeated as a whole.

Every token goes the same way through a model: the same operations on the same weights, in the same order. The first
time each is called from Python; recorded, all of a token's operations are one call, without Python, allocation or
starting of threads between them, and what a thread needs next is asked for while it waits for the others.
"""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

from kernels.native import library

LINEAR, STEP = 0, 1
PLAIN, NORMED, GATED = 0, 1, 2
BITS = {torch.int8: 8, torch.bfloat16: 16, torch.float32: 32}
"""Of an element of a weight or a cache."""


class Operation(ctypes.Structure):
    """`struct operation` of operation.h, where its fields are explained."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("kind", "bits", "mode")),
        ("epsilon", ctypes.c_float),
        *((name, ctypes.c_long) for name in ("n", "k", "group")),
        *((name, ctypes.c_void_p) for name in ("weight", "scales", "least", "order", "bias", "x", "gain", "onto")),
        *((name, ctypes.c_void_p) for name in ("cosine", "sine", "keys", "values", "key_scales", "value_scales")),
        *((name, ctypes.c_long) for name in ("heads", "kv_heads", "width", "key_head", "value_head", "window")),
        ("scale", ctypes.c_float),
        *((name, ctypes.c_void_p) for name in ("bounds", "page_scores", "chosen")),
        *((name, ctypes.c_long) for name in ("bounds_head", "pages", "initial", "local", "budget", "part")),
        ("y", ctypes.c_void_p),
    )


class Program:
    """Operations with the tensors that they read and write, to be repeated for one row after the other.

    Inputs are written into the tensors that were recorded, results read from them. It holds as long as the caches that
    were recorded have not grown; `whole` says whether nothing but operations happened to the tensors in between.
    """

    def __init__(self) -> None:
        self.whole = True
        self._operations: list[Operation] = []
        self._tensors: list[Tensor | None] = []
        self._array: ctypes.Array[Operation] | None = None

    def __len__(self) -> int:
        return len(self._operations)

    def add(self, operation: Operation, tensors: tuple[Tensor | None, ...]) -> None:
        copy = Operation()
        ctypes.pointer(copy)[0] = operation
        self._operations.append(copy)
        self._tensors += tensors
        self._array = None

    def run(self, at: int) -> None:
        """All operations, for the token of row `at`."""
        if self._array is None:
            self._array = (Operation * len(self._operations))(*self._operations)
            self._room, self._each, self._threads = _room(self._operations)
        library().run(self._array, len(self._operations), at, self._room.data_ptr(), self._each, self._threads)


_recorded: Program | None = None


@contextmanager
def recording() -> Iterator[Program]:
    """Operations run inside are recorded as well."""
    global _recorded
    program = _recorded = Program()
    try:
        yield program
    finally:
        _recorded = None


def run(operation: Operation, at: int, *tensors: Tensor | None) -> None:
    """One operation. `tensors`: whatever it has the address of, kept when it is recorded."""
    room, each, threads = _room((operation,))
    library().run(ctypes.byref(operation), 1, at, room.data_ptr(), each, threads)
    if _recorded is not None:
        _recorded.add(operation, tensors)


def floats(x: Tensor) -> Tensor:
    """Contiguous fp32, which is what C takes anything for."""
    if x.dtype is torch.float32 and x.is_contiguous():
        return x
    interrupted()
    return x.float().contiguous()


def interrupted() -> None:
    """Something else than an operation happens to the tensors that are being recorded."""
    if _recorded is not None:
        _recorded.whole = False


_rooms: dict[int, tuple[Tensor, int]] = {}


def _room(operations: list[Operation] | tuple[Operation, ...]) -> tuple[Tensor, int, int]:
    """Memory for the threads, how many floats each has of it, and how many threads. Never given back, and one thread
    of Python computes at a time."""
    threads = torch.get_num_threads()
    each = max(
        max(operation.k * (3 if operation.group else 1), operation.heads * (operation.width + 2))
        for operation in operations
    )
    room, had = _rooms.get(threads, (None, 0))
    if room is None or each > had:
        had = -(-each // 1024) * 1024
        room = torch.empty(threads * had)
        _rooms[threads] = room, had
    return room, had, threads
