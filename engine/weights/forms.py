"""In which form a matrix is held in memory: decided here alone, for the loader and the planner."""

import math
from typing import NamedTuple

from engine.protocol import Precision
from engine.weights import names
from engine.weights.checkpoint import FLOATS, Stored
from kernels.group_linear.packing import BLOCK

STEPS = {"Q4_0": 4, "Q4_1": 4, "Q4_K": 4, "GPTQ4": 4, "GPTQ8": 8}
"""Bits of checkpoints' own groups, by `Stored.dtype`, that are taken as they are."""
GATES = (
    *("self_attn.o_gate.weight", "self_attn.z_proj.weight"),
    *(f"{prefix}{part}_proj.weight" for prefix in (names.NSA_GATE, *names.NSA_MLP.values()) for part in ("up", "down")),
)
"""A few bits too few here and a hybrid model writes without end; and what makes NSA's entries, by which it chooses."""


class Form(NamedTuple):
    """`bits` 0: in the dtype of the activations. `group`: columns that share a scale, 0: a row does. `ordered`: the
    columns were sorted before they were grouped."""

    bits: int = 0
    group: int = 0
    ordered: bool = False

    def nbytes(self, shape: tuple[int, ...], element: int) -> int:
        """Of a tensor of this shape; `element`: bytes of the activations'."""
        elements = math.prod(shape)
        if not self.bits:
            return elements * element
        if not self.group:
            return elements + shape[0] * element
        return elements * self.bits // 8 + elements // self.group * 4 + self.ordered * shape[1] * 4


DENSE, INT8 = Form(), Form(8)


def form(name: str, shape: tuple[int, ...], precision: Precision, stored: Stored | None = None) -> Form:
    """Of one tensor. `stored`: as the checkpoint has it; None: as floats.

    Both keep a checkpoint's own groups of 4 or 8 bits as they are, so that nothing is rounded twice. Of all else int8
    is one scale a row, and int4 rounds floats to groups of 32; embeddings, output matrix, gates, and what a checkpoint
    holds in other groups are int8, or as they are in a checkpoint that left them alone.
    """
    if len(shape) != 2 or precision not in ("int8", "int4"):
        return DENSE
    if stored is not None and stored.group and name != names.EMBEDDING:
        own = Form(STEPS[stored.dtype], stored.group, stored.ordered)
        return DENSE if own.group % BLOCK or shape[1] % own.group else own
    if stored is not None and stored.alone:
        return DENSE
    if precision == "int8":
        return INT8
    whole = stored is None or stored.dtype in FLOATS
    if not whole or name in (names.EMBEDDING, names.HEAD) or name.endswith(GATES) or shape[1] % BLOCK:
        return INT8
    return Form(4, BLOCK)
