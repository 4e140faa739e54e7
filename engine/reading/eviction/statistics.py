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
from engine.model.config import RopeConfig
from engine.model.decoder import Decoder, never
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
    config, caches = decoder.config, decoder.make_caches(len(ids))
    mean = torch.zeros((config.layers, config.heads, config.head_width), dtype=torch.float64)
    length = torch.zeros((config.layers, config.heads, config.head_width // 2), dtype=torch.float64)

    def add(layer: int, queries: Tensor, count: int) -> None:
        tokens = queries.shape[1]
        back = torch.arange(count - tokens, count, device=queries.device).neg()
        cos, sin = caches.rotation.exact(back)
        queries = queries.float() / caches.rotation.scale
        plain = queries * cos + queries.roll(config.head_width // 2, -1) * sin
        mean[layer] += plain.double().sum(1).cpu()
        length[layer] += magnitudes(plain, config.head_width).double().sum(1).cpu()

    for number, layer in enumerate(caches.rows):
        layer.observe = partial(add, number)
    for start in range(0, len(ids), piece):
        part = torch.from_numpy(ids[start : start + piece].astype(np.int64)).to(decoder.device)
        decoder.read(part[None], caches, logits="none", stopped=stopped)
    return Means((mean / len(ids)).float(), (length / len(ids)).float())


def _positions(rope: RopeConfig) -> str:
    return hashlib.sha256(msgspec.json.encode(rope)).hexdigest()[:16]
