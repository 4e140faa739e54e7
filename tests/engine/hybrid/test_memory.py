"""What a text took is free again once it is let go of, with a dense model and a hybrid alike, and however it ended."""

import json
import os
import platform
import subprocess
import sys
import weakref
from pathlib import Path

import pytest

from engine.protocol import Delta, Generate, Progress, ReadingSettings, Sampling
from tests.engine.conftest import write_tokenizer

ROOT = Path(__file__).resolve().parents[3]
ENDINGS = (None, Progress, Delta)
"""None, or what it is cancelled amid, when some of it has come."""
CYCLES = """
import json, os, sys
from pathlib import Path
from engine.bench_memory import now
from engine.protocol import Delta, Generate, Progress, ReadingSettings, Sampling
from tests.engine.conftest import Desk

model, data, piece = sys.argv[1:]
desk = Desk(Path(data), Path(model), precision="auto", piece=int(piece) or None)
text = desk.made_up_text(desk.loaded.window)
words = len(text) * (desk.loaded.window - 300) // len(desk.worker._model.tokenizer.encode(text))


def taken():
    return now(os.getpid()).anonymous / 2**20


before = taken()
left = []
for ending in (None, None, None, None, None, Progress, Delta):
    if ending is not None:
        desk.stopped = lambda: sum(isinstance(event, ending) for event in desk.events) > 4
    book = desk.document(text[len(left) : words + len(left)])
    reading = ReadingSettings(mode="whole", save=False)
    asked = Generate(desk.id(), desk.talk([book, "What is it about?"]), Sampling(max_tokens=200), reading=reading)
    finish, most = desk.run(asked).finish, taken()
    assert (finish == "cancelled") == (ending is not None), finish
    desk.forget()
    desk.events = []
    left.append((taken() - before, most - before))
print(json.dumps(left))
"""
"""What is left after each of five of the longest requests and two that are cancelled, and what there was before."""


@pytest.fixture(scope="module")
def paths(checkpoint, tiny_model):
    """A dense model and a hybrid, with tokenizers."""
    hybrid = checkpoint(vocab_size=640, sparse_config={"dense_len": 512})
    write_tokenizer(hybrid.path)
    return {"dense": tiny_model, "hybrid": hybrid.path}


@pytest.mark.parametrize("model", ["dense", "hybrid"])
def test_nothing_holds_a_text_that_was_forgotten(model, paths, make_desk):
    """Python's collector of circles is off in tests: what they hold would live on here, in an engine for a while."""
    desk = make_desk(paths[model], piece=64, threads=1)
    for ending in ENDINGS:
        if ending is not None:
            desk.stopped = lambda kind=ending: sum(isinstance(event, kind) for event in desk.events) > 3
        book = desk.document(desk.made_up_text(300))
        reading = ReadingSettings(mode="whole", save=False)
        asked = Generate(desk.id(), desk.talk([book, "What is it about?"]), Sampling(max_tokens=12), reading=reading)
        done = desk.run(asked)
        assert (done.finish == "cancelled") == (ending is not None)
        assert (done.usage.written > 0) == (ending is not Progress)
        chain = desk.worker._model.chains.current
        held = [weakref.ref(each) for each in (chain, *chain._caches)]
        del chain
        desk.forget()
        desk.events = []
        assert [each() for each in held] == [None] * len(held)


@pytest.mark.full
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library keeps what it likes")
@pytest.mark.parametrize("model", ["smollm2", "dense", "hybrid"])
def test_memory_returns_to_where_it_was(model, paths, small_model, tmp_path):
    """In a process of its own: after every one of the longest requests, and after those that were cancelled."""
    path = small_model if model == "smollm2" else paths[model]
    piece = 32 if model == "dense" else 0  # its window is small, and reading is cancelled after some pieces
    told = subprocess.run(
        [sys.executable, "-c", CYCLES, str(path), str(tmp_path), str(piece)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    left = json.loads(told.stdout)
    print(left)
    assert max(most for _, most in left) > (100 if model == "smollm2" else 1), "else nothing was read"
    assert max(after for after, _ in left) < 64
    assert left[4][0] - left[1][0] < 3 * 8
