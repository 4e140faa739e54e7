"""The log says where something broke and nothing of what the person had in the program."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from app.crash import Redacting, frames, redacted


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("[Errno 2] No such file or directory: '/home/ann/Divorce.pdf'", "[Errno 2] No such file or directory: <text>"),
        ('cannot open "Divorce 2026.pdf" now', "cannot open <text> now"),
        (r"reading C:\Users\Ann\Divorce.pdf failed", "reading <path>"),
        ("reading /home/ann/My Divorce.pdf, again", "reading <path>"),
        ("reading ~/Divorce.pdf", "reading <path>"),
        (r"on \\server\share\Divorce.pdf", "on <path>"),
        ("file:///home/ann/Divorce.pdf", "<path>"),
        ("“The price is 3”", "<text>"),
        ("it's 3 of 4, 63 tok/s", "it's 3 of 4, 63 tok/s"),
        ("the engine died with exit code -9", "the engine died with exit code -9"),
    ],
)
def test_a_message_keeps_its_words_and_loses_names_and_quotes(message, kept):
    assert redacted(message) == kept


def broken() -> BaseException:
    try:
        try:
            raise OSError("Divorce.pdf")
        except OSError as error:
            raise ValueError("the price is 3") from error
    except ValueError as error:
        return error


def test_an_error_is_its_kind_and_place_with_those_behind_it():
    told = frames(broken())
    assert "builtins.ValueError" in told
    assert "builtins.OSError" in told
    assert "app/test_crash.py:" in told
    assert "Divorce" not in told
    assert "price" not in told


def test_what_another_handler_wrote_into_the_record_is_not_used():
    error = broken()
    record = logging.LogRecord(
        "a", logging.ERROR, "a.py", 1, "failed: %r", ("Divorce.pdf",), (type(error), error, None)
    )
    logging.Formatter().format(record)
    line = Redacting().format(record)
    assert "Divorce" not in line
    assert "price" not in line
    assert "builtins.ValueError" in line
    assert "price" in record.exc_text


@pytest.mark.parametrize("where", ["main", "thread"])
def test_an_error_that_nobody_caught_is_in_the_log(tmp_path: Path, where):
    program = f"""
import pathlib, threading
from app import crash
crash.install(pathlib.Path({str(tmp_path)!r}))
def fail():
    raise ValueError("the price is 3")
if {where!r} == "main":
    fail()
thread = threading.Thread(target=fail)
thread.start()
thread.join()
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    log = (tmp_path / "longread.log").read_text()
    assert "builtins.ValueError" in log
    assert "fail" in log
    assert "builtins.ValueError" in run.stderr
    assert "price" not in log + run.stderr


def test_a_fault_of_native_code_leaves_its_place(tmp_path: Path):
    program = f"""
import faulthandler, pathlib
from app import crash
crash.install(pathlib.Path({str(tmp_path)!r}))
faulthandler._sigsegv()
"""
    subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert "Segmentation fault" in (tmp_path / "crash.log").read_text()


def test_a_folder_that_cannot_be_written_does_not_stop_the_program(tmp_path: Path):
    (tmp_path / "logs").write_text("a file is in the way")
    program = f"import pathlib; from app import crash; crash.install(pathlib.Path({str(tmp_path / 'logs')!r}))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
