"""A token's way through the layers, recorded once and repeated for the tokens after it."""

from collections.abc import Callable, Hashable
from typing import Protocol

from torch import Tensor

from engine.memory.caches import Caches
from kernels.native.program import Program, recording
from kernels.row import Place

Layers = Callable[[Tensor, Tensor, Tensor, Place], Tensor]
"""x [B, hidden], cos and sin [1, D], all fp32, and the token's row -> logits [B, vocab]."""
Inputs = tuple[Tensor, Tensor, Tensor]


class Repeats(Protocol):
    """Of one set of caches: a token's operations, kept for those after it, by the kind of device."""

    def write(self, layers: Layers, inputs: Inputs, caches: Caches, at: int) -> Tensor:
        """What `layers` gives of the inputs for the token of row `at`."""
        ...

    def clear(self) -> None:
        """The caches lie elsewhere now."""
        ...


class Replay:
    """On CPUs. It holds until the caches grow, or tokens begin or cease to look at a selection of rows; then, as at
    first, a token is recorded while it is computed.

    Where a token is more than compiled operations, as on all other devices, every token is computed and none repeated.
    """

    def __init__(self, operations: int) -> None:
        self._operations = operations
        """Of a whole token."""
        self._held: Hashable = None
        self._program: Program | None = None
        self._inputs: tuple[Tensor, ...] = ()
        self._logits: Tensor | None = None

    def write(self, layers: Layers, inputs: Inputs, caches: Caches, at: int) -> Tensor:
        held = caches.ready(at)
        if held != self._held:
            return self._record(layers, inputs, at, held)
        if self._program is None or self._logits is None:
            return layers(*inputs, at)
        for kept, new in zip(self._inputs, inputs, strict=True):
            kept.copy_(new)
        self._program.run(at)
        return self._logits.clone()

    def clear(self) -> None:
        self._held, self._program = None, None

    def _record(self, layers: Layers, inputs: Inputs, at: int, held: Hashable) -> Tensor:
        # Copies: every later token's inputs are written over these, and in fp32 they are views of the rotation's own
        inputs = (inputs[0].clone(), inputs[1].clone(), inputs[2].clone())
        with recording() as program:
            logits = layers(*inputs, at)
        self._held = held
        self._program = program if program.whole and len(program) == self._operations else None
        self._inputs = inputs
        self._logits = logits
        return logits if self._program is None else logits.clone()
