"""Small inputs for the check at load. A choice is judged by the scores of what was chosen, as `block_scores` does; a
step by its result, the rows stored, and the bounds that they joined."""

from collections.abc import Iterator
from types import ModuleType

import torch
from torch import Tensor

from kernels import row_bytes
from kernels.example import Example
from kernels.full_attention.examples import token
from kernels.page_scores import PAGE, Pages, bounds_dtype, pages_of, reference

TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 1e-2}
SMALL = Pages(count=5, part=3, initial=1, local=2)


def cases(device: torch.device) -> Iterator[Example]:
    for dtype in TOLERANCE:
        yield limits((1, 2, 77, 32), dtype, device)
        yield example((1, 6, 2, 333, 32), SMALL, dtype, device)
        yield step((1, 6, 2, 150, 64), SMALL, dtype, device)
    yield step_bytes((1, 6, 2, 150, 64), SMALL, device)


def limits(shape: tuple[int, int, int, int], dtype: torch.dtype, device: torch.device) -> Example:
    """`shape`: B, Hkv, S, D. Of fp32 keys as well in bf16; token by token, and NaN behind them."""
    batch, kv_heads, rows, width = shape
    held = torch.randn(batch, rows + 5, kv_heads, width, generator=torch.Generator().manual_seed(rows))
    held[:, rows:] = torch.nan
    k = held.to(device, dtype).transpose(1, 2)[:, :, :rows]

    def run(form: ModuleType) -> Tensor:
        return torch.cat([form.bounds(k, to).float() for to in {bounds_dtype(dtype), torch.bfloat16}])

    return Example(f"bounds, {dtype}", run, lambda: run(reference), 0.0)


def example(
    shape: tuple[int, int, int, int, int],
    pages: Pages,
    dtype: torch.dtype,
    device: torch.device,
    spread: float = 1.0,
) -> Example:
    """`shape`: B, Hq, Hkv, S, D: one query over a text of S rows, and NaN for pages behind. `spread` scales it."""
    batch, heads, kv_heads, rows, width = shape
    random = torch.Generator().manual_seed(rows)
    q = torch.randn(batch, heads, width, generator=random).mul_(spread).to(device)
    k = torch.randn(batch, kv_heads, rows, width, generator=random).to(device, dtype)
    own = reference.bounds(k, bounds_dtype(dtype))
    bounds = torch.cat((own, torch.full_like(own[:, :, :3].contiguous(), torch.nan)), 2)
    found = reference.scores(q, own)
    return Example(
        f"{dtype}",
        lambda form: judged(form.choose(q, bounds, rows, pages), form.scores(q, own), found, pages),
        lambda: judged(reference.best(found, pages), found, found, pages),
        1e-4,
    )


def judged(chosen: Tensor, own: Tensor, found: Tensor, pages: Pages) -> Tensor:
    """A form's own scores [B, Hkv, P], and the scores `found` of what it has chosen [B, Hkv, M], sorted, with 1 for
    what is chosen in any case; NaN where that breaks a rule."""
    batch, kv_heads, count = found.shape
    expected = batch, kv_heads, pages.among(count)
    if chosen.shape != expected or chosen.dtype is not torch.int32 or chosen.max() >= count:
        return torch.full((batch, kv_heads, count + expected[2]), torch.nan)
    numbers = torch.arange(count, device=found.device)
    forced = (numbers < pages.initial) | (numbers >= count - pages.local)
    here = torch.zeros_like(found, dtype=torch.bool).scatter(2, chosen.long(), value=True)
    whole = (chosen.diff(dim=-1) > 0).all() & (chosen >= 0).all() & (here | ~forced).all()
    best = torch.where(forced, 1.0, found).gather(2, chosen.long()).sort(-1, descending=True).values
    return torch.cat((own, best), 2).masked_fill(~whole, torch.nan)


def step(shape: tuple[int, int, int, int, int], pages: Pages, dtype: torch.dtype, device: torch.device) -> Example:
    """`shape`: B, Hq, Hkv, at, D. One token as row `at`, normed."""
    batch, queries, kv_heads, at, width = shape
    heads, (k, v), norm, cos, sin = token(batch, queries, kv_heads, at, width, device, normed=True)
    k, v = k.to(dtype), v.to(dtype)

    def run(form: ModuleType) -> Tensor:
        held = []
        for old in (k, v):
            held.append(torch.full((batch, kv_heads, at + 9, width), torch.nan, dtype=dtype, device=device))
            held[-1][:, :, :at] = old
        bounds = _before(k, bounds_dtype(dtype), at)
        out = form.step(heads.clone(), norm, cos, sin, *held, bounds, at, pages, width**-0.5)
        parts = (out, held[0][:, :, at], held[1][:, :, at], bounds[:, :, : at // PAGE + 1])
        return torch.cat([part.flatten().float() for part in parts])

    return Example(f"step, {dtype}", run, lambda: run(reference), TOLERANCE[dtype])


def step_bytes(shape: tuple[int, int, int, int, int], pages: Pages, device: torch.device) -> Example:
    """As `step`, over rows of bytes; what is stored is compared as what it stands for."""
    batch, queries, kv_heads, at, width = shape
    heads, rows, norm, cos, sin = token(batch, queries, kv_heads, at, width, device, normed=True)
    packed = [row_bytes.pack(half) for half in rows]

    def run(form: ModuleType) -> Tensor:
        held = []
        for old, scales in packed:
            held.append(torch.full((batch, kv_heads, at + 9, width), 127, dtype=torch.int8, device=device))
            held.append(torch.full((batch, kv_heads, at + 9), torch.nan, device=device))
            held[-2][:, :, :at], held[-1][:, :, :at] = old, scales
        bounds = _before(row_bytes.unpack(*packed[0], torch.float32), torch.bfloat16, at)
        out = form.step_bytes(heads.clone(), norm, cos, sin, *held, bounds, at, pages, width**-0.5)
        stored = [held[n][:, :, at].float() * held[n + 1][:, :, at, None] for n in (0, 2)]
        parts = (out, *stored, bounds[:, :, : at // PAGE + 1])
        return torch.cat([part.flatten().float() for part in parts])

    return Example("step, int8", run, lambda: run(reference), TOLERANCE[torch.float32])


def _before(k: Tensor, dtype: torch.dtype, at: int) -> Tensor:
    """Bounds of the rows before a token's, with NaN where there are none yet."""
    batch, kv_heads, _, width = k.shape
    bounds = torch.full((batch, kv_heads, pages_of(at) + 2, 2, width), torch.nan, dtype=dtype, device=k.device)
    if at:
        bounds[:, :, : pages_of(at)] = reference.bounds(k, dtype)
    return bounds
