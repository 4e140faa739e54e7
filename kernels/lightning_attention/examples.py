"""Inputs for the check at load: pieces of a text, whole chunks and parts of them, and one token; fp32 and bf16."""

import functools
from collections.abc import Iterator
from types import ModuleType

import torch
from torch import Tensor

from kernels import lightning_attention
from kernels.example import Example
from kernels.lightning_attention import reference

TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 1e-2}


def cases(device: torch.device) -> Iterator[Example]:
    for dtype in TOLERANCE:
        for tokens in (1, 64, 150):
            yield read((1, 3, tokens, 64), dtype, device)
    yield write((2, 3, 64), device)


def read(shape: tuple[int, int, int, int], dtype: torch.dtype, device: torch.device, layout: str = "wide") -> Example:
    """`shape`: B, H, T, D. `layout` of q, k and v: "wide" (columns of one tensor, as from one product), "heads" (one
    after the other), "channels" (each channel's tokens side by side)."""
    batch, heads, tokens, width = shape
    random = torch.Generator().manual_seed(tokens)

    def normal(*size: int) -> Tensor:
        return torch.randn(size, generator=random).to(device, dtype)

    if layout == "wide":
        q, k, v = normal(batch, tokens, 3 * heads, width).transpose(1, 2).chunk(3, 1)
    elif layout == "heads":
        q, k, v = normal(3, *shape)
    else:
        q, k, v = normal(3, batch, heads, width, tokens).mT
    return _example(f"read {tokens}, {dtype}", "read", (q, k, v), device)


def write(shape: tuple[int, int, int], device: torch.device) -> Example:
    """`shape`: B, H, D."""
    batch, heads, width = shape
    random = torch.Generator().manual_seed(heads)
    q, k, v = torch.randn(batch, 3 * heads, width, generator=random).to(device).chunk(3, 1)
    return _example("write", "write", (q, k, v), device)


def _example(name: str, function: str, rows: tuple[Tensor, Tensor, Tensor], device: torch.device) -> Example:
    """The result holds the state that is left as well as what is returned, each over its expected norm, so that neither
    hides what is wrong with the other."""
    q = rows[0]
    (batch, heads), width = q.shape[:2], q.shape[-1]
    state = torch.randn(batch, heads, width, width, generator=torch.Generator().manual_seed(0)).to(device)
    slopes = lightning_attention.slopes(heads).to(device)

    def through(form: ModuleType) -> tuple[Tensor, Tensor]:
        held = state.clone()
        out = getattr(form, function)(*rows, slopes, held, width**-0.5)
        return out.double(), held.double()

    @functools.cache
    def right() -> tuple[Tensor, Tensor]:
        return through(reference)

    def run(form: ModuleType) -> Tensor:
        return torch.cat([(x / y.norm()).flatten() for x, y in zip(through(form), right(), strict=True)])

    def expected() -> Tensor:
        return torch.cat([(y / y.norm()).flatten() for y in right()])

    return Example(name, run, expected, TOLERANCE[q.dtype])
