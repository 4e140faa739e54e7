"""A walk through a folder: the files to read, in order, and what is passed over, with reasons."""

import os

from msgspec import Struct

from app.data.document import LeftOut
from app.documents.gitignore import Rules
from app.documents.names import relative
from app.documents.passing_over import folder_reason, name_reason


class File(Struct, frozen=True):
    path: str
    name: str
    under_git: bool


class Tree:
    """One walk through a folder: `files` in order, and what was left out on the way."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.files: list[File] = []
        self.left_out: list[LeftOut] = []
        self._open = {_identity(root)}
        self._walk(root, Rules(root), tracked_only=False)

    def _walk(self, folder: str, rules: Rules, tracked_only: bool) -> None:
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            self._leave(folder, "denied", True)
            return
        # A folder's own files before those of the folders in it.
        for entry in sorted(entries, key=lambda entry: entry.is_dir(follow_symlinks=False)):
            is_folder = entry.is_dir(follow_symlinks=False)
            ignored = rules.ignored(entry.path, is_folder) or (
                tracked_only and not rules.is_tracked(entry.path, is_folder)
            )
            if is_folder:
                self._folder(entry.path, entry.name, rules, ignored, tracked_only)
            elif ignored:
                self._leave(entry.path, "ignored")
            elif entry.is_symlink():
                self._leave(entry.path, "link")
            elif not entry.is_file(follow_symlinks=False):
                self._leave(entry.path, "special")
            elif reason := name_reason(entry.name):
                self._leave(entry.path, reason)
            else:
                self.files.append(File(entry.path, entry.name, os.path.exists(os.path.join(rules.root, ".git"))))

    def _folder(self, path: str, name: str, rules: Rules, ignored: bool, tracked_only: bool) -> None:
        if reason := folder_reason(name, lambda sign: os.path.exists(os.path.join(path, sign))):
            self._leave(path, reason, True)
            return
        if ignored:
            self._leave(path, "ignored", True)
            return
        identity = _identity(path)
        if identity in self._open:
            self._leave(path, "loop", True)
            return
        self._open.add(identity)
        own = Rules(path) if os.path.exists(os.path.join(path, ".git")) else rules
        tracked_only = own is rules and (tracked_only or rules.matched(path, is_folder=True))
        self._walk(path, own, tracked_only)
        self._open.discard(identity)

    def _leave(self, path: str, reason: str, is_folder: bool = False) -> None:
        self.left_out.append(LeftOut(relative(os.path.relpath(path, self.root)) + "/" * is_folder, reason))


def _identity(path: str) -> tuple[int, int] | str:
    try:
        status = os.stat(path)
    except OSError:
        return path
    return (status.st_dev, status.st_ino) if status.st_ino else path
