"""Products with int8 weights: one scale a row.

A weight [N, K] is int8 values in -127..127 and scales [N] in the dtype of the activations, fp32 or bf16. For x
[..., K]:

    y[..., n] = scales[n] * sum_k x[..., k] * values[n, k] + bias[n]

in the dtype of x. Accuracy against `reference`, as the norm of the difference over the norm of the result: 1e-5 in
fp32, 1e-2 in bf16, also where a few channels of x are ten times the others, as in every real model.

`read` is for many rows of x: tiles of the weight are dequantised to the dtype of x and multiplied. `write` is for one
row or few, where the time goes into fetching the weight; it takes fp32 and gives fp32. Several products can do it
(`PRODUCTS` of the form), which is fastest differs by machine, so they are timed at load (`kernels.timing`).
"""

from torch import Tensor

from kernels import dispatch
from kernels.row import Norm

NAME = "low_bit_linear"
DEFAULT = "tiles"


class Int8Linear:
    """x [..., K] -> [..., N]; `values` int8 [N, K] contiguous, `scales` and `bias` [N] in the dtype of x."""

    kind = "int8"

    def __init__(self, values: Tensor, scales: Tensor, bias: Tensor | None = None) -> None:
        self.values = values
        self.scales = scales
        self.bias = bias
        self._form = dispatch.implementation(NAME, values.device)
        self.use(DEFAULT)

    def use(self, product: str) -> None:
        """Choose how `write` computes. May keep a second copy of the weight. RuntimeError: not available here."""
        self.product = product
        self.chosen = self._form.PRODUCTS[product](self.values, self.scales, self.bias)

    @property
    def parts(self) -> "tuple[Int8Linear, ...]":
        """As in `kernels.stacked_linear`."""
        return (self,)

    @property
    def rows(self) -> int:
        return self.values.shape[0]

    @property
    def columns(self) -> int:
        return self.values.shape[1]

    @property
    def products(self) -> tuple[str, ...]:
        return tuple(self._form.PRODUCTS)

    @property
    def nbytes(self) -> int:
        bias = 0 if self.bias is None else self.bias.nbytes
        return self.values.nbytes + self.scales.nbytes + bias + self.chosen.extra

    def some(self, own: slice) -> "Int8Linear":
        """The product of some rows of the weight, which it shares."""
        return Int8Linear(self.values[own], self.scales[own], None if self.bias is None else self.bias[own])

    def dequantized(self) -> Tensor:
        """The weight [N, K] in the dtype of x."""
        return self._form.dequantized(self.values, self.scales)

    def read(self, x: Tensor, onto: Tensor | None = None) -> Tensor:
        """onto + x @ weight.T + bias; `onto` is changed and returned."""
        return self._form.read(x, self.values, self.scales, self.bias, onto)

    def write(self, x: Tensor, norm: Norm | None = None, gated: bool = False, onto: Tensor | None = None) -> Tensor:
        """x [B, K], normed or gated first as in `kernels.row` -> onto + x @ weight.T + bias [B, N], all fp32."""
        return self.chosen(x, norm, gated, onto)
