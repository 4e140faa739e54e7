"""The command line: everything that the window does, without it. Each command is loaded when it is called."""

import argparse
from collections.abc import Sequence
from pathlib import Path

PRECISIONS = ("auto", "fp32", "bf16", "int8")
DEVICES = ("auto", "cpu", "cuda")
SMALLEST_WINDOW = 512

ENDINGS = """\
Exit codes: 0; 2 for bad use; 1 for a failure, with one line on stderr that says which; 130 after Ctrl+C.
LONGREAD_HOME moves everything that is kept to another folder."""

ASK = """\
Reads every document in full, then answers. The answer goes to stdout while it is written; progress and what the
answer was written from go to stderr. If one document gives no text, nothing is asked. Neither the conversation nor
the documents' text is kept, unless --keep puts them into the library and the conversations of the window."""


def main(argv: Sequence[str]) -> int:
    """Run one command; its exit code."""
    try:
        arguments = _parser().parse_args(argv)
    except SystemExit as ended:  # argparse has written what is wrong, or the help
        return ended.code if isinstance(ended.code, int) else 2
    code: int = arguments.run(arguments)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="longread",
        description="Private chat over whole books, contracts and code, on this computer. No command: the window.",
        epilog=ENDINGS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    ask = commands.add_parser("ask", help="answer a question about documents", description=ASK)
    ask.add_argument("question", metavar="QUESTION", help="the question; - reads it from stdin")
    ask.add_argument(
        "--doc", metavar="PATH", type=Path, action="append", default=[], help="a file or folder; repeatable"
    )
    ask.add_argument("--json", action="store_true", help="answer, usage, ledger and documents as one JSON object")
    ask.add_argument("--keep", action="store_true", help="keep the conversation and the documents")
    ask.add_argument("--temperature", type=_temperature, metavar="T", help="0 (the same answer each time) to 2")
    ask.add_argument("--max-tokens", type=_positive, metavar="N", help="the longest answer")
    ask.add_argument("--seed", type=int, metavar="N", help="makes an answer at a temperature above 0 repeatable")
    _add_model(ask)
    ask.set_defaults(run=_ask)

    read = commands.add_parser("read", help="say what documents give: pages, tokens, warnings, what is left out")
    read.add_argument("paths", metavar="PATH", type=Path, nargs="+")
    read.add_argument("--json", action="store_true")
    _add_model(read)
    read.set_defaults(run=_read)

    models = commands.add_parser("models", help="list, fetch and add models")
    models.add_argument("--json", action="store_true", help="the list as JSON")
    models.set_defaults(run=_models, action="list")
    actions = models.add_subparsers(title="actions", metavar="ACTION")
    listing = actions.add_parser("list", help="those of the catalogue and those that were added")
    listing.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
    listing.set_defaults(action="list")
    fetch = actions.add_parser("fetch", help="download one of the catalogue; Ctrl+C keeps what came")
    fetch.add_argument("name", metavar="NAME")
    fetch.set_defaults(action="fetch")
    add = actions.add_parser("add", help="remember a folder with safetensors, or a .gguf file")
    add.add_argument("path", metavar="PATH")
    add.set_defaults(action="add")

    doctor = commands.add_parser("doctor", help="what this computer has, what was chosen, where things are kept")
    doctor.add_argument("--json", action="store_true")
    _add_model(doctor)
    doctor.set_defaults(run=_doctor)

    bench = commands.add_parser("bench", help="measure reading and writing on this computer")
    bench.add_argument("--json", action="store_true")
    bench.add_argument("--compare", action="store_true", help="beside transformers, in turns; takes minutes")
    _add_model(bench)
    bench.set_defaults(run=_bench)
    return parser


def _add_model(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("model", "instead of what the settings say")
    group.add_argument(
        "--model", metavar="M", help="a name of `longread models`, or the path of a folder or .gguf file"
    )
    group.add_argument("--precision", choices=PRECISIONS)
    group.add_argument("--window", type=_window, metavar="N", help="tokens")
    group.add_argument("--device", choices=DEVICES)
    group.add_argument("--threads", type=_positive, metavar="N")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def _window(text: str) -> int:
    value = int(text)
    if value < SMALLEST_WINDOW:
        raise argparse.ArgumentTypeError(f"must be {SMALLEST_WINDOW} or more")
    return value


def _temperature(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 2:
        raise argparse.ArgumentTypeError("must be from 0 to 2")
    return value


class _Version(argparse.Action):
    """Looked up when it is asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show the version and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(version("longread"))
        except PackageNotFoundError:
            print("not installed")
        parser.exit()


# Each command brings its own imports, so that help and mistakes are answered at once


def _ask(arguments: argparse.Namespace) -> int:
    from app.commands import ask

    return ask.main(arguments)


def _read(arguments: argparse.Namespace) -> int:
    from app.commands import read

    return read.main(arguments)


def _models(arguments: argparse.Namespace) -> int:
    from app.commands import models

    return models.main(arguments)


def _doctor(arguments: argparse.Namespace) -> int:
    from app.commands import doctor

    return doctor.main(arguments)


def _bench(arguments: argparse.Namespace) -> int:
    from app.commands import bench

    return bench.main(arguments)
