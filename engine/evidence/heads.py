"""Which query heads look at what is being written about: retrieval heads (arXiv 2404.15574).

They are found by reading a made-up text with facts in it once, and behind it, for each fact, a question and the right
answer: a head is as good as the share of its attention to the text that the fact gets, in the worst of these. What is
found is kept in the data folder, by the model's fingerprint.
"""

import itertools
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import torch
from torch import Tensor

from engine.evidence.mass import Head
from engine.evidence.probes import Probe, probes
from engine.memory.rows import SegmentRows
from engine.model.config import ModelConfig
from engine.model.decoder import Decoder, never
from engine.prompt import QUESTION
from engine.reading.asking import read_beside
from engine.reading.calibration import FOLDER
from engine.template import Template
from engine.tokenizer import Ids, Tokenizer

COUNT = 6
"""Heads of a model. With SmolLM2-135M the best one alone ranks as well as these; in other models heads may divide the
work."""
BEGAN = "2026-01-01T00:00:00"
"""The date that the template is given: what is found is the same on every day."""
KNOWN = {
    # SmolLM2-135M-Instruct, Q4_1
    "f91d0ff9889e673d577b45fb47fc04bbd331616f9f88bf75ac8596329306afa4": tuple(
        itertools.starmap(Head, ((14, 3), (17, 3), (17, 4), (18, 6), (18, 8), (21, 8)))
    )
}
"""What was found in models that come with the program, by their fingerprints."""


class Unfit(Exception):
    """The model's window or its layers do not allow for finding any."""


def load(data: Path, fingerprint: str) -> tuple[Head, ...] | None:
    """Those that were found before."""
    try:
        return msgspec.json.decode(_file(data, fingerprint).read_bytes(), type=tuple[Head, ...])
    except (OSError, msgspec.MsgspecError):
        return KNOWN.get(fingerprint)


def save(data: Path, fingerprint: str, heads: tuple[Head, ...]) -> None:
    """Raises OSError."""
    file = _file(data, fingerprint)
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f"{file.name}.{os.getpid()}")
    temporary.write_bytes(msgspec.json.encode(heads))
    temporary.replace(file)


def eligible(config: ModelConfig) -> list[int]:
    """Layers whose heads may look at all of a text; where all of them slide, those."""
    for kinds in ({"full", "sparse", "moba"}, {"sliding"}):
        layers = [number for number, kind in enumerate(config.mixers) if kind in kinds]
        if layers:
            return layers
    return []


def find(
    decoder: Decoder, tokenizer: Tokenizer, template: Template, piece: int, stopped: Callable[[], bool] = never
) -> tuple[Head, ...]:
    """The best. Raises Unfit, Stopped, and BadModel where the template refuses a question."""
    worst = shares(decoder, tokenizer, template, piece, stopped).amin(0)  # [L, Hq]
    best = worst.flatten().argsort(descending=True, stable=True)[:COUNT].tolist()
    return tuple(sorted(Head(*divmod(number, worst.shape[1])) for number in best))


@torch.inference_mode()
def shares(
    decoder: Decoder, tokenizer: Tokenizer, template: Template, piece: int, stopped: Callable[[], bool] = never
) -> Tensor:
    """Of the attention that each head gives the text while a fact is told, the part that is the fact's: fp32
    [probes, L, Hq], 0 in layers that are not eligible. Raises as `find`."""
    config = decoder.config
    if config.whole_only:
        raise Unfit("the heads of its layers are not read beside a text")
    text, asked = probes()
    opening, closing = template.render(["user"], BEGAN, answer=True)[::2]
    ids, starts = tokenizer.encode_placed(text)
    head = np.concatenate(
        (tokenizer.encode_template(str(opening), opens=True), tokenizer.encode("Document: notes\n\n"))
    )
    whole = np.concatenate((head, ids, tokenizer.encode("\n\n")))
    after = tokenizer.encode_template(str(closing), opens=False)
    tails = [(tokenizer.encode(QUESTION + one.question), after, tokenizer.encode(one.answer)) for one in asked]
    capacity = len(whole) + max(sum(map(len, parts)) for parts in tails)
    if capacity > config.window:
        raise Unfit("its window is shorter than the text that they are found with")
    caches = decoder.make_caches(capacity)
    for start in range(0, len(whole), piece):
        decoder.read(_tensor(whole[start : start + piece], decoder), caches, logits="none", stopped=stopped)
    rows = SegmentRows.taken(caches, 0, len(whole), "model")
    found = torch.zeros(len(asked), config.layers, config.heads)
    layers = eligible(config)
    for number, (probe, parts) in enumerate(zip(asked, tails, strict=True)):
        tail = np.concatenate(parts)
        told = slice(len(tail) - len(parts[-1]) - 1, len(tail) - 1)  # a token is chosen by the query before it
        fact = _tokens(probe, starts, len(head))

        def add(layer: int, queries: Tensor, own: Tensor, number: int = number, told: slice = told, fact: slice = fact):
            """queries [Hq, T, D] and own keys [Hkv, T, D] of the tail."""
            if layer in layers:
                mass = _mass(queries, torch.cat((rows.keys[layer], own), 1), told, config)
                within = mass[:, len(head) : len(head) + len(ids)].sum(-1).clamp(min=1e-30)
                found[number, layer] = (mass[:, fact].sum(-1) / within).cpu()

        read_beside(decoder, [rows], _tensor(tail, decoder)[0], caches.rotation, keep=1, stopped=stopped, queries=add)
    return found


def _mass(queries: Tensor, keys: Tensor, told: slice, config: ModelConfig) -> Tensor:
    """Attention of queries `told` of the last ones [Hq, T, D] to keys [Hkv, R + T, D], added: fp32 [Hq, R + T]."""
    kv_heads, rows, width = keys.shape
    some = queries[:, told].float().unflatten(0, (kv_heads, -1))  # [Hkv, G, t, D]
    scores = some @ keys[:, None].float().mT * width**-0.5
    own = torch.arange(rows - queries.shape[1], rows, device=keys.device)[told, None]
    row = torch.arange(rows, device=keys.device)
    return scores.masked_fill(row > own, -torch.inf).softmax(-1).sum(2).flatten(0, 1)


def _tokens(probe: Probe, starts: Ids, head: int) -> slice:
    """Rows of the fact, `head` of them being before the text."""
    first = int(np.searchsorted(starts, probe.start, side="right")) - 1
    return slice(head + first, head + int(np.searchsorted(starts, probe.end)))


def _file(data: Path, fingerprint: str) -> Path:
    return data / FOLDER / f"{fingerprint}.heads.json"


def _tensor(ids: Ids, decoder: Decoder) -> Tensor:
    return torch.from_numpy(ids.astype(np.int64)).to(decoder.device)[None]
