"""What `Inspect` answers: devices, versions, threads."""

import importlib.metadata
import platform

import torch

from engine import device
from engine.protocol import Inspected

LIBRARIES = ("longread", "torch", "tokenizers", "safetensors", "gguf", "msgspec", "triton")


def versions() -> dict[str, str]:
    known = {"python": platform.python_version(), "system": platform.platform()}
    for name in LIBRARIES:
        try:
            known[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # triton is on some machines only, and a checkout need not be installed
    return known


def inspected(model: str | None) -> Inspected:
    return Inspected(
        devices=device.devices(),
        versions=versions(),
        threads=torch.get_num_threads(),
        process=device.process_bytes(),
        model=model,
    )
