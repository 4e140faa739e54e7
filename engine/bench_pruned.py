"""Texts that are read once, with every policy looking on, and copies of their rows that one of them prunes."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path

import numpy as np
import torch
from msgspec.structs import replace
from torch import Tensor

from engine.answer import Answer
from engine.chain import Chain
from engine.memory.caches import Caches
from engine.memory.rows import SegmentRows
from engine.model.decoder import Decoder, never
from engine.prompt import Texts, build
from engine.protocol import Eviction, Sampling
from engine.reading.eviction import policies, statistics
from engine.reading.eviction.h2o import H2O
from engine.reading.eviction.policy import Unmoved
from engine.reading.eviction.pruning import Pruning
from engine.reading.eviction.series import Means
from engine.reading.eviction.snapkv import SnapKV
from engine.template import Template
from engine.tokenizer import Ids, Tokenizer
from engine.verify.asking import talk, write_document

FAMILIES = {
    "triattention": Eviction("triattention", prompt="end"),
    "triattention, each for itself": Eviction("triattention", mode="per_layer_per_head", prompt="end"),
    "h2o": Eviction("h2o", prompt="end"),
    "snapkv": Eviction("snapkv", prompt="end"),
    "streaming": Eviction("streaming", prompt="end"),
}
ALL = Eviction("h2o", keep=1.0, prompt="end")
PIECE = 512


class Looking(Unmoved):
    """Tells all policies that want to be told, and keeps every row."""

    observes = True

    def __init__(self, caches: Caches, layers: Sequence[int], scale: float) -> None:
        self.h2o = H2O(caches, layers, scale)
        self.snapkv = SnapKV(caches, layers, scale, "mean")

    def observe(self, layer: int, queries: Tensor, count: int) -> None:
        self.h2o.observe(layer, queries, count)
        self.snapkv.observe(layer, queries, count)

    def settle(self) -> None:
        self.h2o.settle()
        self.snapkv.settle()

    def follow(self, other: "Looking") -> None:
        self.h2o.follow(other.h2o)
        self.snapkv.follow(other.snapkv)

    def scores(self, first: int, last: int, places: int) -> Tensor:
        raise AssertionError("rows of a text that is copied are all kept")


class Reader:
    """`folder`: for texts, empty. No text may be longer than the model's window, with what follows it."""

    def __init__(self, decoder: Decoder, tokenizer: Tokenizer, template: Template, folder: Path) -> None:
        self.decoder = decoder
        self.tokenizer = tokenizer
        self.window = decoder.config.window
        self._template, self._folder = template, folder
        self._texts = Texts(tokenizer)

    @cached_property
    def means(self) -> Means:
        """What the model's queries are like."""
        ids = self.tokenizer.encode(statistics.text())[: self.window]
        return statistics.measured(self.decoder, ids, PIECE)

    def count(self, text: str) -> int:
        return len(self.tokenizer.encode(text))

    def asked(self, text: str, questions: Sequence[str]) -> tuple[Ids, list[Ids]]:
        """What comes up to the end of the text, and for each question what follows."""
        document = write_document(self._folder, text, "book.txt")
        prompts = [
            build(talk([document], question), self.tokenizer, self._template, self._texts, answer=True)
            for question in questions
        ]
        end = prompts[0].documents[0].end
        return prompts[0].ids[:end], [prompt.ids[end:] for prompt in prompts]

    def read(self, ids: Ids, stopped: Callable[[], bool] = never) -> "Copies":
        caches = self.decoder.make_caches(self.window)
        looking = self._looking(caches)
        logits = self._read(caches, looking, ids, stopped)
        return Copies(self, caches, looking, logits)

    def further(self, copies: "Copies", ids: Ids, stopped: Callable[[], bool] = never) -> "Copies":
        """With these tokens read behind them, in the same caches."""
        looking = self._looking(copies.caches)
        looking.follow(copies.looking)
        return Copies(self, copies.caches, looking, self._read(copies.caches, looking, ids, stopped))

    def answer(self, caches: Caches, question: Ids, count: int) -> str:
        """Up to `count` tokens; the caches are then as they were."""
        rows = caches.length()
        logits = self.decoder.read(_tensor(question, self.decoder), caches, logits="last")
        assert logits is not None
        answer = self.go_on(caches, logits[0], count)
        caches.trim(rows)
        return answer

    def go_on(self, caches: Caches, logits: Tensor, count: int) -> str:
        """What is written, greedily, behind what was read last and gave these logits."""
        answer = Answer(self.tokenizer, Sampling(max_tokens=count))
        for _ in range(count):
            answer.add(answer.sampler.next(logits, answer.ids))
            if answer.finish is not None or caches.room() == 0:
                break
            logits = self.decoder.write(torch.tensor([answer.ids[-1]], device=self.decoder.device), caches)[0]
        answer.rest()
        return answer.text

    def rate(self, caches: Caches, count: int) -> float:
        """Tokens written a second, after one that is not counted; the caches are then as they were."""
        rows = caches.length()
        token = torch.zeros(1, dtype=torch.long, device=self.decoder.device)
        token = self.decoder.write(token, caches).argmax(-1)
        began = time.perf_counter()
        for _ in range(count):
            token = self.decoder.write(token, caches).argmax(-1)
        rate = count / (time.perf_counter() - began)
        caches.trim(rows)
        return rate

    def reading_rate(self, ids: Ids, policy: str, share: float, stopped: Callable[[], bool] = never) -> float:
        """Tokens read a second while this policy looks on and keeps that share, as a request's prompt is read."""
        prune, how = None, replace(FAMILIES[policy], keep=share, prompt="auto") if share < 1 else None
        if how is not None:
            config, means = self.decoder.config, self.means  # measured before the clock starts
            prune = partial(policies.pruning, how, config=config, window=self.window, means=lambda: means)
        chain = Chain(self.decoder, self.window, prune=prune)
        began = time.perf_counter()
        for _ in chain.read(ids, PIECE, answer=True, stopped=stopped):
            pass
        return len(ids) / (time.perf_counter() - began)

    def logits(self, caches: Caches, ids: Ids) -> Tensor:
        """Of all these tokens [T, vocab]; the caches are then as they were."""
        rows = caches.length()
        logits = self.decoder.read(_tensor(ids, self.decoder), caches, logits="all")
        assert logits is not None
        caches.trim(rows)
        return logits[0]

    def _looking(self, caches: Caches) -> Looking:
        config = self.decoder.config
        layers = [number for number, kind in enumerate(config.mixers) if kind == "full"]
        return Looking(caches, layers, config.head_width**-0.5)

    def _read(self, caches: Caches, looking: Looking, ids: Ids, stopped: Callable[[], bool]) -> Tensor:
        pruning = Pruning(ALL, looking, caches, self.decoder.config, self.window)
        logits = None
        for start in range(0, len(ids), PIECE):
            part = _tensor(ids[start : start + PIECE], self.decoder)
            with pruning.watching():
                logits = self.decoder.read(part, caches, logits="last", stopped=stopped)
            looking.settle()
        assert logits is not None
        return logits[0]


class Copies:
    """Of what `caches` hold, all of whose rows `looking` was told of. `logits` [vocab] of the last token."""

    def __init__(self, reader: Reader, caches: Caches, looking: Looking, logits: Tensor) -> None:
        self.caches, self.looking, self.logits = caches, looking, logits
        self._reader = reader
        self._count = caches.length()

    @contextmanager
    def followed(self, ids: Ids, stopped: Callable[[], bool] = never) -> Iterator["Copies"]:
        """With these tokens read behind it, which are then taken back."""
        try:
            yield self._reader.further(self, ids, stopped)
        finally:
            self.caches.trim(self._count)

    @torch.inference_mode()
    def pruned(self, policy: str, share: float) -> Caches:
        """A copy of which this policy keeps that share of the tokens, or at 1 all."""
        reader, decoder = self._reader, self._reader.decoder
        caches = decoder.make_caches(reader.window)
        for layer, rows in zip(caches, self._rows, strict=True):
            layer.take(rows)
        caches.advance(self._count)
        if share == 1:
            return caches
        how = replace(FAMILIES[policy], keep=share)
        pruning = policies.pruning(how, caches, decoder.config, reader.window, lambda: reader.means)
        if isinstance(pruning.policy, H2O):
            pruning.policy.follow(self.looking.h2o)
        if isinstance(pruning.policy, SnapKV):
            pruning.policy.follow(self.looking.snapkv)
        pruning.plan(self._count)
        if self._count > pruning.budget:
            pruning.prune()
        return caches

    @cached_property
    def _rows(self) -> list[dict[str, Tensor]]:
        """Of each layer."""
        saved = SegmentRows.taken(self.caches, 0, self._count, "model").tensors()
        return [{name: tensor[layer] for name, tensor in saved.items()} for layer in range(len(self.caches.rows))]


def held(caches: Caches) -> int:
    """Bytes of the rows that count."""
    return sum(layer.bytes() * caches.length() // max(1, layer.allocated) for layer in caches)


def _tensor(ids: Ids, decoder: Decoder) -> Tensor:
    return torch.from_numpy(ids.astype(np.int64)).to(decoder.device)[None]
