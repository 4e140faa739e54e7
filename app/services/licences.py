"""The licences of what the program is made of: the packaged program brings a list, elsewhere Python knows them."""

import contextlib
import importlib.metadata
import re
import sys
from pathlib import Path

import msgspec

from app.data.licence import Licence

LIST = "licences/licences.json"
"""Beside the packaged program, written when it was built."""
TEXTS = re.compile(r"(?i)(^|/)(licen[cs]e|copying|notice|copyright|eula)[^/]*$|\.dist-info/licenses/")
WORDS = ("", ".txt", ".md", ".rst")
"""Endings of texts that lie among a package's own files, where none lie where they belong."""


def all_of_them() -> tuple[Licence, ...]:
    """By name. Reads files: not for the window's own thread."""
    if getattr(sys, "frozen", False):
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            data = (Path(sys.executable).parent / LIST).read_bytes()
            return msgspec.json.decode(data, type=tuple[Licence, ...])
        return ()
    known = {one.metadata["Name"]: of(one) for one in importlib.metadata.distributions()}
    return tuple(sorted(known.values(), key=lambda one: one.name.lower()))


def of(installed: importlib.metadata.Distribution) -> Licence:
    """What a package says of itself: its expression, else its classifiers, else the first line of its free words."""
    about = installed.metadata
    kinds = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or () if line.startswith("License ::")]
    words = _first(about, "License").strip().partition("\n")[0]
    said = _first(about, "License-Expression") or ", ".join(kinds) or words
    home = _first(about, "Home-page") or _first(about, "Project-URL").rpartition(", ")[2]
    named = [file for file in installed.files or () if TEXTS.search(file.as_posix())]
    files = [file for file in named if ".dist-info/" in file.as_posix()]
    files = files or [file for file in named if file.suffix.lower() in WORDS]
    texts = []
    for file in files:
        with contextlib.suppress(OSError):
            texts.append(Path(str(file.locate())).read_text(encoding="utf-8", errors="replace"))
    return Licence(about["Name"], installed.version, said, home, tuple(dict.fromkeys(texts)))


def _first(about: importlib.metadata.PackageMetadata, field: str) -> str:
    return next(iter(about.get_all(field) or ()), "")
