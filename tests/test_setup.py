"""What dev.py decides: which torch, what is missing, when to install again. Nothing is installed here."""

import ast
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import commands
import environment
import pytest
import system_libraries

from engine.catalogue import SMALL

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """A project folder of its own, whose environment seems whole; the list of what pip was asked."""
    (tmp_path / "pyproject.toml").write_text("[project]")
    asked: list[tuple[str, ...]] = []

    def pip(*words: str | Path) -> int:
        asked.append(tuple(map(str, words)))
        return 0

    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "FOLDER", tmp_path / ".venv")
    monkeypatch.setattr(environment, "STAMP", tmp_path / ".venv" / "longread.json")
    monkeypatch.setattr(environment, "_pip", pip)
    monkeypatch.setattr(environment, "_runs", lambda: True)
    monkeypatch.setattr(environment, "_installed_torch", lambda: f"{environment.TORCH}+cpu")
    monkeypatch.setenv("LONGREAD_TORCH", "cpu")
    environment.python().parent.mkdir(parents=True)
    environment.python().touch()
    return asked


def test_a_second_start_installs_nothing(project):
    environment.ensure()
    assert len(project) == 1
    environment.ensure()
    assert len(project) == 1


def test_a_changed_project_file_installs_again(project):
    environment.ensure()
    (environment.ROOT / "pyproject.toml").write_text("[project] # changed")
    environment.ensure()
    assert len(project) == 2


def test_the_extras_of_the_tests_are_kept_by_a_run(project):
    environment.ensure(frozenset({"dev"}))
    environment.ensure()
    assert len(project) == 1
    (environment.ROOT / "pyproject.toml").write_text("[project] # changed")
    environment.ensure()
    assert project[-1][-1].endswith("[dev,gpu]")


def test_pip_may_not_replace_the_torch_that_was_chosen(project):
    environment.ensure()
    words = project[-1]
    constraint = Path(words[words.index("--constraint") + 1])
    assert constraint.read_text() == f"torch=={environment.TORCH}+cpu\n"


def test_a_failed_install_is_tried_again(project, monkeypatch):
    monkeypatch.setattr(environment, "_pip", lambda *words: 1)
    with pytest.raises(SystemExit, match="Installing Longread failed"):
        environment.ensure()
    assert not environment.STAMP.exists()


def test_another_torch_is_replaced(project, monkeypatch):
    versions = iter([f"{environment.TORCH}", f"{environment.TORCH}+cpu"])
    monkeypatch.setattr(environment, "_installed_torch", lambda: next(versions))
    environment.ensure()
    assert f"torch=={environment.TORCH}+cpu" in project[0] or os.name == "nt"
    assert json.loads(environment.STAMP.read_text())["device"] == "cpu"


@pytest.mark.skipif(os.name == "nt", reason="the requests of Linux")
def test_a_cpu_build_is_asked_of_pips_own_sources_first():
    own, index = environment.torch_requests("cpu")
    assert own == [f"torch=={environment.TORCH}+cpu"]
    assert index == [*own, "--extra-index-url", environment.CPU_INDEX]


def test_an_unknown_device_is_refused(monkeypatch):
    monkeypatch.setenv("LONGREAD_TORCH", "gpu")
    with pytest.raises(SystemExit, match="cpu or cuda"):
        environment.torch_device()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux' libraries")
def test_missing_libraries_are_named_with_the_command(monkeypatch):
    monkeypatch.setattr(system_libraries, "QT", system_libraries.QT | {"libnosuch.so.9": "libnosuch9"})
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(system_libraries.shutil, "which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(SystemExit, match=r"libnosuch\.so\.9.*sudo apt-get install .*libnosuch9"):
        system_libraries.ensure()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux' libraries")
def test_other_systems_are_asked_by_the_libraries_names(monkeypatch):
    monkeypatch.setattr(system_libraries, "QT", system_libraries.QT | {"libnosuch.so.9": "libnosuch9"})
    monkeypatch.setattr(system_libraries.shutil, "which", lambda name: name if name == "dnf" else None)
    with pytest.raises(SystemExit, match=r"sudo dnf install .*'libnosuch\.so\.9\(\)\(64bit\)'"):
        system_libraries.ensure()


def test_the_small_model_is_the_one_that_was_checked(small_model):
    with small_model.open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == SMALL.source.member_sha256
    assert (small_model.parent / "LICENSE").is_file()


def test_an_unknown_command_says_which_there_are(capsys):
    assert commands.main(["walk"]) == 2
    assert "does not know 'walk'" in capsys.readouterr().err


def test_dev_py_can_be_read_by_old_pythons():
    """So that they can say which Python is needed."""
    ast.parse((ROOT / "dev.py").read_text(encoding="utf-8"), feature_version=(3, 4))


def test_the_exit_code_of_the_program_is_passed_on():
    code = "import commands, sys; sys.exit(commands._become([sys.executable, '-c', 'raise SystemExit(7)']))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "packaging", check=False)
    assert run.returncode == 7
