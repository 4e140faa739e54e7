"""Products with weights of 4 or 8 bits in groups of columns, each with a scale and a least value of its own.

A weight [N, K] is steps 0..15 or 0..255, and for every row and every `group` columns that follow each other a scale and
the value of step 0, both fp16: see `packing.Groups`. For x [..., K]:

    y[..., n] = sum_c x[..., order[c]] * (values[n, c] * scales[n, c // group] + least[n, c // group]) + bias[n]

`order` is for weights whose columns were sorted before they were grouped (act-order, arXiv 2210.17323). A group is a
multiple of 32 columns, and K a multiple of it. Accuracy against `reference` as in `kernels.low_bit_linear`.

`read` and `write` as there: tiles of the weight are dequantised to the dtype of x and multiplied; and for one row
several products can be had (`PRODUCTS` of the form), which are timed at load.
"""

import torch
from torch import Tensor

from kernels import dispatch
from kernels.group_linear.packing import Groups
from kernels.row import Norm

NAME = "group_linear"
DEFAULT = "tiles"


class GroupLinear:
    """x [..., K] in `dtype` -> [..., N]; `bias` [N] in `dtype`."""

    def __init__(self, weight: Groups, dtype: torch.dtype, bias: Tensor | None = None) -> None:
        self.weight = weight
        self.dtype = dtype
        self.bias = bias
        self._form = dispatch.implementation(NAME, weight.values.device)
        self.use(DEFAULT)

    def use(self, product: str) -> None:
        """Choose how `write` computes. May keep a second copy of the weight. RuntimeError: not available here."""
        self.product = product
        self.chosen = self._form.PRODUCTS[product](self.weight, self.dtype, self.bias)

    @property
    def kind(self) -> str:
        return f"int{self.weight.bits} in groups"

    @property
    def parts(self) -> "tuple[GroupLinear, ...]":
        """As in `kernels.stacked_linear`."""
        return (self,)

    @property
    def rows(self) -> int:
        return self.weight.rows

    @property
    def columns(self) -> int:
        return self.weight.columns

    @property
    def products(self) -> tuple[str, ...]:
        return tuple(self._form.PRODUCTS)

    @property
    def nbytes(self) -> int:
        return self.weight.nbytes + (0 if self.bias is None else self.bias.nbytes) + self.chosen.extra

    def some(self, own: slice) -> "GroupLinear":
        """The product of some rows of the weight, which it shares."""
        return GroupLinear(self.weight.some(own), self.dtype, None if self.bias is None else self.bias[own])

    def dequantized(self) -> Tensor:
        """The weight [N, K] in `dtype`, its columns in their own order."""
        weight = self._form.dequantized(self.weight, self.dtype)
        return weight if self.weight.order is None else weight[:, self.weight.order.argsort()]

    def read(self, x: Tensor, onto: Tensor | None = None) -> Tensor:
        """onto + x @ weight.T + bias; `onto` is changed and returned."""
        return self._form.read(x, self.weight, self.bias, onto)

    def write(self, x: Tensor, norm: Norm | None = None, gated: bool = False, onto: Tensor | None = None) -> Tensor:
        """x [B, K], normed or gated first as in `kernels.row` -> onto + x @ weight.T + bias [B, N], all fp32."""
        return self.chosen(x, norm, gated, onto)
