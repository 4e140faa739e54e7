"""The command line in this process, with an engine that answers by a script."""

import sys
from pathlib import Path

import pytest

from app import cli
from engine import client

ENGINE = (sys.executable, str(Path(__file__).with_name("scripted_engine.py")))


MODELLESS = ("keys", "library", "models", "readings", "remote", "runtime")
"""Commands that no model is needed for, and no option names one."""


@pytest.fixture
def run(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    """Run a command in this process with the scripted engine: its exit code, stdout and stderr."""
    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF")
    monkeypatch.setattr(client, "default_command", lambda data: ENGINE)
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))
    # The log and the hooks are for a process of its own; here they would outlive the test
    monkeypatch.setattr("app.crash.install", lambda folder: None)

    def run(command: str, *arguments: str, model: str | None = str(model)) -> tuple[int, str, str]:
        chosen = ["--model", model] if model and command not in MODELLESS else []
        code = cli.main([command, *chosen, *arguments])
        return code, *capfd.readouterr()

    return run


@pytest.fixture
def document(tmp_path: Path):
    def made(text: str, name: str = "lease.txt") -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return made
