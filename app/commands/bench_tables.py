"""What a measurement found, as lines for a terminal. Each takes the `results` of the engine's report, as JSON."""

from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec import Struct

from app import words
from app.commands import sentences
from engine.protocol import Calibration


class Row(Struct):
    """As `engine.bench` reports it; without a comparison `theirs` and `ratio` may be None."""

    name: str
    unit: str
    ours: float
    theirs: float | None
    ratio: float | None


class Speed(Struct):
    model: str
    precision: str
    writing: str
    device: str
    threads: int
    rows: list[Row]


class Taken(Struct):
    what: str
    anonymous: int | None
    mapped: int | None
    resident: int


class Sampled(Struct):
    read: int
    of: int
    tokens: int


class Reading(Speed):
    """As `engine.bench_reading` reports it."""

    memory: list[Taken]
    found: int
    asked: int
    sampled: Sampled | None


class Cut(Struct):
    segment: int
    segments: int
    rate: float
    first: int
    of: int
    ahead: float


class Way(Struct):
    segment: int
    join: str
    keep: int
    kept: float
    found: int
    of: int
    seconds: float


class Joins(Struct):
    """As `engine.joins` reports it."""

    model: str
    precision: str
    tokens: int
    cuts: list[Cut]
    rows: list[Way]
    chosen: Calibration | None
    checked: Way | None


class Cells(Struct):
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


class Needles(Struct):
    """As `engine.bench_needles` reports it."""

    model: str
    precision: str
    rows: list[Cells]


class Kept(Struct):
    policy: str
    share: float
    length: int
    rows: int
    after: int
    before: int
    of: int
    perplexity: float
    forward: float
    reverse: float
    rate: float
    times: float
    bytes: int
    reads: float | None = None


class Eviction(Struct):
    """As `engine.bench_eviction` reports it."""

    model: str
    precision: str
    rows: list[Kept]


class Summary(Struct):
    mean: float
    median: float
    least: float
    above: float
    share: float


class Layer(Struct):
    layer: int
    distance: float
    keys: float


class Premise(Struct):
    """As `engine.bench_eviction` reports it."""

    model: str
    precision: str
    calibrated: int
    length: int
    farthest: int
    summary: dict[str, Summary]
    layers: list[Layer]
    heads: list[dict[str, float]]


class Growth(Struct):
    first: int
    last: int
    measured: float
    counted: float


class Attention(Struct):
    """As `engine.bench_attention` reports it."""

    device: str
    threads: int
    rows: list[Row]
    growth: Growth | None


class SelectedReading(Struct):
    density: float
    error: float
    choosing: float


class Judged(Struct):
    kind: str
    tokens: int
    perplexity: float
    dense: float
    density: list[float | None]


class Selected(Struct):
    """As `engine.bench_selection` reports it."""

    model: str
    precision: str
    device: str
    threads: int
    rows: list[Row]
    reading: SelectedReading
    judged: list[Judged]


def speed(report: str | bytes) -> str:
    return _speed(msgspec.json.decode(report, type=Speed))


def _speed(told: Speed) -> str:
    about = f"{told.model}, {told.precision}, {told.writing}, {told.device}, {told.threads} threads\n"
    return about + columns((row.name, _said(row)) for row in told.rows)


def _said(row: Row) -> str:
    told = [f"{sentences.decimal(row.ours)} {row.unit}"]
    if row.theirs is not None:
        told.append(f"beside {sentences.decimal(row.theirs)}")
    if row.ratio is not None:
        told.append(f"{sentences.decimal(row.ratio)} times")
    return ", ".join(told)


def reading(report: str | bytes) -> str:
    told = msgspec.json.decode(report, type=Reading)
    lines = _speed(told) + columns((f"memory, {one.what}", _memory(one)) for one in told.memory)
    lines += f"  {told.found} of {told.asked} planted numbers found\n"
    if told.sampled is not None:
        some = told.sampled
        lines += (
            f"  transformers read {some.read} of {some.of} segments of {some.tokens:,} tokens a turn; its time of a "
            f"question is that of {some.read} segments times {some.of / some.read:.1f}\n"
        )
    return lines


def _memory(taken: Taken) -> str:
    if taken.anonymous is None or taken.mapped is None:
        return f"{words.size(taken.resident)} at most"
    return f"{words.size(taken.anonymous)} of its own at most, {words.size(taken.mapped)} of files mapped"


def joins(report: str | bytes) -> str:
    told = msgspec.json.decode(report, type=Joins)
    lines = f"{told.model}, {told.precision}, {told.tokens:,} tokens\n"
    lines += columns(
        (
            f"segments of {cut.segment:,}",
            f"{cut.segments}, read at {sentences.rate(cut.rate)}",
            f"the right one first {cut.first} of {cut.of}, ahead by {cut.ahead:.2f} nats",
        )
        for cut in told.cuts
    )
    lines += columns(
        (
            f"segments of {row.segment:,}",
            "alone" if row.keep == 1 else f"{row.keep} joined, {row.join}",
            f"{row.found} of {row.of} found, {sentences.seconds(row.seconds)}",
        )
        for row in told.rows
    )
    if told.chosen is None:
        return lines + "  Too little was found to choose by: nothing is changed.\n"
    chosen = told.chosen
    lines += f"  chosen: segments of {chosen.segment:,}, up to {chosen.keep} joined, {chosen.join}, "
    lines += f"no more than {chosen.gap:.2f} nats behind the first\n"
    if told.checked is not None:
        lines += f"  with it: {told.checked.found} of {told.checked.of} found, {told.checked.kept:.1f} joined\n"
    return lines


def needles(report: str | bytes) -> str:
    told = msgspec.json.decode(report, type=Needles)
    lines = f"{told.model}, {told.precision}\n"
    return lines + columns(
        (
            f"{row.length:,} tokens",
            row.mode,
            "hard" if row.hard else "plain",
            f"{row.found} of {row.of} found ({row.low:.0%} to {row.high:.0%})",
            f"{row.read:,.0f} tokens and {sentences.seconds(row.seconds)} a question",
        )
        for row in told.rows
    )


def columns(rows: Iterable[Sequence[str]]) -> str:
    """One under the other, all but the last as wide as the widest."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)][:-1]
    lines = []
    for row in table:
        cells = [f"{cell:{width}}" for cell, width in zip(row, widths, strict=False)]
        lines.append(("  " + "  ".join([*cells, row[-1]])).rstrip() + "\n")
    return "".join(lines)


def attention(report: str | bytes) -> str:
    told = msgspec.json.decode(report, type=Attention)
    lines = f"{told.device}, {told.threads} threads\n" + columns((row.name, _said(row)) for row in told.rows)
    if told.growth is not None:
        grown = told.growth
        lines += (
            f"  from {grown.first:,} to {grown.last:,} tokens time grows by the power {grown.measured:.2f} of the "
            f"length, the operations counted by {grown.counted:.2f}\n"
        )
    return lines


def selection(report: str | bytes) -> str:
    told = msgspec.json.decode(report, type=Selected)
    lines = f"{told.model}, {told.precision}, {told.device}, {told.threads} threads\n"
    lines += columns((row.name, _said(row)) for row in told.rows)
    read = told.reading
    lines += (
        f"  read: {read.density:.0%} of all blocks looked at, which takes {read.choosing:.0%} of its time to choose; "
        f"what comes out differs by {read.error:.1%}\n"
    )
    for one in told.judged:
        lines += f"  {one.kind}, {one.tokens:,} tokens: perplexity {one.perplexity:.3f}, densely {one.dense:.3f}\n"
        shares = " ".join("all" if share is None else f"{share:.0%}" for share in one.density)
        lines += f"    looked at, layer by layer: {shares}\n"
    return lines


def _rates(row: Kept) -> str:
    said = f"writes {sentences.rate(row.rate)}, {row.times:.2f} times"
    return said if row.reads is None else f"{said}, reads {sentences.rate(row.reads)}"


def eviction(report: str | bytes) -> str:
    told = msgspec.json.decode(report, type=Eviction)
    lines = f"{told.model}, {told.precision}\n"
    lines += columns(
        (
            f"{row.length:,} tokens",
            "everything" if row.share == 1 else row.policy,
            f"{row.share:.0%} kept",
            f"{row.after} of {row.of} found, {row.before} with the text pruned before the question",
            f"perplexity {sentences.decimal(row.perplexity)}",
            f"digits {row.forward:.0%}, in reverse {row.reverse:.0%}",
            words.size(row.bytes),
            _rates(row),
        )
        for row in told.rows
    )
    return lines


PREMISES = {
    "concentration": "R, all bands by their weight",
    "strongest": "R of the strongest band",
    "distance": "mean logit by distance and the series",
    "nearness": "mean logit by distance and nearness alone",
    "keys": "single queries' logits and the series",
    "far": "the same of keys that may be forgotten",
    "far_nearness": "of these and nearness alone",
}
WORST = 5
"""Layers that are named."""


def premise(report: str | bytes) -> str:
    told = msgspec.json.decode(report, type=Premise)
    lines = (
        f"{told.model}, {told.precision}; {len(told.heads)} query heads, known from {told.calibrated:,} tokens, looked "
        f"at in {told.length:,} others at distances of 1 to {told.farthest:,}\n"
    )
    lines += columns(
        (
            PREMISES[name],
            f"mean {one.mean:.3f}",
            f"median {one.median:.3f}",
            f"least {one.least:.3f}",
            f"{round(one.share * len(told.heads))} above {one.above}",
        )
        for name, one in told.summary.items()
    )
    worst = sorted(told.layers, key=lambda layer: layer.distance)[:WORST]
    named = ", ".join(f"{layer.layer} ({layer.distance:.2f} and {layer.keys:.2f})" for layer in worst)
    return lines + f"  layers told worst, by mean and single logits: {named}\n"


TABLES: dict[str, Callable[[bytes], str]] = {
    "speed": speed,
    "joins": joins,
    "reading": reading,
    "attention": attention,
    "selection": selection,
    "eviction": eviction,
    "needles": needles,
    "premise": premise,
}
