"""A Linux system call filter without any library: no sockets, no other programs, for the rest of the process's life."""

import ctypes
import errno
import platform
import struct
import sys

PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
ALLOW = 0x7FFF0000
KILL = 0x80000000
REFUSE = 0x00050000 | errno.EPERM

# struct seccomp_data: nr at 0, arch at 4. Classic BPF: load word, jump if equal, jump if greater or equal, return.
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE = 0, 4

X32 = 0x40000000
"""Calls of the x32 ABI carry this bit; they would pass by the numbers below."""

# name: (x86_64, aarch64); None where the architecture has no such call
CALLS: dict[str, tuple[int | None, int | None]] = {
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "accept": (43, 202),
    "accept4": (288, 242),
    "bind": (49, 200),
    "listen": (50, 201),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    "io_uring_setup": (425, 425),  # its operations would not pass through this filter
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
}
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""By machine: the column of `CALLS`, and AUDIT_ARCH_*."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def program(machine: str) -> bytes:
    """The filter as BPF instructions: calls of another architecture end the process, the listed ones fail (EPERM)."""
    column, architecture = MACHINES[machine]
    numbers = [number for pair in CALLS.values() if (number := pair[column]) is not None]
    wide = [(AT_LEAST, len(numbers) + 1, 0, X32)] if machine == "x86_64" else []
    steps = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        *wide,
        *((EQUAL, len(numbers) - i, 0, number) for i, number in enumerate(numbers)),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def install() -> bool:
    """Filter this process's calls from now on; False where the system cannot."""
    machine = platform.machine()
    if not sys.platform.startswith("linux") or machine not in MACHINES or sys.maxsize < 2**32:
        return False
    instructions = program(machine)
    buffer = ctypes.create_string_buffer(instructions, len(instructions))
    filter_ = _Program(len(instructions) // 8, ctypes.addressof(buffer))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl.argtypes = (ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong)
    if prctl(PR_SET_NO_NEW_PRIVS, 1, None, 0, 0) != 0:
        return False
    return bool(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(filter_), 0, 0) == 0)
