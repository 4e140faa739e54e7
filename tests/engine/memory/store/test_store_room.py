"""Which readings stay, which make room, and that what is forgotten is gone."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.memory.store import NotSaved, Store, files
from engine.memory.store.shelf import mark

ROOT = Path(__file__).parents[4]
A, B, C = ("a" * 64,), ("b" * 64,), ("c" * 64,)


@pytest.fixture
def read(store, made, put):
    """Reads `documents` as blocks of these seeds, last used `age` seconds ago. Returns the keys."""

    def save(documents, *seeds, age=0):
        keys = [put(seed)[0] for seed in seeds]
        store.keep(made, documents, keys, 40 * len(keys))
        made_at = time.time() - age
        for path in store.folder.rglob("*"):
            if path.stem in keys or (path.suffix == ".json" and documents[0] in path.read_text()):
                os.utime(path, (made_at, made_at))
        return keys

    return save


def there(store):
    return {reading.documents for reading in store.readings()}


def test_what_is_saved_is_listed(store, made, read):
    read(A, 1, 2, age=100)
    read((*B, *C), 2, 3, 4)
    latest, first = store.readings()
    size = store.bytes() // 4
    assert (latest.documents, first.documents) == ((*B, *C), A)
    assert (first.tokens, first.bytes, latest.bytes) == (80, 2 * size, 3 * size)
    assert (first.mode, first.model, first.fingerprint, first.precision) == ("parallel", "a model", "f" * 64, "bf16")
    assert time.time() - 60 < first.created <= latest.created <= time.time()
    assert time.time() - 160 < first.used < time.time() - 90
    assert 0 < first.opens < latest.opens < 0.1
    assert len({latest.id, first.id}) == 2


def test_opening_is_remembered_and_use_is_seen(store, made, read, put):
    read(A, 1, age=100)
    read(B, 2, age=50)
    store.used(made, A, 1.4)
    latest = store.readings()[0]
    assert (latest.documents, latest.opens) == (A, 1.4)
    store.used(made, B, None)
    assert store.readings()[0].documents == B
    block = store.get(made, put(1)[1])
    block.open()
    assert {reading.documents: reading.opens for reading in store.readings()}[A] is None
    block.close()
    assert store.readings()[1].opens == 1.4


def test_the_same_reading_again_replaces_it(store, made, read, put):
    read(B, 2)
    read(A, 1, 2, 3)
    read(A, 3, 4)
    assert len(store.readings()) == 2
    assert [store.has(made, put(seed)[1]) for seed in (2, 3, 4)] == [True] * 3
    keys = {path.stem for path in store.folder.rglob("*.safetensors")}
    assert len(keys) == 3


def test_the_least_recently_used_makes_room(folder, store, made, rows, read):
    read(A, 1, 2, age=300)
    read(B, 3, 4, age=200)
    read(C, 5, age=100)
    size = store.bytes() // 5
    small = Store(folder, quota=5 * size)
    small.used(made, A, None)
    small.put(made, *rows(seed=6))
    assert there(store) == {A, C}
    assert small.bytes() == 4 * size
    small.put(made, *rows(seed=7))
    assert there(store) == {A, C}
    small.put(made, *rows(seed=8))
    assert there(store) == {A}


def test_shared_blocks_stay_when_one_reading_makes_room(folder, store, made, rows, read):
    read(A, 1, 2, age=300)
    read(B, 2, 3)
    size = store.bytes() // 3
    Store(folder, quota=3 * size).put(made, *rows(seed=4))
    assert there(store) == {B}
    assert store.has(made, rows(seed=2)[0])
    assert not store.has(made, rows(seed=1)[0])


def test_blocks_of_no_reading_go_first(folder, store, made, rows, read, put):
    put(1)
    store.begin()
    read(A, 2, age=9999)
    size = store.bytes() // 2
    Store(folder, quota=2 * size).put(made, *rows(seed=3))
    assert there(store) == {A}
    assert not store.has(made, rows(seed=1)[0])


def test_what_is_being_written_never_makes_room_for_itself(folder, store, made, rows, read):
    read(A, 1)
    read(B, 2)
    size = store.bytes() // 2
    small = Store(folder, quota=3 * size + 10)
    assert small.get(made, rows(seed=1)[0]) is not None  # it begins with a block that is there
    small.put(made, *rows(seed=3))
    small.put(made, *rows(seed=4))
    assert there(store) == {A}
    with pytest.raises(NotSaved) as caught:
        small.put(made, *rows(seed=5))
    assert caught.value.code == "not_saved_full"
    assert caught.value.values == {"needed": str(4 * size), "quota": str(3 * size + 10)}
    assert [small.has(made, rows(seed=seed)[0]) for seed in (1, 3, 4, 5)] == [True, True, True, False]


def test_what_would_never_fit_moves_nothing(folder, store, made, rows, read):
    read(A, 1)
    small = Store(folder, quota=store.bytes() + 10)
    small.begin(store.bytes())
    with pytest.raises(NotSaved, match="not_saved_full"):
        small.begin(store.bytes() + 11)
    with pytest.raises(NotSaved, match="not_saved_full"):
        small.put(made, *rows(100, seed=2))
    assert there(store) == {A}


def test_the_quota_is_a_tenth_of_what_could_be_had(folder, store, made, read, monkeypatch):
    read(A, 1)
    monkeypatch.setattr(Store, "free", 1000)
    assert store.quota == (1000 + store.bytes()) // 10
    monkeypatch.setattr(Store, "free", 10**13)
    assert store.quota == 50 * 10**9
    assert Store(folder, quota=77).quota == 77


def test_blocks_of_no_reading_go_after_a_week(folder, store, made, rows, put, read):
    read(A, 1, age=10**7)
    for seed, days in ((2, 6), (3, 8)):
        (path,) = (path for path in folder.rglob(put(seed)[0] + ".*"))
        os.utime(path, (at := time.time() - days * 86_400, at))
    again = Store(folder)
    assert [again.has(made, rows(seed=seed)[0]) for seed in (1, 2, 3)] == [True, True, False]
    assert again.get(made, rows(seed=2)[0]) is not None


def test_forgetting_takes_what_no_other_reading_names(store, folder, made, rows, read, put):
    read(A, 1, 2)
    read((*A, *B), 1, 2, 3)
    read(C, 3, 4)
    put(5)
    size = store.bytes() // 5
    assert store.forget(("d" * 64,)) == (0, size)  # whose the fifth was is not known
    assert store.forget(B) == (1, 0)
    assert store.forget(A) == (1, 2 * size)
    assert there(store) == {C}
    assert [store.has(made, rows(seed=seed)[0]) for seed in (1, 2, 3, 4)] == [False, False, True, True]
    read(B, 1)
    assert store.forget(None) == (2, 3 * size)
    assert [path.name for path in folder.iterdir()] == [".lock"]


def test_what_is_forgotten_is_let_go_first(store, made, read, rows, monkeypatch):
    read(A, 1)
    block = store.get(made, rows(seed=1)[0])
    block.open()
    unlink = Path.unlink

    def like_windows(path, missing_ok=False):
        if path == block.path and block.tensors is not None:
            raise PermissionError
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", like_windows)
    assert store.forget(A)[0] == 1
    assert not block.path.exists()
    assert block.open() is None
    assert store.damaged == 0


def test_what_cannot_be_removed_is_gone_all_the_same(store, folder, made, rows, read, monkeypatch):
    read(A, 1)
    ids, tensors = rows(seed=1)
    path = store.get(made, ids).path
    unlink, tries, pauses = Path.unlink, [], []

    def held_by_another(found, missing_ok=False):
        if found == path:
            tries.append(found)
            raise PermissionError
        unlink(found, missing_ok)

    monkeypatch.setattr(files, "TRIES", 4)
    monkeypatch.setattr(files.time, "sleep", pauses.append)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", held_by_another)
        assert store.forget(A) == (1, path.stat().st_size)
        assert (len(tries), pauses) == (4, [files.PAUSE] * 3)
        assert path.exists()
        assert mark(path).exists()
        assert (store.get(made, ids), store.has(made, ids), store.bytes()) == (None, False, 0)
        assert store.longest_chain(made, ids) is None
        store.put(made, ids, tensors)  # read once more: the file holds just that
        assert store.get(made, ids).open()
        store.forget(A)
        assert path.exists()
    Store(folder)
    assert not path.exists()
    assert not mark(path).exists()


def test_two_processes_use_one_folder(store, folder, made, rows):
    code = f"""
import sys
from pathlib import Path
import torch
from engine.memory.store import Store
from tests.engine.memory.store.conftest import MADE
store = Store(Path({str(folder)!r}))
for number in range(20):
    keys = [store.put(MADE, [7, number], {{"rows": torch.full((50,), number)}})]
    store.keep(MADE, (sys.argv[1] * 64,), keys, 2)
    block = store.get(MADE, [7, number])
    opened = None if block is None else block.open()
    assert opened is None or (opened["rows"] == number).all()
assert store.damaged == 0
"""
    both = [subprocess.Popen([sys.executable, "-c", code, name], cwd=ROOT) for name in "ab"]
    assert [process.wait(60) for process in both] == [0, 0]
    assert there(store) == {A, B}
    assert len([*folder.rglob("*.safetensors")]) == 1
    assert len(store.get(made, [7, 19]).open()["rows"]) == 50
