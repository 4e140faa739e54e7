"""What happens to many rows between two products: norms, gates, rotary positions. fp32 or bf16, arithmetic in fp32.

Accuracy against `reference`, as the norm of the difference over the norm of the result: 1e-5 in fp32, 1e-2 in bf16.
The forms of a step of one token are in the products themselves (`kernels.row`) and in `full_attention.step`.
"""

from torch import Tensor

from kernels import dispatch
from kernels.row import Norm

NAME = "row_wise"


def norm(x: Tensor, norm: Norm) -> Tensor:
    """x [..., K] / sqrt(mean(x^2) + epsilon) * gain (RMSNorm, arXiv 1910.07467)."""
    return dispatch.implementation(NAME, x.device).norm(x, norm)


def gate(x: Tensor) -> Tensor:
    """x [..., 2 K] -> silu(x[..., :K]) * x[..., K:] (arXiv 2002.05202)."""
    return dispatch.implementation(NAME, x.device).gate(x)


def turn(heads: Tensor, count: int, norm: Norm | None, cos: Tensor, sin: Tensor) -> Tensor:
    """Norm and turn the first `count` heads of heads [B, T, H, D], perhaps in place; returns [B, T, H, D].

    The norm's gain is [count, D]; cos and sin are [T, 1, D] in the dtype of the heads: x becomes x * cos + (x with its
    halves exchanged) * sin.
    """
    return dispatch.implementation(NAME, heads.device).turn(heads, count, norm, cos, sin)
