"""A peer as the measurement sees it: found and opened, told to read, write and answer, and opened again after it ended.

Every peer gets the same file, threads and window, each in the form that it takes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from engine.peers.process import STARTS_WITHIN, Peer, PeerAbsent, PeerFailed, PeerLate, found
from engine.weights import open_checkpoint
from engine.weights.checkpoint import Checkpoint

WARM = 256
"""Tokens that everybody reads before anything is measured."""
VARIANTS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "llama-cpp": (("llama-cpp", {"flash_attn": True}), ("llama-cpp, no flash", {"flash_attn": False})),
    "transformers": (("transformers", {}),),
}
"""How each is run within the window, by the name in the report: on a processor llama.cpp reads faster with flash
attention and writes faster without. Long texts are the first's."""


@dataclass(frozen=True)
class Setup:
    """What peers are given. `weights`: of a GGUF file as bf16, for those that do not read such files' tensors.
    `native`: tokens of the model's own window. `pythons`: where they are looked for first. `limit`: seconds of a
    step."""

    model: Path
    gguf: bool
    weights: Path | None
    threads: int
    native: int
    pythons: tuple[str, ...]
    limit: float
    program: Path


def setup(path: Path, folder: Path, threads: int, pythons: tuple[str, ...], limit: float, program: Path) -> Setup:
    """For the model at a path; a GGUF file's tensors are written into the folder. Raises BadModel."""
    checkpoint = open_checkpoint(path)
    try:
        file = next(iter(checkpoint.headers))
        gguf = file.suffix.lower() == ".gguf"
        weights = _as_bf16(checkpoint, folder / "weights.safetensors") if gguf else None
        window = checkpoint.config.window
        return Setup(file if gguf else path, gguf, weights, threads, window, pythons, limit, program)
    finally:
        checkpoint.close()


def _as_bf16(checkpoint: Checkpoint, file: Path) -> Path:
    tensors = {
        name: checkpoint.rows(name, 0, stored.shape[0]).to(torch.bfloat16).contiguous()
        for name, stored in checkpoint.tensors.items()
    }
    save_file(tensors, file)
    return file


@dataclass
class Theirs:
    """A peer. Its process is started when it is needed, and again after it was ended. `program`: what it is called in
    `engine.peers.program`; `chosen`: flags beside those that follow from the setup."""

    name: str
    program: str
    chosen: dict[str, Any]
    setup: Setup
    stopped: Callable[[], bool]
    about: dict[str, str] = field(default_factory=dict)
    flags: dict[str, Any] = field(default_factory=dict)
    _peer: Peer | None = None
    _python: str | None = None

    def missing(self) -> str | None:
        """Start it; why it cannot be measured, None where it can."""
        if self.program == "llama-cpp" and not self.setup.gguf:
            return "llama.cpp reads GGUF files alone, and this model is none"
        try:
            self.start(self.setup.native)
        except (PeerAbsent, PeerFailed, PeerLate) as error:
            return self.told(error)
        return None

    def start(self, window: int) -> Peer:
        """A new process with the model open at a window, stretched by YaRN where that is more, and warm."""
        self.close()
        named = self.setup.pythons if self._python is None else (self._python,)
        self._peer = found(self.program, named, self.stopped, self.setup.program)
        self._python, self.about = self._peer.python, self._peer.ready
        given = self.chosen | {"model": str(self.setup.model), "threads": self.setup.threads, "window": window}
        if self.program != "llama-cpp" and self.setup.weights is not None:
            given["weights"] = str(self.setup.weights)
        opened = self._peer.do("open", STARTS_WITHIN, native=self.setup.native, **given)
        self.flags = opened["flags"]
        self._peer.do("read", STARTS_WITHIN, ids=[1] * WARM)
        return self._peer

    def read(self, ids: list[int]) -> float:
        return self._do("read", ids=ids)

    def write(self, count: int) -> float:
        return self._do("write", count=count)

    def _do(self, do: str, **options: Any) -> float:
        try:
            peer = self._peer or self.start(self.setup.native)
            seconds: float = peer.do(do, self.setup.limit, **options)["seconds"]
        except PeerAbsent as error:  # it was there before
            raise PeerFailed(str(error)) from None
        except (PeerFailed, PeerLate):
            self.close()
            raise
        return seconds

    def told(self, error: Exception) -> str:
        """What went wrong, for a report that is passed on: with no place of this computer."""
        said = str(error)
        for place in filter(None, (self.setup.weights, self.setup.model)):
            said = said.replace(str(place), place.name).replace(str(place.parent), "…")
        return said

    def close(self) -> int | None:
        """The most bytes that the process took."""
        most = self._peer.close() if self._peer is not None else None
        self._peer = None
        return None if most is None else most.resident
