"""Windows' program as a folder, assembled on Linux: its CPython, the wheels of its lock, our launchers, a small model.

The CPython is 3.11.9, whose signed libraries panda3d's wheel carries. It is the series that the tests run on, and its
own modules in Python are those of this computer's 3.11; a later series' are on no registry in its exact version.
Its OpenSSL is of January 2024: it is used for downloads that the person asks for and for remote models.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from fnmatch import fnmatch
from pathlib import Path

import bundle
import contents
import licences
import linux_packages
import lock

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SOURCES = HERE / "windows"
BUILD = ROOT / "build" / "windows"
TREE = BUILD / "tree"
WHEELS = BUILD / "wheels"
MINGW = "x86_64-w64-mingw32-"
SAME = "--no-insert-timestamp"
"""To the linker: the same sources, the same file."""
DLL = "python311"
NOT_OF_PYTHON = ("api-ms-win-", "tcl", "tk", "_tkinter", "_msi", "vcruntime")
"""Libraries beside CPython's that every Windows has, what needs Tk, and a C runtime of 2016."""
LAUNCHERS = (
    ("longread.exe", "longread.py", True),
    ("longread.com", "longread.py", False),
    ("longread-engine.exe", "longread_engine.py", False),
)
"""File, script, whether without a console. A prompt prefers .com to .exe: the same word opens the window from the Start
menu and speaks in a console."""
OWN = ("app", "engine", "kernels", "resources")
LEFT_OUT = {"panda3d", "setuptools", *contents.TORCH_ALONE}
"""Wheels of the lock that are not unpacked among the others: what makes the program, and what a runtime brings."""
LICENCES = r"\.dist-info/licenses/"
"""They are in the program's own folder of licences. These paths would be longer than what Windows takes by default."""
DROPPED = (
    r"^PySide6/(?!Qt(Core|Gui|Widgets|Network|Svg|PrintSupport)\.pyd|__init__|_|support|plugins|translations|"
    r"Qt6(Core|Gui|Widgets|Network|Svg|PrintSupport)\.dll|pyside6\.|.*\.py$)",
    r"^PySide6/plugins/(?!platforms/|styles/|imageformats/qsvg|imageformats/qjpeg|imageformats/qgif|iconengines/|tls/)",
    r"^PySide6/translations/(?!qtbase_(zh_CN|en))",
    r"\.(pyi|pyx|pxd|pdb|lib|c|h|hpp|cmake)$",
    r"(^|/)(tests?|include)/",
    r"^share/man/",
    LICENCES,
)
"""Of a wheel's files, by where they would lie."""


def assemble() -> Path:
    """The whole folder, made anew. SystemExit with a sentence when a step fails."""
    lock.fetched("windows", WHEELS)
    shutil.rmtree(TREE, ignore_errors=True)
    TREE.mkdir(parents=True)
    interpreter()
    packages = TREE / "Lib" / "site-packages"
    for wheel in sorted(WHEELS.glob("*.whl")):
        if _name(wheel) not in LEFT_OUT:
            unpack(wheel, packages)
    runtime()
    for name in OWN:
        ignore = shutil.ignore_patterns("__pycache__", "*.ts", "*.so")
        shutil.copytree(ROOT / name, packages / name, ignore=ignore)
    _version(packages)
    for found in (packages / "shiboken6").glob("*140*.dll"):
        found.rename(TREE / found.name)  # the newest C runtime of all wheels, once, where every module finds it
    bundle.small_model(TREE / "models")
    found = licences.of_wheels(sorted(WHEELS.glob("*.whl")))
    licences.write(found, TREE / "licences")
    launchers()
    bundle.compile_all(TREE)
    return TREE


def interpreter() -> None:
    """CPython's libraries, its modules in Python, and python3.dll, which modules for any version ask for."""
    panda = next(WHEELS.glob("panda3d-*.whl"))
    libraries = TREE / "DLLs"
    libraries.mkdir()
    with zipfile.ZipFile(panda) as archive:
        for member in archive.namelist():
            name = member.rpartition("/")[2]
            if not member.startswith("deploy_libs/") or not name.endswith((".dll", ".pyd")):
                continue
            if name.lower().startswith(NOT_OF_PYTHON):
                continue
            (TREE if name == f"{DLL}.dll" else libraries).joinpath(name).write_bytes(archive.read(member))
    library = Path(sysconfig.get_paths()["stdlib"])
    left_out = shutil.ignore_patterns(
        *("site-packages", "__pycache__", "test", "tests", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3"),
        *("lib-dynload", "config-*", "*.so", "_sysconfigdata*"),
    )
    shutil.copytree(library, TREE / "Lib", ignore=left_out)
    (TREE / f"{DLL}._pth").write_text("Lib\nDLLs\nLib\\site-packages\nimport site\n", encoding="ascii")
    forward(TREE / f"{DLL}.dll", TREE / "python3.dll")


def forward(library: Path, target: Path) -> None:
    """A DLL that hands each of the library's names on to it."""
    work = BUILD / "work"
    work.mkdir(exist_ok=True)
    told = subprocess.run([f"{MINGW}objdump", "-p", str(library)], capture_output=True, text=True, check=True).stdout
    names = exported(told)
    (work / "python3.def").write_text(
        "LIBRARY python3\nEXPORTS\n" + "".join(f" {name}={library.stem}.{name}\n" for name in names)
    )
    (work / f"{DLL}.def").write_text(f"LIBRARY {DLL}.dll\nEXPORTS\n" + "".join(f" {name}\n" for name in names))
    (work / "empty.c").write_text("int __stdcall DllMain(void *module, unsigned why, void *unused) { return 1; }\n")
    _run([f"{MINGW}gcc", "-shared", "-nostdlib", "-s", f"-Wl,-e,DllMain,{SAME}", "-o", str(target),
          str(work / "empty.c"), str(work / "python3.def")], "python3.dll could not be made")  # fmt: skip
    _run([f"{MINGW}dlltool", "-d", str(work / f"{DLL}.def"), "-l", str(work / f"lib{DLL}.a"), "-D", f"{DLL}.dll"],
         "The library to link with could not be made")  # fmt: skip


def exported(told: str) -> list[str]:
    """Names in objdump's table of exports."""
    table = told.partition("[Ordinal/Name Pointer] Table")[2]
    found = re.findall(r"(?m)^\s*\[\s*\d+\]\s+(?:\+base\[\s*\d+\]\s+)?(?:[0-9a-f]{4,}\s+)?([A-Za-z_]\w*)\s*$", table)
    return list(dict.fromkeys(found))


def unpack(wheel: Path, folder: Path) -> None:
    """A wheel's files but those that nothing runs; its .data where an installation would put them."""
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            name = member.filename
            if ".data/" in name:
                _, kind, name = name.split("/", 2)
                if kind not in ("data", "purelib", "platlib"):
                    continue
                place = folder.parents[1] if kind == "data" else folder  # beside Lib: tessdata lies in share
            else:
                place = folder
            if not member.is_dir() and not any(re.search(pattern, name) for pattern in DROPPED):
                _write(archive, member, place / name)


def _write(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(archive.read(member))


def runtime() -> None:
    """torch for the processor, and what it asks for, as a folder of its own."""
    from engine import runtime as form

    wheels = [file for file in WHEELS.glob("*.whl") if _name(file) in contents.RUNTIME_PACKAGES]
    version = next(file.name.split("-")[1] for file in wheels if _name(file) == "torch").partition("+")[0]
    made = TREE / "runtime" / f"cpu-{version}"
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.infolist():
                dropped = re.search(LICENCES, member.filename) or any(
                    fnmatch(member.filename, one) for one in contents.RUNTIME_DROPPED
                )
                if not member.is_dir() and not dropped and ".data/" not in member.filename:
                    _write(archive, member, made / member.filename)
    manifest = form.Manifest(*(form.FORMAT, made.name, "cpu", form.GENERATION, "cp311", "win_amd64", version))
    (made / form.MANIFEST).write_bytes(form.encode(manifest))


def _name(wheel: Path) -> str:
    return wheel.name.partition("-")[0].lower()


def _version(packages: Path) -> None:
    """How the program knows its own version."""
    info = packages / f"longread-{linux_packages.version()}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: longread\nVersion: {linux_packages.version()}\n")


def launchers() -> None:
    work = BUILD / "work"
    icon = work / "longread.ico"
    _run([str(bundle.python()), str(HERE / "icon.py"), str(ROOT / "resources/icons/longread.svg"), str(icon)],
         "The icon could not be drawn")  # fmt: skip
    shutil.copyfile(icon, TREE / "longread.ico")
    shutil.copyfile(SOURCES / "program.manifest", work / "program.manifest")
    version = linux_packages.version()
    four = numbers(version).replace(".", ",")
    _run([f"{MINGW}windres", f"-DVERSION_NUMBERS={four}", f'-DVERSION_TEXT=\\"{version}\\"', "-I", str(work),
          str(SOURCES / "program.rc"), str(work / "program.o")], "The resources could not be compiled")  # fmt: skip
    start = TREE / "start"
    start.mkdir()
    for name, script, window in LAUNCHERS:
        shutil.copyfile(SOURCES / f"start_{script}", start / script)
        command = [
            f"{MINGW}gcc",
            "-O2",
            "-s",
            "-municode",
            "-Wl,--no-insert-timestamp",
            f'-DSCRIPT=L"{script}"',
            "-o",
            str(TREE / name),
        ]
        command += ["-mwindows", "-DWINDOW"] if window else []
        command += [str(SOURCES / "launcher.c"), str(work / "program.o"), str(work / f"lib{DLL}.a")]
        _run(command, f"{name} could not be compiled")


def numbers(version: str) -> str:
    """The four numbers by which Windows compares versions: 0.2.0rc1 is 0.2.0.0."""
    found = re.findall(r"\d+", re.match(r"[\d.]*", version)[0])  # it always matches
    return ".".join([*found, "0", "0", "0", "0"][:4])


def _run(command: list[str], failure: str) -> None:
    environment = os.environ | {"SOURCE_DATE_EPOCH": bundle.EPOCH}
    if subprocess.run(command, check=False, env=environment).returncode:
        sys.exit(f"{failure}: the lines above say why.")
