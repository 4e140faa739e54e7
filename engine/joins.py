"""The job `joins`: how a model's texts should be cut into segments, and how many of them joined, and how.

A text with a few facts of one form, so that each is a decoy for the others, is read in segments of several lengths.
Every fact is asked for with every join over several numbers of segments. What finds most is taken; of several such the
one that joins about as many segments as is usual for models of its size, so that a few easy facts make no small model
mix up several; of those the fastest.
"""

import json
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import msgspec

from engine import needles
from engine.bench_desk import Desk, data_folder, model_settings, temporary
from engine.bench_needles import rank
from engine.model.decoder import Stopped
from engine.needles import Needle
from engine.protocol import Answered, Calibration, Document, Join, ReadingSettings, Usage
from engine.reading import calibration

JOINS: tuple[Join, ...] = ("shared", "consecutive", "reread")
ANSWER = 24
"""Tokens of an answer: a number and some words."""
SEED = 1
ENOUGH = 0.5
"""Share of the facts that must be found for a calibration to be kept."""
NEAR = 1 / 3
"""Of the distance between the right segment and the next: who is so near to the first is joined as well."""
SMALLEST_GAP = 0.05

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Measure:
    """`tokens` of the text, `segments`: lengths in tokens, `keeps`: numbers joined. `check`: ask again with what was
    chosen."""

    tokens: int = 24_000
    facts: int = 5
    segments: tuple[int, ...] = (1000, 2000, 4000)
    keeps: tuple[int, ...] = (1, 2, 3, 5)
    check: bool = True

    def __len__(self) -> int:
        """Questions and readings, at most."""
        ways = sum(1 if keep == 1 else len(JOINS) for keep in self.keeps)
        return len(self.segments) * (1 + ways * self.facts) + self.check * (1 + self.facts)


QUICK = Measure(tokens=12_000, segments=(1000, 2000), keeps=(1, 3), check=False)


@dataclass(frozen=True)
class Cut:
    """Segments of one length. `first`: facts whose segment was the likeliest of all. `behind`: nats that one was behind
    the first, at most; `ahead`: median of nats that right ones were ahead of the next. `rate`: tokens read a second."""

    segment: int
    segments: int
    rate: float
    first: int
    of: int
    behind: float
    ahead: float


@dataclass(frozen=True)
class Row:
    """`kept`: segments joined, in the mean. `seconds`: median of a question, with its answer."""

    segment: int
    join: Join
    keep: int
    kept: float
    found: int
    of: int
    seconds: float


def work(options: dict[str, str], progress: Progress, stopped: Callable[[], bool]) -> str:
    """Measure and keep the choice. Options: `model` (a path, needed), `precision`, `threads`, `quick` ("yes"), `data`
    (the data folder). The report as JSON: see `run`, and `saved`. Raises RequestFailed, Stopped and OSError."""
    data = data_folder(options)
    with temporary(data) as folder:
        desk = Desk(folder, model_settings(options), stopped)
        report = run(desk, QUICK if options.get("quick") == "yes" else Measure(), progress, stopped)
    chosen = report["chosen"]
    if chosen is not None:
        calibration.save(data, desk.loaded.fingerprint, msgspec.convert(chosen, Calibration))
    return json.dumps(report | {"saved": chosen is not None})


def run(desk: Desk, measure: Measure, progress: Progress, stopped: Callable[[], bool]) -> dict[str, object]:
    """`model`, `precision`, `tokens`, `cuts` (`Cut`), `rows` (`Row`), `chosen` (a Calibration, or None where too little
    was found) and `checked`: how much is found with it (`Row`, or None). Raises RequestFailed and Stopped."""
    bench = _Bench(desk, measure, progress, stopped)
    cuts, rows = [], []
    for segment in measure.segments:
        cut, found = bench.measure(segment)
        cuts.append(cut)
        rows += found
    chosen = choose(rows, cuts, desk.loaded.calibration)
    checked = bench.check(chosen) if chosen is not None and measure.check else None
    progress(len(measure), len(measure))
    return {
        "model": desk.loaded.name,
        "precision": desk.loaded.precision,
        "tokens": measure.tokens,
        "cuts": [asdict(cut) for cut in cuts],
        "rows": [asdict(row) for row in rows],
        "chosen": None if chosen is None else msgspec.to_builtins(chosen),
        "checked": None if checked is None else asdict(checked),
    }


def choose(rows: Sequence[Row], cuts: Sequence[Cut], before: Calibration | None) -> Calibration | None:
    """The best of what was measured; `before` gives what was not. None: too little was found to choose by."""
    best = max(row.found for row in rows)
    if best < ENOUGH * rows[0].of:
        return None
    rates = {cut.segment: cut for cut in cuts}
    good = [row for row in rows if row.found == best]
    usual = before.keep if before is not None else 1
    row = min(good, key=lambda row: (abs(row.keep - usual), row.seconds, -rates[row.segment].rate))
    cut = rates[row.segment]
    gap = max(SMALLEST_GAP, cut.behind, NEAR * cut.ahead)
    return Calibration(
        segment=row.segment,
        overlap=before.overlap if before is not None else 0,
        join=row.join,
        keep=row.keep,
        gap=round(gap, 3),
        part=before.part if before is not None else row.segment,
        measured=True,
    )


class _Bench:
    def __init__(self, desk: Desk, measure: Measure, progress: Progress, stopped: Callable[[], bool]) -> None:
        self._desk, self._measure = desk, measure
        self._progress, self._stopped = progress, stopped
        self._done = 0
        text = needles.haystack(desk.count, measure.tokens, SEED)
        self._facts = needles.needles(SEED, measure.facts)
        places = [(fact, (number + 0.5) / measure.facts) for number, fact in enumerate(self._facts)]
        self._text = text.plant(places)
        self._book: Document = desk.document(self._text)

    def measure(self, segment: int) -> tuple[Cut, list[Row]]:
        """Read in segments of this length, and ask. Numbers of them that the window has no room for are left out."""
        reading = ReadingSettings(mode="parallel", segment=segment, save=False)
        rate = self._read(reading)
        rows: list[Row] = []
        usages: list[Usage] = []
        for keep in self._measure.keeps:
            some: list[Row] = []
            for join in JOINS if keep > 1 else JOINS[:1]:
                row, asked = self._ask(msgspec.structs.replace(reading, join=join, keep=keep), segment, join, keep)
                usages = usages or asked
                some.append(row)
                if row.kept < keep - 0.5:
                    break
            if some[-1].kept < keep - 0.5:
                break
            rows += some
        return self._cut(segment, rate, usages), rows

    def check(self, chosen: Calibration) -> Row:
        """With the model loaded anew, so that it takes the calibration as it does for everybody."""
        calibration.save(self._desk.data, self._desk.loaded.fingerprint, chosen)
        self._desk.load()
        reading = ReadingSettings(mode="parallel", save=False)
        self._read(reading)
        return self._ask(reading, chosen.segment, chosen.join, chosen.keep)[0]

    def _read(self, reading: ReadingSettings) -> float:
        began = time.perf_counter()
        usage = self._desk.read([self._book], reading).usage
        assert usage is not None
        self._step()
        return usage.read / (time.perf_counter() - began)

    def _ask(self, reading: ReadingSettings, segment: int, join: Join, keep: int) -> tuple[Row, list[Usage]]:
        seconds, usages, found = [], [], 0
        for fact in self._facts:
            began = time.perf_counter()
            done = self._desk.ask([self._book], fact.question, reading, ANSWER)
            seconds.append(time.perf_counter() - began)
            assert done.usage is not None
            assert isinstance(done.result, Answered)
            usages.append(done.usage)
            found += fact.found_in(done.result.text)
            self._step()
        kept = statistics.mean(sum(part.kept for part in usage.segments) for usage in usages)
        return Row(segment, join, keep, kept, found, len(self._facts), statistics.median(seconds)), usages

    def _cut(self, segment: int, rate: float, usages: list[Usage]) -> Cut:
        margins = [self._margin(usage, fact) for usage, fact in zip(usages, self._facts, strict=True)]
        ranks = [rank(usage, self._text.index(fact.sentence)) for usage, fact in zip(usages, self._facts, strict=True)]
        return Cut(
            segment=segment,
            segments=len(usages[0].segments),
            rate=rate,
            first=sum(rank == 1 for rank in ranks),
            of=len(self._facts),
            behind=max(0.0, *(-margin for margin in margins)),
            ahead=statistics.median([margin for margin in margins if margin > 0] or [0.0]),
        )

    def _margin(self, usage: Usage, fact: Needle) -> float:
        """Nats from the fact's segment to the best other one: below 0 when that is likelier."""
        at = self._text.index(fact.sentence)
        own, others = [], []
        for segment in usage.segments:
            if segment.score is not None:
                here = any(place.start <= at < place.end for place in segment.places)
                (own if here else others).append(segment.score)
        return min(others) - own[0] if own and others else 0.0

    def _step(self) -> None:
        self._done += 1
        self._progress(min(self._done, len(self._measure) - 1), len(self._measure))
        if self._stopped():
            raise Stopped
