"""`appimage.py FOLDER`: the bundle as the folder that appimagetool packs. The tool itself is on no package index."""

import shutil
import sys
from pathlib import Path

import bundle
import linux_packages


def make(target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(bundle.BUNDLE, target / "usr" / "lib" / "longread", symlinks=True)
    shutil.copyfile(linux_packages.LINUX / "longread.desktop", target / "longread.desktop")
    shutil.copyfile(bundle.ROOT / "resources/icons/longread.svg", target / "longread.svg")
    run = target / "AppRun"
    run.write_text('#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/usr/lib/longread/longread" "$@"\n')
    run.chmod(0o755)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
