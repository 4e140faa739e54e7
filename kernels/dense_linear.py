"""Products with weights in the dtype of the activations.

x [..., K], weight [N, K], bias [N] -> x @ weight.T + bias [..., N]. For one row there are two ways to fetch the weight,
and which is faster differs by machine and dtype, so they are timed when a model is loaded (`kernels.timing`).
"""

from torch import Tensor
from torch.nn import functional

DEFAULT = "matrix"


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
        self.write = {"matrix": self.read, "vector": self._by_vector}[product]

    @property
    def columns(self) -> int:
        return self.weight.shape[1]

    @property
    def nbytes(self) -> int:
        return self.weight.nbytes + (0 if self.bias is None else self.bias.nbytes)

    def read(self, x: Tensor) -> Tensor:
        return functional.linear(x, self.weight, self.bias)

    def _by_vector(self, x: Tensor) -> Tensor:
        """x [B, K] -> [B, N]; a vector only where B is 1."""
        if x.shape[0] != 1:
            return self.read(x)
        y = self.weight.mv(x[0])[None]
        return y if self.bias is None else y.add_(self.bias)
