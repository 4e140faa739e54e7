"""Options that several commands take, and what they may say. Light: help and mistakes are answered from here."""

import argparse
from collections.abc import Callable
from typing import TypeAlias

PRECISIONS = ("auto", "fp32", "bf16", "int8", "int4")
DEVICES = ("auto", "cpu", "cuda")
MODES = ("auto", "whole", "parallel")
EXTENSIONS = ("none", "yarn", "ntk")
JOINS = ("auto", "shared", "consecutive", "reread")
KV = ("auto", "model", "int8")
SELECTIONS = ("none", "quest", "blocks")
POLICIES = ("none", "triattention", "h2o", "snapkv", "streaming", "blocks")
POLICY_MODES = ("auto", "per_head", "per_layer_per_head", "union", "mean", "max")
POLICY_PROMPTS = ("auto", "pieces", "end", "refuse")
KERNELS = ("auto", "native", "triton", "torch")
CHANGES = ("final", "original", "marked")

SMALLEST_WINDOW, SMALLEST_SEGMENT, SMALLEST_PART, FEWEST_ROWS = 512, 128, 32, 176
"""Tokens, as in `app.data.settings`."""


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Run: TypeAlias = Callable[[argparse.Namespace], int]


def add_listed(commands: Commands, name: str, run: Run, about: str, listing: str) -> Commands:
    """A command that lists where it is told nothing else; its actions, of which `list` is the first."""
    command = commands.add_parser(name, help=about)
    command.add_argument("--json", action="store_true", help="the list as JSON")
    command.set_defaults(run=run, action="list")
    actions = command.add_subparsers(title="actions", metavar="ACTION")
    again = actions.add_parser("list", help=listing)
    again.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
    again.set_defaults(action="list")
    return actions


def add_model(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("model", "instead of what the settings say")
    group.add_argument(
        "--model",
        metavar="M",
        help="a name of `longread models`, NAME/MODEL of `longread remote`, or the path of a folder or .gguf file",
    )
    group.add_argument("--precision", choices=PRECISIONS)
    group.add_argument("--window", type=at_least(SMALLEST_WINDOW), metavar="N", help="tokens")
    group.add_argument("--device", choices=DEVICES)
    group.add_argument("--threads", type=positive, metavar="N")
    group.add_argument(
        "--memory", dest="memory_share", type=fraction, metavar="SHARE", help="of the device's, that it may take: 0.5"
    )
    group.add_argument("--sparse-impl", dest="sparse_kernel", choices=KERNELS, help="what computes sparse layers")
    group.add_argument("--linear-impl", dest="linear_kernel", choices=KERNELS, help="what computes lightning layers")


def add_reading(parser: argparse.ArgumentParser) -> None:
    """How texts are read. Each option is named like the setting that it stands in for."""
    group = parser.add_argument_group("reading", "instead of what the settings say")
    add = group.add_argument
    add("--mode", dest="reading_mode", choices=MODES, help="auto: whole where the window holds it, else in segments")
    add("--extend", dest="extension", choices=EXTENSIONS, help="stretch the window instead; answers suffer")
    add("--segment", type=at_least(SMALLEST_SEGMENT), metavar="N", help="tokens of a segment, at most")
    add("--overlap", type=at_least(0), metavar="N", help="tokens that a segment repeats of the one before")
    add("--join", choices=JOINS, help="how the segments of an answer are put together")
    add("--segments", dest="keep", type=positive, metavar="N", help="segments that the answer is written over")
    add("--ask-only", dest="asked", type=positive, metavar="N", help="put the question to the N likeliest, not to all")
    add("--keep-rows", dest="kept_rows", type=share, metavar="PERCENT", help="of what was read, that an answer sees")
    add("--calibrate", action="store_const", const=True, help="drop what a question attends to abnormally much")
    add("--kv", choices=KV, help="how what was read is held in memory")
    add("--selection", choices=SELECTIONS, help="look at less of a long text: quest when writing, blocks when reading")
    add("--no-save", dest="save_readings", action="store_const", const=False, help="keep nothing of it on disk")


def add_policy(parser: argparse.ArgumentParser) -> None:
    """What of a text is kept. Each option is named like the setting that it stands in for."""
    group = parser.add_argument_group(
        "forgetting", "of a text that is read whole, keep some keys and values alone: less memory, faster writing"
    )
    add = group.add_argument
    add("--policy", choices=POLICIES, help="by what is forgotten: see the README")
    add("--keep", dest="policy_keep", type=fraction, metavar="SHARE", help="of the prompt that is kept: 0.3 or 30%%")
    add("--policy-rows", type=at_least(FEWEST_ROWS), metavar="N", help="tokens that are kept; 4,096 if none is said")
    add("--policy-mode", choices=POLICY_MODES, help="heads choose alike in all layers, alone, or all together")
    add(
        "--policy-score-window",
        type=positive,
        metavar="N",
        help="triattention: choose for queries up to so many tokens ahead; 65,536 if none is said",
    )
    add(
        "--policy-no-adaptive-weight",
        dest="policy_adaptive_weight",
        action="store_const",
        const=False,
        help="triattention: lengths of keys count whatever a head's queries are like",
    )
    add(
        "--policy-prompt",
        choices=POLICY_PROMPTS,
        help="a prompt longer than that: forget between its pieces, at its end, or refuse it",
    )


def add_documents(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("documents")
    group.add_argument(
        "--password", nargs="?", const="", metavar="WORDS", help="opens what is locked; asked for when not given here"
    )
    group.add_argument("--changes", choices=CHANGES, default="final", help="how tracked changes are read")
    group.add_argument("--no-ocr", dest="ocr", action="store_false", help="leave pictures of pages out")


def add_coverage(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("questions that need all of the text", "list every ..., how many ..., summarise")
    group.add_argument("--every-part", action="store_true", help="ask every part, and answer from what each gives")
    group.add_argument("--part", type=at_least(SMALLEST_PART), metavar="N", help="tokens of a part; implies the above")
    group.add_argument(
        "--part-question", metavar="Q", help="what each part is asked, instead of the question in the singular"
    )


def positive(text: str) -> int:
    return at_least(1)(text)


def at_least(least: int) -> Callable[[str], int]:
    """What makes a whole number of a word, from `least` up."""

    def number(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"must be {least} or more")
        return value

    return number


def temperature(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 2:
        raise argparse.ArgumentTypeError("must be from 0 to 2")
    return value


def share(text: str) -> float:
    """A percentage, with or without its sign, as a share of 1."""
    value = float(text.removesuffix("%"))
    if not 0 < value <= 100:
        raise argparse.ArgumentTypeError("must be above 0 and at most 100")
    return value / 100


def fraction(text: str) -> float:
    """A share of 1, or a percentage with its sign."""
    value = share(text) if text.endswith("%") else float(text)
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError("must be above 0 and at most 1, or a percentage with its sign")
    return value
