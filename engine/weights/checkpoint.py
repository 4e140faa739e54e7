"""What every checkpoint format offers to the rest of the program."""

from pathlib import Path
from typing import Protocol

import torch
from msgspec import Struct
from torch import Tensor

from engine.model.config import ModelConfig
from engine.protocol import Precision
from kernels.group_linear.packing import Groups


class BadModel(Exception):
    """A checkpoint that cannot be used. `subject` names the file, or the file and the tensor, at fault."""

    def __init__(self, message: str, subject: str) -> None:
        super().__init__(message)
        self.message = message
        self.subject = subject


class Stored(Struct, frozen=True):
    """A tensor as it lies in a file. `dtype` in the file's own words; `start` to `end` are byte offsets in it.

    `group`: columns that share a scale, where they are such that `Checkpoint.groups` gives them. `ordered`: they were
    sorted before they were grouped. `alone`: what quantised the rest of the checkpoint left it as it was.
    """

    file: Path
    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int
    group: int = 0
    ordered: bool = False
    alone: bool = False

    @property
    def elements(self) -> int:
        count = 1
        for size in self.shape:
            count *= size
        return count


class Checkpoint(Protocol):
    """Opened by reading headers alone. Tensors go by the names that transformers gives a Llama."""

    config: ModelConfig
    name: str
    """For people."""
    tensors: dict[str, Stored]
    precision: Precision
    """That a quantised checkpoint was made for; auto: any."""
    headers: dict[Path, bytes]
    """Of every file with tensors: the bytes before its data."""

    def rows(self, name: str, start: int, end: int) -> Tensor:
        """Rows `start` to `end` of the first dimension, fp32, fp16 or bf16. May be a view of the mapped file."""
        ...

    def groups(self, name: str, start: int, end: int) -> Groups:
        """The same of a tensor with groups, as they are stored."""
        ...

    def close(self) -> None: ...


def check(checkpoint_tensors: dict[str, Stored], expected: dict[str, tuple[int, ...]], subject: str) -> None:
    """BadModel unless exactly the expected tensors are there, in their shapes."""
    missing = sorted(expected.keys() - checkpoint_tensors.keys())
    if missing:
        raise BadModel(f"{_count(missing, 'tensor')} missing: {_some(missing)}", subject)
    superfluous = sorted(checkpoint_tensors.keys() - expected.keys())
    if superfluous:
        message = f"{_count(superfluous, 'tensor')} that this architecture does not have: {_some(superfluous)}"
        raise BadModel(message, checkpoint_tensors[superfluous[0]].file.name)
    for name, shape in expected.items():
        stored = checkpoint_tensors[name]
        if stored.shape != shape:
            message = f"{name} has shape {list(stored.shape)} where the configuration says {list(shape)}"
            raise BadModel(message, stored.file.name)


def _count(names: list[str], noun: str) -> str:
    return f"{len(names)} {noun}{'' if len(names) == 1 else 's'}"


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")


FLOATS = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
"""Dtypes that are read as they are, in the words of both formats."""
