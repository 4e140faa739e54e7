"""The short-lived processes that the program starts of itself: what opens documents, what lays out pages, and
what the self-test looks at the window with.

A checkout and an installation run a module with Python. The packaged program has no Python to hand it to: it starts
its own executable again, with `OPTION` and the name.
"""

import importlib
import os
import site
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The folder that holds the package `app`."""

OPTION = "--process"
PROCESSES = {"documents": "app.documents.worker", "printing": "app.printing", "window": "app.window_test"}
"""By name: the module whose `main()` is the process."""


def command(name: str) -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, OPTION, name]
    # -P: the folder that the person happens to stand in must not be a place to import from.
    return [sys.executable, "-P", "-X", "utf8", "-m", "app", OPTION, name]


def environment() -> dict[str, str]:
    """The environment of the process: the package that runs here is the one that it imports."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    if str(ROOT) not in site.getsitepackages():
        ours["PYTHONPATH"] = str(ROOT)
    return ours


def run(name: str) -> int:
    importlib.import_module(PROCESSES[name]).main()
    return 0
