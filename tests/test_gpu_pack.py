"""A GPU pack made of small wheels under the real ones' names: its manifest, parts, drivers, licences, and a release."""

import hashlib
import json
import re
import shutil
import sys
from importlib.metadata import version
from pathlib import Path

import contents
import file_server
import gpu_pack
import msgspec
import pytest
import yaml
from make_pack import TRIAL
from make_wheel import wheel

from app.services.downloads.packs import RELEASES, Packs
from app.services.pack_download import PackDownload
from app.services.privacy import Connections
from app.services.runtimes import Runtimes
from engine import client, runtime

ROOT = Path(__file__).resolve().parents[1]
WIN, LINUX = "cp311-cp311-win_amd64", "cp311-cp311-manylinux_2_28_x86_64"
TORCH = {"torch/__init__.py": b"__version__ = '2.13.0+cu130'\n", "torch/lib/c10_cuda.dll": bytes(range(256)) * 20}


@pytest.fixture
def out(tmp_path) -> Path:
    made = tmp_path / "dist"
    made.mkdir()
    return made


def folder_of(tmp_path: Path, tag: str, cuda: str, triton: str) -> Path:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    wheel(wheels, "torch", f"2.13.0{cuda}", tag, files=TORCH)
    wheel(wheels, triton, "3.7.1", tag)
    for name in contents.RUNTIME_PACKAGES[1:]:
        wheel(wheels, name)
    return wheels


@pytest.fixture
def windows(tmp_path) -> Path:
    """The wheels that a Windows pack is made of, as they are called."""
    return folder_of(tmp_path, WIN, "+cu130", "triton_windows")


@pytest.fixture
def linux(tmp_path, monkeypatch) -> Path:
    made = folder_of(tmp_path, LINUX, "", "triton")
    licence = "License: NVIDIA Proprietary Software"
    wheel(made, "nvidia_cuda_runtime", "13.0.96", "py3-none-manylinux2014_x86_64", licence=licence)
    wheel(made, "nvidia_cusparselt_cu13", "0.8.1", "py3-none-manylinux2014_x86_64", text="nvidia/LICENSE.txt",
          licence=licence)  # fmt: skip
    wheel(made, "cuda_toolkit", "13.0.3.0", files={}, licence="Summary: asks for others", text=None)
    monkeypatch.setattr(gpu_pack, "driver_wheel", lambda triton, scratch: wheel(scratch, "longread_triton"))
    return made


def manifest_of(folder: Path) -> runtime.Manifest:
    return msgspec.json.decode((folder / "manifest.json").read_bytes(), type=runtime.Manifest)


def test_a_pack_is_in_parts_and_says_what_it_fits(windows, out):
    folder = gpu_pack.make("windows", windows, out, part=2000)
    manifest = manifest_of(folder)
    assert folder.name == "longread-gpu-win_amd64-cu130-2.13.0"
    assert (manifest.tag, manifest.kind, manifest.python, manifest.platform, manifest.torch) == (
        *("cu130-2.13.0", "cuda", "cp311", "win_amd64", "2.13.0"),
    )
    assert (manifest.format, manifest.engine) == (runtime.FORMAT, runtime.GENERATION)
    assert manifest.driver == gpu_pack.DRIVERS["windows"]["13"]
    assert manifest.unpacked > len(TORCH["torch/lib/c10_cuda.dll"])
    assert {one.file.partition("-")[0] for one in manifest.wheels} == {*contents.RUNTIME_PACKAGES, "triton_windows"}
    torch = windows / f"torch-2.13.0+cu130-{WIN}.whl"
    one = next(one for one in manifest.wheels if one.file == torch.name)
    assert [part.size for part in one.parts][:-1] == [2000] * (len(one.parts) - 1)
    assert all(re.fullmatch(r"[\w.-]+", part.file) for wheel in manifest.wheels for part in wheel.parts)
    joined = b"".join((folder / part.file).read_bytes() for part in one.parts)
    assert joined == torch.read_bytes()
    assert hashlib.sha256(joined).hexdigest() == one.sha256


@pytest.mark.parametrize(("cuda", "driver"), [("cu128", "528.33"), ("cu130", "580.88")])
def test_the_driver_is_by_cudas_major_version(windows, out, cuda, driver):
    (windows / f"torch-2.13.0+cu130-{WIN}.whl").rename(windows / f"torch-2.13.0+{cuda}-{WIN}.whl")
    manifest = manifest_of(gpu_pack.make("windows", windows, out))
    assert (manifest.tag, manifest.driver) == (f"{cuda}-2.13.0", driver)


def test_linux_pack_learns_cuda_from_nvidias_wheels_and_leaves_out_what_holds_nothing(linux, out):
    manifest = manifest_of(gpu_pack.make("linux", linux, out))
    assert (manifest.tag, manifest.platform, manifest.driver) == ("cu130-2.13.0", "linux_x86_64", "580.65.06")
    names = {one.file.partition("-")[0] for one in manifest.wheels}
    assert "longread_triton" in names
    assert "cuda_toolkit" not in names


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda at: (at / f"torch-2.13.0+cu130-{WIN}.whl").unlink(), "no wheel of torch"),
        (lambda at: (at / "sympy-1.0-py3-none-any.whl").unlink(), "no wheel of sympy"),
        (lambda at: (at / f"triton_windows-3.7.1-{WIN}.whl").unlink(), "no wheel of triton_windows"),
        (lambda at: (at / "sympy-1.0-py3-none-any.whl").write_bytes(b"half"), "sympy-1.0-py3-none-any.whl is no whole"),
        (lambda at: wheel(at, "sympy", "1.1"), "two wheels of sympy"),
        (lambda at: wheel(at, "numpy", "2.0", LINUX), "is not for Windows and Python 3.11"),
        (lambda at: wheel(at, "numpy", "2.0", "cp313-cp313-win_amd64"), "is not for Windows and Python 3.11"),
        (lambda at: rename_torch(at, "2.13.0+cpu"), "which CUDA"),
        (lambda at: rename_torch(at, "2.13.0"), "which CUDA"),
        (lambda at: rename_torch(at, "2.13.0+cu140"), "CUDA 14"),
        (lambda at: rename_torch(at, "2.11.1+cu130"), "checked with torch"),
        (lambda at: wheel(at, "extra", licence="License-Expression: GPL-3.0-only"), "extra 1.0: GPL-3.0-only"),
        (lambda at: wheel(at, "extra", licence="License-Expression: AGPL-3.0-only"), "extra 1.0: AGPL-3.0-only"),
        (lambda at: wheel(at, "extra", licence="Summary: says nothing"), "no licence is named"),
        (lambda at: wheel(at, "extra", licence="License: NVIDIA Proprietary Software", text=None), "missing in extra"),
    ],
)
def test_a_folder_that_is_no_runtime_gets_a_sentence(windows, out, change, said):
    change(windows)
    with pytest.raises(SystemExit, match=re.escape(said)):
        gpu_pack.make("windows", windows, out)
    assert not list(out.iterdir())


def rename_torch(wheels: Path, to: str) -> None:
    (wheels / f"torch-2.13.0+cu130-{WIN}.whl").rename(wheels / f"torch-{to}-{WIN}.whl")


def test_the_pack_carries_the_texts_of_its_licences(linux, out):
    folder = gpu_pack.make("linux", linux, out)
    listed = {one["name"]: one for one in json.loads((folder / "licences.json").read_text())}
    assert listed["nvidia-cusparselt-cu13"]["texts"] == ["You may."]
    assert "NVIDIA Proprietary Software" in (folder / "THIRD-PARTY.txt").read_text()


def test_a_windows_pack_asks_for_its_wheels():
    import build

    with pytest.raises(SystemExit):
        build.main(["gpu-pack", "windows"])


async def test_what_a_release_holds_is_what_the_program_downloads(linux, out, tmp_path, home, monkeypatch):
    trial = tmp_path / "trial.py"
    trial.write_text(TRIAL)
    monkeypatch.setattr(client, "program", lambda: (sys.executable, str(trial)))
    monkeypatch.setattr(runtime, "platform_tag", lambda: "linux_x86_64")
    monkeypatch.setattr(runtime, "python_tag", lambda: "cp311")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    moved = gpu_pack.for_release(gpu_pack.make("linux", linux, out, part=2000), out)
    assert sorted(out.iterdir()) == sorted(moved)
    runtimes = Runtimes(home, driver=lambda: "")
    packs = Packs(runtimes.folder, Connections())
    below = packs.manifest_address.removeprefix("https://github.com").rpartition("/")[0]
    with file_server.running() as server:
        server.offer(out, below)
        packs.address = f"{server.address}{below}"
        download = PackDownload(runtimes, packs)
        await download.look()
        installed = await download.install(lambda said: None, lambda stage, done, total: None)
    assert installed.entry.used
    assert (runtimes.folder / "cu130-2.13.0" / "longread_triton" / "__init__.py").is_file()
    shutil.rmtree(runtimes.folder)


def test_the_release_uploads_the_pack_where_the_program_looks_for_it():
    release = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    jobs = release["jobs"]
    made = [step.get("run", "") for step in jobs["gpu-pack"]["steps"]]
    assert "python packaging/build.py gpu-pack linux --release" in made
    assert "gpu-pack" in jobs["release"]["needs"]
    uploaded = next(step["run"] for step in jobs["release"]["steps"] if "gh release" in step.get("run", ""))
    assert 'gh release create "$GITHUB_REF_NAME" dist/*' in uploaded
    assert release[True]["push"]["tags"] == ["v*"]
    assert f"{RELEASES}/v{version('longread')}/" in Packs(ROOT, Connections()).manifest_address
    assert gpu_pack.PART < 2 << 30, "GitHub's limit of a file"
