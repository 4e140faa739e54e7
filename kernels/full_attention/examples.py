"""Small inputs for the check at load: pieces, one query, queries beside rows, the step of one token; fp32 and bf16."""

from collections.abc import Iterator, Sequence
from types import ModuleType

import torch
from torch import Tensor

from kernels import row_bytes
from kernels.example import Example
from kernels.full_attention import reference
from kernels.row import Norm, Place

TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 1e-2}


def cases(device: torch.device) -> Iterator[Example]:
    for dtype in TOLERANCE:
        for name, tokens, seen in (("piece", 5, 43), ("first piece", 33, 33), ("one query", 1, 43)):
            yield example(name, (1, 6, 2, tokens, seen, 64), dtype, device)
        yield beside("beside", (1, 3, 1, 37, 203, 64), dtype, device)
        yield beside("beside bytes", (1, 3, 1, 37, 203, 64), dtype, device, packed=True)
        for told in (False, True):
            yield step(1, 6, 2, 150, 64, dtype, device, window=148, normed=True, told=told)
    for told in (False, True):
        yield step_bytes(1, 6, 2, 150, 64, device, window=148, normed=True, told=told)


def example(
    name: str, shape: tuple[int, int, int, int, int, int], dtype: torch.dtype, device: torch.device, spread: float = 1.0
) -> Example:
    """`shape`: B, Hq, Hkv, T, S, D. `spread` scales the queries, and with them the scores."""
    batch, heads, kv_heads, tokens, seen, width = shape
    random = torch.Generator().manual_seed(seen)

    def normal(*size: int) -> Tensor:
        return torch.randn(size, generator=random).to(device, dtype)

    q = normal(batch, heads, tokens, width) * spread
    k, v = normal(batch, kv_heads, seen, width), normal(batch, kv_heads, seen, width)
    scale = width**-0.5

    def run(form: ModuleType) -> Tensor:
        held = form.rows(batch, kv_heads, seen + 150, width, dtype, device)
        for rows, new in zip(held, (k, v), strict=True):
            rows[:, :, :seen] = new
        held[0][:, :, seen:] = torch.nan
        held[1][:, :, seen + 128 :] = torch.nan
        there = [rows[:, :, :seen] for rows in held]
        if tokens == 1:
            return form.write(q[:, :, 0], *there, seen - 1, None, scale)[:, :, None]
        return form.read(q, *there, scale)

    return Example(f"{name}, {dtype}", run, lambda: reference.read(q, k, v, scale), TOLERANCE[dtype])


def beside(
    name: str,
    shape: tuple[int, int, int, int, int, int],
    dtype: torch.dtype,
    device: torch.device,
    spread: float = 1.0,
    *,
    packed: bool = False,
) -> Example:
    """`shape`: B, Hq, Hkv, T, S, D. The rows lie token by token, as in a file, and behind them are NaN."""
    batch, heads, kv_heads, tokens, seen, width = shape
    random = torch.Generator().manual_seed(seen)

    def normal(*size: int) -> Tensor:
        return torch.randn(size, generator=random).to(device, dtype)

    def rows() -> Tensor:
        held = normal(batch, seen + 3, kv_heads, width)
        held[:, seen:] = torch.nan
        return held.transpose(1, 2)

    q = normal(batch, heads, tokens, width) * spread
    own = normal(batch, tokens, 2 * kv_heads, width).transpose(1, 2).chunk(2, 1)
    k, v = rows(), rows()
    scale = width**-0.5
    if packed:
        held = [part[:, :, :seen] for half in (k, v) for part in row_bytes.pack(half)]
        return Example(
            f"{name}, {dtype}",
            lambda form: form.beside_bytes(q, *held, *own, scale),
            lambda: reference.beside_bytes(q, *held, *own, scale),
            TOLERANCE[dtype],
        )
    k, v = k[:, :, :seen], v[:, :, :seen]
    return Example(
        f"{name}, {dtype}",
        lambda form: form.beside(q, k, v, *own, scale),
        lambda: reference.beside(q, k, v, *own, scale),
        TOLERANCE[dtype],
    )


def step(
    batch: int,
    queries: int,
    kv_heads: int,
    at: int,
    width: int,
    dtype: torch.dtype,
    device: torch.device,
    *,
    window: int | None = None,
    normed: bool = False,
    told: bool = False,
) -> Example:
    """One token as row `at`, `told` by a tensor, that sees `window` rows. The result holds the row stored and the heads
    as they were turned as well as the attention."""
    heads, (k, v), norm, cos, sin = token(batch, queries, kv_heads, at, width, device, normed)
    k, v = k.to(dtype), v.to(dtype)

    def run(form: ModuleType) -> Tensor:
        held = form.rows(batch, kv_heads, at + 9, width, dtype, device)
        for rows, old in zip(held, (k, v), strict=True):
            rows[:, :, :at] = old
        held[0][:, :, at:] = torch.nan
        if told:
            held[1][:, :, at:] = torch.nan
        return all_of(form, held)

    def all_of(form: ModuleType, held: Sequence[Tensor]) -> Tensor:
        own = heads.clone()
        out = form.step(own, norm, cos, sin, *held, place(at, told, device), window, width**-0.5)
        parts = (out, held[0][:, :, at], held[1][:, :, at], own[:, :-kv_heads])
        return torch.cat([part.flatten().float() for part in parts])

    def expected() -> Tensor:
        return all_of(reference, [torch.cat((old, old.new_zeros(batch, kv_heads, 1, width)), 2) for old in (k, v)])

    return Example(f"step{' by a tensor' if told else ''}, {dtype}", run, expected, TOLERANCE[dtype])


def step_bytes(
    batch: int,
    queries: int,
    kv_heads: int,
    at: int,
    width: int,
    device: torch.device,
    *,
    window: int | None = None,
    normed: bool = False,
    told: bool = False,
) -> Example:
    """As `step`, over rows of bytes; what is stored is compared as what it stands for."""
    heads, rows, norm, cos, sin = token(batch, queries, kv_heads, at, width, device, normed)
    packed = [row_bytes.pack(half) for half in rows]

    def run(form: ModuleType) -> Tensor:
        held = []
        for old, scales in packed:
            held.append(torch.full((batch, kv_heads, at + 9, width), 127, dtype=torch.int8, device=device))
            held.append(torch.full((batch, kv_heads, at + 9), torch.nan, device=device))
            held[-2][:, :, :at], held[-1][:, :, :at] = old, scales
        out = form.step_bytes(heads.clone(), norm, cos, sin, *held, place(at, told, device), window, width**-0.5)
        stored = [held[n][:, :, at].float() * held[n + 1][:, :, at, None] for n in (0, 2)]
        return torch.cat([part.flatten() for part in (out, *stored)])

    name = f"step{' by a tensor' if told else ''}, int8"
    return Example(name, run, lambda: run(reference), TOLERANCE[torch.float32])


def place(at: int, told: bool, device: torch.device) -> Place:
    """The row's number, or a tensor that tells it."""
    return torch.tensor([at], device=device) if told else at


def token(
    batch: int, queries: int, kv_heads: int, at: int, width: int, device: torch.device, normed: bool
) -> tuple[Tensor, Tensor, Norm | None, Tensor, Tensor]:
    """Heads [B, Hq + 2 Hkv, D] of a token, the `at` rows before it [2, B, Hkv, at, D], a norm, cosines and sines."""
    random = torch.Generator().manual_seed(at)

    def normal(*size: int) -> Tensor:
        return torch.randn(size, generator=random).to(device)

    heads, rows = normal(batch, queries + 2 * kv_heads, width), normal(2, batch, kv_heads, at, width)
    norm = Norm(normal(queries + kv_heads, width), 1e-5) if normed else None
    angles = normal(1, width // 2)
    return heads, rows, norm, angles.cos().repeat(1, 2), torch.cat((-angles.sin(), angles.sin()), -1)
