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
TEXTS = re.compile(r"(?i)(^|/)(licen[cs]e|copying|notice)[^/]*$")


def all_of_them() -> tuple[Licence, ...]:
    """By name. Reads files: not for the window's own thread."""
    if getattr(sys, "frozen", False):
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            data = (Path(sys.executable).parent / LIST).read_bytes()
            return msgspec.json.decode(data, type=tuple[Licence, ...])
        return ()
    installed = importlib.metadata.distributions()
    return tuple(
        sorted({one.metadata["Name"]: _of(one) for one in installed}.values(), key=lambda one: one.name.lower())
    )


def _of(installed: importlib.metadata.Distribution) -> Licence:
    about = installed.metadata
    kinds = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or () if line.startswith("License ::")]
    said = _first(about, "License-Expression") or ", ".join(kinds) or _first(about, "License").partition("\n")[0]
    files = [file for file in installed.files or () if ".dist-info/" in str(file) and TEXTS.search(str(file))]
    texts = []
    for file in files:
        with contextlib.suppress(OSError):
            texts.append(Path(str(file.locate())).read_text(encoding="utf-8", errors="replace"))
    return Licence(about["Name"], installed.version, said, _first(about, "Home-page"), tuple(texts))


def _first(about: importlib.metadata.PackageMetadata, field: str) -> str:
    return next(iter(about.get_all(field) or ()), "")
