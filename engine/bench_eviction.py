"""The job `eviction`: what is lost and gained when a policy keeps half, a third, a fifth, a tenth of a text's rows.

Each text is read once, with all policies looking on, and copies of its rows are pruned. Planted numbers are asked for
in two ways: the text is pruned before the question is known, or with the question read. The likelihood of a text's next
tokens, digits said forward and in reverse, the speed of writing and bytes are measured over such copies. The share 1 is
the text itself, unpruned: the control of every policy.

Asked for its premise, it measures what `engine.reading.eviction.premise` says instead, and prunes nothing.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import numpy as np
import torch
from torch.nn import functional

from engine import needles
from engine.bench_desk import data_folder, model_settings, temporary
from engine.bench_pruned import FAMILIES, PIECE, Reader, held
from engine.memory.caches import Caches
from engine.model.decoder import Decoder, Stopped, never
from engine.reading.eviction import guard, premise, statistics
from engine.template import Template
from engine.tokenizer import Ids, Tokenizer
from engine.weights import BadModel, load, tokenizer_files
from engine.worker import KEPT

SHARES = (1.0, 0.5, 0.3, 0.2, 0.1)
LENGTHS = (4096, 7168)
PREMISE = 8192
FACTS = 5
DIGITS = 20
NEXT = 512
"""Tokens behind a text whose likelihood is measured."""
PREFACE = 32
"""Tokens that may be said before the digits."""
WRITTEN = 32
ROUNDS = 3
"""In which writing over all rows and over the kept ones take turns."""
SEED = 1

BEHIND = 256
"""Tokens that may follow a text: its planted sentences, a question and an answer."""

Cell = tuple[str, float]
"""A policy and the share that it keeps."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Plan:
    """`lengths` of texts in tokens, of which a window must hold one with the tokens behind it."""

    lengths: tuple[int, ...] = LENGTHS
    shares: tuple[float, ...] = SHARES
    policies: tuple[str, ...] = tuple(FAMILIES)
    facts: int = FACTS
    digits: int = DIGITS
    next: int = NEXT
    written: int = WRITTEN
    reading: float = 0.3
    """The share at which the speed of reading is measured."""

    def __len__(self) -> int:
        each = len(self.policies) * sum(share < 1 for share in self.shares) + any(share == 1 for share in self.shares)
        return len(self.lengths) * each * 5  # asked before, asked after, likelihood, digits, speed


@dataclass(frozen=True)
class Row:
    """One policy and share at one length. `rows`: kept. `after`, `before`: numbers found of `of`, the text pruned with
    the question read, and before it. `perplexity` of the next tokens. `forward`, `reverse`: share of digits that were
    said at their place, pruned with the question read. `rate`: tokens written a second, and how many `times` as many as
    over all rows, in turns. `bytes`: of keys and values. `reads`: tokens read a second with the policy on, None where
    that was not measured."""

    policy: str
    share: float
    length: int
    rows: int
    after: int
    before: int
    of: int
    low: float
    high: float
    """Of `after`: the 95 % interval of the share found."""
    perplexity: float
    forward: float
    reverse: float
    rate: float
    times: float
    bytes: int
    reads: float | None


def work(options: dict[str, str], progress: Progress, stopped: Callable[[], bool] = never) -> str:
    """Measure. Options: `model` (a path, needed), `precision`, `device`, `threads`, `length` (of the one text; else two
    lengths), `data`, `premise` ("yes": that of TriAttention alone). The report as JSON: `model`, `precision`, `rows`
    (`Row`), or what `premises` gives. Raises BadModel, Stopped, ValueError for a text that the window does not hold."""
    settings = model_settings(options)
    if settings.threads is not None:
        torch.set_num_threads(settings.threads)
    path = Path(settings.model)
    model = load(path, settings.precision, settings.device, stopped=stopped)
    if guard.obstacle(FAMILIES["h2o"], model.config, model.config.window) is not None:
        raise BadModel("its layers do not all keep what they have read, so no policy has a choice", path.name)
    files = tokenizer_files.read(path, data_folder(options) / KEPT)
    tokenizer, about = Tokenizer(files), {"model": model.name, "precision": model.precision}
    length = int(options["length"]) if "length" in options else None
    if options.get("premise") == "yes":
        return json.dumps(about | premises(model.decoder, tokenizer, length, progress, stopped))
    plan = Plan() if length is None else Plan(lengths=(length,))
    with temporary(data_folder(options)) as folder:
        reader = Reader(model.decoder, tokenizer, Template(files.template or "", files.special), folder)
        rows = [asdict(row) for row in run(reader, plan, progress, stopped)]
    return json.dumps(about | {"rows": rows})


def premises(
    decoder: Decoder,
    tokenizer: Tokenizer,
    length: int | None,
    progress: Progress,
    stopped: Callable[[], bool] = never,
) -> dict[str, object]:
    """Known from the text that TriAttention itself is, looked at in a varied one of `length` tokens, or as many of
    8,192 as the window holds. `calibrated`, `length`, `queries`, `farthest` (tokens), a `Summary` and the `layers`'
    means of each of a head's numbers, and `heads`. Raises Stopped and ValueError."""
    window = decoder.config.window
    length = min(PREMISE, window) if length is None else length
    if length > window:
        raise ValueError(f"the window of {window} holds no text of {length} tokens")
    # A text may be half a percent shorter than it was asked to be
    text = needles.haystack(lambda part: len(tokenizer.encode(part)), length + length // 100, SEED).text()
    progress(1, 2)
    known = tokenizer.encode(statistics.text())[:window]
    found = premise.measured(decoder, known, tokenizer.encode(text)[:length], PIECE, stopped)
    progress(2, 2)
    sizes = {"calibrated": found.calibrated, "length": found.length, "queries": found.queries}
    return sizes | {
        "farthest": found.distances[-1],
        "summary": {name: asdict(found.summary(name)) for name in premise.NUMBERS},
        "layers": found.layers(),
        "heads": [asdict(head) for head in found.heads],
    }


def run(reader: Reader, plan: Plan, progress: Progress, stopped: Callable[[], bool] = never) -> list[Row]:
    """Raises Stopped and ValueError."""
    done, rows = 0, []

    def step() -> None:
        nonlocal done
        done += 1
        progress(min(done, len(plan)), len(plan))
        if stopped():
            raise Stopped

    for length in plan.lengths:
        if length + BEHIND > reader.window:
            raise ValueError(f"the window of {reader.window} holds no text of {length} tokens with what follows it")
        rows += _Length(reader, plan, length, step, stopped).rows()
    return rows


class _Length:
    """Texts of one length."""

    def __init__(
        self, reader: Reader, plan: Plan, length: int, step: Callable[[], None], stopped: Callable[[], bool]
    ) -> None:
        self._reader, self._plan, self._length, self._step, self._stopped = reader, plan, length, step, stopped
        self._facts = needles.needles(SEED, plan.facts)
        text = needles.haystack(reader.count, length, SEED)
        places = [(fact, (number + 0.5) / plan.facts) for number, fact in enumerate(self._facts)]
        self._facts_text = text.plant(places)
        generator = np.random.default_rng(SEED)
        self._digits = "".join(map(str, generator.integers(0, 10, plan.digits)))
        half = len(text.paragraphs) // 2
        told = f"The long sequence is: {' '.join(self._digits)}."
        self._digits_text = needles.SEPARATOR.join([*text.paragraphs[:half], told, *text.paragraphs[half:]])
        self._plain = text.text()

    def rows(self) -> list[Row]:
        cells = [(policy, share) for policy in self._plan.policies for share in self._plan.shares if share < 1]
        cells = [("none", 1.0)] * (1.0 in self._plan.shares) + cells
        found = self._found(cells)
        likely = self._likely(cells)
        said = self._said(cells)
        read = self._read(cells)
        parts = [found[cell] | likely[cell] | said[cell] | read[cell] for cell in cells]
        return [Row(*cell, self._length, **part) for cell, part in zip(cells, parts, strict=True)]  # type: ignore

    def _look(self) -> None:
        if self._stopped():
            raise Stopped

    def _found(self, cells: Sequence[Cell]) -> dict[Cell, dict[str, float]]:
        reader = self._reader
        head, questions = reader.asked(self._facts_text, [fact.question for fact in self._facts])
        copies = reader.read(head, self._stopped)
        told: dict[Cell, dict[str, float]] = {}
        everything = copies.pruned("none", 1.0)
        for cell in cells:
            caches = copies.pruned(*cell)
            answers = [reader.answer(caches, question, needles.ANSWER) for question in questions]
            found = sum(fact.found_in(answer) for fact, answer in zip(self._facts, answers, strict=True))
            told[cell] = {"rows": caches.length(), "before": found, "after": 0, "of": len(answers)}
            told[cell] |= self._written(everything, caches) | {"bytes": held(caches)}
            self._step()
        for fact, question in zip(self._facts, questions, strict=True):
            with copies.followed(question, self._stopped) as whole:
                for cell in cells:
                    self._look()
                    answer = reader.go_on(whole.pruned(*cell), whole.logits, needles.ANSWER)
                    told[cell]["after"] += fact.found_in(answer)
        for row in told.values():
            row["low"], row["high"] = needles.wilson(int(row["after"]), int(row["of"]))
            self._step()
        return told

    def _written(self, everything: Caches, caches: Caches) -> dict[str, float]:
        pairs = [[self._reader.rate(one, self._plan.written) for one in (everything, caches)] for _ in range(ROUNDS)]
        times = median(own / whole for whole, own in pairs)
        return {"rate": median(own for _, own in pairs), "times": times}

    def _likely(self, cells: Sequence[Cell]) -> dict[Cell, dict[str, float]]:
        ids = self._reader.tokenizer.encode(self._plain)
        copies = self._reader.read(ids[: len(ids) - self._plan.next], self._stopped)
        told = {}
        for cell in cells:
            caches = copies.pruned(*cell)
            told[cell] = {"perplexity": perplexity(self._reader, caches, ids[len(ids) - self._plan.next :])}
            self._step()
        return told

    def _said(self, cells: Sequence[Cell]) -> dict[Cell, dict[str, float]]:
        asked = ["Say the digits of the long sequence.", "Say the digits of the long sequence in reverse order."]
        head, questions = self._reader.asked(self._digits_text, asked)
        copies = self._reader.read(head, self._stopped)
        told: dict[Cell, dict[str, float]] = {cell: {} for cell in cells}
        ways = (("forward", self._digits), ("reverse", self._digits[::-1]))
        for (name, digits), question in zip(ways, questions, strict=True):
            with copies.followed(question, self._stopped) as whole:
                for cell in cells:
                    self._look()
                    answer = self._reader.go_on(whole.pruned(*cell), whole.logits, PREFACE + 3 * len(digits))
                    told[cell][name] = at_their_place(answer, digits)
        for _ in cells:
            self._step()
        return told

    def _read(self, cells: Sequence[Cell]) -> dict[Cell, dict[str, float | None]]:
        ids = self._reader.tokenizer.encode(self._plain)
        told: dict[Cell, dict[str, float | None]] = {}
        for policy, share in cells:
            wanted = share in (1.0, self._plan.reading)
            rate = self._reader.reading_rate(ids, policy, share, self._stopped) if wanted else None
            told[policy, share] = {"reads": rate}
            self._step()
        return told


def at_their_place(answer: str, digits: str) -> float:
    """Share of the digits that stand in the answer at their place among its digits."""
    said = "".join(letter for letter in answer if letter in "0123456789")
    return sum(a == b for a, b in zip(said, digits, strict=False)) / len(digits)


def perplexity(reader: Reader, caches: Caches, ids: Ids) -> float:
    """Of these tokens behind what the caches hold, the first of them given."""
    logits = reader.logits(caches, ids)
    wanted = torch.from_numpy(ids[1:].astype(np.int64)).to(logits.device)
    return math.exp(min(float(functional.cross_entropy(logits[:-1], wanted)), 50.0))
