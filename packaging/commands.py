"""What `dev.py` can do: run, test, bench, screenshots, translate."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import environment
import system_libraries

ROOT = environment.ROOT
HERE = Path(__file__).resolve().parent

USAGE = """\
usage: python3 dev.py COMMAND

  run [ARGUMENTS]                start Longread: its window, or with arguments its command line (try: run --help)
  test [--all] [ARGUMENTS]       check everything; --all runs the long tests too, arguments go to pytest
  bench [ARGUMENTS]              measure reading and writing beside transformers (alone: run bench)
  screenshots                    take the README's pictures of the real window (Linux, with Xvfb)
  translate                      gather the window's words for translation, and compile the translations

The first time, each makes the virtual environment .venv and fetches a small model of 93 MB."""


def main(words: Sequence[str]) -> int:
    """Do the command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a pipe on Windows may know fewer letters than a console
    commands = {"run": run, "test": test, "bench": bench, "screenshots": screenshots, "translate": translate}
    if not words or words[0] in ("-h", "--help"):
        print(USAGE)
        return 0 if words else 2
    if words[0] not in commands:
        print(f"dev.py does not know {words[0]!r}.\n{USAGE}", file=sys.stderr)
        return 2
    try:
        return commands[words[0]](list(words[1:]))
    except KeyboardInterrupt:
        return 130


def run(words: list[str]) -> int:
    # As `app.__main__` decides: files alone are opened in the window, and the command line needs none of Qt's libraries
    _ready(window=all(Path(word).exists() for word in words))
    # -P: a folder named app where the person stands must not be taken for ours
    return _become([environment.python(), "-P", "-m", "app", *words])


def bench(words: list[str]) -> int:
    _ready(window=False)
    return _become([environment.python(), "-P", "-m", "app", "bench", "--compare", *words])


def screenshots(words: list[str]) -> int:
    fonts = ("fonts-inter", "fonts-dejavu-core")
    _ready(window=True, extras=frozenset({"dev"}), programs={"Xvfb": "xvfb"}, fonts=fonts)  # dev: it makes a PDF
    return _become([environment.python(), "-P", HERE / "screenshots.py", *words])


def translate(words: list[str]) -> int:
    environment.ensure()
    return _become([environment.python(), "-P", HERE / "translate.py", *words])


def test(words: list[str]) -> int:
    """Every check, each to its end, and a table of them; 1 when any of them failed."""
    _ready(window=True, extras=frozenset({"dev"}))
    python, program = environment.python(), environment.program
    marked = [] if "--all" in words else ["-m", "not full"]
    words = [word for word in words if word != "--all"]
    # A few chosen tests are run one after the other, where they can be looked into
    workers = [] if words else ["-n", "logical", "--maxprocesses", "8", "--dist", "worksteal"]
    checks = {
        "ruff check": [program("ruff"), "check", ROOT],
        "ruff format": [program("ruff"), "format", "--check", ROOT],
        "import contracts": [program("lint-imports"), "pyproject.toml"],
        "types": [python, "-m", "mypy"],
        "tests": [python, "-m", "pytest", *marked, *workers, *words],
    }
    surroundings = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONUTF8": "1"}
    rows = []
    for name, command in checks.items():
        print(f"\n── {name} ──", flush=True)
        began = time.monotonic()
        code = subprocess.run([str(word) for word in command], cwd=ROOT, env=surroundings, check=False).returncode
        rows.append((name, code, time.monotonic() - began))
    print("\n" + "\n".join(f"{name:18} {'ok' if not code else 'FAILED':8} {took:6.1f} s" for name, code, took in rows))
    return int(any(code for _, code, _ in rows))


def _ready(
    *,
    window: bool,
    extras: frozenset[str] = frozenset(),
    programs: dict[str, str] | None = None,
    fonts: Sequence[str] = (),
) -> None:
    """The environment, what the window needs of the system, and the small model."""
    if window:
        system_libraries.ensure(programs=programs, fonts=fonts)
    environment.ensure(extras)
    fetched = subprocess.run([environment.python(), "-P", HERE / "small_model.py"], check=False)
    if fetched.returncode:
        sys.exit(fetched.returncode)


def _become(command: Sequence[str | Path]) -> int:
    """Run the command in our place: it gets the terminal, Ctrl+C and the signals, and its exit code is ours."""
    words = [str(word) for word in command]
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(words[0], words)
    # Windows has no exec that keeps the console: wait, and leave Ctrl+C to the program, which hears it as well
    with subprocess.Popen(words) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue
