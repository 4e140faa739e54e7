"""What watches the answers of a loaded model: which of its heads are looked at, and how often."""

import logging
import math
from collections.abc import Callable, Sequence
from pathlib import Path

from torch import Tensor

from engine.evidence import heads, layout
from engine.evidence.blocks import BlockScores
from engine.evidence.mass import Head, HeadMass, Spread
from engine.evidence.watch import Watch
from engine.memory.caches import Caches
from engine.memory.sparse_rows import SparseRows
from engine.model.decoder import never
from engine.prompt import Placed, Prompt
from engine.reading.joining import Joined
from engine.reading.segments import Segment
from engine.template import Template
from engine.tokenizer import Tokenizer
from engine.weights import BadModel, LoadedModel

SHARE = 0.05
"""Of a token's arithmetic that looking may cost: matrix products of many tokens are several times as fast as what
writes one. Where it would cost more, only every so many tokens are looked at."""

log = logging.getLogger(__name__)


class Watches:
    """`data`: the data folder. `piece`: tokens read in one go."""

    def __init__(self, data: Path, model: LoadedModel, tokenizer: Tokenizer, template: Template, piece: int) -> None:
        self._data, self._model, self._tokenizer, self._template, self._piece = data, model, tokenizer, template, piece
        self._found: tuple[Head, ...] | None = None
        """() where none could be; None before they were looked for."""

    def prepare(self, stopped: Callable[[], bool] = never) -> None:
        """Find the model's heads unless they are known: once, before its first text is read. Raises Stopped."""
        if self._found is not None:
            return
        model = self._model
        found = heads.load(self._data, model.fingerprint)
        if found is None:
            try:
                found = heads.find(model.decoder, self._tokenizer, self._template, self._piece, stopped)
                heads.save(self._data, model.fingerprint, found)
            except (heads.Unfit, BadModel) as reason:
                log.info("all heads are looked at: %s", reason)
            except OSError as problem:
                log.warning("the heads that were found are not kept (%s)", type(problem).__name__)
        self._found = found or ()

    def whole(
        self,
        id: str,
        caches: Caches,
        prompt: Prompt,
        texts: Sequence[Placed],
        count: int,
        spread: Spread | None = None,
    ) -> Watch | None:
        """Over a prompt that was read whole, with the `texts` of its documents: `count` passages a sentence. None where
        there is nothing to look at or with. Sparse layers that begin to choose in the middle of an answer are looked at
        as before. `spread`: where rows are not one for each token."""
        stretches = layout.of_prompt(prompt)
        if not stretches:
            return None
        sparse = self._model.config.sparse
        if sparse is not None and any(isinstance(cache, SparseRows) and cache.sparsely for cache in caches):
            scores = BlockScores(self._model.decoder, caches)
            every = self._every(scores.cost(len(prompt.ids)))
            return Watch(id, scores, "blocks", stretches, texts, count, every=every, block=sparse.block)
        mass = self._mass(caches, spread)
        if mass is None:
            return None
        return Watch(id, mass, "heads", stretches, texts, count, every=self._every(mass.cost(len(prompt.ids))))

    def segments(
        self,
        id: str,
        joined: Joined,
        segments: Sequence[Segment],
        nats: Sequence[float],
        chosen: Sequence[Tensor | None],
        texts: Sequence[Placed],
        count: int,
    ) -> Watch | None:
        """Over `segments` that were joined. `nats` as for `layout.of_segments`, `chosen` as for `join`."""
        picked = None
        if any(own is not None for own in chosen):
            picked = layout.Picked(segments, joined.laid, chosen)
        mass = self._mass(joined.caches, picked)
        if mass is None or not segments:
            return None
        stretches = layout.of_segments(segments, layout.begins(segments, joined.laid, chosen), nats)
        return Watch(id, mass, "segments", stretches, texts, count, every=self._every(mass.cost(len(joined))))

    def _mass(self, caches: Caches, spread: Spread | None = None) -> HeadMass | None:
        config = self._model.config
        if self._found:
            return HeadMass(caches, config, self._found, spread=spread)
        every = [Head(layer, head) for layer in heads.eligible(config) for head in range(config.heads)]
        return HeadMass(caches, config, every, squared=True, spread=spread) if every else None

    def _every(self, cost: float) -> int:
        """`cost`: multiplications of a token that is looked at."""
        return max(1, math.ceil(cost / (SHARE * self._model.parameters)))
