"""What was saved comes back bit for bit, mapped, and to nobody else."""

import os
import stat
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import safetensors
import torch

from engine.memory.store import Made, Store, blocks
from engine.memory.store.layout import CHUNK


def test_it_comes_back_bit_for_bit(store, made, rows):
    ids, tensors = rows()
    key = store.put(made, ids, tensors)
    block = store.get(made, list(ids))
    assert (block.key, block.tensors) == (key, None)
    assert np.array_equal(block.ids, ids)
    opened = block.open()
    assert opened is block.tensors
    assert opened.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert opened[name].dtype == tensor.dtype
        assert torch.equal(opened[name], tensor)
        assert opened[name].data_ptr() % opened[name].itemsize == 0
    assert store.has(made, ids)
    assert not store.has(made, ids[:-1])
    assert store.get(made, ids[:-1]) is None
    assert store.damaged == 0


def test_it_is_a_safetensors_file(store, made, rows):
    ids, tensors = rows()
    store.put(made, ids, tensors)
    with safetensors.safe_open(store.get(made, ids).path, framework="pt") as file:
        assert torch.equal(file.get_tensor("0.keys"), tensors["0.keys"])
        assert np.array_equal(file.get_tensor("ids").numpy(), ids)


def test_rows_of_several_chunks_and_rows_of_none(store, made):
    large = torch.arange(3 * CHUNK // 8 + 5)
    store.put(made, [1], {"large": large, "none": torch.empty(2, 0, 4)})
    opened = store.get(made, [1]).open()
    assert torch.equal(opened["large"], large)
    assert opened["none"].shape == (2, 0, 4)
    with pytest.raises(ValueError, match="ids names the tokens"):
        store.put(made, [2], {"ids": large})


def test_what_is_there_stays_as_it_is(store, made, rows, put):
    _, ids = put(1)
    path = store.get(made, ids).path
    before = path.stat().st_ino
    put(1)
    assert path.stat().st_ino == before
    assert [*path.parent.iterdir()] == [path]


def test_whoever_asks_again_gets_the_same_block(store, folder, made, put):
    _, ids = put(1)
    block = store.get(made, ids)
    opened = block.open()
    again = Store(folder).get(made, ids)
    assert again is block
    assert again.open() is opened
    again.close()
    assert block.tensors is None
    assert torch.equal(block.open()["0.keys"], opened["0.keys"])


@pytest.mark.parametrize(
    "other",
    [
        {"fingerprint": "0" * 64},
        {"precision": "fp32"},
        {"template": "0" * 64},
        {"tokenizer": "0" * 64},
        {"mode": "whole"},
        {"kv": "int8"},
        {"extension": "yarn"},
        {"window": 16_384},
    ],
)
def test_made_otherwise_finds_nothing(store, made, put, other):
    _, ids = put(1)
    assert store.get(replace(made, **other), ids) is None
    assert store.longest_chain(replace(made, **other), ids) is None


def test_another_format_finds_nothing_and_an_older_one_goes(store, folder, made, put, monkeypatch):
    key, ids = put(1)
    store.keep(made, ("a" * 64,), [key], 40)
    monkeypatch.setattr("engine.memory.store.made.FORMAT", 2)
    monkeypatch.setattr("engine.memory.store.shelf.FORMAT", 2)
    newer = replace(made, model="the same by another name")
    assert newer.digest != made.digest
    assert store.get(newer, ids) is None
    Store(folder)
    assert [path.name for path in folder.iterdir()] == [".lock"]


def test_a_model_by_another_name_is_the_same(store, made, put):
    _, ids = put(1)
    assert store.get(replace(made, model="renamed"), ids) is not None


def test_asking_makes_nothing(tmp_path, folder, made):
    store = Store(folder)
    assert store.get(made, [1, 2]) is None
    assert not store.has(made, [1, 2])
    assert store.longest_chain(made, [1, 2]) is None
    assert (store.readings(), store.bytes(), store.forget(None), store.damaged) == ((), 0, (0, 0), 0)
    assert store.quota == min(50 * 10**9, store.free // 10)
    store.used(made, ("a" * 64,), 1.0)
    assert [*tmp_path.iterdir()] == []


def test_asking_leaves_other_peoples_files_alone(tmp_path):
    for name in ("a" * 64, "1-short", "notes"):
        (tmp_path / name).mkdir()
    (tmp_path / "1-short" / ("a" * 64 + "-4.safetensors")).write_bytes(b"")
    store = Store(tmp_path)
    assert (store.bytes(), store.forget(None)) == (0, (0, 0))
    assert len([*tmp_path.rglob("*")]) == 4


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_files_are_their_owners_alone(tmp_path, made, rows):
    before = os.umask(0)
    try:
        store = Store(tmp_path / "new" / "readings")
        ids, tensors = rows()
        store.keep(made, ("a" * 64,), [store.put(made, ids, tensors)], 40)
        store.used(made, ("a" * 64,), 0.1)
    finally:
        os.umask(before)
    found = [tmp_path / "new", *(tmp_path / "new").rglob("*")]
    assert len(found) == 6
    for path in found:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_nothing_but_hashes_is_kept_of_a_document(store, folder, made, put):
    key, _ = put(1)
    store.keep(made, ("a" * 64, "b" * 64), [key], 40)
    (path,) = folder.rglob("*.json")
    assert path.read_text().count("a" * 64) == 1
    assert path.stat().st_size < 900


def test_mapped_rows_are_no_memory_of_their_own(store, made):
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("only Linux tells mapped from anonymous memory")

    def resident(kind: str) -> int:
        lines = status.read_text().splitlines()
        return next(int(line.split()[1]) // 1024 for line in lines if line.startswith(kind))

    store.put(made, [1, 2, 3], {"rows": torch.ones(100 * 2**20, dtype=torch.bfloat16)})
    store.put(made, [1, 2], {"rows": torch.ones(10, dtype=torch.bfloat16)})
    store.get(made, [1, 2]).open()
    block = store.get(made, [1, 2, 3])
    anonymous, mapped = resident("RssAnon"), resident("RssFile")
    assert block.open()["rows"][:: 2**20].sum() == 100
    assert resident("RssAnon") - anonymous < 10
    assert resident("RssFile") - mapped >= 199
    block.close()
    assert resident("RssFile") - mapped < 10


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_a_long_text_may_have_more_blocks_than_files_are_allowed_at_first():
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        blocks._prepare.__wrapped__()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(blocks.DESCRIPTORS, before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_the_longest_chain_that_the_tokens_begin_with(store, whole, made, rows):
    ids, tensors = rows(50)
    for length in (10, 30, 40):
        store.put(whole, ids[:length], tensors)
    store.put(whole, [*ids[:44], 7], tensors)
    store.put(whole, [*ids[:35], 7], tensors)
    store.put(made, ids[:45], tensors)
    assert len(store.longest_chain(whole, ids).ids) == 40
    assert len(store.longest_chain(whole, ids[:40]).ids) == 40
    assert len(store.longest_chain(whole, ids[:39]).ids) == 30
    assert len(store.longest_chain(whole, [*ids[:12], 7]).ids) == 10
    assert store.longest_chain(whole, ids[:9]) is None
    assert store.longest_chain(whole, []) is None
    path = store.get(whole, ids[:40]).path
    path.write_bytes(b"")
    assert len(store.longest_chain(whole, ids).ids) == 30


def test_made_is_named_by_all_that_counts():
    assert (
        Made("f", "bf16", "t", "k", "whole", "model", "m").folder
        == Made("f", "bf16", "t", "k", "whole", "model", "n").folder
    )
