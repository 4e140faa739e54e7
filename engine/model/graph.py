"""A token's way through the layers on a GPU, captured once in a CUDA graph and repeated as a whole for those after it.

Hundreds of kernels that are launched one by one from Python take longer to launch than to run. A graph repeats them
over the same memory: what differs between tokens, inputs and row, is written into tensors that it reads.
"""

import logging
from collections.abc import Callable, Hashable
from typing import Protocol

import torch
from torch import Tensor

from engine.memory.caches import Caches
from engine.model.config import ModelConfig
from engine.model.replay import Inputs, Layers, Repeats, Replay

log = logging.getLogger(__name__)

WARM = 2
"""Tokens that are computed before one is captured: libraries and compilers prepare themselves at first, which cannot be
captured. As many are written by who asks for little, and would capture in vain."""

Run = Callable[[], Tensor]


class Recorder(Protocol):
    def warm(self, run: Run) -> Tensor:
        """Run it, as it will be captured."""
        ...

    def capture(self, run: Run) -> tuple[Callable[[], object], Tensor]:
        """What repeats all that `run` does, and where its result is then. Nothing is computed yet."""
        ...


class Cuda:
    """Graphs with their own memory, on a stream beside the one that all else is computed on."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._side: torch.cuda.Stream | None = None

    def warm(self, run: Run) -> Tensor:
        now = torch.cuda.current_stream(self._device)
        side = self._stream()
        side.wait_stream(now)
        with torch.cuda.stream(side):
            out = run()
        now.wait_stream(side)
        return out

    def capture(self, run: Run) -> tuple[Callable[[], object], Tensor]:
        graph = torch.cuda.CUDAGraph()
        # A capture that fails leaves its stream the current one; and other threads may ask for memory meanwhile
        with (
            torch.cuda.stream(torch.cuda.current_stream(self._device)),
            torch.cuda.graph(graph, stream=self._stream(), capture_error_mode="thread_local"),
        ):
            out = run()
        return graph.replay, out

    def _stream(self) -> torch.cuda.Stream:
        if self._side is None:
            self._side = torch.cuda.Stream(self._device)
        return self._side


def repeats(config: ModelConfig, operations: int, device: torch.device) -> Repeats:
    """For one set of caches: on a GPU a graph, unless the model has layers that cannot be captured
    (`ModelConfig.captured`), whose every token is computed. `operations`: as `Replay` counts them."""
    if device.type == "cuda" and config.captured:
        return Graph(Cuda(device), device)
    return Replay(operations)


class Graph:
    """Of one set of caches. It holds until they grow, or sparse layers begin or cease to choose blocks; then, as at
    first, some tokens are computed and one is captured. What cannot be captured is computed token by token from then
    on, and the log says so. So are, here and nowhere else decided, tokens that look at a selection of rows, or choose
    among the blocks that are left: how many they choose among goes by the row's number. What was captured of others
    stays."""

    def __init__(self, recorder: Recorder, device: torch.device) -> None:
        self.refused = ""
        """Why nothing is captured any more."""
        self._recorder = recorder
        self._at = torch.zeros(1, dtype=torch.long, device=device)
        self._inputs: Inputs | None = None
        self._held: Hashable = None
        self._forget()

    def write(self, layers: Layers, inputs: Inputs, caches: Caches, at: int) -> Tensor:
        held = caches.ready(at)
        if self.refused or not caches.repeatable:
            return layers(*inputs, at)
        for state in caches.states:
            state.settle()
        if held != self._held:
            self._forget()
            self._held = held
        told = self._tell(inputs, at)
        if self._repeat is None or self._logits is None:
            try:
                return self._first(lambda: layers(*told, self._at), caches)
            except Exception as problem:  # noqa: BLE001 - out of memory, or what compilers and drivers raise
                self._refuse(problem)
                for state in caches.states:
                    state.restore()
                return layers(*inputs, at)
        self._repeat()
        caches.renew(self._newest)
        return self._logits.clone()

    def clear(self) -> None:
        self._held = None
        self._forget()

    def _first(self, run: Run, caches: Caches) -> Tensor:
        for state in caches.states:
            state.keep()
        if self._warmed < WARM:
            logits = self._recorder.warm(run)
            self._warmed += 1
            return logits
        repeat, logits = self._recorder.capture(run)
        repeat()
        self._repeat, self._logits, self._newest = repeat, logits, caches.newest()
        return logits.clone()

    def _tell(self, inputs: Inputs, at: int) -> Inputs:
        """Write them where the graph reads."""
        if self._inputs is None:
            self._inputs = inputs[0].clone(), inputs[1].clone(), inputs[2].clone()
        else:
            for kept, new in zip(self._inputs, inputs, strict=True):
                kept.copy_(new)
        self._at.fill_(at)
        return self._inputs

    def _forget(self) -> None:
        """What was captured; its memory is free for what is captured next."""
        self._warmed = 0
        self._repeat: Callable[[], object] | None = None
        self._logits: Tensor | None = None
        self._newest: list[tuple[Tensor | None, ...]] = []

    def _refuse(self, problem: Exception) -> None:
        self._forget()
        self.refused = (str(problem).strip().splitlines() or [type(problem).__name__])[0]
        log.warning("tokens are computed one by one, since they cannot be captured in a graph: %s", self.refused)
