"""The command line with the real engine and the real small model."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.whole

ROOT = Path(__file__).resolve().parents[2]


def make_book():
    spec = importlib.util.spec_from_file_location("make_book", ROOT / "tests" / "data" / "make_book.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def longread(home: Path, small_model: Path):
    """Run `longread` as a person would; a model that is on the computer is not fetched again."""

    def run(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-P", "-m", "app", command, "--model", str(small_model), *arguments]
        surroundings = os.environ | {"PYTHONPATH": str(ROOT)}
        return subprocess.run(
            words, cwd=home, env=surroundings, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )

    return run


def test_a_fact_in_the_middle_of_a_book_is_found(longread, tmp_path):
    book = make_book()
    path = book.make_book(tmp_path / "BOOK.pdf")
    ran = longread("ask", "--json", "--doc", str(path), book.QUESTION)
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)
    assert book.ANSWER in report["answer"]
    (item,) = report["documents"]
    assert 2_000 < item["tokens"] < 7_000
    assert item["units"] >= 8
    usage = report["usage"]
    assert usage["prompt"] == usage["read"] + usage["reused"] > item["tokens"]
    assert usage["unread"] == report["ledger"]["unread"] == 0
    assert "Reading" in ran.stderr


@pytest.mark.full
def test_what_is_longer_than_the_window_is_not_read_whole_and_the_refusal_has_numbers(longread, tmp_path):
    path = tmp_path / "long.txt"
    path.write_text("All work and no play makes a dull book. " * 2_000)
    ran = longread("ask", "--mode", "whole", "--doc", str(path), "What is dull?")
    assert ran.returncode == 1
    assert not ran.stdout
    assert "Nothing was cut" in ran.stderr
    assert "8,192" in ran.stderr


@pytest.mark.full
def test_doctor_names_precision_and_product(longread):
    ran = longread("doctor", "--json")
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)
    assert report["model"]["precision"] in report["engine"]["devices"][0]["precisions"]
    assert report["model"]["writing"]
    assert report["model"]["candidates"]
