"""Which models there are, where they lie and which fit."""

import json
from pathlib import Path

import pytest

from app.services.models import WHOLE, Models
from app.services.problem import ModelMissing, Problem
from engine import catalogue

GIB = 2**30


@pytest.fixture
def models(home: Path) -> Models:
    return Models(home / "models")


def test_a_catalogues_model_is_missing_until_all_of_it_is_there(models, home):
    with pytest.raises(ModelMissing, match="model_missing") as missing:
        models.resolve("Qwen/Qwen3-0.6B")
    assert missing.value.values["name"] == "qwen3-0.6b"
    folder = home / "models" / "qwen3-0.6b"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    with pytest.raises(ModelMissing):
        models.resolve("qwen3-0.6b")
    (folder / WHOLE).write_text("{}")
    assert models.resolve("qwen3-0.6b") == folder
    assert {entry.name: entry.path for entry in models.entries()}["qwen3-0.6b"] == str(folder)


def test_half_of_the_small_model_is_not_the_small_model(models, home):
    folder = home / "models" / catalogue.SMALL.name
    folder.mkdir()
    (folder / "SmolLM2-135M-Instruct.Q4_1.gguf").write_bytes(b"GGUF")
    with pytest.raises(ModelMissing):
        models.resolve(catalogue.SMALL.name)


def test_a_model_in_use_is_listed_though_it_was_never_added(models, tmp_path):
    file = tmp_path / "named.gguf"
    file.write_bytes(b"GGUF")
    known = [entry.name for entry in models.entries()]
    assert [entry.name for entry in models.entries(chosen=str(file))] == [*known, str(file)]
    assert [entry.name for entry in models.entries(chosen=catalogue.SMALL.name)] == known
    assert [entry.name for entry in models.entries(chosen=str(tmp_path / "gone"))] == known
    models.add(file)
    assert [entry.name for entry in models.entries(chosen=str(file))].count(str(file)) == 1


def test_a_path_is_a_model_and_an_unknown_name_is_none(models, tmp_path):
    file = tmp_path / "a.gguf"
    file.write_bytes(b"GGUF")
    assert models.resolve(str(file)) == file
    with pytest.raises(ModelMissing, match="model_unknown"):
        models.resolve("no-such-model")


def test_added_models_are_remembered_once(models, home, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"max_position_embeddings": 4096}))
    (folder / "model.safetensors").write_bytes(b"1234")
    file = tmp_path / "b.gguf"
    file.write_bytes(b"GGUF")
    for path in (folder, file, folder):
        models.add(path)
    added = Models(home / "models").entries()[-2:]
    assert [(entry.name, entry.title, entry.window) for entry in added] == [
        (str(folder), "mine", 4096),
        (str(file), "b", 0),
    ]
    models.drop(str(folder))
    assert [entry.name for entry in models.entries()[-1:]] == [str(file)]
    assert folder.exists()


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ((), "model_no_config"),
        (("config.json",), "model_no_weights"),
        (("config.json", "pytorch_model.bin"), "model_no_weights"),
        (("model.safetensors",), "model_no_config"),
    ],
)
def test_what_lacks_a_part_is_not_added(models, tmp_path, files, code):
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in files:
        (folder / name).write_text("{}")
    with pytest.raises(Problem, match=code):
        models.add(folder)
    assert len(models.entries()) == len(catalogue.ENTRIES)


def test_a_file_that_is_no_gguf_and_a_place_with_nothing_are_not_added(models, tmp_path):
    (tmp_path / "a.bin").write_bytes(b"1")
    with pytest.raises(Problem, match="model_not_gguf"):
        models.add(tmp_path / "a.bin")
    with pytest.raises(Problem, match="model_nothing_there"):
        models.add(tmp_path / "none")


def test_a_damaged_list_of_added_models_is_an_empty_one(models, home):
    (home / "models" / "added.json").write_text("{")
    assert len(models.entries()) == len(catalogue.ENTRIES)


@pytest.mark.parametrize(
    ("memory", "name"),
    [
        (GIB, None),
        (4 * GIB, "qwen3-0.6b"),
        (8 * GIB, "qwen3-1.7b"),
        (16 * GIB, "qwen3-4b-instruct-2507"),
        (19 * GIB, "qwen3-8b"),
        (24 * GIB, "minicpm-sala"),
        (96 * GIB, "minicpm-sala"),
    ],
)
def test_the_largest_that_fits(models, memory, name):
    entry = models.largest_that_fits(memory, card=True)
    assert (entry.name if entry else None) == name


def test_what_is_made_for_a_graphics_card_is_offered_for_none_else(models):
    assert models.largest_that_fits(96 * GIB, card=False).name == "qwen3-8b"


def test_what_fits_is_said_when_the_memory_is_known(models):
    assert all(entry.fits is None for entry in models.entries())
    fits = {entry.name: entry.fits for entry in models.entries(8 * GIB)}
    assert fits["smollm2-135m-instruct"]
    assert not fits["qwen3-8b"]
