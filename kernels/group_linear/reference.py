"""The definition, in fp32. Never optimised."""

import torch
from torch import Tensor

from kernels.group_linear.packing import BLOCK, Groups


def linear(x: Tensor, weight: Groups, bias: Tensor | None = None) -> Tensor:
    """x [B, K], bias [N] -> [B, N]."""
    y = torch.zeros(x.shape[0], weight.rows, device=x.device)
    for c in range(weight.columns):
        if weight.bits == 4:
            block, place = divmod(c, BLOCK)
            steps = weight.values[:, block * BLOCK // 2 + place % 16] >> 4 * (place // 16) & 15
        else:
            steps = weight.values[:, c]
        g = c // weight.group
        column = steps.float() * weight.scales[:, g].float() + weight.least[:, g].float()
        own = c if weight.order is None else int(weight.order[c])
        y += x[:, own, None].float() * column
    if bias is not None:
        y += bias.float()
    return y.to(x.dtype)
