"""What `longread remote import` and `export-client` take."""

import argparse
from pathlib import Path


def add(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    importing = actions.add_parser("import", help="remember the server that another program's settings.json names")
    importing.add_argument("file", metavar="FILE", type=Path)
    importing.add_argument("--name", metavar="NAME", help="a short name of your own for it; else its host's")
    importing.add_argument("--use", action="store_true", help="ask its default_model from now on")
    importing.set_defaults(action="import")

    exporting = actions.add_parser("export-client", help="write a settings.json for a client of the local API")
    exporting.add_argument("file", metavar="FILE", type=Path, help="- writes it to stdout")
    exporting.add_argument(
        "--key", metavar="NAME", help="make a key of that name and write it into the file; else a variable holds it"
    )
    exporting.add_argument("--force", action="store_true", help="replace what stands there")
    exporting.set_defaults(action="export-client")
