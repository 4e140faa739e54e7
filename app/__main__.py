"""`longread` opens the window; with a command or an option it is the command line."""

import sys
from collections.abc import Sequence
from pathlib import Path

from app import processes


def main(arguments: Sequence[str] | None = None) -> int:
    """The program's exit code. Paths alone are what the window is opened with, as a desktop's "Open with" does."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if len(arguments) == 2 and arguments[0] == processes.OPTION and arguments[1] in processes.PROCESSES:
        return processes.run(arguments[1])
    paths = [Path(argument) for argument in arguments]
    if all(path.exists() for path in paths):
        from app import application  # Qt is loaded for the window alone

        return application.run(paths)
    from app import cli

    return cli.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
