"""The one form in which every measurement is written, around what it found."""

import os
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import msgspec
import psutil
import torch

from engine import device
from engine.inspection import versions
from engine.protocol.measured import FORMAT, Machine, Measured, MeasuredModel
from engine.weights import describe, open_checkpoint
from engine.weights.fingerprint import fingerprint

PLACES = ("model", "data", "python")
"""Options that name places on this computer, which a report is silent about."""
UNKNOWN = "unknown"


def made(job: str, options: Mapping[str, str], work: Callable[[], str]) -> str:
    """Do a job and put its report, which is JSON, into the form. Raises what the job does, and BadModel."""
    began, clock = datetime.now().astimezone(), time.monotonic()
    results = work()
    known = versions()
    return msgspec.json.encode(
        Measured(
            format=FORMAT,
            kind=kind(job, options),
            program=known.pop("longread", UNKNOWN),
            versions=known,
            machine=machine(),
            model=_model(options),
            options={name: said for name, said in options.items() if name not in PLACES},
            began=began.isoformat(timespec="seconds"),
            seconds=round(time.monotonic() - clock, 3),
            results=msgspec.Raw(results.encode()),
        )
    ).decode()


def kind(job: str, options: Mapping[str, str]) -> str:
    """What a job measures when it is told this. Two jobs measure one thing or another."""
    if job == "bench":
        return "speed"
    if job == "reading" and options.get("needles") == "yes":
        return "needles"
    if job == "eviction" and options.get("premise") == "yes":
        return "premise"
    return job


def machine() -> Machine:
    *cards, cpu = device.devices()
    abilities = torch.cpu.get_capabilities()
    return Machine(
        cpu=cpu.name,
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        features=tuple(sorted(name for name, there in abilities.items() if there is True)),
        memory=psutil.virtual_memory().total,
        cards=tuple(card.name for card in cards),
    )


def _model(options: Mapping[str, str]) -> MeasuredModel | None:
    if not options.get("model"):
        return None
    path = Path(options["model"])
    checkpoint = open_checkpoint(path)
    try:
        return MeasuredModel(describe(path).name, fingerprint(checkpoint))
    finally:
        checkpoint.close()
