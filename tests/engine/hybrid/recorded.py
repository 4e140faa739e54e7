"""A written token recorded and repeated as a CUDA graph does it, on a computer without a card: operation by operation,
over the same memory, with the arguments that they were given."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten

from engine.model.graph import WARM

aten = torch.ops.aten
LOOKS = {aten.item, aten._local_scalar_dense, aten.is_nonzero, aten.equal, aten.nonzero, aten.masked_select}
LOOKS |= {aten._unique2, aten.unique_dim, aten.unique_consecutive, aten.allclose, aten.bincount}
"""What tells Python of numbers, or makes sizes of them: no graph can do so."""


class Looked(Exception):
    """Python asked for a number that is computed."""


class Recording(TorchDispatchMode):
    """`lines`: what was done, by operation, arguments, and which memory: that which was there before by its address,
    else by the number of the operation that made it."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[tuple[object, ...]] = []
        self._calls: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], list[tuple[int, Tensor]]]] = []
        self._made: dict[int, int] = {}
        self._kept: list[object] = []

    def __torch_dispatch__(
        self, func: Any, types: object, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        given, shape = tree_flatten((args, kwargs))
        tensors = [one for one in given if isinstance(one, Tensor)]
        if func.overloadpacket in LOOKS or (func.overloadpacket is aten.index and _by_truth(args[1])):
            raise Looked(str(func))
        if any(one.device.type != "cpu" for one in tensors):
            raise AssertionError("all is on one device")
        self.lines.append((str(func), str(shape), *(self._shown(one) for one in given)))
        out = func(*args, **kwargs)
        theirs = {_memory(one) for one in tensors}
        results = tree_flatten(out)[0]
        fresh = [(n, one) for n, one in enumerate(results) if isinstance(one, Tensor) and _memory(one) not in theirs]
        for _, one in fresh:
            self._made[_memory(one)] = len(self._calls)
        self._calls.append((func, args, kwargs, fresh))
        self._kept.append(out)  # or its memory would be another's
        return out

    def repeat(self) -> None:
        for func, args, kwargs, fresh in self._calls:
            results = tree_flatten(func(*args, **kwargs))[0]
            for number, kept in fresh:
                kept.copy_(results[number])

    def _shown(self, one: object) -> object:
        if not isinstance(one, Tensor):
            return repr(one)  # or NaN would differ from itself
        made = self._made.get(_memory(one))
        where = one.data_ptr() if made is None else (made, one.storage_offset())
        return tuple(one.shape), one.stride(), one.dtype, where


def _memory(one: Tensor) -> int:
    return one.untyped_storage().data_ptr()


def _by_truth(indices: Any) -> bool:
    return any(isinstance(one, Tensor) and one.dtype is torch.bool for one in indices)


class Recorder:
    """As `engine.model.graph.Recorder`. `captured`: tokens, each with those that were computed for it before."""

    def __init__(self) -> None:
        self.captured: list[list[Recording]] = []
        self.repeated = 0
        self._tokens: list[Recording] = []

    def warm(self, run: Callable[[], Tensor]) -> Tensor:
        with Recording() as token:
            out = run()
        self._tokens.append(token)
        return out

    def capture(self, run: Callable[[], Tensor]) -> tuple[Callable[[], object], Tensor]:
        out = self.warm(run)
        token = self._tokens[-1]
        self.captured.append(self._tokens[-WARM - 1 :])
        done = [True]

        def repeat() -> None:
            if done:  # unlike a graph's, it was computed while it was recorded
                done.pop()
                return
            self.repeated += 1
            token.repeat()

        return repeat, out


class Computer:
    """Computes every token anew, its row told by a tensor."""

    def warm(self, run: Callable[[], Tensor]) -> Tensor:
        return run()

    def capture(self, run: Callable[[], Tensor]) -> tuple[Callable[[], object], Tensor]:
        out = run().clone()
        done = [True]

        def repeat() -> None:
            if not done:
                out.copy_(run())
            done.clear()

        return repeat, out
