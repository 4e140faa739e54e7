"""Folders for texts that are kept as long as something is under way, and no longer."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil

PREFIX = ".passing-"
"""Begins the name of such a folder; the number of its process follows."""


@contextlib.contextmanager
def folder(data: Path) -> Iterator[Path]:
    """One in the data folder, for the person alone (0700). Those of processes that were killed go as well."""
    for left in data.glob(f"{PREFIX}*"):
        number = left.name.removeprefix(PREFIX).partition("-")[0]
        if number.isdecimal() and not psutil.pid_exists(int(number)):
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=data, prefix=f"{PREFIX}{os.getpid()}-", ignore_cleanup_errors=True) as made:
        yield Path(made)
