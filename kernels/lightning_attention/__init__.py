"""Linear attention with a fixed decay a head (lightning attention, arXiv 2401.04658; MiniCPM-SALA, arXiv 2602.11761).

Instead of rows, a text leaves a state of fixed size: of every head a matrix of key times value channels.

    S_t = exp(-slope) S_(t-1) + k_t v_t^T
    o_t = scale q_t S_t                        (the token itself enters undecayed)

`read` is for many tokens, `write` for one. Reading computes chunks of C tokens at once, with i, j = 0 .. C - 1:

    O  = scale ((Q K^T) * exp(-slope (i - j)), j <= i) V + scale exp(-slope (i + 1)) Q S
    S' = exp(-slope C) S + sum_j exp(-slope (C - 1 - j)) k_j v_j^T

so no exponent is ever positive (the inverse of the decay overflows within a chunk), and a text read in pieces of any
lengths, token by token among them, gives what it gives when read whole.

The state is fp32 [B, H, D, D], key channels by value channels, contiguous; it is changed in place. Sums are fp32.
Accuracy against `reference`, as the norm of the difference over the norm of the result, for what is returned and for
the state: 1e-5 in fp32, 1e-2 in bf16 (factors of products may be rounded to bf16, the state never is).
"""

import torch
from torch import Tensor

from kernels import dispatch

NAME = "lightning_attention"


def slopes(heads: int) -> Tensor:
    """How fast each head forgets, fp32 [heads]: 2^(-8 (h + 1) / heads), as ALiBi's slopes (arXiv 2108.12409).

    When `heads` is no power of two, those of the next lower power, then every other one of twice that power.
    """
    lower = 1 << (heads.bit_length() - 1)
    powers = [8 * (h + 1) / lower for h in range(lower)]
    powers += [4 * (2 * h + 1) / lower for h in range(heads - lower)]
    return torch.tensor([2.0**-power for power in powers])


def read(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, state: Tensor, scale: float) -> Tensor:
    """Attention of T tokens -> [B, H, T, D] in the dtype of q.

    q, k, v [B, H, T, D], all fp32 or all bf16, any strides; slopes fp32 [H], none negative; state as above.
    """
    return dispatch.implementation(NAME, q.device).read(q, k, v, slopes, state, scale)


def write(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, state: Tensor, scale: float) -> Tensor:
    """Attention of one token: q, k, v fp32 [B, H, D] -> fp32 [B, H, D].

    Nothing that it allocates or launches depends on the text: on CUDA a graph can capture it.
    """
    return dispatch.implementation(NAME, q.device).write(q, k, v, slopes, state, scale)
