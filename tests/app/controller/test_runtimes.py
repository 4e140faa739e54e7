"""Installing a runtime in the window: it is told how far it is, and the engine starts anew with it."""

import sys

import pytest
from make_pack import TRIAL, pack

from engine import client, runtime

TAG = "cu130-2.13.0"


@pytest.fixture
def dialog(program, tmp_path, monkeypatch):
    trial = tmp_path / "trial.py"
    trial.write_text(TRIAL)
    monkeypatch.setattr(client, "program", lambda: (sys.executable, str(trial)))
    program.window.actions_by_name["runtimes"].trigger()
    return program.controller.runtimes.dialog


async def test_a_pack_is_installed_and_the_engine_starts_anew(program, dialog, tmp_path, until):
    loads = []
    program.engine.load = lambda settings, on_progress=None, load=program.engine.load: loads.append(1) or load(settings)
    dialog.install.emit(str(pack(tmp_path / "pack") / "manifest.json"))
    await program.controller.runtimes.installing
    await until(lambda: loads)
    assert "Installed" in dialog.told.text()
    assert "for NVIDIA cards and finds none" in dialog.told.text()
    assert TAG in dialog.rows[TAG].title.text()
    assert "in use" in dialog.rows[TAG].title.text()
    assert not dialog.rows[TAG].use_button.isVisibleTo(dialog)
    assert not dialog.rows[""].remove_button.isVisibleTo(dialog)


async def test_switching_back_and_removing(program, dialog, tmp_path, home):
    dialog.install.emit(str(pack(tmp_path / "pack")))
    await program.controller.runtimes.installing
    assert dialog.install_button.isEnabled()
    dialog.rows[""].use_button.click()
    assert runtime.current(home) == ""
    dialog.rows[TAG].use_button.click()
    assert runtime.current(home) == TAG
    dialog.rows[TAG].remove_button.click()
    await program.controller.runtimes.removing
    assert list(dialog.rows) == [""]


async def test_a_damaged_pack_is_told_with_the_file(program, dialog, tmp_path):
    folder = pack(tmp_path / "pack")
    (folder / "torch.whl.0").write_bytes(b"other bytes")
    dialog.install.emit(str(folder))
    await program.controller.runtimes.installing
    assert "torch.whl.0 of the pack is missing or is not what its manifest says" in dialog.problem.text()
    assert dialog.install_button.isEnabled()
