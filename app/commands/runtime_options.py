"""The options of `longread runtime`."""

from app.commands import arguments as options

INSTALL = """\
Installs a runtime for a graphics card from a pack: a folder with manifest.json, or a .tar of it, or with --download
from this version's release. Every byte is checked, it is unpacked beside the one in use and tried out, and only then
used, from the engine's next start on. The runtime that came with Longread stays, and is used again when the new one
cannot be loaded. Ctrl+C stops a download and keeps what came; the same command goes on from there."""


def add(commands: options.Commands, run: options.Run) -> None:
    about = "the runtime for a graphics card: install, list, use, remove"
    listing = "the one that came with Longread and those that were installed"
    actions = options.add_listed(commands, "runtime", run, about, listing)
    install = actions.add_parser("install", help="install one from a pack, and use it", description=INSTALL)
    source = install.add_mutually_exclusive_group(required=True)
    source.add_argument("--from", dest="source", metavar="FOLDER_OR_FILE")
    source.add_argument("--download", action="store_true", help="some gigabytes; refused first where it cannot be used")
    install.add_argument(
        "--address",
        dest="packs",
        metavar="URL",
        help="with --download: of a manifest (.json), or of the folder that a release's files were copied to",
    )
    install.set_defaults(action="install")
    use = actions.add_parser("use", help="use an installed one, or `own`, which came with Longread")
    use.add_argument("tag", metavar="NAME")
    use.set_defaults(action="use")
    discard = actions.add_parser("discard", help="delete what a download that did not end has brought")
    discard.set_defaults(action="discard")
    remove = actions.add_parser("remove", help="delete an installed one for good")
    remove.add_argument("tag", metavar="NAME")
    remove.set_defaults(action="remove")
