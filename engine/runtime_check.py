"""What a runtime is when it is loaded: asked of a new one in a process of its own, before anything is switched."""

import json
from pathlib import Path

import torch

from engine import device, runtime
from engine.protocol import Note
from kernels import dispatch


def report(folder: Path) -> str:
    """JSON: torch's version, whether it came from `folder`, the devices, and kernels that are wrong."""
    places = [torch.device(info.kind) for info in device.devices()]
    return json.dumps(
        {
            "torch": torch.__version__,
            "cuda": torch.version.cuda or "",
            "from_folder": Path(torch.__file__).resolve().is_relative_to(folder.resolve()),
            "devices": [info.name for info in device.devices()],
            "kinds": [info.kind for info in device.devices()],
            "failures": [str(failure) for place in places for failure in dispatch.check(place)],
        }
    )


def notes() -> tuple[Note, ...]:
    """What a person should know of this process's runtime: it is not the chosen one, or its card is not here."""
    chosen = runtime.active()
    if chosen is None or not chosen.tag:
        return ()
    if chosen.problem:
        return (Note("runtime_fallback", {"runtime": chosen.tag}),)
    if torch.version.cuda and not torch.cuda.is_available():
        return (Note("runtime_no_card", {"runtime": chosen.tag}),)
    return ()
