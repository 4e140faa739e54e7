"""The data folder: where everything of a person's is kept. One rule for the window, the command line and the engine."""

import os
import sys
from pathlib import Path

import platformdirs

PORTABLE = "portable"
"""A file of this name beside the packaged program keeps the data there as well: on a stick, say."""


def data() -> Path:
    """`LONGREAD_HOME`; else the folder `data` beside a portable program; else what the system has for such things."""
    home = os.environ.get("LONGREAD_HOME")
    if home:
        return Path(home).absolute()
    beside = Path(sys.executable).parent
    if getattr(sys, "frozen", False) and (beside / PORTABLE).is_file():
        return beside / "data"
    return Path(platformdirs.user_data_dir("longread", appauthor=False))
