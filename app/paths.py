"""Where things are kept. `LONGREAD_HOME` moves all of it to one folder, and so does a portable program."""

import os
from pathlib import Path

from engine import home


def data() -> Path:
    """The data folder; private to the person (0700 where the system knows it)."""
    return home.data()


def models() -> Path:
    return data() / "models"


def texts() -> Path:
    """Immutable copies of the documents' text, each named by its sha256."""
    return data() / "texts"


def database() -> Path:
    return data() / "longread.db"


def index() -> Path:
    """Where words stand in the texts. Made anew when it is not there."""
    return data() / "search.db"


def settings() -> Path:
    return data() / "settings.json"


def providers() -> Path:
    """Servers elsewhere and their keys; for the person alone."""
    return data() / "providers.json"


def logs() -> Path:
    return data() / "logs"


def make() -> None:
    """Create the folders, for their owner alone."""
    for folder in (data(), models(), texts(), logs()):
        folder.mkdir(parents=True, exist_ok=True)
    if os.name == "posix":
        data().chmod(0o700)
