"""Git's verdict on what is ignored: every .gitignore from the repository's root down, the deepest first."""

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from app.documents.git_index import Tracked, git_folder, tracked
from app.documents.wildmatch import Pattern, patterns

EXCLUDES_FILE = re.compile(r'^\s*\[core\][^\[]*?^\s*excludesfile\s*=\s*"?([^"\n#;]+)', re.I | re.M)


class Rules:
    """Ask for each folder after its parent, and never for what lies in an ignored folder: git does not look there."""

    def __init__(self, folder: str) -> None:
        self.root = repository(folder) or folder
        """Patterns are relative to it, or to the folder of their own .gitignore below it."""
        git = git_folder(self.root)
        self.tracked: Tracked = tracked(os.path.join(git, "index")) if git else Tracked()
        self._patterns: dict[str, tuple[Pattern, ...]] = {}
        self._wide = (*_read(os.path.join(_common(git), "info", "exclude")), *_read(_personal(git))) if git else ()

    def ignored(self, path: str, is_folder: bool) -> bool:
        """Whether a file or folder, given by its absolute path, is ignored, when the folder that holds it is not.

        What git tracks is not ignored, whatever the patterns say. `is_folder` is False for a link.
        """
        return not self.is_tracked(path, is_folder) and self.matched(path, is_folder)

    def is_tracked(self, path: str, is_folder: bool) -> bool:
        """Whether git tracks a file, or any file in a folder."""
        return os.fsencode(self._below(path)) in (self.tracked.folders if is_folder else self.tracked.files)

    def _below(self, path: str) -> str:
        return os.path.relpath(path, self.root).replace(os.sep, "/")

    def matched(self, path: str, is_folder: bool) -> bool:
        """What the patterns alone say."""
        relative = self._below(path)
        said = verdict(relative, is_folder, self._of)
        if said is not None:
            return said
        for pattern in self._wide:
            if pattern.matches(os.fsencode(relative), is_folder):
                return not pattern.negated
        return False

    def _of(self, folder: str) -> tuple[Pattern, ...]:
        if folder not in self._patterns:
            self._patterns[folder] = _read(os.path.join(self.root, folder, ".gitignore"))
        return self._patterns[folder]


def verdict(path: str, is_folder: bool, rules: Callable[[str], Sequence[Pattern]]) -> bool | None:
    """Whether the .gitignore files of a tree ignore `path`, relative to its root; None when none of them speaks of it.

    `rules` gives those of a folder, "" for the root, in the order in which they are asked.
    """
    parts = path.split("/")
    for depth in range(len(parts) - 1, -1, -1):
        below = os.fsencode("/".join(parts[depth:]))
        for pattern in rules("/".join(parts[:depth])):
            if pattern.matches(below, is_folder):
                return not pattern.negated
    return None


def repository(folder: str) -> str | None:
    """The root of the repository that a folder lies in."""
    for parent in (Path(folder), *Path(folder).parents):
        if (parent / ".git").exists():
            return str(parent)
    return None


def _common(git: str) -> str:
    """Where several working trees of one repository keep what they share."""
    try:
        return os.path.normpath(os.path.join(git, Path(git, "commondir").read_text().strip()))
    except (OSError, UnicodeDecodeError):
        return git


def _personal(git: str) -> str:
    """The person's own list for all repositories; the last configuration that names one counts."""
    home = os.path.expanduser("~")
    settings = os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git")
    path = os.path.join(settings, "ignore")
    configurations = (
        os.path.join(settings, "config"),
        os.path.join(home, ".gitconfig"),
        os.path.join(_common(git), "config"),
    )
    for configuration in configurations:
        try:
            text = Path(configuration).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        for found in EXCLUDES_FILE.finditer(text):
            path = os.path.expanduser(found[1].strip())
    return path


def _read(path: str) -> tuple[Pattern, ...]:
    try:
        if os.path.islink(path):
            return ()  # git does not follow it either
        with open(path, "rb") as file:
            return patterns(file.read())
    except OSError:
        return ()
