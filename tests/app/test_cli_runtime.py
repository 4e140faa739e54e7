"""The command line's runtimes: a pack from a folder or from elsewhere, how far it is, and what a stop leaves."""

import sys

import file_server
import pytest
from make_pack import TRIAL, pack, released

from engine import client

TAG = "cu130-2.13.0"


@pytest.fixture
def server(tmp_path, monkeypatch):
    trial = tmp_path / "trial.py"
    trial.write_text(TRIAL)
    monkeypatch.setattr(client, "program", lambda: (sys.executable, str(trial)))
    monkeypatch.setattr("app.services.runtimes._driver", lambda: "")
    monkeypatch.setattr("app.services.downloads.transfer.PAUSE", 0.0)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with file_server.running() as one:
        yield one


def test_a_pack_is_downloaded_with_its_size_and_host_told(run, server, tmp_path):
    server.offer(released(pack(tmp_path / "pack", unpacked=5 << 30)), "/packs")
    code, out, error = run("runtime", "install", "--download", "--address", f"{server.address}/packs")
    assert (code, out) == (0, f"{TAG}\n")
    host = f"127.0.0.1:{server.server_port}"
    assert f"B from {host}. It takes 5.0 GB" in error
    assert "No driver of NVIDIA's was found" in error
    assert f"Connected to: {host}." in error
    listed = run("runtime")[1]
    assert f"* {TAG}" in listed


def test_what_a_broken_download_left_is_told_and_deleted(run, server, tmp_path):
    files = server.offer(released(pack(tmp_path / "pack", parts=2)), "/packs")
    files["torch.whl.1"].status = 404
    code, out, error = run("runtime", "install", "--download", "--address", f"{server.address}/packs")
    assert (code, out) == (1, "")
    assert "answered with 404 Not Found" in error
    assert "of a download that did not end are kept" in run("runtime")[2]
    assert "deleted" in run("runtime", "discard")[2]
    assert "kept" not in run("runtime")[2]


def test_a_release_without_one_is_told_with_the_version(run, server):
    code, _, error = run("runtime", "install", "--download", "--address", f"{server.address}/packs")
    assert code == 1
    assert "has no pack for this version of Longread" in error


def test_what_does_not_go_together(run, tmp_path):
    code, _, error = run("runtime", "install", "--from", str(tmp_path), "--address", "https://mirror.example")
    assert code == 2
    assert "--download" in error
    assert run("runtime", "install")[0] == 2
    assert run("runtime", "install", "--download", "--from", "folder")[0] == 2
