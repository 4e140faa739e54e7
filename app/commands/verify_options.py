"""The options of `longread verify`: what is proven, how long it may take, and where it is written."""

import argparse
from pathlib import Path
from typing import TypeAlias, get_args

from app.commands import arguments as options
from engine.verify_names import TestName, Tier

SHORTEST = 1500
"""Tokens."""
TIERS: tuple[Tier, ...] = get_args(Tier)
TESTS: tuple[TestName, ...] = get_args(TestName)

ABOUT = """\
Asks questions whose answers are known, about long texts and short ones, and says what holds: numbers planted at every
depth, canaries that tell which part was cut, digits said in reverse, values that change, conversations that must not
mix, memory that must come back, times that must grow as the model's arithmetic says. What is planted is new each time;
--seed asks the same again. Exit code 1 when anything failed or a method that is on did nothing."""

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "verify", help="prove on this computer that the long window is real", description=ABOUT
    )
    parser.add_argument(
        "--tier", choices=TIERS, default="quick", help="minutes at 4K, half an hour at 32K, hours at 128K"
    )
    parser.add_argument(
        "--doc", metavar="PATH", type=Path, action="append", default=[], help="plant facts in a copy of it; repeatable"
    )
    parser.add_argument("--length", type=options.at_least(SHORTEST), metavar="N", help="tokens of the longest text")
    parser.add_argument("--only", metavar="TEST", choices=TESTS, action="append", help=f"one of: {', '.join(TESTS)}")
    parser.add_argument("--seed", metavar="S", default="", help="of an earlier run: asks the same again")
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the certificate as JSON, for --check")
    parser.add_argument("--to", metavar="FILE", type=Path, help="write it for people: a name that ends in .md or .pdf")
    parser.add_argument("--check", metavar="FILE", type=Path, help="replay a sample of a certificate (JSON) instead")
    options.add_documents(parser)
    options.add_reading(parser)
    options.add_policy(parser)
    options.add_model(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from app.commands import verify  # only now, so that help and mistakes are answered at once

    return verify.main(arguments)
