"""Long texts: computed whole, compared with the reference on the first, some middle and the last of their queries."""

import functools
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType

import torch
from torch import Tensor

from kernels import dispatch, lightning_attention
from kernels.block_scores import COARSE
from kernels.block_scores import examples as scores
from kernels.block_scores import reference as scores_reference
from kernels.block_sparse_attention import examples as sparse
from kernels.block_sparse_attention import reference as sparse_reference
from kernels.example import Example
from kernels.full_attention import examples as full
from kernels.full_attention import reference as full_reference
from kernels.lightning_attention import reference as lightning_reference
from kernels.moba import means as moba_means
from kernels.moba import reference as moba_reference
from kernels.nsa import reference as nsa_reference
from kernels.nsa import seen as entries_seen
from tests.gpu.shapes import Shapes

Case = tuple[str, Callable[[], Example]]


def cases(operation: str, shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Iterator[Case]:
    """`case` names the piece and the rows of the text up to its end."""
    piece, text = shapes.piece, shapes.text
    if operation == "full_attention":
        for seen in (piece, 2 * piece):
            yield f"{piece} of {seen}", lambda seen=seen: attention(shapes, seen, dtype, place)
    elif operation == "block_sparse_attention":
        yield f"{piece} of {text}", lambda: block_sparse(shapes, dtype, place)
    elif operation == "moba":
        yield f"{piece} of {text}", lambda: moba(shapes, dtype, place)
    elif operation == "nsa":
        yield f"{piece} of {text}", lambda: nsa(shapes, dtype, place)
    elif operation == "block_scores":
        for by in ("coarse", "exact"):
            yield f"choose {piece} of {text}, {by}", lambda by=by: choice(shapes, by, dtype, place)
    elif operation == "lightning_attention":
        yield f"pieces of {', '.join(map(str, shapes.pieces))}", lambda: pieces(shapes, dtype, place)


def picked(tokens: int) -> list[slice]:
    return [slice(0, 3), slice(tokens // 2, tokens // 2 + 3), slice(tokens - 3, tokens)]


def normal(*size: int, dtype: torch.dtype, place: torch.device, seed: int = 0) -> Tensor:
    """Made where it is used: these are large."""
    random = torch.Generator(place).manual_seed(seed)
    return torch.randn(size, generator=random, device=place, dtype=dtype)


def several(
    run: Callable[[ModuleType], Sequence[Tensor]], expected: Callable[[], Sequence[Tensor]], tolerance: float
) -> Example:
    """Of several results, each over its expected norm, so that none hides what is wrong with another."""
    right = functools.cache(expected)

    def over(parts: Sequence[Tensor]) -> Tensor:
        pairs = zip(parts, right(), strict=True)
        return torch.cat([(part.double() / own.double().norm()).flatten() for part, own in pairs])

    return Example("", lambda form: over(run(form)), lambda: over(right()), tolerance)


def attention(shapes: Shapes, seen: int, dtype: torch.dtype, place: torch.device) -> Example:
    tokens, scale = shapes.piece, shapes.width**-0.5
    q = normal(1, shapes.heads, tokens, shapes.width, dtype=dtype, place=place)
    k, v = normal(2, 1, shapes.kv_heads, seen, shapes.width, dtype=dtype, place=place)

    def expected() -> Tensor:
        ends = ((own, seen - tokens + own.stop) for own in picked(tokens))
        return torch.cat(
            [full_reference.read(q[:, :, own], k[:, :, :end], v[:, :, :end], scale) for own, end in ends], 2
        )

    def run(form: ModuleType) -> Tensor:
        out = form.read(q, k, v, scale)
        return torch.cat([out[:, :, own] for own in picked(tokens)], 2)

    return Example("", run, expected, full.TOLERANCE[dtype])


def block_sparse(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Example:
    tokens, seen, blocks, scale = shapes.piece, shapes.text, shapes.blocks, shapes.width**-0.5
    at = seen - tokens
    q = normal(1, tokens, shapes.heads, shapes.width, dtype=dtype, place=place).transpose(1, 2)
    k, v = normal(2, 1, shapes.kv_heads, seen, shapes.width, dtype=dtype, place=place)
    random = torch.Generator().manual_seed(0)
    chosen = sparse.choice(1, shapes.kv_heads, at, tokens, blocks.block, blocks.count, random).to(place)

    def expected() -> Tensor:
        some = (
            sparse_reference.read(q[:, :, own], k, v, chosen[:, :, own], at + own.start, blocks.block, scale)
            for own in picked(tokens)
        )
        return torch.cat(list(some), 2)

    def run(form: ModuleType) -> Tensor:
        out = form.read(q, k, v, chosen, at, blocks.block, scale)
        return torch.cat([out[:, :, own] for own in picked(tokens)], 2)

    return Example("", run, expected, sparse.TOLERANCE[dtype])


def moba(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Example:
    tokens, seen, scale, block = shapes.piece, shapes.text, shapes.width**-0.5, 8 * shapes.blocks.block
    at = seen - tokens
    q = normal(1, tokens, shapes.heads, shapes.width, dtype=dtype, place=place).transpose(1, 2)
    k, v = normal(2, 1, shapes.kv_heads, seen, shapes.width, dtype=dtype, place=place)
    chosen = dispatch.implementation("moba", place).choose(q, moba_means(k, block), at, block, 3)

    def expected() -> Tensor:
        some = (
            moba_reference.read(q[:, :, part], k, v, chosen[:, :, part], at + part.start, block, scale)
            for part in picked(tokens)
        )
        return torch.cat(list(some), 2)

    def run(form: ModuleType) -> Tensor:
        out = form.read(q, k, v, chosen, at, block, scale)
        return torch.cat([out[:, :, part] for part in picked(tokens)], 2)

    return Example("", run, expected, sparse.TOLERANCE[dtype])


def nsa(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Example:
    tokens, seen, blocks, scale = shapes.piece, shapes.text, shapes.blocks, shapes.width**-0.5
    at, sizes = seen - tokens, (blocks.kernel, blocks.stride)
    q = normal(1, tokens, shapes.heads, shapes.width, dtype=dtype, place=place).transpose(1, 2)
    k, v = normal(2, 1, shapes.kv_heads, entries_seen(seen - 1, *sizes), shapes.width, dtype=dtype, place=place)

    def expected() -> Tensor:
        some = (nsa_reference.read(q[:, :, part], k, v, at + part.start, *sizes, scale) for part in picked(tokens))
        return torch.cat(list(some), 2)

    def run(form: ModuleType) -> Tensor:
        out = form.read(q, k, v, at, *sizes, scale)
        return torch.cat([out[:, :, part] for part in picked(tokens)], 2)

    return Example("", run, expected, sparse.TOLERANCE[dtype])


def choice(shapes: Shapes, by: scores_reference.Normaliser, dtype: torch.dtype, place: torch.device) -> Example:
    tokens, seen, blocks, scale = shapes.piece, shapes.text, shapes.blocks, shapes.width**-0.5
    at = seen - tokens
    q = normal(1, tokens, shapes.heads, shapes.width, dtype=dtype, place=place).transpose(1, 2)
    k = normal(1, shapes.kv_heads, seen, shapes.width, dtype=dtype, place=place)
    k1, k2 = (scores_reference.compress(k, 0, times * blocks.kernel, times * blocks.stride) for times in (1, COARSE))
    found = [scores_reference.scores(q[:, :, own], k1, k2, at + own.start, blocks, scale, by) for own in picked(tokens)]

    def judged(choices: list[Tensor]) -> Tensor:
        return torch.cat(
            [scores.judged(own, of, blocks.count).flatten() for own, of in zip(choices, found, strict=True)]
        )

    def expected() -> Tensor:
        return judged(
            [scores_reference.best(of, at + own.start, blocks) for of, own in zip(found, picked(tokens), strict=True)]
        )

    def run(form: ModuleType) -> Tensor:
        chosen = form.choose(q, k1, k2, at, blocks, scale, by)
        # Earlier queries may see fewer blocks than are chosen of the last one
        wide = (min(blocks.count, of.shape[3]) for of in found)
        return judged([chosen[:, :, own, :most] for own, most in zip(picked(tokens), wide, strict=True)])

    return Example("", run, expected, scores.TOLERANCE)


def pieces(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Example:
    """A text read piece by piece, beside the reference's reading of the whole."""
    heads, width, tokens = shapes.heads, shapes.width, sum(shapes.pieces)
    q, k, v = normal(3, 1, tokens, heads, width, dtype=dtype, place=place).transpose(2, 3)
    slopes = lightning_attention.slopes(heads).to(place)

    def expected() -> list[Tensor]:
        state = torch.zeros(1, heads, width, width, device=place)
        return [lightning_reference.read(q, k, v, slopes, state, width**-0.5), state]

    def run(form: ModuleType) -> list[Tensor]:
        state, at, out = torch.zeros(1, heads, width, width, device=place), 0, []
        for count in shapes.pieces:
            some = (x[:, :, at : at + count] for x in (q, k, v))
            out.append(form.read(*some, slopes, state, width**-0.5))
            at += count
        return [torch.cat(out, 2), state]

    return several(run, expected, 1e-5 if dtype is torch.float32 else 1e-2)
