"""Whatever happened to a file or to the program: the reading is not there, and nothing else is wrong."""

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from engine.memory.store import NotSaved, Store, files, layout

ROOT = Path(__file__).parents[4]


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0x40
    path.write_bytes(data)


def header(path: Path) -> int:
    """Bytes before the first tensor."""
    return 8 + int.from_bytes(path.read_bytes()[:8], "little")


def swap_dtype(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"BF16"', b'"F16" ', 1))


def swap_rows(path: Path) -> None:
    data, at = bytearray(path.read_bytes()), header(path)
    data[at : at + 64], data[at + 64 : at + 128] = data[at + 64 : at + 128], data[at : at + 64]
    path.write_bytes(data)


DAMAGE = {
    "length of the header": lambda path: flip(path, 1),
    "upper bytes of it": lambda path: flip(path, 6),
    "the seal": lambda path: flip(path, 40),
    "a name": lambda path: flip(path, path.read_bytes().index(b"0.keys")),
    "a dtype": swap_dtype,
    "an offset": lambda path: flip(path, path.read_bytes().index(b"offsets") + 11),
    "padding": lambda path: flip(path, header(path) - 1),
    "first byte of the rows": lambda path: flip(path, header(path)),
    "a byte amidst": lambda path: flip(path, (header(path) + path.stat().st_size) // 2),
    "rows in another order": swap_rows,
    "a token": lambda path: flip(path, path.stat().st_size - 30),
    "last byte": lambda path: flip(path, path.stat().st_size - 1),
    "cut by a byte": lambda path: os.truncate(path, path.stat().st_size - 1),
    "cut in the header": lambda path: os.truncate(path, 100),
    "cut in the length": lambda path: os.truncate(path, 5),
    "nothing in it": lambda path: os.truncate(path, 0),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "another file": lambda path: path.write_bytes(b"{}" * 500),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
@pytest.mark.parametrize("known", [False, True], ids=["not looked at yet", "looked at"])
def test_damage_is_noticed_and_the_block_removed(store, made, rows, damage, known):
    ids, tensors = rows()
    store.put(made, ids, tensors)
    (path,) = store.folder.rglob("*.safetensors")
    block = store.get(made, ids) if known else None
    damage(path)
    block = block or store.get(made, ids)
    assert block is None or block.open() is None
    assert store.damaged == 1
    assert not path.exists()
    assert store.get(made, ids) is None
    assert block is None or block.open() is None
    assert store.damaged == 1
    store.put(made, ids, tensors)
    assert (store.get(made, ids).open()["0.keys"] == tensors["0.keys"]).all()


def test_every_single_byte_counts(store, made):
    tensors = {"rows": layout.torch.arange(30, dtype=layout.torch.bfloat16)}
    store.put(made, [1, 2], tensors)
    (path,) = store.folder.rglob("*.safetensors")
    good = path.read_bytes()
    for at in range(len(good)):
        path.write_bytes(good)
        flip(path, at)
        block = store.get(made, [1, 2])
        assert block is None or block.open() is None, at
    assert store.damaged == len(good)


def test_a_file_that_is_gone_is_no_damage(store, made, put):
    _, ids = put(1)
    block = store.get(made, ids)
    block.path.unlink()
    assert block.open() is None
    assert store.get(made, ids) is None
    assert store.damaged == 0


def test_a_manifest_that_is_no_longer_one_is_forgotten(store, folder, made, put):
    key, ids = put(1)
    store.keep(made, ("a" * 64,), [key], 40)
    (path,) = folder.rglob("*.json")
    whole = path.read_bytes()
    for damaged in (
        b"",
        whole[:-1],
        whole.replace(b"a" * 64, b"a" * 63 + b"b"),
        whole.replace(key.encode(), b"../../it"),
    ):
        path.write_bytes(damaged)
        assert store.readings() == ()
    assert Store(folder).get(made, ids) is not None
    assert not path.exists()


def test_killed_while_saving_leaves_nothing_to_be_seen(store, folder, made, put):
    _, ids = put(1)
    code = f"""
import os, signal, torch
from pathlib import Path
from engine.memory.store import Store, files
from tests.engine.memory.store.conftest import MADE
files.replace = lambda old, new: (print(old, flush=True), os.kill(os.getpid(), signal.SIGTERM))
Store(Path({str(folder)!r})).put(MADE, [1, 2, 3], {{"rows": torch.ones(100)}})
"""
    killed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    temporary = Path(killed.stdout.strip())
    assert killed.returncode != 0
    assert temporary.stat().st_size > 400
    assert not store.has(made, [1, 2, 3])
    assert store.longest_chain(made, [1, 2, 3]) is None
    assert store.bytes() == store.get(made, ids).bytes
    Store(folder)
    assert not temporary.exists()
    assert store.get(made, ids).open()


def test_a_file_that_is_being_written_is_left_alone(store, folder, put, made):
    put(1)
    (path,) = folder.rglob("*.safetensors")
    own = path.with_name(f".{os.getpid()}-999.tmp")
    own.write_bytes(b"")
    Store(folder)
    assert own.exists()
    os.utime(own, (began := psutil.Process().create_time() - 9, began))  # of an earlier process of our number
    Store(folder)
    assert not own.exists()


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.ENOSPC, "not_saved_disk"), (errno.EDQUOT, "not_saved_disk"), (errno.EACCES, "not_saved")],
)
def test_what_cannot_be_written_leaves_nothing(store, folder, made, rows, put, monkeypatch, number, code):
    key, _ = put(1)
    before = sorted(folder.rglob("*"))

    def fail(file, *arguments):
        file.write(b"half of it")
        raise OSError(number, os.strerror(number))

    ids, tensors = rows(seed=2)
    with monkeypatch.context() as patch:
        patch.setattr(layout, "write", fail)
        with pytest.raises(NotSaved) as caught:
            store.put(made, ids, tensors)
    assert (caught.value.code, caught.value.values) == (code, {})
    with monkeypatch.context() as patch:
        patch.setattr(files.os, "fsync", lambda descriptor: fail(io.BytesIO()))
        with pytest.raises(NotSaved):
            store.keep(made, ("a" * 64,), [key], 40)
    assert sorted(folder.rglob("*")) == before
    store.put(made, ids, tensors)


def test_a_disk_with_no_room_is_not_filled_to_the_brim(folder, made, rows, monkeypatch):
    store = Store(folder, quota=10**9)
    monkeypatch.setattr(Store, "free", 100)
    ids, tensors = rows()
    with pytest.raises(NotSaved) as caught:
        store.put(made, ids, tensors)
    assert caught.value.code == "not_saved_disk"
    assert store.bytes() == 0


def test_a_share_of_a_full_disk_is_no_quota_that_a_person_could_raise(folder, made, rows, monkeypatch):
    store = Store(folder)
    monkeypatch.setattr(Store, "free", 100)
    with pytest.raises(NotSaved, match="not_saved_disk"):
        store.begin(101)
    with pytest.raises(NotSaved, match="not_saved_disk"):
        store.put(made, *rows())
    with pytest.raises(NotSaved, match="not_saved_full"):
        store.begin(99)


def test_a_folder_that_cannot_be_is_said_to_be_so(tmp_path, made, rows):
    (tmp_path / "file").write_text("in the way")
    store = Store(tmp_path / "file" / "readings")
    ids, tensors = rows()
    assert store.get(made, ids) is None
    with pytest.raises(NotSaved) as caught:
        store.put(made, ids, tensors)
    assert caught.value.code == "not_saved"
