"""How many numbers planted in long texts are found: depths by texts by lengths, each text read once.

A needle is planted in a text that is in memory already, so that only the segments that it touches are read again, and
asked for. The hard form has eight more sentences of the same form in the text, with other names and numbers. A text
that fits the window is read whole, without segments: that is the control.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field

from msgspec.structs import replace

from engine import needles
from engine.bench_desk import Desk
from engine.model.decoder import Stopped, never
from engine.needles import Haystack, Needle, wilson
from engine.protocol import Done, ReadingSettings, Usage

DEPTHS = (0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95)
SEEDS = (1, 2, 3)
LENGTHS = (4096, 32768, 65536, 131072)
"""Tokens. The first is the control."""
DECOYS = 8
SHOWN = 100
"""Characters of an answer that a report holds."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Grid:
    """What is asked: every length with every seed, depth and form."""

    lengths: tuple[int, ...] = LENGTHS
    seeds: tuple[int, ...] = SEEDS
    depths: tuple[float, ...] = DEPTHS
    forms: tuple[bool, ...] = (False, True)
    """Whether hard."""
    reading: ReadingSettings = field(default_factory=ReadingSettings)

    def __len__(self) -> int:
        return len(self.lengths) * len(self.seeds) * len(self.depths) * len(self.forms)


@dataclass(frozen=True)
class Cell:
    """One question. `read`: tokens that were read for it, its own included. `rank`: how likely the needle's segment
    was found among all, 1 the first; None where there was one text."""

    length: int
    seed: int
    depth: float
    hard: bool
    mode: str
    found: bool
    rank: int | None
    kept: int
    read: int
    seconds: float
    first_token: float | None
    number: str
    answer: str


@dataclass(frozen=True)
class Summary:
    """One length in one form. `low`, `high`: the 95 % interval of the share found. `rate`: tokens a second of the
    texts' first reading; `read`, `seconds` and `first_token` are medians of a question."""

    length: int
    hard: bool
    mode: str
    found: int
    of: int
    low: float
    high: float
    rate: float
    read: float
    seconds: float
    first_token: float


def run(desk: Desk, grid: Grid, progress: Progress, stopped: Callable[[], bool] = never) -> dict[str, object]:
    """Ask it all, the shortest texts first. Raises RequestFailed and Stopped.

    The report: `rows` (`Summary`), `missed` (those of `Cell` that were not found), `cells`, and what they were asked
    of: `model`, `precision`, `reading`.
    """
    rows, cells = [], []
    for length in grid.lengths:
        rates: list[float] = []
        found: dict[bool, list[Cell]] = {hard: [] for hard in grid.forms}
        for seed in grid.seeds:
            for cell in _asked(desk, grid, length, seed, rates):
                found[cell.hard].append(cell)
                cells.append(cell)
                progress(len(cells), len(grid))
                if stopped():
                    raise Stopped
        rows += [_summary(mine, rates) for mine in found.values()]
    return {
        "model": desk.loaded.name,
        "precision": desk.loaded.precision,
        "rows": [asdict(row) for row in rows],
        "missed": [asdict(cell) for cell in cells if not cell.found],
        "cells": [asdict(cell) for cell in cells],
    }


def _asked(desk: Desk, grid: Grid, length: int, seed: int, rates: list[float]) -> Iterator[Cell]:
    reading = replace(grid.reading, save=False)
    text = needles.haystack(desk.count, length, seed)
    began = time.perf_counter()
    usage = _usage(desk.read([desk.document(text.text())], reading))
    rates.append(usage.read / (time.perf_counter() - began))
    for hard in grid.forms:
        planted, needle = _decoyed(desk, text, seed) if hard else (text, needles.needles(seed, 1)[0])
        # The deepest first: of a text read whole, what stands before the next place is in memory already
        for depth in sorted(grid.depths, reverse=True):
            yield _ask(desk, reading, planted, needle, length, seed, depth, hard)
    desk.forget()  # no text's memory is another's


def _decoyed(desk: Desk, text: Haystack, seed: int) -> tuple[Haystack, Needle]:
    needle, *decoys = needles.needles(seed, 1 + DECOYS)
    places = [(decoy, (number + 0.5) / DECOYS) for number, decoy in enumerate(decoys)]
    return text.with_planted(places, desk.count), needle


def _ask(
    desk: Desk,
    reading: ReadingSettings,
    text: Haystack,
    needle: Needle,
    length: int,
    seed: int,
    depth: float,
    hard: bool,
) -> Cell:
    planted = text.plant([(needle, depth)])
    began = time.perf_counter()
    done = desk.ask([desk.document(planted)], needle.question, reading, needles.ANSWER)
    seconds = time.perf_counter() - began
    usage, answer = _usage(done), done.result.text  # type: ignore[union-attr]
    return Cell(
        length=length,
        seed=seed,
        depth=depth,
        hard=hard,
        mode=usage.mode,
        found=needle.found_in(answer),
        rank=rank(usage, planted.index(needle.sentence)),
        kept=sum(segment.kept for segment in usage.segments),
        read=usage.read,
        seconds=seconds,
        first_token=usage.first_token,
        number=needle.number,
        answer=answer[:SHOWN],
    )


def rank(usage: Usage, at: int) -> int | None:
    """Of the segment with character `at` of the first document, 1 the likeliest; None when it was not asked."""
    scores = [segment.score for segment in usage.segments if segment.score is not None]
    for segment in usage.segments:
        if any(place.document == 0 and place.start <= at < place.end for place in segment.places):
            return None if segment.score is None else 1 + sum(score < segment.score for score in scores)
    return None


def _usage(done: Done) -> Usage:
    assert done.usage is not None
    return done.usage


def _summary(cells: list[Cell], rates: list[float]) -> Summary:
    found = sum(cell.found for cell in cells)
    low, high = wilson(found, len(cells))
    firsts = [cell.first_token for cell in cells if cell.first_token is not None]
    return Summary(
        length=cells[0].length,
        hard=cells[0].hard,
        mode=cells[0].mode,
        found=found,
        of=len(cells),
        low=low,
        high=high,
        rate=statistics.median(rates),
        read=statistics.median(cell.read for cell in cells),
        seconds=statistics.median(cell.seconds for cell in cells),
        first_token=statistics.median(firsts) if firsts else 0.0,
    )
