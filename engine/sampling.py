"""Logits to a token."""

import secrets

import torch
from torch import Tensor

from engine.protocol import Sampling

LEAST = 1e-6
"""Temperatures below are as good as this one, and divide no logit into infinity."""
MOST = 1e30
"""Of a logit that a penalty has raised."""


class Sampler:
    """Temperature 0 is greedy and draws nothing. `seed` is the one given or a new one; the same seed over the same
    logits gives the same tokens. Drawing happens on the CPU in float32, so that a seed means the same everywhere."""

    def __init__(self, sampling: Sampling) -> None:
        self.sampling = sampling
        self.seed: int | None = None
        if sampling.temperature > 0:
            self.seed = sampling.seed if sampling.seed is not None else secrets.randbits(31)
            self._generator = torch.Generator().manual_seed(self.seed)

    def next(self, logits: Tensor, written: list[int]) -> int:
        """logits [vocab], float32. The repetition penalty is of `written` alone: an answer that quotes a document
        must be free to use the document's words."""
        sampling = self.sampling
        if sampling.repetition_penalty != 1.0 and written:
            ids = torch.tensor(sorted(set(written)), device=logits.device)
            seen = logits[ids]
            penalised = torch.where(seen > 0, seen / sampling.repetition_penalty, seen * sampling.repetition_penalty)
            logits = logits.index_copy(0, ids, penalised.clamp(max=MOST))
        if self.seed is None:
            return int(logits.argmax())
        logits = logits.float().cpu() / max(sampling.temperature, LEAST)
        count = min(sampling.top_k or len(logits), len(logits))
        best, ids = torch.topk(logits, count)  # sorted, the most probable first
        probabilities = best.softmax(0)
        if sampling.top_p < 1.0:
            # Kept: the smallest set whose sum reaches top_p, and always the first
            before = probabilities.cumsum(0) - probabilities
            probabilities[(before >= sampling.top_p) & (torch.arange(count) > 0)] = 0.0
        return int(ids[torch.multinomial(probabilities, 1, generator=self._generator)])
