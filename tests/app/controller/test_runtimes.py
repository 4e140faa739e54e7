"""Installing a runtime in the window: it is told how far it is, and the engine starts anew with it."""

import sys

import file_server
import pytest
from make_pack import TRIAL, pack, released
from msgspec.structs import replace

from app.views.pack_dialog import PackDialog
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


async def test_an_error_of_ours_leaves_the_dialog_usable(program, dialog, tmp_path, monkeypatch):
    monkeypatch.setattr(runtime, "mismatch", lambda manifest: 1 / 0)
    dialog.install.emit(str(pack(tmp_path / "pack")))
    with pytest.raises(ZeroDivisionError):
        await program.controller.runtimes.installing
    assert dialog.install_button.isEnabled()
    assert not dialog.stop_button.isVisibleTo(dialog)


async def test_an_address_that_is_none_can_be_mended(program, dialog):
    program.controller.settings.apply(replace(program.state.settings, packs="https://["))
    program.controller.runtimes.open()
    assert await asked(program, dialog) is None
    assert "could not be reached" in dialog.problem.text()
    assert dialog.look_button.isEnabled()


@pytest.fixture
def served(program, dialog, tmp_path, monkeypatch):
    """A pack on a server that the settings name; its files' routes by name, and the server."""
    monkeypatch.setattr("app.services.downloads.transfer.PAUSE", 0.0)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with file_server.running() as server:
        files = server.offer(released(pack(tmp_path / "pack", parts=2)), "/packs")
        program.controller.settings.apply(replace(program.state.settings, packs=f"{server.address}/packs"))
        yield server, files


async def asked(program, dialog) -> PackDialog:
    dialog.look_button.click()
    await program.controller.runtimes.installing
    return dialog.findChild(PackDialog)


async def test_nothing_is_fetched_before_the_person_agrees(program, dialog, served):
    server, _ = served
    program.controller.runtimes.open()
    assert f"127.0.0.1:{server.server_port}" in dialog.look_button.text()
    assert not program.services.connections.all()
    asking = await asked(program, dialog)
    assert f"from 127.0.0.1:{server.server_port}?" in asking.findChildren(type(dialog.told))[0].text()
    assert "No driver of NVIDIA's was found" in asking.text()
    asking.keep_button.click()
    assert program.controller.runtimes.installing is None
    assert len(server.asked) == 1
    assert len(program.services.connections.all()) == 1


async def test_a_pack_is_downloaded_and_installed(program, dialog, served, home, until):
    (await asked(program, dialog)).go_button.click()
    await program.controller.runtimes.installing
    assert "Installed" in dialog.told.text()
    assert runtime.current(home) == TAG
    assert not dialog.kept.isVisibleTo(dialog)
    await until(lambda: "connections" in program.window.privacy_pill.text())


async def test_what_a_broken_download_left_is_shown_and_deleted(program, dialog, served, until):
    _, files = served
    files["torch.whl.1"].status = 404
    (await asked(program, dialog)).go_button.click()
    await program.controller.runtimes.installing
    assert "answered with 404 Not Found" in dialog.problem.text()
    assert dialog.kept.isVisibleTo(dialog)
    assert dialog.look_button.isEnabled()
    dialog.discard_button.click()
    await program.controller.runtimes.removing
    assert not dialog.kept.isVisibleTo(dialog)


async def test_a_release_without_a_pack_is_told(program, dialog, served):
    server, _ = served
    server.routes.clear()
    assert await asked(program, dialog) is None
    assert "has no pack for this version" in dialog.problem.text()
