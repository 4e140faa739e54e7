"""Small inputs for the check at load. The tolerance is nothing but that of a comparison: all forms give the same."""

from collections.abc import Iterator
from types import ModuleType

import torch
from torch import Tensor

from kernels.example import Example
from kernels.row_bytes import reference

TOLERANCE = 1e-6


def cases(device: torch.device) -> Iterator[Example]:
    for dtype in (torch.float32, torch.bfloat16):
        yield example((1, 2, 37, 64), dtype, device)


def example(shape: tuple[int, ...], dtype: torch.dtype, device: torch.device) -> Example:
    """Of rows in the middle of others. The result is bytes, scales and rows that came back, in one."""
    random = torch.Generator().manual_seed(shape[-1])
    held = torch.randn(*shape[:-2], shape[-2] + 5, shape[-1], generator=random).mul_(3).to(device, dtype)
    x = held[..., 2:-3, :]
    x[..., 0, :] = 0

    def all_of(form: ModuleType) -> Tensor:
        parts = form.pack(x)
        return torch.cat([part.flatten().float() for part in (*parts, form.unpack(*parts, dtype))])

    return Example(f"rows, {dtype}", all_of, lambda: all_of(reference), TOLERANCE)
