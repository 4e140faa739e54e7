"""Whether TriAttention's premise holds for a model (arXiv 2604.04921): are the queries of a head alike, and does their
mean tell what a head looks at by how far it is away?

Queries and keys are known from one text and looked at over another. Concentration is R_f = |E q_f| / E|q_f| of each
pair of elements that is turned together: 1 where all queries are one, about 0 where their phases are anything. A head's
is the mean over its pairs, each counting for E|q_f| E|k_f|, as much as it can add to a logit.

What the mean tells is how the series over these pairs goes with the logits that are computed. Beside it stands what is
told by no model at all: that nearer keys count for more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.memory.caches import Caches
from engine.model.decoder import Decoder, never
from engine.reading.eviction import guard, statistics
from engine.reading.eviction.series import Means, coefficients, magnitudes
from engine.tokenizer import Ids

OCTAVE = 4
"""Distances for each doubling, as far as there are whole ones."""
CONCENTRATED, CORRELATED = 0.95, 0.5
"""What the paper holds heads against."""
NUMBERS = ("concentration", "strongest", "distance", "nearness", "keys", "far", "far_nearness")
"""Of each head."""


@dataclass(frozen=True)
class Head:
    """`concentration`: R over all pairs. `strongest`: R of the pair that counts for most.

    Pearson correlations over distances: `distance` of the series of mean query and mean key with the mean logit; `keys`
    of the series of the mean query and each key with what a single query makes of these keys, in the mean over queries;
    `far` the same over the distances alone at which rows may be forgotten. `nearness` and `far_nearness` are controls:
    as `distance` and `far`, with minus the logarithm of the distance for the series.
    """

    layer: int
    head: int
    concentration: float
    strongest: float
    distance: float
    nearness: float
    keys: float
    far: float
    far_nearness: float


@dataclass(frozen=True)
class Summary:
    """Of heads. `share`: of those whose number is above `above`."""

    mean: float
    median: float
    least: float
    above: float
    share: float


@dataclass(frozen=True)
class Premise:
    """`calibrated`, `length`: tokens of the text that queries and keys are known from, and of the one they are looked
    at in. `queries` of these: the last, which all have a key at every one of `distances` behind them."""

    calibrated: int
    length: int
    queries: int
    distances: tuple[int, ...]
    heads: tuple[Head, ...]

    def summary(self, of: str) -> Summary:
        """`of`: the name of one of a head's numbers."""
        values = torch.tensor([getattr(head, of) for head in self.heads], dtype=torch.float64)
        above = CONCENTRATED if of in ("concentration", "strongest") else CORRELATED
        share = float((values > above).double().mean())
        return Summary(float(values.mean()), float(values.quantile(0.5)), float(values.min()), above, share)

    def layers(self) -> list[dict[str, float]]:
        """The mean over each layer's heads of every number."""
        found = []
        for layer in sorted({head.layer for head in self.heads}):
            own = [head for head in self.heads if head.layer == layer]
            means = {name: sum(getattr(head, name) for head in own) / len(own) for name in NUMBERS}
            found.append({"layer": layer} | means)
        return found


def measured(decoder: Decoder, calibration: Ids, text: Ids, piece: int, stopped: Callable[[], bool] = never) -> Premise:
    """Of every query head of the layers that forget; others look no farther than their window. The text must be of two
    tokens at least. Raises Stopped."""
    config, far = decoder.config, log_spaced(len(text) // 2)
    queries, keys = statistics.with_keys(decoder, calibration, piece, stopped)
    keys = Means(*(part.repeat_interleave(config.heads // config.kv_heads, 1) for part in (keys.mean, keys.length)))
    looked = _Looked(queries, far, config.layers, config.heads)
    statistics.watched(decoder, text, piece, looked.add, stopped)
    mean = looked.mean()
    found = (
        *concentration(queries, keys),
        pearson(curves(looked.vectors, keys), mean),
        pearson(looked.nearness.expand_as(mean), mean),
        *looked.correlations(),
    )
    heads = tuple(
        Head(layer, head, *(float(part[layer, head]) for part in found))
        for layer, kind in enumerate(config.mixers)
        if kind == "full"
        for head in range(config.heads)
    )
    return Premise(len(calibration), len(text), looked.count, far, heads)


def log_spaced(farthest: int) -> tuple[int, ...]:
    """Distances in tokens from 1 to `farthest`, each about as many times the one before it."""
    found, power = {farthest}, 0
    while (distance := round(2 ** (power / OCTAVE))) < farthest:
        found.add(distance)
        power += 1
    return tuple(sorted(found))


def concentration(queries: Means, keys: Means) -> tuple[Tensor, Tensor]:
    """R of each head [...] over its pairs, by their weights, and of its strongest pair alone. `keys`: those that each
    query head looks at."""
    each = magnitudes(queries.mean, queries.turned) / queries.length.clamp(min=torch.finfo(torch.float32).tiny)
    weights = queries.length * keys.length
    strongest = each.gather(-1, weights.argmax(-1, keepdim=True))[..., 0]
    return (each * weights).sum(-1) / weights.sum(-1), strongest


def curves(vectors: Tensor, keys: Means) -> Tensor:
    """The series of mean query and mean key by distance [..., n], of mean queries turned to these distances [..., n,
    width]."""
    return (vectors @ keys.mean[..., None])[..., 0]


def pearson(a: Tensor, b: Tensor) -> Tensor:
    """Of each row [..., n] with the other's: [...]; 0 where one of them is the same everywhere and tells nothing."""
    a, b = (part.double() - part.double().mean(-1, keepdim=True) for part in (a, b))
    lengths = a.norm(dim=-1) * b.norm(dim=-1)
    return torch.where(lengths > 0, (a * b).sum(-1) / lengths, 0.0)


class _Looked:
    """What queries make of the keys at each distance behind them, beside what their mean would."""

    def __init__(self, queries: Means, distances: Sequence[int], layers: int, heads: int) -> None:
        self.vectors = torch.empty(0)
        """Mean queries turned by each distance [layers, Hq, n, width]: known once there are frequencies."""
        self.nearness = torch.tensor(distances, dtype=torch.float64).log().neg()
        self.count = 0
        self._queries, self._distances = queries, distances
        self._logits = torch.zeros((layers, heads, len(distances)), dtype=torch.float64)
        self._correlations = torch.zeros((3, layers, heads), dtype=torch.float64)

    def add(self, caches: Caches, layer: int, queries: Tensor, count: int) -> None:
        first = max(self._distances[-1], count - queries.shape[1])  # that has a key at every distance
        if first >= count:
            return
        if not len(self.vectors):
            frequency = caches.rotation.frequency.cpu()
            turned = [coefficients(self._queries, frequency, distance, (0,))[0] for distance in self._distances]
            self.vectors = torch.stack(turned, -2)
        if layer == 0:
            self.count += count - first
        keys = caches.rows[layer].held.part(0, count)[0][0]  # [Hkv, R, D]
        plain = statistics.plain(keys, 0, caches.rotation)
        own = queries[:, first - count :].float().unflatten(0, (len(keys), -1))  # [Hkv, G, T, D]
        means = self.vectors[layer].to(keys.device).unflatten(0, (len(keys), -1))  # [Hkv, G, n, D]
        logits, series = [], []
        for number, distance in enumerate(self._distances):
            behind = slice(first - distance, count - distance)
            logits.append((own * keys[:, None, behind].float()).sum(-1))
            series.append(means[:, :, number] @ plain[:, behind].mT)
        true, told = (torch.stack(parts, -1).flatten(0, 1) for parts in (logits, series))  # [Hq, T, n]
        self._logits[layer] += true.double().sum(1).cpu()
        beyond = [number for number, distance in enumerate(self._distances) if distance >= guard.RECENT]
        near = self.nearness.to(true.device).expand_as(true)
        pairs = ((told, true), (told[..., beyond], true[..., beyond]), (near[..., beyond], true[..., beyond]))
        for number, pair in enumerate(pairs):
            self._correlations[number, layer] += pearson(*pair).sum(1).cpu()

    def mean(self) -> Tensor:
        """Logits by distance [layers, Hq, n], up to the scale that all of them have."""
        return self._logits / self.count

    def correlations(self) -> Tensor:
        """Of single queries' logits: with the series of each key over all distances, over the far ones, and there with
        nearness [3, layers, Hq]."""
        return self._correlations / self.count
