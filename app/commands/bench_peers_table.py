"""What `longread bench peers` found, as lines for a terminal."""

from typing import Any

import msgspec
from msgspec import Struct

from app import words
from app.commands import sentences
from app.commands.bench_tables import columns


class Engine(Struct):
    """As `engine.bench_peers` reports it. `absent`: why it was not measured."""

    name: str
    about: dict[str, str] = {}
    flags: dict[str, Any] = {}
    absent: str = ""


class Speed(Struct):
    what: str
    length: int
    engine: str
    median: float | None
    least: float | None
    most: float | None
    failed: str = ""


class Asked(Struct):
    """As `engine.bench_peers_documents` reports it."""

    length: int
    engine: str
    way: str
    right: int
    of: int
    first: float | None
    later: float | None
    memory: int | None
    reopened: float | None
    stopped: float | None
    share: float | None
    read: int | None
    failed: str
    not_reopened: str
    flags: dict[str, Any]


class Peers(Struct):
    threads: int
    rounds: int
    limit: float
    seed: int
    engines: list[Engine]
    rows: list[Speed]
    documents: list[Asked]


def peers(report: str | bytes) -> str:
    told = msgspec.json.decode(report, type=Peers)
    lines = f"{told.threads} threads, {told.rounds} rounds, seed {told.seed}\n"
    lines += columns((one.name, one.absent or _listed(one.about | one.flags)) for one in told.engines)
    names = list(dict.fromkeys(row.engine for row in told.rows))
    if told.rows:
        places = list(dict.fromkeys((row.what, row.length) for row in told.rows))
        rates = {(row.what, row.length, row.engine): _rate(row) for row in told.rows}
        heads = [("tokens/s, median (least to most)", *names)]
        rows = [(_place(what, length), *(rates[what, length, name] for name in names)) for what, length in places]
        lines += "\n" + columns(heads + rows)
    if told.documents:
        heads = [("a text with three facts", "", "", "right", "first", "later", "memory", "re-opened")]
        lines += "\n" + columns(heads + [_asked(one) for one in told.documents])
        ways = {(one.engine, one.way): one.flags for one in told.documents}
        lines += columns((f"{name}, {way}", _listed(flags)) for (name, way), flags in ways.items() if flags)
    return lines


def _place(what: str, length: int) -> str:
    return f"read {length:,} tokens" if what == "read" else f"write at {length:,} tokens"


def _rate(row: Speed) -> str:
    if row.median is None or row.least is None or row.most is None:
        return row.failed
    return " ".join(
        (sentences.decimal(row.median), f"({sentences.decimal(row.least)} to {sentences.decimal(row.most)})")
    )


def _asked(one: Asked) -> tuple[str, ...]:
    about = (f"{one.length:,} tokens", one.engine, one.way)
    if one.failed:
        return *about, f"{one.right} of {one.of}", one.failed, "", "", ""
    first = _seconds(one.first)
    if one.stopped is not None and one.first is None:
        done = "" if one.share is None else f", {one.share:.0%} of it read"
        first = f"stopped after {one.stopped:,.0f} s{done}"
    memory = "" if one.memory is None else words.size(one.memory)
    return (
        *about,
        f"{one.right} of {one.of}",
        first,
        _seconds(one.later),
        memory,
        _seconds(one.reopened) or one.not_reopened,
    )


def _seconds(told: float | None) -> str:
    return "" if told is None else f"{sentences.decimal(told)} s"


def _listed(about: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in about.items() if value is not None)
