"""The options of `longread bench`: what is measured, and with which model."""

import argparse
from pathlib import Path
from typing import TypeAlias

from app.commands import arguments as options

SHORTEST = 4096
"""Tokens of a long text to measure with."""

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add(commands: Commands) -> None:
    """`longread bench [speed|joins|reading|eviction|attention|selection|compare]`; speed when none is named."""
    bench = commands.add_parser("bench", help="measure reading and writing on this computer")
    bench.set_defaults(run=_run, kind="speed", compare=False)
    _add_common(bench)
    _add_speed(bench)
    kinds = bench.add_subparsers(title="what is measured", metavar="WHAT")

    def kind(name: str, help: str) -> argparse.ArgumentParser:
        # What is not said here leaves what was said before the name as it is
        parser = kinds.add_parser(name, help=help, argument_default=argparse.SUPPRESS)
        parser.set_defaults(kind=name)
        _add_common(parser)
        return parser

    _add_speed(kind("speed", "reading and writing within the window; the one that is measured when none is named"))

    joins = kind("joins", "which cut and join of long texts suits the model, and keep to it; takes minutes")
    joins.add_argument("--quick", action="store_true", help="half the text, fewer ways, no check")

    reading = kind("reading", "a text far beyond the window: reading, asking, re-opening, memory; takes minutes")
    reading.add_argument("--length", type=options.at_least(SHORTEST), metavar="N", help="tokens of the text")
    reading.add_argument("--alone", action="store_true", help="without transformers beside it")
    reading.add_argument("--kv", choices=options.KV, help="how what was read is held in memory")
    reading.add_argument(
        "--needles", action="store_true", help="plant numbers all over texts up to that length instead; half an hour"
    )

    eviction = kind("eviction", "what policies lose of a text when they keep half to a tenth of it; takes half an hour")
    eviction.add_argument("--length", type=options.at_least(SHORTEST), metavar="N", help="tokens; 4,096 and 7,168")
    eviction.add_argument(
        "--premise", action="store_true", help="what triattention rests on with this model instead; takes a minute"
    )

    attention = kind("attention", "layers of a hybrid model beside dense ones, in turns; takes a quarter of an hour")
    attention.add_argument(
        "--length", type=options.at_least(SHORTEST), metavar="N", help="tokens of the longest text; 131,072"
    )
    attention.add_argument("--alone", action="store_true", help="without the dense layers, which take the longest")

    selection = kind("selection", "writing and reading over a selection of rows beside all; takes minutes")
    selection.add_argument(
        "--length", type=options.at_least(SHORTEST), metavar="N", help="tokens that a layer reads; 32,768"
    )

    _add_compare(kind("compare", "two reports that --json wrote, number by number"))


def _add_compare(compare: argparse.ArgumentParser) -> None:
    compare.add_argument("first", metavar="A", type=Path, help="what `longread bench … --json` wrote")
    compare.add_argument("second", metavar="B", type=Path, help="the same of another day, machine or setting")
    compare.set_defaults(run=_compare)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true")
    options.add_model(parser)


def _add_speed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--compare", action="store_true", help="beside transformers, in turns; takes minutes")


def _compare(arguments: argparse.Namespace) -> int:
    from app.commands import bench_compare

    return bench_compare.main(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from app.commands import bench  # only now, so that help and mistakes are answered at once

    return bench.main(arguments)
