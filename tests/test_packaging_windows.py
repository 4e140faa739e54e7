"""What Windows' program is made of, as far as it shows without building it; `packaging/check.py windows` uses it."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import check_windows
import platformdirs
import pytest
import windows_setup
import windows_tree
import wine

ROOT = Path(__file__).resolve().parents[1]
SETUP = (ROOT / "packaging" / "windows" / "setup.nsi").read_text(encoding="utf-8")


def _wheel(path: Path, names: list[str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, name)
    return path


def _below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_wheel_is_unpacked_where_an_installation_would_put_it(tmp_path):
    wheel = _wheel(
        tmp_path / "one-1-py3-none-any.whl",
        ["one/__init__.py", "one-1.data/data/share/tessdata/eng.traineddata", "one-1.data/purelib/two.py",
         "one-1.data/data/share/man/man1/one.1", "one-1.data/scripts/one.exe", "one/tests/test_one.py", "one/x.pyi",
         "one/fast.c", "one-1.dist-info/METADATA", "one-1.dist-info/licenses/third_party/deep/LICENSE"],
    )  # fmt: skip
    windows_tree.unpack(wheel, tmp_path / "tree" / "Lib" / "site-packages")
    assert _below(tmp_path / "tree") == {
        "Lib/site-packages/one/__init__.py",
        "Lib/site-packages/two.py",
        "Lib/site-packages/one-1.dist-info/METADATA",
        "share/tessdata/eng.traineddata",
    }


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("PySide6/QtWidgets.pyd", True),
        ("PySide6/Qt6Svg.dll", True),
        ("PySide6/plugins/platforms/qwindows.dll", True),
        ("PySide6/translations/qtbase_zh_CN.qm", True),
        ("PySide6/Qt6Quick.dll", False),
        ("PySide6/designer.exe", False),
        ("PySide6/opengl32sw.dll", False),
        ("PySide6/msvcp140.dll", False),  # the one that shiboken6 brings lies beside the programs
        ("PySide6/translations/qtbase_fr.qm", False),
        ("numpy/_core/include/numpy/arrayobject.h", False),
    ],
)
def test_what_of_qt_goes_in(name, kept):
    assert kept == (not any(re.search(pattern, name) for pattern in windows_tree.DROPPED))


def test_what_a_runtime_brings_is_not_there_twice():
    assert {"torch", "sympy", "networkx", "panda3d"} <= windows_tree.LEFT_OUT
    assert not {"filelock", "typing_extensions", "fsspec"} & windows_tree.LEFT_OUT, "the window's own use them"


@pytest.mark.parametrize(
    ("version", "numbers"),
    [("0.1.0", "0.1.0.0"), ("1.2", "1.2.0.0"), ("0.2.0rc1", "0.2.0.0"), ("1.2.3.4.5", "1.2.3.4")],
)
def test_versions_are_four_numbers(version, numbers):
    assert windows_tree.numbers(version) == numbers


def test_the_uninstaller_removes_what_setup_brings_and_nothing_else(tmp_path):
    (tmp_path / "Lib").mkdir()
    (tmp_path / "Lib" / "os.py").touch()
    (tmp_path / "longread.exe").touch()
    assert windows_setup.removal(tmp_path).splitlines() == [
        'RMDir /r "$INSTDIR\\Lib"',
        'Delete "$INSTDIR\\longread.exe"',
    ]
    assert not re.search(r'(RMDir /r|Delete) "\$INSTDIR(\\\*[^"]*)?"', SETUP), "no removal of whatever lies there"


def test_the_data_that_setup_can_delete_are_those_that_the_program_keeps(monkeypatch):
    """`engine.home` asks platformdirs, whose form for Windows is looked at here on every system."""
    source = (ROOT / "engine" / "home.py").read_text(encoding="utf-8")
    assert 'platformdirs.user_data_dir("longread", appauthor=False)' in source
    from platformdirs import windows

    monkeypatch.setattr(windows, "get_win_folder", lambda name: name)
    kept = windows.Windows("longread", appauthor=False).user_data_dir
    assert kept.replace(os.sep, "\\") == "CSIDL_LOCAL_APPDATA\\longread"
    deleted = re.findall(r'RMDir /r "(\$[^"]+)"', SETUP)
    assert deleted == ["$LOCALAPPDATA\\longread"]
    assert platformdirs.user_data_dir("longread", appauthor=False)


def test_nothing_of_another_python_is_used():
    """A `._pth` file alone leaves the person's own site-packages on."""
    assert 'L"-I"' in (ROOT / "packaging" / "windows" / "launcher.c").read_text(encoding="utf-8")


def test_the_zip_has_one_folder_and_says_the_same_each_time(tmp_path):
    tree = tmp_path / "tree"
    (tree / "Lib").mkdir(parents=True)
    (tree / "Lib" / "x.py").write_text("x = 1\n")
    one = windows_setup.portable(tree, tmp_path / "longread-1.zip").read_bytes()
    os.utime(tree / "Lib" / "x.py", (0, 0))
    assert windows_setup.portable(tree, tmp_path / "longread-1.zip").read_bytes() == one
    with zipfile.ZipFile(tmp_path / "longread-1.zip") as archive:
        names = set(archive.namelist())
    assert names == {"longread-1/Lib/x.py", "longread-1/portable", "longread-1/README.txt"}


@pytest.mark.skipif(sys.platform != "linux", reason="packages are made on Linux")
def test_everything_of_ours_is_signed_before_it_is_packed(tmp_path, monkeypatch):
    """A command that writes a line at the end of a file stands for osslsigncode."""
    fake = tmp_path / "fake"
    fake.write_text('#!/bin/sh\n[ "$1 $2 $4" = "sign -in -out" ] || exit 9\n(cat "$3"; echo signed) > "$5"\n')
    fake.chmod(0o700)
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in (*windows_setup.OURS, "theirs.dll"):
        (tree / name).write_text("program\n")
    seen = []

    def packed(tree, target, version, quick, script=None):
        seen.append({name: (tree / name).read_text() for name in (*windows_setup.OURS, "theirs.dll")})
        assert script is not None, "NSIS signs the uninstaller with it"
        target.write_text("setup\n")
        return target

    monkeypatch.setattr(windows_setup, "installer", packed)
    monkeypatch.setattr(windows_setup.linux_packages, "DIST", tmp_path / "dist")
    monkeypatch.setattr(windows_setup.windows_tree, "BUILD", tmp_path / "build")
    zipped, setup, listing = windows_setup.make(tree, quick=True, signer=windows_setup.signer([str(fake), "sign"]))
    assert seen == [{**dict.fromkeys(windows_setup.OURS, "program\nsigned\n"), "theirs.dll": "program\n"}]
    assert setup.read_text() == "setup\nsigned\n"
    with zipfile.ZipFile(zipped) as archive:
        assert archive.read(f"{zipped.stem}/longread.exe") == b"program\nsigned\n"
    assert "longread.exe" in listing.read_text()


def test_a_signature_that_fails_ends_the_build(tmp_path, monkeypatch):
    monkeypatch.setattr(windows_setup.windows_tree, "BUILD", tmp_path)
    file = tmp_path / "longread.exe"
    file.write_text("program")
    with pytest.raises(SystemExit, match=r"longread\.exe could not be signed"):
        windows_setup.sign(windows_setup.signer(["false"]), file)
    assert file.read_text() == "program"


@pytest.mark.skipif(shutil.which("makensis") is None, reason="NSIS is not installed here")
def test_the_setup_program_is_made(tmp_path, monkeypatch):
    monkeypatch.setattr(windows_setup.windows_tree, "BUILD", tmp_path / "build")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "longread.exe").write_text("x")
    icon = b"\0\0\1\0\1\0\1\1\0\0\1\0\x20\0\x30\0\0\0\x16\0\0\0" + b"\x28\0\0\0\1\0\0\0\2\0\0\0\1\0\x20\0" + bytes(32)
    (tree / "longread.ico").write_bytes(icon)
    made = windows_setup.installer(tree, tmp_path / "setup.exe", "0.2.0rc1", True)
    data = made.read_bytes()
    assert data.startswith(b"MZ")
    assert b"\x64\x86" in data[:512], "a program for 64 bits"
    assert "0.2.0rc1".encode("utf-16-le") in data


def test_what_the_check_needs_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(check_windows.shutil, "which", lambda name: None if name in ("makensis", "Xvfb") else name)
    with pytest.raises(check_windows.Wrong, match="apt-get install nsis xvfb"):
        check_windows.check(tmp_path)


@pytest.mark.skipif(shutil.which("x86_64-w64-mingw32-gcc") is None, reason="mingw-w64 is not installed here")
def test_a_function_that_wine_lacks_is_put_into_its_library(tmp_path):
    source, library = tmp_path / "x.c", tmp_path / "x.dll"
    source.write_text(
        "__declspec(dllexport) int first(void) { return 1; }\n__declspec(dllexport) int second(void) { return 2; }\n"
        "int __stdcall DllMain(void *a, unsigned b, void *c) { return 1; }\n"
    )
    command = ["x86_64-w64-mingw32-gcc", "-shared", "-nostdlib", "-O2", "-Wl,-e,DllMain", "-o", library, source]
    subprocess.run(command, check=True)
    data = library.read_bytes()
    places = wine.exports(data)
    assert {"first", "second"} <= set(places)
    assert data[places["second"] :].startswith(b"\xb8\x02\0\0\0"), "mov eax, 2"
    changed = wine.taught(data, {"second": wine.RETURN_0})
    assert changed[places["second"] :].startswith(wine.RETURN_0)
    assert changed[: places["second"]] == data[: places["second"]]
    with pytest.raises(ValueError, match="third"):
        wine.taught(data, {"third": b""})
