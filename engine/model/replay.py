"""A token's way through the layers, recorded once and repeated for the tokens after it."""

from collections.abc import Callable

from torch import Tensor

from kernels.native.program import Program, recording

Layers = Callable[[Tensor, Tensor, Tensor], Tensor]
"""x [B, hidden], cos and sin [1, D], all fp32 -> logits [B, vocab]."""


class Replay:
    """Of one set of caches. It holds until they grow, or tokens begin or cease to look at a selection of rows; then, as
    at first, a token is recorded while it is computed.

    Where a token is more than compiled operations, on a GPU for instance, every token is computed and none repeated.
    """

    def __init__(self, operations: int) -> None:
        self._operations = operations
        """Of a whole token."""
        self._rows = -1
        self._selecting = False
        self._program: Program | None = None
        self._inputs: tuple[Tensor, ...] = ()
        self._logits: Tensor | None = None

    def forget(self) -> None:
        """The next token goes another way."""
        self._rows = -1

    def write(
        self,
        layers: Layers,
        inputs: tuple[Tensor, Tensor, Tensor],
        at: int,
        rows: Callable[[], int],
        selecting: bool = False,
    ) -> Tensor:
        """Compute `layers` of the inputs for the token of row `at`; `rows`: for how many the caches have memory;
        `selecting`: whether some layer looks at a selection of them."""
        if at >= self._rows or rows() != self._rows or selecting != self._selecting:
            self._selecting = selecting
            return self._record(layers, inputs, rows)
        if self._program is None or self._logits is None:
            return layers(*inputs)
        for kept, new in zip(self._inputs, inputs, strict=True):
            kept.copy_(new)
        self._program.run(at)
        return self._logits.clone()

    def _record(self, layers: Layers, inputs: tuple[Tensor, Tensor, Tensor], rows: Callable[[], int]) -> Tensor:
        # Copies: every later token's inputs are written over these, and in fp32 they are views of the rotation's own
        inputs = (inputs[0].clone(), inputs[1].clone(), inputs[2].clone())
        with recording() as program:
            logits = layers(*inputs)
        self._rows = rows()
        self._program = program if program.whole and len(program) == self._operations else None
        self._inputs = inputs
        self._logits = logits
        return logits if self._program is None else logits.clone()
