"""The options of `longread bench`: what is measured, and with which model."""

import argparse
from pathlib import Path
from typing import TypeAlias

from app.commands import arguments as options

SHORTEST = 4096
"""Tokens of a long text to measure with."""

PEERS = ("llama-cpp", "transformers")
LEAST = 128
"""Tokens of a text to read."""

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add(commands: Commands) -> None:
    """`longread bench [speed|joins|reading|eviction|attention|selection|peers|compare]`; speed when none is named."""
    bench = commands.add_parser("bench", help="measure reading and writing on this computer")
    bench.set_defaults(run=_run, kind="speed", compare=False)
    # Without a place to write to: what follows it may be the name of what is measured
    bench.add_argument("--json", action="store_true", help="write the report to the terminal")
    options.add_model(bench)
    _add_speed(bench)
    kinds = bench.add_subparsers(title="what is measured", metavar="WHAT")

    def kind(name: str, help: str, *, measures: bool = True) -> argparse.ArgumentParser:
        # What is not said here leaves what was said before the name as it is
        parser = kinds.add_parser(name, help=help, argument_default=argparse.SUPPRESS)
        parser.set_defaults(kind=name)
        if measures:
            parser.add_argument(
                "--json", nargs="?", const=True, metavar="OUT", help="the report, to a file or to the terminal"
            )
        else:
            parser.add_argument("--json", action="store_true")
        options.add_model(parser)
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

    _add_peers(kind("peers", "other programs with the same model file beside this one; takes half an hour"))
    _add_compare(kind("compare", "two reports that --json wrote, number by number", measures=False))


def _add_compare(compare: argparse.ArgumentParser) -> None:
    compare.add_argument("first", metavar="A", type=Path, help="what `longread bench … --json` wrote")
    compare.add_argument("second", metavar="B", type=Path, help="the same of another day, machine or setting")
    compare.set_defaults(run=_compare)


def _add_peers(peers: argparse.ArgumentParser) -> None:
    add = peers.add_argument
    add("--with", dest="peers", metavar="NAMES", type=_peers, help=f"of {','.join(PEERS)}; all, where they are found")
    add(
        "--python",
        action="append",
        type=Path,
        metavar="PATH",
        help="a Python that has them; may be said again, and this program's own is looked at last",
    )
    add("--quick", action="store_true", help="one round of two lengths, and no long text")
    add("--lengths", type=_numbers, metavar="N,N", help="tokens to read and to write after; 512,2048,4096,8192; none")
    add("--documents", type=_numbers, metavar="N,N", help="tokens of long texts to ask about; 32768,131072; none")
    add("--limit", type=options.positive, metavar="SECONDS", help="after which another program's step is ended; 600")
    add("--seed", type=int, metavar="N", help="of the texts and of what is planted; a new one each time")


def _peers(said: str) -> str:
    unknown = [name for name in said.split(",") if name not in PEERS]
    if unknown:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)} is not known; known are {', '.join(PEERS)}")
    return said


def _numbers(said: str) -> str:
    if said != "none":
        try:
            short = [number for number in said.split(",") if int(number) < LEAST]
        except ValueError:
            raise argparse.ArgumentTypeError(f"{said} is not numbers with commas between them, or none") from None
        if short:
            raise argparse.ArgumentTypeError(f"{short[0]} is too short to measure with: {LEAST} or more")
    return said


def _add_speed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--compare", action="store_true", help="beside transformers, in turns; takes minutes")


def _compare(arguments: argparse.Namespace) -> int:
    from app.commands import bench_compare

    return bench_compare.main(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from app.commands import bench  # only now, so that help and mistakes are answered at once

    return bench.main(arguments)
