"""The definition, in fp32. Never optimised."""

import torch
from torch import Tensor


def linear(x: Tensor, values: Tensor, scales: Tensor, bias: Tensor | None = None) -> Tensor:
    """x [B, K], values [N, K], scales and bias [N] -> [B, N]."""
    y = torch.zeros(x.shape[0], values.shape[0], device=x.device)
    for n in range(values.shape[0]):
        y[:, n] = (x.float() * values[n].float()).sum(1) * scales[n].float()
        if bias is not None:
            y[:, n] += bias[n].float()
    return y.to(x.dtype)
