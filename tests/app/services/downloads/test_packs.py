"""A pack from elsewhere: asked for, refused before it is downloaded, carried on with, checked, installed."""

import asyncio
import shutil
import sys
import threading
from importlib.metadata import version

import pytest
from make_pack import TRIAL, pack, released

from app.services.downloads import transfer
from app.services.downloads.packs import Packs
from app.services.pack_download import PackDownload
from app.services.privacy import Connections
from app.services.problem import DownloadFailed, Problem
from app.services.runtimes import Runtimes
from engine import client, runtime

TAG = "cu130-2.13.0"
MANIFEST = runtime.release_name(runtime.platform_tag())
FILES = {
    "torch/__init__.py": "__version__ = '2.13.0+cu130'\n",
    "torch/more.py": "# " + "".join(map(chr, range(200, 9000))),
}


def nothing(*_: object) -> None:
    """Hears of no progress."""


@pytest.fixture
def runtimes(home, tmp_path, monkeypatch) -> Runtimes:
    trial = tmp_path / "trial.py"
    trial.write_text(TRIAL)
    monkeypatch.setattr(client, "program", lambda: (sys.executable, str(trial)))
    return Runtimes(home, driver=lambda: "590.10")


@pytest.fixture
def files(server, tmp_path):
    """A pack in two parts, as a release offers it; its routes by name."""
    return server.offer(released(pack(tmp_path / "pack", FILES, parts=2, driver="580.65.06", unpacked=9)), "/v1")


@pytest.fixture
def download(server, runtimes, connections) -> PackDownload:
    return PackDownload(runtimes, Packs(runtimes.folder, connections, f"{server.address}/v1/"))


def left(runtimes: Runtimes) -> list[str]:
    """Folders of downloads and of half-installed runtimes."""
    return [place.name for place in runtimes.folder.glob(".*") if place.is_dir()]


def test_what_this_version_asks_its_release_for(tmp_path):
    expected = f"https://github.com/longread/longread/releases/download/v{version('longread')}/{MANIFEST}"
    packs = Packs(tmp_path, Connections())
    assert (packs.manifest_address, packs.host) == (expected, "github.com")
    packs.address = "https://mirror.example:8443/packs/own.json"
    assert (packs.manifest_address, packs.host) == (packs.address, "mirror.example:8443")


async def test_looking_asks_for_the_manifest_alone(download, files, server, connections):
    offer = await download.look()
    size = sum(len(files[name].content) for name in files if name != MANIFEST)
    assert (offer.tag, offer.size, offer.arrived, offer.unpacked, offer.driver) == (TAG, size, 0, 9, "590.10")
    assert offer.host == f"127.0.0.1:{server.server_port}"
    assert [path for _, path, _ in server.asked] == [f"/v1/{MANIFEST}"]
    assert [(one.host, one.purpose) for one in connections.all()] == [(offer.host, "pack_list")]


async def test_it_is_installed_and_what_was_downloaded_goes(download, files, runtimes, connections, heard):
    await download.look()
    stages = []
    installed = await download.install(heard, lambda stage, done, total: stages.append(stage))
    assert installed.entry.tag == TAG
    assert runtimes.all()[1].used
    assert heard[-1].done == heard[-1].total == sum(len(files[name].content) for name in files if name != MANIFEST)
    assert list(dict.fromkeys(stages)) == ["check", "unpack", "try"]
    assert not left(runtimes)
    assert {one.purpose for one in connections.all()} == {"pack_list", "pack"}


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"driver": "595.1"}, "runtime_driver"),
        ({"torch": "1.9.0"}, "runtime_torch"),
        ({"python": "cp399"}, "runtime_python"),
    ],
)
async def test_what_cannot_be_used_here_is_refused_before_it_is_downloaded(download, server, tmp_path, told, code):
    server.offer(released(pack(tmp_path / "pack", **told)), "/v1")
    with pytest.raises(Problem, match=code):
        await download.look()
    assert len(server.asked) == 1


async def test_too_little_room_is_told_before_it_is_downloaded(download, files, server, monkeypatch):
    usage = shutil.disk_usage("/")._replace(free=100)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(Problem, match="no_space"):
        await download.look()
    assert len(server.asked) == 1


async def test_a_release_without_a_pack_for_this_system(download, server):
    with pytest.raises(DownloadFailed, match="pack_missing") as failed:
        await download.look()
    assert failed.value.values["needed"] == runtime.platform_tag()


@pytest.mark.parametrize("content", [b"<!DOCTYPE html>", b"{}", b'{"format": 1}'])
async def test_what_is_no_manifest_is_said_to_be_none(download, files, content):
    files[MANIFEST].content = content
    with pytest.raises(DownloadFailed, match="pack_none"):
        await download.look()


async def test_a_manifest_without_end_is_not_read_to_it(download, files, monkeypatch):
    monkeypatch.setattr("app.services.downloads.packs.MOST", 100)
    with pytest.raises(DownloadFailed, match="pack_none"):
        await download.look()


async def test_no_server_and_one_that_refuses(download, files):
    files[MANIFEST].status = 403
    with pytest.raises(DownloadFailed, match="download_refused"):
        await download.look()
    download.packs.address = "http://127.0.0.1:9"  # discard: nobody listens
    with pytest.raises(DownloadFailed, match="no_connection"):
        await download.look()


async def test_an_answer_that_leads_in_a_circle(download, files, server):
    files[MANIFEST].location = f"/v1/{MANIFEST}"
    with pytest.raises(DownloadFailed, match="no_connection"):
        await download.look()


async def test_a_part_that_leads_in_a_circle(download, files):
    files["torch.whl.1"].location = "/v1/torch.whl.1"
    await download.look()
    with pytest.raises(DownloadFailed, match="download_cut"):
        await download.install(nothing, nothing)


@pytest.mark.parametrize("address", ["https://[", "https://a:b/own.json", "https://\0/own.json", "words"])
async def test_what_is_no_address_is_not_reached(download, address):
    download.packs.address = address
    assert download.packs.host
    with pytest.raises(DownloadFailed, match="no_connection" if address.startswith("https") else "download_open"):
        await download.look()


async def test_a_way_that_others_can_write_on_is_not_gone(download, connections):
    download.packs.address = "http://mirror.example/packs"
    with pytest.raises(DownloadFailed, match="download_open"):
        await download.look()
    assert not connections.all()


async def test_nor_is_one_that_an_answer_leads_to(download, files, server, monkeypatch):
    files[MANIFEST].location = f"http://localhost:{server.server_port}/v2"
    monkeypatch.setattr(transfer, "is_local", lambda name: name == "127.0.0.1")
    with pytest.raises(DownloadFailed, match="download_open"):
        await download.look()


async def test_a_later_try_goes_on_where_the_earlier_one_gave_up(download, files, server, runtimes):
    files["torch.whl.1"].cuts = [1000, *([0] * transfer.TRIES)]
    await download.look()
    with pytest.raises(DownloadFailed, match="download_cut"):
        await download.install(nothing, nothing)
    arrived = len(files["torch.whl.0"].content) + 1000
    assert download.packs.kept() == arrived
    server.asked.clear()
    assert (await download.look()).arrived == arrived
    await download.install(nothing, nothing)
    assert (server.paths("torch.whl.0"), server.paths("torch.whl.1")) == ([], ["bytes=1000-"])
    assert runtimes.all()[1].used


async def test_a_wrong_part_is_deleted_by_name_and_the_rest_is_kept(download, files, runtimes):
    sound = files["torch.whl.1"].content
    files["torch.whl.1"].content = sound[:-1] + b"!"
    await download.look()
    with pytest.raises(DownloadFailed, match="download_wrong") as failed:
        await download.install(nothing, nothing)
    assert failed.value.values["subject"] == "torch.whl.1"
    assert download.packs.kept() == len(files["torch.whl.0"].content)
    assert len(runtimes.all()) == 1


async def test_stopping_keeps_what_came_and_it_can_be_deleted(download, files, server, runtimes, heard):
    files["torch.whl.1"].stalls = threading.Event()
    await download.look()
    task = asyncio.create_task(download.install(heard, nothing))
    await asyncio.to_thread(server.waiting.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert heard[-1].state == "paused"
    assert download.packs.kept() >= len(files["torch.whl.0"].content)
    await download.discard()
    assert (download.packs.kept(), left(runtimes)) == (0, [])


async def test_nobody_deletes_what_is_installed(download, files, runtimes, connections):
    other = PackDownload(runtimes, Packs(runtimes.folder, connections))
    meddling = []

    async def meddle() -> None:
        with pytest.raises(DownloadFailed, match="pack_running"):
            await other.discard()

    await download.look()
    await download.install(nothing, lambda *_: meddling.append(asyncio.ensure_future(meddle())))
    await asyncio.gather(*meddling)
    assert meddling
    assert runtimes.all()[1].used


async def test_what_is_being_deleted_is_not_counted(download, files, monkeypatch):
    files["torch.whl.1"].status = 404
    await download.look()
    with pytest.raises(DownloadFailed, match="download_refused"):
        await download.install(nothing, nothing)
    growing = download.packs._growing()
    gone = [growing[0].with_name(".gone.download"), *growing]
    monkeypatch.setattr(download.packs, "_growing", lambda: gone)
    assert download.packs.kept() == len(files["torch.whl.0"].content)


async def test_a_folder_that_cannot_be_made_is_told(download, files, runtimes):
    runtimes.folder.parent.mkdir(parents=True, exist_ok=True)
    runtimes.folder.write_text("a file is in its place")
    with pytest.raises(Problem, match="cannot_write"):
        await download.look()


async def test_another_packs_leftovers_make_way(download, files, server, runtimes, tmp_path):
    files["torch.whl.1"].status = 404
    await download.look()
    with pytest.raises(DownloadFailed, match="download_refused"):
        await download.install(nothing, nothing)
    assert len(left(runtimes)) == 1
    server.offer(released(pack(tmp_path / "newer", tag="cu130-2.13.1")), "/v1")
    await download.look()
    await download.install(nothing, nothing)
    assert not left(runtimes)


async def test_what_does_not_work_here_is_not_kept(download, server, runtimes, tmp_path):
    server.offer(released(pack(tmp_path / "pack", {"torch/__init__.py": "raise ImportError"})), "/v1")
    await download.look()
    with pytest.raises(Problem, match="runtime_fails"):
        await download.install(nothing, nothing)
    assert not left(runtimes)
