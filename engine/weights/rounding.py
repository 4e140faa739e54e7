"""A matrix to steps of 4 or 8 bits in groups of columns: to the nearest (rtn), or by what its inputs are like (GPTQ).

GPTQ (arXiv 2210.17323) rounds column after column and lets the columns that are not rounded yet make up for the error,
as far as inputs go together: with the inverse Hessian's Cholesky factor U, H = X^T X over the inputs,

    e_j = (w_j - rounded(w_j)) / U_jj,    w_k -= e_j U_jk  for k > j

Columns stay in their order, so that groups are those of neighbours and readers need no permutation.
"""

from typing import NamedTuple

import torch
from torch import Tensor

DAMPING = 0.05
"""Of the Hessian's mean diagonal, added to all of it: inputs that hardly vary say little."""
BLOCK = 128
"""Columns after which what they owe is passed to all later ones."""
SMALLEST = 2.0**-20


class Rounded(NamedTuple):
    """steps uint8 [out, in], zeros [out, groups] (whole numbers), scales fp16 [out, groups]; (step - zero) * scale."""

    steps: Tensor
    zeros: Tensor
    scales: Tensor

    def dequantized(self) -> Tensor:
        """fp32 [out, in]."""
        steps = self.steps.float().unflatten(1, (self.scales.shape[1], -1))
        return ((steps - self.zeros.float()[:, :, None]) * self.scales.float()[:, :, None]).flatten(1)


def grid(columns: Tensor, bits: int, symmetric: bool) -> tuple[Tensor, Tensor]:
    """fp32 [..., group] -> scales and zeros [..., 1] of a group whose steps reach from its least value to its largest,
    zero included. Scales are what fp16 makes of them; a zero is at least 1, as the format's first version needs it."""
    last = (1 << bits) - 1
    least, most = columns.amin(-1, keepdim=True).clamp(max=0), columns.amax(-1, keepdim=True).clamp(min=0)
    if symmetric:
        most = torch.maximum(-least, most)
        scales = (most * 2 / last).clamp(min=SMALLEST).half().float()
        return scales, torch.full_like(scales, 1 << bits - 1)
    scales = ((most - least) / last).clamp(min=SMALLEST).half().float()
    return scales, (-least / scales).round().clamp(1, last)


def nearest(weight: Tensor, bits: int, group: int, symmetric: bool) -> Rounded:
    """[out, in]; in is a multiple of the group."""
    columns = weight.float().unflatten(1, (-1, group))
    scales, zeros = grid(columns, bits, symmetric)
    steps = (columns / scales + zeros).round().clamp(0, (1 << bits) - 1)
    return Rounded(steps.flatten(1).to(torch.uint8), zeros[:, :, 0].to(torch.int32), scales[:, :, 0].half())


def factor(hessian: Tensor) -> Tensor:
    """Of inputs [in, in], fp32: the upper Cholesky factor of the damped Hessian's inverse, for `by_inputs`. The Hessian
    is not kept: with it there are never more than two of its size in memory."""
    diagonal = hessian.diagonal()
    diagonal[diagonal == 0] = 1  # inputs that are never there
    damping = DAMPING * diagonal.mean()
    failed = torch.ones(())
    while failed:
        diagonal += damping
        lower, failed = torch.linalg.cholesky_ex(hessian)
    hessian.set_()
    inverse = torch.cholesky_inverse(lower)
    del lower
    return torch.linalg.cholesky(inverse, upper=True)


def by_inputs(weight: Tensor, factor: Tensor, bits: int, group: int, symmetric: bool) -> Rounded:
    """[out, in], any rows of a matrix, and the `factor` of its inputs; both are left as they are."""
    # A column at a time, so that columns should lie in one piece each
    columns = weight.t().to(torch.float32, copy=True, memory_format=torch.contiguous_format)
    count, rows = columns.shape
    last = (1 << bits) - 1
    steps = torch.empty(count, rows, dtype=torch.uint8)
    scales, zeros = torch.empty(2, count // group, rows)
    for start in range(0, count, BLOCK):
        end = min(start + BLOCK, count)
        errors = torch.empty(end - start, rows)
        for at in range(start, end):
            if at % group == 0:
                made = grid(columns[at : at + group].t(), bits, symmetric)
                scales[at // group], zeros[at // group] = (each[:, 0] for each in made)
            scale, zero = scales[at // group], zeros[at // group]
            step = (columns[at] / scale).add_(zero).round_().clamp_(0, last)
            steps[at] = step
            error = torch.div(columns[at] - step.sub_(zero).mul_(scale), factor[at, at], out=errors[at - start])
            columns[at + 1 : end].addr_(factor[at, at + 1 : end], error, alpha=-1)
        columns[end:].addmm_(factor[start:end, end:].t(), errors, alpha=-1)
    return Rounded(steps.t().contiguous(), zeros.t().to(torch.int32).contiguous(), scales.t().half().contiguous())


def squares(rows: Tensor, hessian: Tensor) -> float:
    """Of the products of the Hessian's inputs with rows [n, in]: the sum of their squares."""
    return max(((rows @ hessian) * rows).sum().item(), 0.0)
