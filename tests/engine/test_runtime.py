"""Which runtime a process of the engine takes, and that one which cannot be loaded is passed over."""

import os
import platform
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from make_pack import pack

from engine import __main__ as program
from engine import runtime
from engine.client import Engine, new_id
from engine.protocol import Done, Inspect

TAG = "cu130-2.13.0"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A data folder in which a runtime lies and is chosen; its `torch` breaks off."""
    data = tmp_path / "data"
    folder = runtime.folder_of(data)
    folder.mkdir(parents=True)
    made = pack(folder / TAG)
    (made / "manifest.json").rename(made / runtime.MANIFEST)
    (made / "torch").mkdir()
    (made / "torch" / "__init__.py").write_text("raise ImportError('a library is missing')")
    (folder / runtime.CURRENT).write_text(TAG)
    return data


def test_the_chosen_one_goes_first(installed, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    chosen = runtime.Runtime(installed)
    chosen.activate()
    assert sys.path[0] == str(runtime.folder_of(installed) / TAG)
    assert (chosen.tag, chosen.problem) == (TAG, "")
    chosen.loaded()
    assert not (runtime.folder_of(installed) / runtime.TRIED).exists()


def test_what_triton_and_windows_look_for_is_set(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.setattr(platform, "system", lambda: "Windows")
    added = []
    monkeypatch.setattr(os, "add_dll_directory", added.append, raising=False)
    folder = tmp_path / "one"
    places = [folder / "torch" / "lib", folder / "nvidia" / "cublas" / "bin"]
    for place in (*places, folder / runtime.TRITON):
        place.mkdir(parents=True)
    runtime.enter(folder, tmp_path / "data")
    assert sys.path[0] == str(folder)
    assert os.environ["LONGREAD_TRITON"] == str(folder / runtime.TRITON)
    assert os.environ["TRITON_CACHE_DIR"] == str(tmp_path / "data" / "cache" / "triton")
    assert added == [str(place) for place in places]


def test_a_trial_enters_a_runtime_as_the_engine_does(tmp_path, monkeypatch, capsys):
    entered = []
    monkeypatch.setattr(runtime, "enter", lambda folder, data: entered.append(folder))
    monkeypatch.setattr(program.importlib, "import_module", lambda name: SimpleNamespace(report=lambda folder: "{}"))
    assert program.main([program.CHECK, str(tmp_path)]) == 0
    assert entered == [tmp_path]
    assert capsys.readouterr().out == "{}\n"


def test_one_during_whose_loading_processes_died_is_passed_over(installed, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    for _ in range(runtime.TRIES):
        chosen = runtime.Runtime(installed)
        assert not chosen.problem
        chosen.activate()
        chosen.loading()
    passed_over = runtime.Runtime(installed)
    assert (passed_over.problem, passed_over.folder) == ("broken", None)
    before = list(sys.path)
    passed_over.activate()
    passed_over.loaded()
    assert sys.path == before
    assert runtime.Runtime(installed).problem == "broken", "the next process knows it too"


def test_processes_that_load_nothing_count_for_nothing(installed, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    for _ in range(runtime.TRIES + 1):
        chosen = runtime.Runtime(installed)
        chosen.activate()
        assert not chosen.problem


@pytest.mark.parametrize("text", ["", "{}", '{"format": "one"}'])
def test_a_damaged_manifest_is_as_good_as_none(installed, text):
    (runtime.folder_of(installed) / TAG / runtime.MANIFEST).write_text(text)
    assert runtime.Runtime(installed).problem == "missing"


def test_without_a_choice_there_is_nothing_to_do(tmp_path):
    chosen = runtime.Runtime(tmp_path)
    assert (chosen.tag, chosen.problem, chosen.folder) == ("", "", None)


@pytest.mark.whole
async def test_the_engine_lives_on_without_a_runtime_that_cannot_be_loaded(installed):
    """The process that tried it ends; the client starts another, which answers what was asked."""
    engine = Engine(data=installed)
    try:
        await engine.start()
        ending = await engine.send(Inspect(new_id())).ending()
    finally:
        await engine.stop()
    assert isinstance(ending, Done)
    assert runtime.Runtime(installed).problem == "broken"


def test_looking_costs_no_torch():
    code = "import sys, engine.runtime, engine.home; sys.exit('torch' in sys.modules)"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
