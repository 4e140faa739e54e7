"""Products with weights in the dtype of the activations.

x [..., K], weight [N, K], bias [N] -> x @ weight.T + bias [..., N]. For one row there are several ways to fetch the
weight, and which is fastest differs by machine and dtype, so they are timed when a model is loaded (`kernels.timing`).
`write` takes fp32 and gives fp32, whatever the weight's dtype.
"""

from collections.abc import Callable

from torch import Tensor
from torch.nn import functional

from kernels.native.linear import Native
from kernels.row import Norm, finish, prepare

DEFAULT = "matrix"

Product = Callable[[Tensor, Norm | None, bool, Tensor | None], Tensor]
"""What `write` is: of x, norm, gated and onto."""


def product(x: Tensor, weight: Tensor, bias: Tensor | None, onto: Tensor | None) -> Tensor:
    """onto + x @ weight.T + bias; `onto` is changed and returned, in the same pass where it lies in one piece."""
    if onto is None:
        return functional.linear(x, weight, bias)
    if not onto.is_contiguous():
        return onto.add_(functional.linear(x, weight, bias))
    onto.view(-1, weight.shape[0]).addmm_(x.reshape(-1, weight.shape[1]), weight.t())
    return onto if bias is None else onto.add_(bias)


class DenseLinear:
    """`write` is compiled, or torch's product of a matrix and a vector, or that of two matrices."""

    kind = "dense"
    products = ("native", "vector", "matrix")

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        self.weight = weight
        self.bias = bias
        self.use(DEFAULT)

    def use(self, product: str) -> None:
        """Choose how `write` computes. RuntimeError: not available here."""
        self.product = product
        self.chosen: Product = Native(self.weight, None, self.bias) if product == "native" else self._by_torch

    @property
    def parts(self) -> "tuple[DenseLinear, ...]":
        """As in `kernels.stacked_linear`."""
        return (self,)

    @property
    def rows(self) -> int:
        return self.weight.shape[0]

    @property
    def columns(self) -> int:
        return self.weight.shape[1]

    @property
    def nbytes(self) -> int:
        return self.weight.nbytes + (0 if self.bias is None else self.bias.nbytes)

    def some(self, own: slice) -> "DenseLinear":
        """The product of some rows of the weight, which it shares."""
        return DenseLinear(self.weight[own], None if self.bias is None else self.bias[own])

    def read(self, x: Tensor, onto: Tensor | None = None) -> Tensor:
        """onto + x @ weight.T + bias; `onto` is changed and returned."""
        return product(x, self.weight, self.bias, onto)

    def write(self, x: Tensor, norm: Norm | None = None, gated: bool = False, onto: Tensor | None = None) -> Tensor:
        """x [B, K], normed or gated first as in `kernels.row` -> onto + x @ weight.T + bias [B, N], all fp32."""
        return self.chosen(x, norm, gated, onto)

    def _by_torch(self, x: Tensor, norm: Norm | None, gated: bool, onto: Tensor | None) -> Tensor:
        x, factor = prepare(x, norm, gated)
        x = x.to(self.weight.dtype)
        if self.product == "vector" and len(x) == 1:
            return finish(self.weight.mv(x[0])[None], factor, self.bias, onto)
        return finish(functional.linear(x, self.weight), factor, self.bias, onto)
