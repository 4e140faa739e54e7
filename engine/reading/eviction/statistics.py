"""What a model's queries are like before they are turned, measured over a text of ours: for TriAttention.

The heads of most layers ask nearly the same whatever the text is, and which text it is hardly matters (arXiv
2604.04921, 5). Queries are taken as attention sees them, behind any norm, and turned back. What is found is kept in the
data folder, by the model's fingerprint and its positions.
"""

import hashlib
import logging
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

import resources
from engine.memory.caches import Caches
from engine.model.config import RopeConfig
from engine.model.decoder import Decoder, never
from engine.model.rope import Rotation
from engine.reading.calibration import FOLDER
from engine.reading.eviction.series import Means, magnitudes
from engine.tokenizer import Ids, Tokenizer

TEXT = "samples/lighthouses.md"
"""In the public domain."""

log = logging.getLogger(__name__)


def prepared(
    data: Path, fingerprint: str, decoder: Decoder, tokenizer: Tokenizer, piece: int, stopped: Callable[[], bool]
) -> Means:
    """Of the model's layers [layers, Hq, ...]: those that were kept, else measured now, which takes a short reading.
    Raises Stopped."""
    file = data / FOLDER / f"{fingerprint}.{_positions(decoder.config.rope)}.queries.safetensors"
    try:
        tensors = load(file.read_bytes())
        means = Means(tensors["mean"], tensors["length"])
        if means.mean.shape == (decoder.config.layers, decoder.config.heads, decoder.config.head_width):
            return means
    except (OSError, KeyError, SafetensorError):
        pass  # none, or damaged
    means = measured(decoder, tokenizer.encode(text())[: decoder.config.window], piece, stopped)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_name(f"{file.name}.{os.getpid()}")
        temporary.write_bytes(save({"mean": means.mean, "length": means.length}))
        temporary.replace(file)
    except OSError as problem:
        log.warning("what the queries are like is not kept (%s)", type(problem).__name__)
    return means


def text() -> str:
    """That it is measured over."""
    return resources.path(TEXT).read_text(encoding="utf-8")


def measured(decoder: Decoder, ids: Ids, piece: int, stopped: Callable[[], bool] = never) -> Means:
    """Over these ids, on the CPU. Raises Stopped."""
    return with_keys(decoder, ids, piece, stopped)[0]


def with_keys(decoder: Decoder, ids: Ids, piece: int, stopped: Callable[[], bool] = never) -> tuple[Means, Means]:
    """Of queries [layers, Hq, ...] as `measured` gives them, and of keys [layers, Hkv, ...] alike. Raises Stopped."""
    config = decoder.config
    sums = tuple(_Sums(config.layers, heads, config.head_width) for heads in (config.heads, config.kv_heads))

    def add(caches: Caches, layer: int, queries: Tensor, count: int) -> None:
        first = count - queries.shape[1]
        keys = caches.rows[layer].held.part(first, count)[0][0]
        for sum, heads in zip(sums, (queries, keys), strict=True):
            sum.add(layer, plain(heads, first, caches.rotation))

    watched(decoder, ids, piece, add, stopped)
    queries, keys = (sum.means(len(ids)) for sum in sums)
    return queries, keys


def watched(
    decoder: Decoder,
    ids: Ids,
    piece: int,
    told: Callable[[Caches, int, Tensor, int], None],
    stopped: Callable[[], bool] = never,
) -> None:
    """Read these ids, with `told` of each piece in each layer: the caches, the layer's number, its queries [Hq, T, D],
    and how many rows there are, theirs the newest. Raises Stopped."""
    caches = decoder.make_caches(len(ids))
    for number, layer in enumerate(caches.rows):
        layer.observe = partial(told, caches, number)
    for start in range(0, len(ids), piece):
        part = torch.from_numpy(ids[start : start + piece].astype(np.int64)).to(decoder.device)
        decoder.read(part[None], caches, logits="none", stopped=stopped)


def plain(heads: Tensor, first: int, rotation: Rotation) -> Tensor:
    """Heads [H, T, D] at positions from `first` on as they were before they were turned, fp32."""
    back = torch.arange(first, first + heads.shape[1], device=heads.device).neg()
    cos, sin = rotation.exact(back)
    heads = heads.float() / rotation.scale
    return heads * cos + heads.roll(heads.shape[-1] // 2, -1) * sin


class _Sums:
    """Of heads before they are turned, and of their magnitudes, in double precision."""

    def __init__(self, layers: int, heads: int, width: int) -> None:
        self._width = width
        self._mean = torch.zeros((layers, heads, width), dtype=torch.float64)
        self._length = torch.zeros((layers, heads, width // 2), dtype=torch.float64)

    def add(self, layer: int, heads: Tensor) -> None:
        self._mean[layer] += heads.double().sum(1).cpu()
        self._length[layer] += magnitudes(heads, self._width).double().sum(1).cpu()

    def means(self, count: int) -> Means:
        return Means((self._mean / count).float(), (self._length / count).float())


def _positions(rope: RopeConfig) -> str:
    return hashlib.sha256(msgspec.json.encode(rope)).hexdigest()[:16]
