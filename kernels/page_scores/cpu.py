"""Plain torch, the form for CPUs and the fallback anywhere."""

from functools import partial

import torch
from torch import Tensor

from kernels.page_scores import PAGE, Pages, pages_of, plain


def bounds(k: Tensor, dtype: torch.dtype) -> Tensor:
    batch, kv_heads, rows, width = k.shape
    whole = rows // PAGE
    paged = k[:, :, : whole * PAGE].unflatten(2, (whole, PAGE))
    found = [torch.stack((paged.amin(3), paged.amax(3)), 3)] if whole else []
    if rows % PAGE:
        rest = k[:, :, whole * PAGE :]
        found.append(torch.stack((rest.amin(2), rest.amax(2)), 2)[:, :, None])
    if not found:
        return k.new_empty(batch, kv_heads, 0, 2, width, dtype=dtype)
    return plain.outwards(torch.cat(found, 2).float(), dtype)


def scores(q: Tensor, bounds: Tensor) -> Tensor:
    batch, kv_heads, _, _, width = bounds.shape
    grouped = q.float().reshape(batch, kv_heads, -1, width)
    signed = torch.cat((grouped.clamp(max=0).sum(2), grouped.clamp(min=0).sum(2)), -1)  # [B, Hkv, 2 D]
    return torch.matmul(bounds.flatten(3).float(), signed[..., None])[..., 0]


def choose(q: Tensor, bounds: Tensor, rows: int, pages: Pages) -> Tensor:
    count = pages_of(rows)
    return best(scores(q, bounds[:, :, :count]), pages)


def best(found: Tensor, pages: Pages) -> Tensor:
    """The choice by the scores of all pages fp32 [B, Hkv, P], which are changed."""
    count = found.shape[2]
    found[:, :, : pages.initial] = torch.inf
    found[:, :, max(0, count - pages.local) :] = torch.inf
    return found.topk(pages.among(count), sorted=False).indices.sort(-1).values.int()


step = partial(plain.step, choose)
step_bytes = partial(plain.step_bytes, choose)
