"""What of a folder is nobody's own words: other people's code, machines' output, version control's own files."""

import re
from collections.abc import Callable

from app.documents.languages import ending
from app.documents.names import listed

VERSION_CONTROL = listed(".git .hg .svn .bzr .jj CVS _darcs")
VENDORED = listed(
    """
    node_modules bower_components jspm_packages .venv site-packages dist-packages __pycache__ __pypackages__ .tox .nox
    .eggs .mypy_cache .pytest_cache .ruff_cache .ipynb_checkpoints .gradle .terraform .next .nuxt .svelte-kit
    .parcel-cache .turbo .yarn .pnpm-store .dart_tool .bundle Pods Carthage DerivedData __MACOSX
    """
)
# Folders that are somebody else's, or a machine's, when one of these lies in them. A CACHEDIR.TAG is made for this.
SIGNS = listed("pyvenv.cfg CACHEDIR.TAG")
VENDOR_SIGNS = listed("modules.txt autoload.php bundle")

LOCKS = listed(
    """
    package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock poetry.lock pdm.lock uv.lock pipfile.lock
    cargo.lock composer.lock gemfile.lock go.sum flake.lock mix.lock pubspec.lock podfile.lock packages.lock.json
    """
)
GENERATED_NAMES = re.compile(r"(_pb2(_grpc)?\.pyi?|\.pb\.(go|cc|h)|\.g\.dart|\.designer\.cs|\.map)$", re.I)
GENERATED = re.compile(
    r"@generated\b|\bcode generated .* do not edit|\bautomatically generated .* do not (edit|modify)", re.I
)
GENERATED_HEAD = 1000

MINIFIED_NAME = re.compile(r"[.-]min\.(js|mjs|css|html)$", re.I)
PROSE = listed(".txt .md .markdown .rst .org .tex .adoc .log .csv .tsv .srt .vtt") | {""}
LONG_LINE = 5000
MEAN_LINE = 400
SMALL = 2000


def folder_reason(name: str, holds: Callable[[str], bool]) -> str:
    """Why a whole folder is passed over; "" when it is not. `holds`: whether something of a name lies in it."""
    if name in VERSION_CONTROL:
        return "version_control"
    if name in VENDORED:
        return "vendored"
    signs = SIGNS | VENDOR_SIGNS if name == "vendor" else SIGNS
    return "vendored" if any(map(holds, signs)) else ""


def name_reason(name: str) -> str:
    """Why a file is passed over unread; "" when it is not."""
    if name.lower() in LOCKS or GENERATED_NAMES.search(name):
        return "generated"
    return "minified" if MINIFIED_NAME.search(name) else ""


def text_reason(name: str, text: str) -> str:
    """Why a text or source file is passed over; "" when it is not. Prose may have lines of any length."""
    if GENERATED.search(text[:GENERATED_HEAD]):
        return "generated"
    if len(text) > SMALL and ending(name) not in PROSE:
        lines = text.count("\n") + 1
        if len(text) / lines > MEAN_LINE or (len(text) / lines > MEAN_LINE / 4 and _longest(text) > LONG_LINE):
            return "minified"
    return ""


def _longest(text: str) -> int:
    return max(map(len, text.split("\n")))
