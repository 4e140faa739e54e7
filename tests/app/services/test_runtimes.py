"""A runtime is used only after every byte of its pack was checked and it was loaded once; else nothing changes."""

import asyncio
import errno
import io
import os
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest
from make_pack import TRIAL, pack, released, tar_of

from app.services import runtime_pack
from app.services.problem import Problem
from app.services.runtimes import Runtimes
from engine import client, runtime

TAG = "cu130-2.13.0"


@pytest.fixture
def runtimes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runtimes:
    trial = tmp_path / "trial.py"
    trial.write_text(TRIAL)
    monkeypatch.setattr(client, "program", lambda: (sys.executable, str(trial)))
    return Runtimes(tmp_path / "data", driver=lambda: "")


def whole(runtimes: Runtimes) -> list[str]:
    return [path.name for path in runtimes.folder.iterdir()] if runtimes.folder.is_dir() else []


async def test_a_pack_is_checked_unpacked_tried_and_used(runtimes, tmp_path):
    stages: dict[str, tuple[int, int]] = {}
    done = await runtimes.install(pack(tmp_path / "pack"), lambda stage, at, of: stages.update({stage: (at, of)}))
    assert (done.entry.tag, done.entry.used, done.devices, done.card) == (TAG, True, ("CPU",), False)
    assert list(stages) == ["check", "unpack", "try"]
    assert stages["check"][0] == stages["check"][1] > 0
    own, installed = runtimes.all()
    assert (own.tag, own.used, own.removable) == ("", False, False)
    assert (installed.tag, installed.kind, installed.used, installed.problem) == (TAG, "cuda", True, "")
    assert sorted(whole(runtimes)) == [TAG, runtime.CURRENT]


async def test_a_wheel_in_parts_is_joined(runtimes, tmp_path):
    await runtimes.install(pack(tmp_path / "pack", parts=3))
    assert "2.13.0" in (runtimes.folder / TAG / "torch" / "__init__.py").read_text()


async def test_a_tar_and_the_manifest_itself_are_packs_too(runtimes, tmp_path):
    folder = pack(tmp_path / "pack")
    await runtimes.install(tar_of(folder))
    await runtimes.install(folder / "manifest.json")
    assert runtimes.all()[1].used


@pytest.mark.parametrize("part", ["torch.whl.0", "torch.whl.2"])
async def test_one_damaged_byte_is_refused_and_nothing_changes(runtimes, tmp_path, part):
    folder = pack(tmp_path / "pack", parts=3)
    await runtimes.install(pack(tmp_path / "sound", tag="cu128-2.13.0"))
    before = sorted(whole(runtimes))
    data = bytearray((folder / part).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / part).write_bytes(data)
    with pytest.raises(Problem, match="runtime_damaged") as refused:
        await runtimes.install(folder)
    assert refused.value.values["subject"] == part
    assert sorted(whole(runtimes)) == before
    assert [entry.tag for entry in runtimes.all() if entry.used] == ["cu128-2.13.0"]


async def test_a_disk_that_fills_up_is_told_and_nothing_changes(runtimes, tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("app.services.runtime_pack.shutil.copyfileobj", full)
    with pytest.raises(Problem, match="disk_full"):
        await runtimes.install(pack(tmp_path / "pack"))
    assert not whole(runtimes)


@pytest.mark.skipif(os.name != "posix", reason="Windows knows programs by their names")
async def test_programs_of_a_wheel_can_be_started(runtimes, tmp_path):
    program = zipfile.ZipInfo("triton/bin/ptxas")
    program.external_attr = 0o100755 << 16
    with zipfile.ZipFile(tmp_path / "wheel", "w") as archive:
        archive.writestr("torch/__init__.py", "__version__ = '2.13.0'")
        archive.writestr(program, "#!/bin/sh")
    await runtimes.install(pack(tmp_path / "pack", data=(tmp_path / "wheel").read_bytes()))
    assert os.access(runtimes.folder / TAG / "triton" / "bin" / "ptxas", os.X_OK)
    assert not os.access(runtimes.folder / TAG / "torch" / "__init__.py", os.X_OK)


async def test_a_part_that_is_no_wheel_is_named(runtimes, tmp_path):
    with pytest.raises(Problem, match="runtime_damaged") as refused:
        await runtimes.install(pack(tmp_path / "pack", data=b"no archive"))
    assert refused.value.values["subject"] == "torch.whl"


async def test_a_manifest_may_have_the_name_that_it_has_in_a_release(runtimes, tmp_path):
    folder = released(pack(tmp_path / "pack"))
    await runtimes.install(folder / runtime.release_name(runtime.platform_tag()))
    assert runtimes.all()[1].used


async def test_two_programs_do_not_install_into_one_another(runtimes, tmp_path):
    folder = pack(tmp_path / "pack")
    with runtimes._alone(), pytest.raises(Problem, match="runtime_busy"):
        await runtimes.install(folder)
    await runtimes.install(folder)


async def test_a_part_that_is_missing_is_named(runtimes, tmp_path):
    folder = pack(tmp_path / "pack", parts=2)
    (folder / "torch.whl.1").unlink()
    with pytest.raises(Problem, match="runtime_damaged") as refused:
        await runtimes.install(folder)
    assert refused.value.values["subject"] == "torch.whl.1"


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"engine": runtime.GENERATION + 1}, "runtime_engine"),
        ({"python": "cp399"}, "runtime_python"),
        ({"platform": "win_amd64" if runtime.platform_tag() != "win_amd64" else "linux_x86_64"}, "runtime_platform"),
        ({"torch": "1.9.0"}, "runtime_torch"),
        ({"format": runtime.FORMAT + 1}, "runtime_format"),
    ],
)
async def test_a_pack_for_another_program_is_refused(runtimes, tmp_path, told, code):
    with pytest.raises(Problem, match=code):
        await runtimes.install(pack(tmp_path / "pack", **told))
    assert not whole(runtimes)


async def test_an_old_driver_is_named_with_what_is_needed(tmp_path):
    runtimes = Runtimes(tmp_path / "data", driver=lambda: "535.104.05")
    with pytest.raises(Problem, match="runtime_driver") as refused:
        await runtimes.install(pack(tmp_path / "pack", driver="580.65.06"))
    assert refused.value.values == {"available": "535.104.05", "needed": "580.65.06"}


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"torch/__init__.py": "raise ImportError('no such library')"}, "no such library"),
        ({"torch/__init__.py": "import os; os._exit(3)"}, ""),
        ({"torch/__init__.py": "__version__ = '2.13.1'"}, "2.13.1"),
    ],
)
async def test_one_that_does_not_work_here_leaves_nothing(runtimes, tmp_path, files, said):
    with pytest.raises(Problem, match="runtime_fails") as refused:
        await runtimes.install(pack(tmp_path / "pack", files))
    assert said in refused.value.values["message"]
    assert not whole(runtimes)


@pytest.mark.parametrize("name", ["../torch.py", "/torch.py", "a/../../torch.py", "C:/torch.py", "a\\b.py"])
async def test_a_wheel_cannot_write_outside_its_folder(runtimes, tmp_path, name):
    with pytest.raises(Problem, match="runtime_damaged"):
        await runtimes.install(pack(tmp_path / "pack", {name: ""}))
    assert not whole(runtimes)


@pytest.mark.parametrize("tag", ["../data", ".hidden", "a/b", "", "C:evil", "a\0b", "current", "Tried", "tried."])
async def test_a_manifest_cannot_name_a_place_outside(runtimes, tmp_path, tag):
    with pytest.raises(Problem, match="runtime_no_pack"):
        await runtimes.install(pack(tmp_path / "pack", tag=tag))


@pytest.mark.parametrize(("name", "digest"), [("manifest.json", "0" * 64), ("torch.whl", "../../../other")])
def test_a_part_cannot_take_a_place_that_is_not_its_own(name, digest):
    wheel = runtime.Wheel("torch.whl", 1, "0" * 64, (runtime.Part(name, 1, digest),))
    manifest = runtime.Manifest(1, TAG, "cuda", 1, "cp311", "linux_x86_64", "2.13.0", wheels=(wheel,))
    with pytest.raises(msgspec.ValidationError):
        runtime_pack.decoded(runtime.encode(manifest))


async def test_a_tar_that_ends_early_is_told_with_the_part(runtimes, tmp_path):
    made = tar_of(pack(tmp_path / "pack", data=bytes(100_000)))
    with runtime_pack.opened(made) as sound:  # its list is read while it is whole, as of a stick that is pulled out
        os.truncate(made, 2000)
        with pytest.raises(Problem, match="runtime_damaged") as refused:
            sound.check(lambda count: None)
    assert refused.value.values["subject"] == "torch.whl.0"


async def test_a_source_that_fails_is_not_said_to_be_the_programs_folder(runtimes, tmp_path, monkeypatch):
    class Pulled(io.BytesIO):
        def read(self, *_: object) -> bytes:
            raise OSError(errno.EIO, "Input/output error")

    folder = pack(tmp_path / "pack")
    opened = Path.open
    monkeypatch.setattr(
        Path, "open", lambda path, mode="r": Pulled() if path.name == "torch.whl.0" else opened(path, mode)
    )
    with pytest.raises(Problem, match="runtime_damaged") as refused:
        await runtimes.install(folder)
    assert refused.value.values["subject"] == "torch.whl.0"


async def test_a_folder_that_cannot_be_made_is_told(runtimes, tmp_path):
    runtimes.folder.parent.write_text("a file is in its place")
    with pytest.raises(Problem, match="cannot_write"):
        await runtimes.install(pack(tmp_path / "pack"))


async def test_what_is_no_pack_is_said_to_be_none(runtimes, tmp_path):
    for name in ("nothing", "text.tar"):
        if name.endswith("tar"):
            (tmp_path / name).write_text("words")
        with pytest.raises(Problem, match="runtime_no_pack"):
            await runtimes.install(tmp_path / name)


async def test_stopping_leaves_nothing(runtimes, tmp_path):
    began = asyncio.Event()
    task = asyncio.ensure_future(runtimes.install(pack(tmp_path / "pack"), lambda *_: began.set()))
    await began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not list(runtimes.folder.glob(".*partial"))


async def test_switching_back_and_removing(runtimes, tmp_path):
    await runtimes.install(pack(tmp_path / "pack"))
    runtimes.use("")
    assert runtimes.all()[0].used
    runtimes.use(TAG)
    await runtimes.remove(TAG)
    assert not whole(runtimes)
    assert [entry.tag for entry in runtimes.all()] == [""]
    with pytest.raises(Problem, match="runtime_unknown"):
        runtimes.use("x")
    with pytest.raises(Problem, match="runtime_own"):
        await runtimes.remove("")


async def test_the_same_one_again_takes_its_own_place(runtimes, tmp_path):
    await runtimes.install(pack(tmp_path / "one"))
    await runtimes.install(pack(tmp_path / "two", {"torch/__init__.py": "__version__ = '2.13.0'\nnew = True\n"}))
    assert "new" in (runtimes.folder / TAG / "torch" / "__init__.py").read_text()
    assert sorted(whole(runtimes)) == [TAG, runtime.CURRENT]
