"""The command line: everything that the window does, without it. Each command is loaded when it is called."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from app.commands import arguments as options
from app.commands import (
    bench_options,
    keys_options,
    library_options,
    remote_options,
    runtime_options,
    serve_options,
    verify_options,
)

ENDINGS = """\
Exit codes: 0; 2 for bad use; 1 for a failure, with one line on stderr that says which; 130 after Ctrl+C.
LONGREAD_HOME moves everything that is kept to another folder."""

ASK = """\
Reads every document in full, then answers. The answer goes to stdout while it is written; progress and what the
answer was written from go to stderr. So does each quote and each fact of the answer, with its page: ✓ stands in a
document letter for letter, ≈ nearly the same does, ✗ is not found. If one document gives no text, nothing is asked.
Neither the conversation nor the documents' text is kept, unless --into-library puts them into the library and the
conversations of the window. What the model made of the text is kept on disk, so that the next question reads nothing
(see `longread readings`), unless --no-save forbids it."""

EXPORT = """\
Writes questions, answers, their checked quotes as notes, the documents' digests, the model and the settings, and beside
the file a JSON twin by which `longread verify-export` checks it."""

WHICH = "last (the default), the beginning of its id, or words of its title"


def main(argv: Sequence[str]) -> int:
    """Run one command; its exit code."""
    if argv[:1] == ["--self-test"]:
        from app.commands import self_test

        return self_test.main(argv[1:])
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
    parser.add_argument("--self-test", action="store_true", help="see whether all of it works here")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    _add_ask(commands)

    read = commands.add_parser("read", help="say what documents give: pages, tokens, warnings, what is left out")
    read.add_argument("paths", metavar="PATH", type=Path, nargs="+")
    read.add_argument("--json", action="store_true")
    options.add_documents(read)
    read.add_argument("--into-library", dest="kept", action="store_true", help="put them into the library")
    options.add_model(read)
    read.set_defaults(run=_read)

    library_options.add(commands, _library)
    _add_models(commands)
    remote_options.add(commands, _remote)
    _add_readings(commands)
    _add_export(commands)
    serve_options.add(commands, _serve)
    keys_options.add(commands, _keys)

    doctor = commands.add_parser("doctor", help="what this computer has, what was chosen, where things are kept")
    doctor.add_argument("--json", action="store_true")
    options.add_policy(doctor)
    options.add_model(doctor)
    doctor.set_defaults(run=_doctor)

    runtime_options.add(commands, _runtime)
    bench_options.add(commands)
    verify_options.add(commands)
    return parser


def _add_ask(commands: options.Commands) -> None:
    ask = commands.add_parser("ask", help="answer a question about documents", description=ASK)
    ask.add_argument("question", metavar="QUESTION", help="the question; - reads it from stdin")
    ask.add_argument(
        "--doc", metavar="PATH", type=Path, action="append", default=[], help="a file or folder; repeatable"
    )
    ask.add_argument("--matter", metavar="NAME", action="append", default=[], help="all documents of one; repeatable")
    ask.add_argument(
        "--json",
        action="store_true",
        help="answer, usage, ledger, quotes, evidence, findings and documents as one object",
    )
    ask.add_argument(
        "--evidence", action="store_true", help="say under the answer which passages its attention read most"
    )
    ask.add_argument("--into-library", dest="kept", action="store_true", help="keep the conversation and the documents")
    ask.add_argument("--temperature", type=options.temperature, metavar="T", help="0 (the same answer each time) to 2")
    ask.add_argument("--max-tokens", type=options.positive, metavar="N", help="the longest answer")
    ask.add_argument("--seed", type=int, metavar="N", help="makes an answer at a temperature above 0 repeatable")
    options.add_documents(ask)
    options.add_coverage(ask)
    options.add_reading(ask)
    options.add_policy(ask)
    options.add_model(ask)
    ask.set_defaults(run=_ask)


def _add_models(commands: options.Commands) -> None:
    listing = "those of the catalogue and those that were added"
    actions = options.add_listed(commands, "models", _models, "list, fetch and add models", listing)
    fetch = actions.add_parser("fetch", help="download one of the catalogue; Ctrl+C keeps what came")
    fetch.add_argument("name", metavar="NAME")
    fetch.set_defaults(action="fetch")
    add = actions.add_parser("add", help="remember a folder with safetensors, or a .gguf file")
    add.add_argument("path", metavar="PATH")
    add.set_defaults(action="add")
    quantize = actions.add_parser("quantize", help="make a copy of a model with weights of 4 or 8 bits")
    quantize.add_argument("name", metavar="MODEL", help="a name of the list, or the path of a folder or .gguf file")
    quantize.add_argument("--bits", type=int, choices=(4, 8), default=4)
    quantize.add_argument(
        "--method", choices=("gptq", "rtn"), default="gptq", help="by what a text makes of it, or to the nearest"
    )
    quantize.add_argument("--calibrate", type=Path, metavar="FILE", help="that text; else one of this computer's own")
    quantize.add_argument("--out", type=Path, metavar="FOLDER", help="a new folder; else beside the fetched models")
    quantize.set_defaults(action="quantize")


def _add_readings(commands: options.Commands) -> None:
    about = "list and forget what is kept on disk of texts that were read"
    actions = options.add_listed(commands, "readings", _readings, about, "all of them, the one used last first")
    forget = actions.add_parser("forget", help="delete them for good; the text is read again when it is asked about")
    forget.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
    which = forget.add_mutually_exclusive_group(required=True)
    which.add_argument("name", metavar="NAME", nargs="?", help="a document's name, or the beginning of its sha256")
    which.add_argument("--all", action="store_true", help="of all documents, by every model")
    forget.set_defaults(action="forget")


def _add_export(commands: options.Commands) -> None:
    export = commands.add_parser(
        "export", help="write a kept conversation as Markdown, PDF or Word", description=EXPORT
    )
    export.add_argument("conversation", metavar="CONVERSATION", nargs="?", default="last", help=WHICH)
    export.add_argument("--to", metavar="FILE", type=Path, help="a name that ends in .md, .pdf or .docx")
    export.add_argument("--answer", metavar="N", type=options.positive, help="that answer alone, counted from 1")
    export.add_argument("--force", action="store_true", help="replace what stands there")
    export.add_argument("--list", action="store_true", help="the conversations that are kept")
    export.set_defaults(run=_export)

    verify = commands.add_parser("verify-export", help="check an exported file against the documents")
    verify.add_argument("file", metavar="FILE", type=Path, help="the exported file, or its JSON twin")
    verify.add_argument(
        "--doc", metavar="PATH", type=Path, action="append", default=[], help="an original to read it anew; repeatable"
    )
    verify.add_argument("--json", action="store_true")
    verify.set_defaults(run=_verify_export)


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


def _library(arguments: argparse.Namespace) -> int:
    from app.commands import library

    return library.main(arguments)


def _models(arguments: argparse.Namespace) -> int:
    from app.commands import models

    return models.main(arguments)


def _remote(arguments: argparse.Namespace) -> int:
    from app.commands import remote

    return remote.main(arguments)


def _readings(arguments: argparse.Namespace) -> int:
    from app.commands import readings

    return readings.main(arguments)


def _serve(arguments: argparse.Namespace) -> int:
    from app.commands import serve

    return serve.main(arguments)


def _keys(arguments: argparse.Namespace) -> int:
    from app.commands import keys

    return keys.main(arguments)


def _export(arguments: argparse.Namespace) -> int:
    from app.commands import export

    return export.main(arguments)


def _verify_export(arguments: argparse.Namespace) -> int:
    from app.commands import export

    return export.verify(arguments)


def _doctor(arguments: argparse.Namespace) -> int:
    from app.commands import doctor

    return doctor.main(arguments)


def _runtime(arguments: argparse.Namespace) -> int:
    from app.commands import runtime

    return runtime.main(arguments)
