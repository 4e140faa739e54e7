"""What the mixers of MiniCPM's models do between attention and the last product: a norm, a gate (arXiv 2602.11761)."""

import torch
from torch import Tensor

from engine.model.layers import Linear, Norm, added, plus
from kernels.native.program import interrupted


class Output:
    """x + scale * out(norm(mixed) * sigmoid(gate(input))), where a model has the norm and the gate."""

    def __init__(self, out: Linear, gate: Linear | None, norm: Norm | None, scale: float) -> None:
        self.out, self.gate, self.norm, self.scale = out, gate, norm, scale

    def linears(self) -> list[Linear]:
        return [self.out] if self.gate is None else [self.gate, self.out]

    def read(self, mixed: Tensor, normed: Tensor, x: Tensor) -> Tensor:
        """mixed [B, T, heads * D]; normed [B, T, hidden]: what the mixer was given; x [B, T, hidden], changed."""
        if self.norm is not None:
            mixed = self.norm(mixed)
        if self.gate is not None:
            mixed = mixed * torch.sigmoid(self.gate.read(normed))
        return added(self.out, mixed, x, self.scale)

    def write(self, mixed: Tensor, x: Tensor, norm: Norm) -> Tensor:
        """mixed [B, heads * D], x [B, hidden] before its norm; fp32."""
        interrupted()  # nothing here is recorded with the products of a token
        if self.norm is not None:
            mixed = self.norm(mixed)
        if self.gate is not None:
            mixed = mixed * torch.sigmoid(self.gate.write(x, norm.row))
        return plus(x, self.out.write(mixed), self.scale)
