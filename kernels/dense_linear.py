"""Products with weights in the dtype of the activations.

x [..., K], weight [N, K], bias [N] -> x @ weight.T + bias [..., N]. For one row there are two ways to fetch the weight,
and which is faster differs by machine and dtype, so they are timed when a model is loaded (`kernels.timing`). `write`
takes fp32 and gives fp32, whatever the weight's dtype.
"""

import torch
from torch import Tensor
from torch.nn import functional

DEFAULT = "matrix"


def finish(y: Tensor, factor: float, onto: Tensor | None) -> Tensor:
    """onto + factor * y in fp32."""
    if onto is not None:
        return torch.add(onto, y, alpha=factor)
    return y.float() if factor == 1.0 else y.float().mul_(factor)


class DenseLinear:
    """`write` is by torch's matrix product, or by its product of a matrix and a vector."""

    products = ("matrix", "vector")

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        self.weight = weight
        self.bias = bias
        self.use(DEFAULT)

    def use(self, product: str) -> None:
        """Choose how `write` computes."""
        self.product = product
        self._vector = product == "vector"

    @property
    def columns(self) -> int:
        return self.weight.shape[1]

    @property
    def nbytes(self) -> int:
        return self.weight.nbytes + (0 if self.bias is None else self.bias.nbytes)

    def read(self, x: Tensor) -> Tensor:
        return functional.linear(x, self.weight, self.bias)

    def write(self, x: Tensor, factor: float = 1.0, onto: Tensor | None = None) -> Tensor:
        """x [B, K] -> onto + factor * (x @ weight.T) + bias [B, N], all fp32."""
        x = x.to(self.weight.dtype)
        y = self.weight.mv(x[0])[None] if self._vector and len(x) == 1 else functional.linear(x, self.weight)
        out = finish(y, factor, onto)
        return out if self.bias is None else out.add_(self.bias)
