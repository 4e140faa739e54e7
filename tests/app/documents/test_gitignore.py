"""The verdicts of git itself, on generated trees."""

import os
import random
import subprocess
from pathlib import Path

import pytest

from app.documents.git_index import tracked
from app.documents.gitignore import Rules
from app.documents.names import listed

NAMES = [
    "a",
    "b",
    "ab",
    "foo",
    "bar",
    "foo.txt",
    "bar.log",
    "a.py",
    "build",
    "x y",
    "[z]",
    "é.txt",
    "foo.d",
    "!bang",
    "#h",
]
PATTERNS = sorted(
    listed(
        r"""
        * *.txt *.log foo bar a ab build ? ?? [ab] [!a]* [^a]* [a-f]* ** **/foo foo/** a/**/b /a /foo foo/ build/
        a/b */b /* /*/ */ a* *o* [[:alpha:]] []a] [z] \[z\] \!bang !bang \#h #h x\_y x_y t\_ foo.txt_ é.txt *.?xt
        a/* a/** **/a/** /**/foo foo/*/bar *** a** **b foo**bar a/foo**/b / //a \a a\ [a [ ! !* \ a/ A ./a a//b
        [[:digit:]]* [[:bogus:]] a/../b **/ /** **/*/ !/ [!]a]* [a-] [\]] [\\a]
        """
    )
)


@pytest.fixture(autouse=True)
def _no_settings_of_the_person(tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    for name in ("HOME", "XDG_CONFIG_HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def git(folder: Path, *arguments: str, given: bytes = b"") -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=folder, input=given, capture_output=True, check=False)
    return os.fsdecode(done.stdout).split("\0")


def grow(folder: Path, chance: random.Random, depth: int = 0) -> None:
    for name in chance.sample(NAMES, chance.randint(2, 6)):
        if chance.random() < 0.5 and depth < 3:
            (folder / name).mkdir()
            grow(folder / name, chance, depth + 1)
        else:
            (folder / name).touch()
    if chance.random() < (0.4 if depth else 0.9):
        lines = [("!" if chance.random() < 0.3 else "") + chance.choice(PATTERNS).replace("_", " ") for _ in range(4)]
        mark = b"\xef\xbb\xbf" if chance.random() < 0.2 else b""
        end = chance.choice(["\n", "\r\n", ""])
        (folder / ".gitignore").write_bytes(mark + "\n".join(lines).encode() + end.encode())


def ours(root: Path) -> dict[str, bool]:
    rules = Rules(str(root))
    verdicts: dict[str, bool] = {}

    def walk(folder: str, above: bool) -> None:
        for entry in os.scandir(folder):
            if entry.name == ".git":
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            verdict = above or rules.ignored(entry.path, is_folder)
            verdicts[os.path.relpath(entry.path, root)] = verdict
            if is_folder:
                walk(entry.path, verdict)

    walk(str(root), False)
    return verdicts


@pytest.mark.parametrize("seed", range(12))
def test_the_same_verdicts_as_git(tmp_path, seed):
    root = tmp_path / "repository"
    root.mkdir()
    grow(root, random.Random(seed))
    git(root, "init", "-q")
    verdicts = ours(root)
    ignored = set(git(root, "check-ignore", "-z", "--stdin", given=os.fsencode("\0".join(verdicts))))
    assert {path for path, verdict in verdicts.items() if verdict} == ignored - {""}
    assert len(verdicts) > 3


def test_the_same_verdicts_as_git_on_a_tree_of_2000_paths(tmp_path):
    root = tmp_path / "repository"
    root.mkdir()
    chance = random.Random(2000)
    (root / ".gitignore").write_bytes(b"\xef\xbb\xbf*.log \r\n!bar.log\r\n/part 0*/build  \nx\\ y\\ \n")
    for number in range(1_000):
        if sum(len(folders) + len(files) for _, folders, files in os.walk(root)) >= 2_000:
            break
        (root / f"part {number:02}").mkdir()
        grow(root / f"part {number:02}", chance)
    git(root, "init", "-q")
    verdicts = ours(root)
    ignored = set(git(root, "check-ignore", "-z", "--stdin", given=os.fsencode("\0".join(verdicts))))
    assert {path for path, verdict in verdicts.items() if verdict} == ignored - {""}
    assert len(verdicts) >= 2_000
    assert 500 < sum(verdicts.values()) < 1_500
    lists = [path.read_bytes() for path in root.rglob(".gitignore")]
    assert len(lists) > 100
    assert sum(each.startswith(b"\xef\xbb\xbf") for each in lists) > 10
    assert sum(b"\n!" in each for each in lists) > 20
    assert sum(b" \n" in each or b" \r\n" in each for each in lists) > 10


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_what_git_tracks_is_not_ignored(tmp_path, version):
    git(tmp_path, "init", "-q")
    for name in ("kept.log", "lost.log", "out/kept.txt", "out/lost.txt", "out/deep/er/kept", "long/" + "n" * 200):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    git(tmp_path, "add", "kept.log", "out/kept.txt", "out/deep/er/kept", "long")
    if version == "3":
        (tmp_path / "later").touch()
        git(tmp_path, "add", "--intent-to-add", "later")
    git(tmp_path, "update-index", "--index-version", version)
    (tmp_path / ".gitignore").write_text("*.log\nout/\nlong\n")
    index = tracked(str(tmp_path / ".git" / "index"))
    assert sorted(map(os.fsdecode, index.files)) == sorted(git(tmp_path, "ls-files", "-z"))[1:]
    assert index.folders == {b"out", b"out/deep", b"out/deep/er", b"long"}
    rules = Rules(str(tmp_path))
    assert not rules.ignored(str(tmp_path / "kept.log"), False)
    assert rules.ignored(str(tmp_path / "lost.log"), False)
    assert not rules.ignored(str(tmp_path / "out"), True)


def test_lists_beside_the_gitignore_files_count_and_come_after_them(tmp_path):
    git(tmp_path, "init", "-q")
    (tmp_path / ".git" / "info" / "exclude").write_text("*.a\n*.b\n")
    mine = Path(os.environ["HOME"], "mine")
    mine.write_text("*.c\n!*.a\n")
    git(tmp_path, "config", "--global", "core.excludesFile", str(mine))
    (tmp_path / ".gitignore").write_text("!x.b\n")
    names = ["x.a", "x.b", "y.b", "x.c", "x.d"]
    for name in names:
        (tmp_path / name).touch()
    ignored = git(tmp_path, "check-ignore", "-z", "--stdin", given="\0".join(names).encode())
    rules = Rules(str(tmp_path))
    assert (
        [name for name in names if rules.ignored(str(tmp_path / name), False)] == ignored[:-1] == ["x.a", "y.b", "x.c"]
    )


def test_a_folder_inside_a_repository_knows_the_rules_above_it(tmp_path):
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("/sub/*.tmp\n")
    (tmp_path / "sub").mkdir()
    assert Rules(str(tmp_path / "sub")).ignored(str(tmp_path / "sub" / "a.tmp"), False)
