"""An archive's files as a folder would show them: in its order, without what is nobody's own words."""

import posixpath
from collections.abc import Sequence

from app.data.document import LeftOut
from app.documents.errors import Unreadable
from app.documents.git_index import Tracked, tracked_by
from app.documents.gitignore import verdict
from app.documents.member import Member
from app.documents.names import shown
from app.documents.passing_over import folder_reason, name_reason
from app.documents.wildmatch import Pattern, patterns

RULES = ".gitignore"
RULES_SIZE = 1 << 20
"""Bytes of a .gitignore; of a longer one, and of one that cannot be opened, nothing is obeyed."""


class Listing:
    """`files` in the order in which a folder of them would be read, and what was left out.

    A .gitignore is obeyed as in a folder, and what a .git folder in the archive tracks is never ignored. An archive
    `made_by_git` holds tracked files alone, so there it is not obeyed.
    """

    def __init__(self, members: Sequence[Member], made_by_git: bool) -> None:
        self.files: list[Member] = []
        self.left_out: list[LeftOut] = []
        self._made_by_git = made_by_git
        self._by_path = {member.path: member for member in members}
        self._folders = {folder for member in members for folder in _above(member.path)}
        self._roots = {folder for folder in self._folders | {""} if self._holds(folder, ".git")}
        self._reasons: dict[str, str] = {"": ""}
        self._patterns: dict[str, tuple[Pattern, ...]] = {}
        self._tracked: dict[str, Tracked] = {}
        for member in sorted(members, key=lambda member: _order(member.path)):
            folders = _above(member.path)
            if any(self._folder_reason(folder) for folder in folders):
                continue
            if reason := member.reason or self._file_reason(member.path):
                self.left_out.append(LeftOut(shown(member.path), reason))
            else:
                self.files.append(member)

    def is_source(self, path: str) -> bool:
        """Whether a file lies in a repository: a web page there is somebody's source code."""
        return self._made_by_git or any(folder in self._roots for folder in ("", *_above(path)))

    def _folder_reason(self, folder: str) -> str:
        """Why a folder is left out, with the folder that it lies in or by itself; said once."""
        if folder not in self._reasons:
            parent, _, name = folder.rpartition("/")
            reason = self._reasons[parent] or folder_reason(name, lambda sign: self._holds(folder, sign))
            if not reason and self._ignored(folder, True) and not self._tracks_inside(folder):
                reason = "ignored"
            if reason and not self._reasons[parent]:
                self.left_out.append(LeftOut(shown(folder) + "/", reason))
            self._reasons[folder] = reason
        return self._reasons[folder]

    def _file_reason(self, path: str) -> str:
        if self._ignored(path, False) or any(self._ignored(folder, True) for folder in _above(path)):
            root = self._root(path)
            if _below(path, root).encode() not in self._tracked_in(root).files:
                return "ignored"
        return name_reason(posixpath.basename(path))

    def _ignored(self, path: str, is_folder: bool) -> bool:
        """What the patterns of the repository that a path lies in say."""
        if self._made_by_git or path in self._roots:
            return False
        root = self._root(path)
        return verdict(_below(path, root), is_folder, lambda folder: self._rules(posixpath.join(root, folder))) or False

    def _tracks_inside(self, folder: str) -> bool:
        root = self._root(folder)
        return _below(folder, root).encode() in self._tracked_in(root).folders

    def _root(self, path: str) -> str:
        return next((folder for folder in reversed(_above(path)) if folder in self._roots), "")

    def _rules(self, folder: str) -> tuple[Pattern, ...]:
        if folder not in self._patterns:
            self._patterns[folder] = patterns(self._content(posixpath.join(folder, RULES), RULES_SIZE))
        return self._patterns[folder]

    def _tracked_in(self, root: str) -> Tracked:
        if root not in self._tracked:
            self._tracked[root] = tracked_by(self._content(posixpath.join(root, ".git/index")))
        return self._tracked[root]

    def _content(self, path: str, limit: int | None = None) -> bytes:
        member = self._by_path.get(path)
        if member is None or member.reason:
            return b""
        try:
            data = member.load()
        except Unreadable:
            return b""
        return data if limit is None or len(data) <= limit else b""

    def _holds(self, folder: str, name: str) -> bool:
        path = posixpath.join(folder, name)
        return path in self._by_path or path in self._folders


def _above(path: str) -> list[str]:
    """The folders that a file or folder lies in, the outermost first."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]


def _below(path: str, root: str) -> str:
    return path[len(root) + 1 :] if root else path


def _order(path: str) -> list[tuple[bool, str]]:
    """A folder's own files before those of the folders in it."""
    *folders, name = path.split("/")
    return [*((True, folder) for folder in folders), (False, name)]
