"""What must hold of the whole program, whatever it comes to do: who imports whom, its size, its words, its wheels."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("app", "engine", "kernels", "resources", "tests", "packaging")
TENSORS = {"torch", "transformers", "triton", "safetensors", "gguf", "tokenizers"}
NETWORK = {"socket", "ssl", "http.client", "urllib.request", "ftplib", "smtplib", "PySide6.QtNetwork"}
NETWORK |= {"aiohttp", "httpx", "httpx2", "huggingface_hub", "requests", "urllib3"}
LATER = {"engine.verify", "app.services.verify", "app.services.export", "h11", "uvicorn", "starlette"}
"""What the window loads once it is asked for."""
NETWORKED = {
    *(f"app/services/downloads/{name}.py" for name in ("fetching", "transfer")),
    "engine/remote/calling.py",
    "engine/remote/proxies.py",  # knocks at the proxies that the variables name
    # the local API, the only place that listens
    *(f"app/gateway/{name}.py" for name in ("connection", "knock", "reach", "security", "server", "tls")),
    "app/instance.py",  # a local socket between two starts of the program; a named pipe on Windows
    "app/documents/isolation.py",  # takes the network away from the process that it runs in
}
TEXTS = (".py", ".md", ".toml", ".txt", ".qss", ".ts", ".ci/run")


def sources(*packages: str) -> list[Path]:
    return [file for package in packages or PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]


def imports(file: Path) -> Iterator[str]:
    """Every module that a file imports, in full: `from urllib import request` is urllib and urllib.request."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def importers(modules: set[str], *packages: str) -> set[str]:
    """Files, relative to the root, that import one of these modules or something inside it."""
    inside = tuple(f"{module}." for module in modules)
    return {
        file.relative_to(ROOT).as_posix()
        for file in sources(*packages)
        if any(name in modules or name.startswith(inside) for name in imports(file))
    }


def loaded_by(statement: str) -> set[str]:
    """The modules of a new interpreter after the statement, beyond those that it starts with."""
    code = f"import sys; before = set(sys.modules); {statement}; print(*sorted(set(sys.modules) - before), sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return set(run.stdout.split())


def test_the_windows_process_never_imports_torch_and_opens_without_what_is_used_later():
    loaded = loaded_by("import app.application")
    assert not loaded & TENSORS
    assert not loaded & LATER


def test_importing_the_engine_costs_nothing():
    assert loaded_by("import engine") == {"engine"}


@pytest.mark.parametrize("module", ["client", "protocol", "wire", "catalogue", "remote"])
def test_what_the_window_imports_of_the_engine_is_light(module):
    assert not loaded_by(f"import engine.{module}") & (TENSORS | {"numpy", "PySide6"})


def test_triton_is_imported_in_gpu_files_alone_and_those_by_dispatch_alone():
    """But for what they share."""
    assert {Path(file).name for file in importers({"triton"}, "app", "engine", "kernels")} <= {"gpu.py"}
    kernels = {".".join(file.relative_to(ROOT).with_suffix("").parts) for file in sources("kernels")}
    gpu = {name for name in kernels if name.endswith(".gpu")}
    shared = {"kernels.gpu"}
    assert importers(gpu - shared, "app", "engine", "kernels") <= {"kernels/dispatch.py"}
    assert {Path(file).name for file in importers(shared, "app", "engine", "kernels")} <= {"gpu.py"}


def test_only_downloads_and_the_remote_engine_reach_a_network():
    assert importers(NETWORK, "app", "engine", "kernels") <= NETWORKED


def test_no_file_is_too_long_to_be_read():
    long = {file.name: count for file in sources() if (count := file.read_text(encoding="utf-8").count("\n")) > 400}
    assert not long


def test_no_file_names_a_place_outside_the_project():
    """A path of the machine that it was written on helps nobody elsewhere."""
    outside = re.compile(r"(?<![\w.])/(work|root)/|\.\./shared\b")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [ROOT / name for name in listed.split("\0") if name.endswith(TEXTS) and name != "tests/test_contracts.py"]
    assert files
    assert not {str(file) for file in files if outside.search(file.read_text(encoding="utf-8", errors="replace"))}


def test_calls_that_return_nothing_leave_none_alone(qapp):
    """PySide6 6.12.0 on Python 3.11 lets go of None once too often at every call, until the process aborts."""
    from PySide6.QtCore import QObject

    thing = QObject()
    thing.setObjectName("a")
    before = sys.getrefcount(None)
    for _ in range(1000):
        thing.setObjectName("a")
    assert sys.getrefcount(None) > before - 100
