"""Wheels of a few bytes that pip, and what makes packs, take for wheels."""

import zipfile
from pathlib import Path

LICENCE = "License-Expression: MIT"


def wheel(
    folder: Path,
    name: str,
    version: str = "1.0",
    tag: str = "py3-none-any",
    *,
    files: dict[str, bytes] | None = None,
    licence: str = LICENCE,
    text: str | None = "dist-info",
) -> Path:
    """`files`: what it holds; None: one module. `licence`: a line of its metadata. `text`: where the licence's words
    lie: "dist-info", or a path of its own; None: nowhere."""
    info = f"{name}-{version.partition('+')[0]}.dist-info"
    held = {f"{name}/__init__.py": b"x = 1\n"} if files is None else files
    if text is not None:
        held = held | {f"{info}/licenses/LICENSE" if text == "dist-info" else text: b"You may."}
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{licence}\n"
    held = held | {f"{info}/METADATA": about.encode(), f"{info}/WHEEL": f"Wheel-Version: 1.0\nTag: {tag}\n".encode()}
    held = held | {f"{info}/RECORD": "".join(f"{path},,\n" for path in held).encode()}
    made = folder / f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(made, "w") as archive:
        for path, data in held.items():
            archive.writestr(path, data)
    return made
