"""A runtime as it is listed: the torch that the engine runs on, the program's own or one that was installed."""

from typing import Literal

from msgspec import Struct

Stage = Literal["check", "unpack", "try"]
"""Of an installation: the pack's bytes are compared with its manifest, unpacked, and loaded once on trial."""


class RuntimeEntry(Struct, frozen=True):
    """`tag` names it; empty: the program's own. `problem`: why it cannot be used here, as `engine.runtime` says it."""

    tag: str
    kind: Literal["cpu", "cuda"]
    torch: str
    size: int
    """Bytes on disk; 0 where they are not this program's to count."""
    used: bool
    removable: bool
    problem: str = ""


class Installed(Struct, frozen=True):
    """What the trial of a new one found. `devices`: by name, the best first."""

    entry: RuntimeEntry
    devices: tuple[str, ...]
    card: bool
    """Whether it computes on a graphics card here."""
    failures: tuple[str, ...] = ()
    """Kernels that were wrong and will run in their plain form."""


class Offer(Struct, frozen=True):
    """A pack that can be downloaded for this computer. Sizes in bytes."""

    tag: str
    host: str
    """Where it comes from."""
    size: int
    arrived: int
    """Of them, that an earlier try has brought."""
    unpacked: int
    """On this computer, when it is installed."""
    driver: str
    """Version of NVIDIA's driver here; empty: none was found, and without one the pack is of no use."""
