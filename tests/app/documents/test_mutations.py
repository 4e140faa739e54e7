"""Whatever happens to a file of a binary format, it is read or refused with a sentence: nothing else is raised, nothing
hangs, and no process dies of it."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from make_mutations import SOUND

from app import document_words
from app.documents.process import environment
from app.processes import ROOT

READER = Path(__file__).parents[2] / "data" / "mutation_reader.py"
AT_ONCE = 500
"""Mutations that one process reads: what a library leaks is then no hindrance to the next ones."""
FEW, MANY = 20, 2_000

pytestmark = pytest.mark.skipif(os.name == "nt", reason="memory and time are limited by POSIX")


class Read(NamedTuple):
    outcomes: dict[int, str]
    """By the mutation's number."""
    faults: list[str]
    """What was raised, and where a process died, each with the mutation's number."""
    slowest: float
    peak: int


def read(jobs: list[tuple[str, int]]) -> dict[str, Read]:
    """By format."""
    came = {kind: Read({}, [], 0.0, 0) for kind, _ in jobs}
    while jobs:
        batch = jobs[:AT_ONCE]
        done = subprocess.run(
            [sys.executable, "-P", "-X", "utf8", str(READER)],
            input="".join(f"{kind} {number}\n" for kind, number in batch),
            capture_output=True,
            text=True,
            env=environment() | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(READER.parent)))},
            check=False,
        )
        lines = done.stdout.splitlines()
        for (kind, number), line in zip(batch, lines, strict=False):
            outcome, seconds, peak = json.loads(line)
            so_far = came[kind]
            if outcome.startswith("raised"):
                so_far.faults.append(f"{kind} {number} {outcome}")
            so_far.outcomes[number] = outcome
            came[kind] = so_far._replace(slowest=max(so_far.slowest, seconds), peak=max(so_far.peak, peak))
        if len(lines) < len(batch):
            kind, number = batch[len(lines)]
            came[kind].faults.append(f"{kind} {number} ended the process with {done.returncode}: {done.stderr[-3000:]}")
        jobs = jobs[len(lines) + (len(lines) < len(batch)) :]
    return came


@pytest.fixture(scope="module")
def few() -> dict[str, Read]:
    """And the sound files, which have numbers below 0."""
    return read([(kind, number) for kind in SOUND for number in range(-len(SOUND[kind]), FEW)])


@pytest.mark.parametrize("kind", SOUND)
def test_a_few(few, kind):
    check(few[kind], FEW)


@pytest.mark.full
@pytest.mark.parametrize("kind", SOUND)
def test_many(kind, capsys):
    came = read([(kind, number) for number in range(MANY)])[kind]
    outcomes = Counter(came.outcomes.values())
    with capsys.disabled():
        counts = ", ".join(f"{outcome} {count}" for outcome, count in outcomes.most_common())
        print(f"\n{kind}: {counts}; slowest {came.slowest:.2f} s, at most {came.peak >> 10} MB")
    check(came, MANY)


def check(came: Read, count: int) -> None:
    assert not came.faults
    assert set(range(count)) <= came.outcomes.keys()
    assert set(came.outcomes.values()) <= {"text", *document_words.REFUSALS} - NEVER


NEVER = {"missing", "denied", "crashed", "too_slow", "ocr_off", "no_ocr"}
"""Sentences that would not say what is the matter with a file that is there and changed."""


def test_the_sound_files_are_read(few):
    """Or the mutations would be of what was refused from the beginning."""
    sound = {kind: [one.outcomes[-1 - number] for number in range(len(SOUND[kind]))] for kind, one in few.items()}
    assert sound.pop("zip") == ["text", "text", "encrypted", "encrypted"]
    assert {outcome for outcomes in sound.values() for outcome in outcomes} == {"text", "no_text"}
    assert {kind for kind, outcomes in sound.items() if "no_text" in outcomes} == PICTURES


PICTURES = {"png", "tiff", "jpeg", "gif", "bmp", "webp"}
"""Are decoded and not recognised."""
