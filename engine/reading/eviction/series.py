"""TriAttention's score of a cached key in closed form (arXiv 2604.04921).

Element f of a head with element f + r / 2, of the r that are turned, is the complex number q_f or k_f; a key k at
position p is stored as k'_f = k_f e^(i w_f p). Queries are like their mean: with m_f = E[q_f] and a_f = E|q_f| before
they are turned, t the newest position and D = {1, 2, 4, ..., 2^16} the distances ahead that are thought of,

    S(k) = mean over d in D of sum_f |m_f| |k_f| cos(w_f (t + d - p) + arg m_f - arg k_f)  +  sum_f (a_f - |m_f|) |k_f|

The second term counts for as much as the queries of a head are not alike. Since only w_f (t + d - p) hangs on places,
p is in the stored key already and S is one product with it and one with its magnitudes:

    S(k) = Re sum_f C_f conj(k'_f) + sum_f c_f |k'_f|,   C_f = m_f mean_d e^(i w_f (t + d)),   c_f = a_f - |m_f|

Elements beyond r are not turned: they add the plain product of the means with the key's.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

AHEAD = tuple(2**power for power in range(17))
"""D, in tokens."""


@dataclass(frozen=True)
class Means:
    """Of queries before they are turned: `mean` [..., width], and of the pairs that are turned `length` [..., r / 2],
    the mean of their magnitudes. fp32."""

    mean: Tensor
    length: Tensor

    @property
    def turned(self) -> int:
        return 2 * self.length.shape[-1]


def magnitudes(heads: Tensor, turned: int) -> Tensor:
    """|x_f| of heads [..., width]: [..., turned / 2]."""
    first, second = heads[..., :turned].chunk(2, -1)
    return torch.hypot(first, second)


def coefficients(
    means: Means, frequency: Tensor, position: int, ahead: Sequence[int] = AHEAD, *, adaptive: bool = True
) -> tuple[Tensor, Tensor]:
    """C as a vector to be multiplied with a key [..., width], and c [..., r / 2], at the newest `position`.
    `frequency`: radians a position [r / 2]. `ahead`: D; (0,) is a query at the position itself. Not `adaptive`: c is a,
    however alike the queries are."""
    far = torch.tensor(ahead, dtype=torch.float64, device=frequency.device)
    angles = (position + far)[:, None] * frequency.double()  # thousands of turns: fp32 would not hold the rest
    cos, sin = angles.cos().mean(0).float(), angles.sin().mean(0).float()
    real, imaginary = means.mean[..., : means.turned].chunk(2, -1)
    product = (real * cos - imaginary * sin, real * sin + imaginary * cos, means.mean[..., means.turned :])
    weights = means.length - magnitudes(means.mean, means.turned) if adaptive else means.length
    return torch.cat(product, -1), weights


def scores(keys: Tensor, vector: Tensor, weights: Tensor) -> Tensor:
    """S of stored keys [R, width] for each of the heads of a group: vector [G, width], weights [G, r / 2] -> [G, R]."""
    keys = keys.float()
    return vector @ keys.mT + weights @ magnitudes(keys, 2 * weights.shape[-1]).mT
