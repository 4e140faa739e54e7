"""The installed program's window, used with mouse and keyboard under Xvfb from outside the folder that it runs in."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

import chroot

DISPLAY = ":97"
SIZE = "1440x900x24"
QUESTION = "What number does the spare key of the oil store bear?"
FACT = "48213"
ANSWERS_WITHIN = 240.0
DATA = "root/.local/share/longread"
"""Below the folder that it runs in."""
SAMPLE = "/usr/lib/longread/_internal/resources/samples/self_test.md"
"""Comes along with the program."""
PDF = "/tmp/page.pdf"


Seen = TypeVar("Seen")


class Failed(Exception):
    """The window did not do what it must."""


class Waited(NamedTuple):
    """Seconds from the program's start to its window and to a first whole answer about a page, and from the question
    to that answer."""

    window: float
    answer: float
    question: float


def check(root: Path, out: Path, *, page: str = PDF, trace: Path | None = None) -> Waited:
    """A document given on the command line, as "Open with" does, a question typed, the answer waited for.

    Pictures of it are left in `out`. `trace`: as for `chroot.command`.
    """
    (root / PDF[1:]).write_bytes(_pdf())
    shutil.rmtree(root / DATA, ignore_errors=True)
    settings = f"{chroot.SURROUNDINGS} DISPLAY={DISPLAY} QT_QPA_PLATFORM=xcb"
    words = chroot.command(root, f"exec longread {page}", screen=True, trace=trace, settings=settings)
    waited = use(words, root, root / DATA / "longread.db", out)
    (root / PDF[1:]).unlink()
    return waited


def use(words: list[str], folder: Path, database: Path, out: Path) -> Waited:
    """The same of whatever program `words` start in `folder` with a document, and that keeps its data in `database`."""
    out.mkdir(parents=True, exist_ok=True)
    with _screen(), _program(words, folder) as program, _pictured(out / "failed.png"):
        shown = time.monotonic()
        seen = _until(_windows, 60, "a window")
        appeared = time.monotonic() - shown
        _xdotool("windowfocus", seen[0])
        _until(lambda: _xdotool("getwindowfocus").strip() == seen[0], 20, "the window's focus")
        _until(lambda: _rows(database, "select count(*) from items"), ANSWERS_WITHIN, "the document in the library")
        _picture(out / "opened.png")
        _until(lambda: _rows(database, "select tokens from counts"), ANSWERS_WITHIN, "its tokens")
        _still("the button, which waits for them")
        _xdotool("key", "--clearmodifiers", "Return")  # the pre-flight's button
        _still("the reading's end")
        _picture(out / "read.png")
        _xdotool("key", "--clearmodifiers", "ctrl+l")
        _xdotool("type", "--delay", "10", QUESTION)
        asked = time.monotonic()
        _xdotool("key", "Return")
        _until(lambda: FACT in _answers(database), ANSWERS_WITHIN, "the answer")
        answered = time.monotonic()
        _still("the answered window")
        _picture(out / "answered.png")
        _xdotool("key", "--clearmodifiers", "ctrl+q")
        _until(lambda: program.poll() is not None, 30, "the program's end")
    if program.returncode:
        raise Failed(f"closed by Ctrl+Q, it ended with {program.returncode}")
    return Waited(appeared, answered - shown, answered - asked)


def _pdf() -> bytes:
    """One page with the self-test's words, made by reportlab, which is among the tests' tools."""
    import io

    from reportlab.pdfgen import canvas

    stream = io.BytesIO()
    page = canvas.Canvas(stream)
    words = (
        "From the log of Gull Rock",
        "3 March. Wind west, strong. Lens cleaned. Forty-one gallons of oil left.",
        "14 March. The barometer is unreliable again and reads low by three tenths.",
        "The spare key of the oil store bears the number 48213 and hangs behind it.",
    )
    for number, line in enumerate(words):
        page.drawString(72, 760 - 24 * number, line)
    page.save()
    return stream.getvalue()


@contextlib.contextmanager
def _screen() -> Iterator[None]:
    """Xvfb's socket is a file, which the folder sees: no network is needed between them."""
    with subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", SIZE], stderr=subprocess.DEVNULL) as screen:
        _until(lambda: Path(f"/tmp/.X11-unix/X{DISPLAY[1:]}").exists(), 20, "Xvfb")
        try:
            yield
        finally:
            screen.terminate()


@contextlib.contextmanager
def _program(words: list[str], folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(words, cwd=folder, start_new_session=True, stdin=subprocess.DEVNULL) as program:
        try:
            yield program
        finally:
            if program.poll() is None:
                os.killpg(program.pid, signal.SIGKILL)  # the first of a namespace does not hear SIGTERM


@contextlib.contextmanager
def _pictured(path: Path) -> Iterator[None]:
    """What was on the screen when it failed."""
    try:
        yield
    except Failed:
        _picture(path)
        raise


def _windows() -> list[str]:
    return _xdotool("search", "--onlyvisible", "--name", "Longread", check=False).split()


def _answers(database: Path) -> str:
    return "\n".join(_rows(database, "select text from messages where role = 'assistant'")) if database.exists() else ""


def _rows(database: Path, query: str) -> list[str]:
    import sqlite3

    if not database.exists():
        return []
    with (
        contextlib.suppress(sqlite3.Error),
        contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as read,
    ):
        return [str(row[0]) for row in read.execute(query) if row[0]]
    return []


def _still(what: str) -> None:
    """Until two pictures of the screen, one after the other, are the same."""
    before = b""

    def same() -> bool:
        nonlocal before
        now = subprocess.run(
            ["import", "-display", DISPLAY, "-window", "root", "-depth", "8", "rgb:-"], capture_output=True, check=True
        ).stdout
        before, was = now, before
        return now == was

    _until(same, 30, f"{what}: the screen does not come to rest")


def _picture(path: Path) -> None:
    subprocess.run(["import", "-display", DISPLAY, "-window", "root", str(path)], check=True)


def _xdotool(*words: str, check: bool = True) -> str:
    done = subprocess.run(
        ["xdotool", *words], capture_output=True, text=True, check=False, env=os.environ | {"DISPLAY": DISPLAY}
    )
    if check and done.returncode:
        raise Failed(f"xdotool {words[0]}: {done.stderr[-200:]}")
    return done.stdout


def _until(condition: Callable[[], Seen], seconds: float, what: str) -> Seen:
    end = time.monotonic() + seconds
    while not (seen := condition()):
        if time.monotonic() > end:
            raise Failed(f"waited {seconds:g} s for {what}")
        time.sleep(0.1)
    return seen
