"""What packages are made of: locks, licences, what is left out, packs, the desktop's files and the release's steps.

Nothing is built here; `packaging/check.py` looks at what was.
"""

import configparser
import hashlib
import json
import re
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import contents
import licences
import linux_packages
import loader
import lock
import pytest
import sbom
import windows_tree
import yaml
from make_wheel import wheel as made_wheel

from kernels.native import prebuilt

ROOT = Path(__file__).resolve().parents[1]
PINNED = re.compile(r"^([\w.-]+)==[^\s\\]+")


def pinned(target: str) -> set[str]:
    """The names of a lock."""
    return {match.group(1) for line in lock.lock_file(target).read_text().splitlines() if (match := PINNED.match(line))}


@pytest.mark.parametrize("target", ["linux", "windows", "linux-gpu"])
def test_every_package_of_a_lock_has_its_digest(target):
    text = lock.lock_file(target).read_text()
    pins = re.split(r"(?m)^(?=[\w.-]+==)", text)[1:]
    assert len(pins) > 10
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", pin) for pin in pins)
    assert "torch" in {PINNED.match(pin).group(1) for pin in pins}


def test_the_locks_hold_what_the_project_asks_for():
    """A new dependency that is not locked would be missing from the packages."""
    for target in ("linux", "windows"):
        asked = {re.split(r"[><=;\[ ]", one)[0].lower() for one in lock.wanted(target)}
        asked = {name.replace("_", "-").replace(".", "-") for name in asked}
        assert asked <= pinned(target), asked - pinned(target)


def test_wheels_are_fetched_by_the_lock_and_others_removed(tmp_path, monkeypatch):
    source, folder, locked = tmp_path / "source", tmp_path / "wheels", tmp_path / "lock.txt"
    source.mkdir()
    folder.mkdir()
    one = made_wheel(source, "one", "1.0", "cp311-cp311-win_amd64")
    made_wheel(source, "one", "1.0", "cp311-cp311-manylinux_2_17_x86_64")
    two = made_wheel(source, "two", "2.0", "py3-none-any")
    digests = [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in (one, two)]
    locked.write_text(f"one==1.0 \\\n    --hash=sha256:{digests[0]}\ntwo==2.0 --hash=sha256:{digests[1]}\n")
    monkeypatch.setattr(lock, "lock_file", lambda target: locked)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(source))
    made_wheel(folder, "gone", "3.0", "py3-none-any")
    (folder / two.name).write_bytes(b"half of it")
    assert lock.fetched("windows", folder) == folder
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == {
        one.name: one.read_bytes(),
        two.name: two.read_bytes(),
    }
    two.write_bytes(two.read_bytes() + b"changed")
    (folder / two.name).unlink()
    with pytest.raises(SystemExit, match="could not be fetched"):
        lock.fetched("windows", folder)


def test_what_is_left_out_of_a_bundle():
    assert not contents.wanted("PySide6/Qt/plugins/platformthemes/libqgtk3.so")
    assert not contents.wanted("libreadline.so.8", "/lib/x86_64-linux-gnu/libreadline.so.8")
    assert not contents.wanted("libstdc++.so.6", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6")
    assert contents.wanted("libcrypto.so.3", "/usr/lib/x86_64-linux-gnu/libcrypto.so.3")
    assert contents.wanted("libpython3.11.so.1.0", "/usr/lib/libpython3.11.so.1.0")
    assert contents.wanted("PySide6/Qt/plugins/platforms/libqxcb.so", "/home/x/PySide6/Qt/plugins/platforms/libqxcb.so")
    assert contents.wanted("PySide6/Qt/translations/qtbase_zh_CN.qm")
    assert not contents.wanted("PySide6/Qt/translations/qtbase_fr.qm")
    assert not contents.wanted("longread.egg-info/SOURCES.txt"), "it names files that were not packed"


def test_the_engine_carries_the_standard_library():
    names = set(contents.standard_library())
    assert {"asyncio.events", "xml.etree.ElementTree", "unittest.mock", "sqlite3", "timeit", "cProfile"} <= names
    assert not [name for name in names if name.startswith(("test.", "tkinter", "idlelib"))]


def test_neither_program_holds_what_is_the_others():
    assert {"torch", "tokenizers", "numpy"} <= set(contents.NOT_IN_WINDOW)
    assert {"torch", "PySide6", "qasync"} <= set(contents.NOT_IN_ENGINE)


def test_the_spec_can_be_read():
    compile((ROOT / "packaging" / "longread.spec").read_text(), "longread.spec", "exec")


def _package(folder: Path, name: str, licence: str, text: str = "words") -> None:
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n{licence}\n")
    (info / "LICENSE").write_text(text)
    (info / "RECORD").write_text(f"{info.name}/METADATA,,\n{info.name}/LICENSE,,\n")


@pytest.mark.parametrize(
    ("licence", "allowed"),
    [
        ("License-Expression: MIT", True),
        ("License-Expression: LGPL-3.0-only", True),
        ("Classifier: License :: OSI Approved :: GNU Lesser General Public License v3 (LGPLv3)", True),
        ("License: GPL-2.0-or-later WITH GCC-exception", True),
        ("License-Expression: GPL-3.0-or-later", False),
        ("License-Expression: AGPL-3.0-only", False),
        ("Classifier: License :: OSI Approved :: GNU General Public License v3 (GPLv3)", False),
        ("Classifier: License :: OSI Approved :: GNU Affero General Public License v3", False),
        ("Summary: says nothing", False),
    ],
)
def test_a_licence_that_binds_us_is_refused(tmp_path, licence, allowed):
    _package(tmp_path, "one", licence)
    assert (licences.refused(licences.gather(tmp_path)) == []) == allowed


def test_licences_are_written_with_their_texts(tmp_path):
    _package(tmp_path / "packages", "one", "License-Expression: MIT", "Permission is granted")
    licences.write(licences.gather(tmp_path / "packages"), tmp_path / "out")
    (listed,) = json.loads((tmp_path / "out" / "licences.json").read_text())
    assert (listed["name"], listed["licence"], listed["texts"]) == ("one", "MIT", ["Permission is granted"])
    assert "Permission is granted" in (tmp_path / "out" / "THIRD-PARTY.txt").read_text()


def test_the_environment_of_the_tests_holds_no_licence_that_binds_us():
    packages = Path(yaml.__file__).parents[1]
    found = [one for one in licences.gather(packages) if one.name in pinned("linux")]
    assert len(found) > 30
    assert licences.refused(found) == []


@pytest.mark.skipif(sys.platform != "linux", reason="the modules of Linux")
def test_the_needs_of_a_library_are_read_from_it():
    import _ssl

    assert any(name.startswith("libssl") for name in loader.asked_for(Path(_ssl.__file__)))
    assert "libc.so.6" in loader.asked_for(Path("/bin/sh").resolve())


def test_debian_and_fedora_name_what_is_needed():
    needed = {"libEGL.so.1", "libc.so.6", "ld-linux-x86-64.so.2"}
    assert loader.debian(needed) == [f"libc6 (>= 2.{loader.NEWEST})", "libegl1"]
    version = f"libc.so.6(GLIBC_2.{loader.NEWEST})(64bit)"
    assert loader.fedora(needed) == ["libEGL.so.1()(64bit)", "libc.so.6()(64bit)", version]
    assert loader.NEWEST >= lock.GLIBC, "the wheels may not ask for more than the packages say"


def test_prebuilt_kernels_are_chosen_by_the_processors_flags(tmp_path):
    for name in prebuilt.LEVELS:
        (tmp_path / f"{name}.so").touch()
    v3 = prebuilt.LEVELS["x86-64-v3"][1]
    v4 = v3 | prebuilt.LEVELS["x86-64-v4"][1]
    expected = {"x86-64-v3": v3, "x86-64-v4": v4, "x86-64-v4-bf16": v4 | {"avx512_bf16"}}
    if sys.platform == "linux":
        for name, flags in expected.items():
            assert prebuilt.find(tmp_path, frozenset(flags)) == tmp_path / f"{name}.so"
    assert prebuilt.find(tmp_path, frozenset({"sse2"})) is None
    assert prebuilt.find(tmp_path / "nowhere", frozenset(v4)) is None


def test_open_with_is_offered_for_types_that_are_read():
    entry = configparser.ConfigParser(interpolation=None, strict=True)
    entry.optionxform = str
    entry.read(linux_packages.LINUX / "longread.desktop", encoding="utf-8")
    about = entry["Desktop Entry"]
    assert (about["Exec"], about["Icon"], about["Terminal"]) == ("longread %F", "longread", "false")
    types = set(about["MimeType"].strip(";").split(";"))
    assert {"application/pdf", "application/epub+zip", "text/plain"} <= types
    assert all(re.fullmatch(r"[\w.+-]+/[\w.+-]+", one) for one in types)


def test_the_store_page_names_this_version_and_the_desktop_file():
    about = ElementTree.parse(linux_packages.LINUX / "io.github.longread.Longread.metainfo.xml").getroot()
    assert about.findtext("launchable") == "longread.desktop"
    assert about.find("releases/release").get("version") == linux_packages.version()


def test_the_packages_configuration(tmp_path, monkeypatch):
    monkeypatch.setattr(loader, "outside", lambda folder: {"libEGL.so.1"})
    made = linux_packages.configuration(tmp_path, tmp_path)
    places = {entry["dst"]: entry for entry in made["contents"]}
    assert places["/usr/bin/longread"]["src"] == "/usr/lib/longread/longread"
    assert "/usr/share/applications/longread.desktop" in places
    assert made["overrides"]["rpm"]["depends"] == loader.fedora({"libEGL.so.1"})
    assert places["/usr/share/doc/longread"]["type"] == "dir", "rpm leaves a folder that nobody owns"
    ours = [Path(entry["src"]) for entry in made["contents"] if entry.get("src", "").startswith(str(ROOT))]
    assert [path for path in ours if not path.exists()] == []


def test_archives_say_nothing_of_when_and_by_whom_they_were_made(tmp_path):
    entry = tarfile.TarInfo("x")
    entry.uid, entry.uname, entry.mtime = 1000, "somebody", 12345
    plain = linux_packages._plain(entry)
    assert (plain.uid, plain.uname, plain.mtime) == (0, "root", int(linux_packages.bundle.EPOCH))


def test_names_that_a_windows_library_exports_are_read():
    told = """
The Export Tables
[Ordinal/Name Pointer] Table -- Ordinal Base 1
\t[   0] +base[   1]  0000 PyAIter_Check
\t[   1] +base[   2]  0001 _Py_Dealloc

Next table
"""
    assert windows_tree.exported(told) == ["PyAIter_Check", "_Py_Dealloc"]


def test_setup_offers_what_linux_offers_and_keeps_the_data():
    script = (ROOT / "packaging" / "windows" / "setup.nsi").read_text(encoding="utf-8")
    assert "RequestExecutionLevel user" in script
    assert set(re.findall(r'\$\{DO\} "(\.\w+)"', script)) >= {".pdf", ".docx", ".epub", ".txt"}
    assert "/SD IDNO" in script, "silently, the data stay"
    manifest = (ROOT / "packaging" / "windows" / "program.manifest").read_text()
    assert ">true</longPathAware>" in manifest


def test_the_bill_of_materials_names_every_package():
    made = sbom.document("linux")
    assert made["bomFormat"] == "CycloneDX"
    torch = next(one for one in made["components"] if one["name"] == "torch")
    assert torch["purl"] == "pkg:pypi/torch@2.13.0%2Bcpu"
    assert len(torch["hashes"]) == 1
    assert made == sbom.document("linux"), "the same lock, the same document"
    assert all(one["hashes"] for one in sbom.document("windows")["components"])


def test_the_release_is_described_as_github_reads_it():
    release = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    jobs = release["jobs"]
    assert release[True]["push"]["tags"] == ["v*"]  # YAML 1.1 takes `on` for a truth value
    for job in jobs.values():
        assert job["runs-on"]
        needs = job.get("needs", [])
        assert set([needs] if isinstance(needs, str) else needs) <= set(jobs)
        assert all("uses" in step or "run" in step for step in job["steps"])
    steps = "\n".join(step.get("run", "") for job in jobs.values() for step in job["steps"])
    for script in re.findall(r"packaging/[\w.]+\.py", steps):
        assert (ROOT / script).is_file(), script


def test_what_the_build_can_do_is_told():
    done = subprocess.run(
        [sys.executable, str(ROOT / "packaging" / "build.py"), "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "gpu-pack" in done.stdout
