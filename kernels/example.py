"""A small input on which a form of an operation is compared with its reference."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from torch import Tensor


@dataclass(frozen=True)
class Example:
    """`run` computes it through a form, `expected` through the reference. `tolerance`: the largest allowed norm of the
    difference over the norm of the expected."""

    name: str
    run: Callable[[ModuleType], Tensor]
    expected: Callable[[], Tensor]
    tolerance: float
