"""What `longread library` takes. Light: help and mistakes are answered from here."""

import argparse
from collections.abc import Callable
from pathlib import Path

WHAT = "a document's name, where it was added from, or the beginning of its id (six letters or more)"


def add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", run: Callable[[argparse.Namespace], int]
) -> None:
    library = commands.add_parser("library", help="the documents that are kept: list, search, matters, export, delete")
    library.set_defaults(run=run)
    actions = library.add_subparsers(title="actions", metavar="ACTION", required=True)

    listing = _action(actions, "list", "all documents, or those of a matter, or where words stand in them")
    listing.add_argument("--matter", metavar="NAME", help="of this matter alone")
    listing.add_argument("--search", metavar="WORDS", help="places in the texts; words in quotation marks are one")
    listing.add_argument("--removed", action="store_true", help="those that were removed and are still kept")

    _action(actions, "matters", "all matters, with how many documents each holds")

    matter = _action(actions, "matter", "put documents into a matter or take them out; rename or delete it")
    matter.add_argument("name", metavar="NAME")
    steps = matter.add_subparsers(title="steps", metavar="STEP", required=True)
    put = steps.add_parser("add", help="put in; a file that is not in the library is added to it; a new matter is made")
    put.add_argument("what", metavar="FILE_OR_ID", nargs="+", help=WHAT + "; or a file or folder")
    put.set_defaults(step="add")
    take = steps.add_parser("remove", help="take out; the documents stay in the library")
    take.add_argument("what", metavar="FILE_OR_ID", nargs="+", help=WHAT)
    take.set_defaults(step="remove")
    rename = steps.add_parser("rename", help="give it another name")
    rename.add_argument("new_name", metavar="NEW_NAME")
    rename.set_defaults(step="rename")
    steps.add_parser("delete", help="delete the matter; its documents stay").set_defaults(step="delete")

    refresh = _action(actions, "refresh", "look whether files changed since they were read, and read those anew")
    refresh.add_argument("what", metavar="FILE_OR_ID", nargs="*", help=WHAT + "; else all documents")
    refresh.add_argument("--check", action="store_true", help="only look")

    export = _action(actions, "export", "write documents into a folder: text with page marks, and JSON")
    export.add_argument("folder", metavar="FOLDER", type=Path)
    export.add_argument("what", metavar="FILE_OR_ID", nargs="*", help=WHAT + "; else all documents")
    export.add_argument("--matter", metavar="NAME", help="those of this matter")
    export.add_argument(
        "--original", action="store_true", help="copies of the files, where they are still what was read"
    )

    delete = _action(actions, "delete", "delete documents for good: text, what was read of it, and every trace")
    delete.add_argument("what", metavar="ID", nargs="+", help=WHAT)
    delete.add_argument("--yes", action="store_true", help="do not ask")


def _action(
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, told: str
) -> argparse.ArgumentParser:
    action = actions.add_parser(name, help=told)
    action.add_argument("--json", action="store_true", help="as JSON")
    action.set_defaults(action=name)
    return action
