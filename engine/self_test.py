"""`python -m engine --self-test`: the small model is loaded, reads a page that comes along, and answers about it.

Nothing of the person's is touched: what is made lies in a folder that is gone at the end.
"""

import argparse
import hashlib
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

import resources
from engine import device, home
from engine.catalogue import SMALL, SMALL_FILE, shipped_models
from engine.protocol import (
    Answered,
    Conversation,
    Document,
    Done,
    Failed,
    Generate,
    Load,
    Loaded,
    ModelSettings,
    ReadingSettings,
    Request,
    Sampling,
    Text,
    Turn,
)
from engine.worker import ModelWorker
from kernels import dispatch

PAGE = "samples/self_test.md"
QUESTION = "What number does the spare key of the oil store bear?"
FACT = "48213"
"""Stands on the page and nowhere else, so that no model knows it by heart."""
LONGEST = 48
"""Tokens of the answer."""


class _Wrong(Exception):
    """A check did not come out as it must."""


def main(argv: Sequence[str]) -> int:
    """0 when every check is right, 1 otherwise."""
    parser = argparse.ArgumentParser(prog="longread-engine --self-test", description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--model", type=Path, default=_small(), help="a .gguf file or a folder; else the small model")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="longread-self-test-") as scratch:
        rows = run(arguments.model, Path(scratch))
    right = all(row["right"] for row in rows)
    if arguments.json:
        print(json.dumps({"right": right, "checks": rows}, indent=2))
    else:
        for row in rows:
            print(f"{'ok' if row['right'] else 'FAILED':8}{row['check']:10}{row['seconds']:7.1f} s  {row['told']}")
    return 0 if right else 1


def _small() -> Path:
    """Where the program was not packaged, the small model lies in the data folder."""
    shipped = shipped_models() / SMALL.name / SMALL_FILE
    return shipped if shipped.is_file() else home.data() / "models" / SMALL.name / SMALL_FILE


def run(model: Path, data: Path) -> list[dict[str, object]]:
    """The checks in order, each with `right`, `told` and `seconds`. The first that is wrong is the last."""
    worker = ModelWorker(data)
    checks: dict[str, Callable[[], str]] = {
        "torch": _torch,
        "kernels": _kernels,
        "load": lambda: _load(worker, model),
        "answer": lambda: _answer(worker, data),
    }
    rows: list[dict[str, object]] = []
    for name, check in checks.items():
        began, right = time.monotonic(), True
        try:
            told = check()
        except Exception as problem:  # noqa: BLE001 - whatever does not work here is what the test is to say
            right, told = False, f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__
        rows.append({"check": name, "right": right, "told": told, "seconds": round(time.monotonic() - began, 3)})
        if not right:
            break
    return rows


def _torch() -> str:
    info = device.choose("auto")
    return f"torch {torch.__version__} on {info.name}, Python {sys.version.split()[0]}"


def _kernels() -> str:
    """Every operation against its reference, in the form that is chosen here."""
    info = device.choose("auto")
    place = torch.device(info.kind)
    if failures := dispatch.check(place):
        raise _Wrong("; ".join(map(str, failures)))
    forms = [dispatch.implementation(operation, place).__name__.rpartition(".")[2] for operation in dispatch.FORMS]
    return ", ".join(f"{forms.count(form)} {form}" for form in dict.fromkeys(forms))


def _load(worker: ModelWorker, model: Path) -> str:
    ending = _run(worker, Load("1", ModelSettings(str(model))))
    if not isinstance(ending, Loaded):
        raise _Wrong(str(ending))
    return f"{ending.name}, {ending.precision}, window {ending.window:,}, written by {ending.writing}"


def _answer(worker: ModelWorker, data: Path) -> str:
    text = resources.path(PAGE).read_bytes()
    digest = hashlib.sha256(text).hexdigest()
    page = data / f"{digest}.txt"
    page.write_bytes(text)
    turn = Turn("user", (Document(str(page), digest, "page.md"), Text(QUESTION)))
    request = Generate(
        "2", Conversation((turn,), "2026-01-01"), Sampling(max_tokens=LONGEST), reading=ReadingSettings(save=False)
    )
    ending = _run(worker, request)
    match ending:
        case Done(usage=usage, result=Answered(text=said)) if usage is not None and FACT in said:
            return f"{usage.read} tokens read, {usage.written} written, right: {FACT}"
        case Done(result=Answered(text=said)):
            raise _Wrong(f"the answer lacks {FACT}: {said}")
    raise _Wrong(str(ending))


def _run(worker: ModelWorker, request: Request) -> Done | Loaded | Failed:
    return worker.run(request, lambda event: None, lambda: False)
