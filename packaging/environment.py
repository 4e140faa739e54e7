"""The virtual environment in `.venv`: made once, installed again only when `pyproject.toml` changes."""

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import system_libraries

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".venv"
STAMP = FOLDER / "longread.json"

TORCH = "2.13.0"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
CUDA = "cu130"
CUDA_INDEX = f"https://download.pytorch.org/whl/{CUDA}"


def python() -> Path:
    """The environment's own interpreter."""
    return FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def program(name: str) -> Path:
    """A command that a package installed into the environment."""
    return python().with_name(f"{name}.exe" if os.name == "nt" else name)


def ensure(extras: frozenset[str] = frozenset()) -> None:
    """Make `.venv` hold Longread, editable, with these extras. SystemExit with a sentence when that fails."""
    device = torch_device()
    # triton compiles kernels for NVIDIA cards, and the tests compile and interpret them without one. It unpacks to
    # hundreds of megabytes, so that nobody else gets it.
    wanted = extras | ({"gpu"} if device == "cuda" or "dev" in extras else set())
    made = json.loads(STAMP.read_text()) if STAMP.is_file() else {}
    digest = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    usable = made.get("device") == device and made.get("torch") == TORCH and python().exists()
    if usable and made.get("digest") == digest and wanted <= set(made["extras"]):
        return
    if usable:
        wanted |= set(made["extras"])  # a `run` after a `test` does not take the tests' tools for gone
    _make()
    STAMP.unlink(missing_ok=True)
    print("Installing Longread into .venv …", flush=True)
    version = _torch(device)
    # Without this line pip may replace a CPU build by a CUDA build of several gigabytes: to pip both are torch
    constraint = FOLDER / "torch.txt"
    constraint.write_text(f"torch=={version}\n")
    target = f"{ROOT}[{','.join(sorted(wanted))}]" if wanted else str(ROOT)
    if _pip("install", "--constraint", constraint, "--editable", target):
        sys.exit("Installing Longread failed: the lines above say why. Nothing outside .venv was changed.")
    stamp = {"digest": digest, "extras": sorted(wanted), "device": device, "torch": TORCH}
    STAMP.write_text(json.dumps(stamp))


def torch_device() -> str:
    """ "cuda" where a driver of NVIDIA's is installed, else "cpu". LONGREAD_TORCH says otherwise when it is set."""
    chosen = os.environ.get("LONGREAD_TORCH", "")
    if chosen not in ("", "cpu", "cuda"):
        sys.exit(f"LONGREAD_TORCH is {chosen!r}: it can be cpu or cuda.")
    if chosen:
        return chosen
    windows = Path(os.environ.get("SYSTEMROOT", r"C:\Windows")) / "System32"
    driver = (
        (windows / "nvcuda.dll").exists()
        if os.name == "nt"
        else Path("/proc/driver/nvidia/version").exists() or Path("/dev/nvidiactl").exists()
    )
    return "cuda" if driver or shutil.which("nvidia-smi") else "cpu"


def torch_requests(device: str) -> list[list[str]]:
    """What to ask pip for, in order, until one succeeds; the first asks only the sources that pip already has."""
    cpu = f"torch=={TORCH}+cpu"
    if device == "cpu":
        requests = [[cpu], [cpu, "--extra-index-url", CPU_INDEX]]
        # On PyPI, Windows' torch is the CPU build already
        return [[f"torch=={TORCH}"]] if os.name == "nt" else requests
    cuda = f"torch=={TORCH}+{CUDA}"
    # On PyPI, Linux' torch is the CUDA build, and Windows' is not. The `===`: a source that has a CPU build under
    # the same number must not give that one.
    index = [cuda, "--extra-index-url", CUDA_INDEX]
    return [index] if os.name == "nt" else [[f"torch==={TORCH}"], index]


def _torch(device: str) -> str:
    """Install torch for this device unless it is there; the installed version, with its local part ("2.13.0+cpu")."""
    version = _installed_torch()
    if version and version.split("+")[0] == TORCH and (("+cpu" in version) == (device == "cpu") or os.name == "nt"):
        return version
    print(f"Installing torch {TORCH} for {'an NVIDIA card' if device == 'cuda' else 'the CPU'} …", flush=True)
    requests = torch_requests(device)
    for request in requests:
        # A source that lacks it is no error yet, and pip would print it as one
        quiet = [] if request is requests[-1] else ["--quiet", "--quiet", "--quiet"]
        if _pip("install", *quiet, *request) == 0 and (version := _installed_torch()):
            return version
    sys.exit(f"torch {TORCH} could not be installed: the lines above say why. Is this computer connected?")


def _installed_torch() -> str | None:
    packages = "Lib/site-packages" if os.name == "nt" else f"lib/python3.{sys.version_info.minor}/site-packages"
    found = next((FOLDER / packages).glob("torch-*.dist-info"), None)
    return found.name.removeprefix("torch-").removesuffix(".dist-info") if found else None


def _make() -> None:
    if _runs():
        return
    if importlib.util.find_spec("ensurepip") is None:
        _debian_venv()
    print("Making the virtual environment .venv …", flush=True)
    if subprocess.run([sys.executable, "-m", "venv", "--clear", str(FOLDER)], check=False).returncode:
        sys.exit("The virtual environment .venv could not be made: the lines above say why.")


def _debian_venv() -> None:
    """Debian keeps venv in a package of its own."""
    package = f"python3.{sys.version_info.minor}-venv"
    if not shutil.which("apt-get"):
        sys.exit("This Python was installed without ensurepip, which virtual environments need: install it as well.")
    if os.geteuid():
        sys.exit(f"Python's venv is missing. Install it with: sudo apt-get install {package}")
    system_libraries.install([package])


def _runs() -> bool:
    """Whether the environment is there, whole, and of this Python (its own may have been removed or replaced)."""
    if not python().exists():
        return False
    asked = [python(), "-c", "import sys, pip; print(sys.version_info.minor)"]
    answer = subprocess.run(asked, capture_output=True, text=True, check=False)
    return answer.stdout.strip() == str(sys.version_info.minor)


def _pip(*words: str | Path) -> int:
    command = [python(), "-m", "pip", "--disable-pip-version-check", "--no-input", *map(str, words)]
    return subprocess.run(command, check=False).returncode
