"""A hub's models: cut off, wrong, refused, stopped, and carried on with."""

import asyncio
import errno
import hashlib
import json
import os
import shutil
import threading

import filelock
import pytest

from app.services.downloads import Downloads, fetched, transfer
from app.services.models import WHOLE, Models
from app.services.privacy import Connections
from app.services.problem import DownloadFailed, ModelMissing, Problem
from engine import catalogue


async def test_a_hubs_model_arrives_whole_and_without_what_is_not_wanted(
    downloads, hub, folder, server, connections, heard, weights
):
    place = await downloads.fetch("tiny", heard)
    await asyncio.sleep(0)
    assert place == folder / "tiny" == Models(folder).resolve("owner/tiny")
    assert {file.name for file in place.iterdir()} == {"config.json", "model.safetensors", WHOLE}
    assert (place / "model.safetensors").read_bytes() == weights
    manifest = json.loads((place / WHOLE).read_text())
    assert manifest["commit"] == "c" * 40
    assert manifest["files"] == {
        "model.safetensors": hashlib.sha256(weights).hexdigest(),
        "config.json": hashlib.sha1(b"blob 23\0" + hub["config.json"].content).hexdigest(),
    }
    assert (heard[-1].state, heard[-1].done, heard[-1].total) == (
        "done",
        *(2 * [len(weights) + len(hub["config.json"].content)]),
    )
    assert server.tokens == {""}
    assert {(one.host, one.purpose) for one in connections.all()} == {
        (f"127.0.0.1:{server.server_port}", "model_list"),
        (f"127.0.0.1:{server.server_port}", "model"),
    }
    assert sum(one.received for one in connections.all()) == len(weights) + len(hub["config.json"].content)


async def test_what_is_there_is_not_fetched_again(downloads, hub, server):
    await downloads.fetch("tiny", print)
    server.asked.clear()
    await downloads.fetch("tiny", print)
    assert not server.asked


async def test_what_an_unfinished_download_brought_can_be_given_up(downloads, hub, server, folder):
    hub["model.safetensors"].cuts = [300_000] * 20
    hub["model.safetensors"].ranges = False
    with pytest.raises(DownloadFailed):
        await downloads.fetch("tiny", print)
    assert (folder / ".tiny.part").is_dir()
    downloads.discard("tiny")
    assert not (folder / ".tiny.part").exists()


async def test_a_cut_connection_goes_on_where_it_broke_off(downloads, hub, server, folder, weights):
    hub["model.safetensors"].cuts = [300_000, 400_000]
    await downloads.fetch("tiny", print)
    assert server.paths("model.safetensors") == ["", "bytes=300000-", "bytes=700000-"]
    assert (folder / "tiny" / "model.safetensors").read_bytes() == weights


async def test_a_later_try_goes_on_where_the_earlier_one_gave_up(downloads, hub, server, folder, heard):
    hub["model.safetensors"].cuts = [300_000, *([0] * transfer.TRIES)]
    with pytest.raises(DownloadFailed, match="download_cut"):
        await downloads.fetch("tiny", heard)
    assert (heard[-1].state, heard[-1].problem) == ("failed", "download_cut")
    assert Models(folder).place(catalogue.ENTRIES[0]) is None
    server.asked.clear()
    await downloads.fetch("tiny", print)
    assert server.paths("model.safetensors") == ["bytes=300000-"]
    assert (
        not server.paths("config.json") or (folder / "tiny" / "config.json").read_bytes() == hub["config.json"].content
    )


async def test_a_server_that_cannot_go_on_sends_all_of_it_again(downloads, hub, server, folder, heard, weights):
    hub["model.safetensors"].cuts, hub["model.safetensors"].ranges = [300_000], False
    await downloads.fetch("tiny", heard)
    await asyncio.sleep(0)
    assert (folder / "tiny" / "model.safetensors").read_bytes() == weights
    assert heard[-1].done == heard[-1].total


@pytest.mark.parametrize("changed", ["model.safetensors", "config.json"])
async def test_a_wrong_file_is_deleted_and_never_becomes_a_model(downloads, hub, folder, changed):
    content = hub[changed].content
    hub[changed].content = content[:-1] + b"!"
    with pytest.raises(DownloadFailed, match="download_wrong") as failed:
        await downloads.fetch("tiny", print)
    assert failed.value.values["subject"] == changed
    assert not (folder / "tiny").exists()
    assert not list(folder.glob(f".tiny.part/{changed}*"))
    hub[changed].content = content
    await downloads.fetch("tiny", print)


async def test_a_file_without_end_is_stopped_at_its_size(downloads, hub, folder, weights):
    hub["model.safetensors"].content = weights * 8
    with pytest.raises(DownloadFailed, match="download_wrong"):
        await downloads.fetch("tiny", print)


@pytest.mark.parametrize("status", [401, 403, 404, 410])
async def test_a_refusal_is_told_with_its_number(downloads, hub, status, server):
    hub["model.safetensors"].status = status
    with pytest.raises(DownloadFailed, match="download_refused") as failed:
        await downloads.fetch("tiny", print)
    assert failed.value.values["message"].startswith(str(status))
    assert len(server.paths("model.safetensors")) == 1


async def test_an_unknown_model_of_the_hub_is_a_refusal(downloads, hub, server):
    server.routes.clear()
    with pytest.raises(DownloadFailed, match="download_refused") as failed:
        await downloads.fetch("tiny", print)
    assert failed.value.values["message"] == "404 Not Found"


async def test_a_busy_server_is_asked_again(downloads, hub, server):
    hub["model.safetensors"].status = 503
    with pytest.raises(DownloadFailed, match="download_refused"):
        await downloads.fetch("tiny", print)
    assert len(server.paths("model.safetensors")) == transfer.TRIES


async def test_no_server_at_all(downloads, hub, server):
    downloads.hub = "http://127.0.0.1:9"  # discard: nobody listens
    with pytest.raises(DownloadFailed, match="no_connection") as failed:
        await downloads.fetch("tiny", print)
    assert failed.value.values["subject"] == "127.0.0.1:9"


async def test_the_hubs_address_comes_from_the_environment_when_no_setting_says(hub, server, folder, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", server.address + "/")
    await Downloads(Models(folder), Connections()).fetch("tiny", print)
    assert server.asked


async def test_a_folder_without_weights_is_not_fetched(downloads, hub, server):
    about = {"id": "owner/tiny", "sha": "c" * 40, "siblings": [{"rfilename": "config.json", "size": 1, "blobId": "0"}]}
    server.routes["/api/models/owner/tiny/revision/main"].content = json.dumps(about).encode()
    with pytest.raises(DownloadFailed, match="download_incomplete"):
        await downloads.fetch("tiny", print)


async def test_a_redirect_to_another_host_is_on_the_list(downloads, hub, server, connections):
    """As the hub does for large files: another name for the same server here."""
    away = f"http://localhost:{server.server_port}/elsewhere"
    server.routes["/elsewhere"] = server.Route(hub["model.safetensors"].content)
    hub["model.safetensors"].location = away
    await downloads.fetch("tiny", print)
    assert f"localhost:{server.server_port}" in {one.host for one in connections.all() if one.received}


async def test_cancelling_is_heard_at_once_and_keeps_what_came(downloads, hub, server, folder, heard, weights):
    hub["model.safetensors"].stalls = threading.Event()
    task = asyncio.create_task(downloads.fetch("tiny", heard))
    await asyncio.to_thread(server.waiting.wait)
    await heard.running.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert heard[-1].state == "paused"
    said = len(heard)
    hub["model.safetensors"].stalls.set()
    hub["model.safetensors"].stalls = None
    await downloads.fetch("tiny", print)
    assert len(heard) == said
    first, second = server.paths("model.safetensors")
    assert first == ""
    assert second.startswith("bytes=")
    assert (folder / "tiny" / "model.safetensors").read_bytes() == weights


async def test_too_little_room_is_told_before_anything_is_fetched(downloads, hub, server, monkeypatch):
    usage = shutil.disk_usage("/")._replace(free=100)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(DownloadFailed, match="no_space") as failed:
        await downloads.fetch("tiny", print)
    assert failed.value.values["available"] == "100 B"
    assert not server.paths("model.safetensors")


async def test_a_disk_that_fills_up_meanwhile(downloads, hub, server, folder, monkeypatch):
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Problem, match="disk_full"):
        await downloads.fetch("tiny", print)
    monkeypatch.undo()


async def test_two_programs_do_not_fetch_the_same_model_into_one_another(downloads, hub, folder, monkeypatch):
    monkeypatch.setattr(fetched, "LOCK_SECONDS", 0.0)
    with filelock.FileLock(folder / ".tiny.lock"), pytest.raises(DownloadFailed, match="download_running"):
        await downloads.fetch("tiny", print)


async def test_a_library_that_is_told_to_stay_offline_stays_offline(downloads, hub, server, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(DownloadFailed, match="download_offline"):
        await downloads.fetch("tiny", print)
    assert not server.asked


async def test_unknown_names_are_not_fetched(folder):
    with pytest.raises(ModelMissing, match="model_unknown"):
        await Downloads(Models(folder), Connections()).fetch("no such model", print)
