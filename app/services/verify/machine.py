"""The machine and the versions that a certificate names."""

import os
import platform

import psutil

from app import words
from app.services.assistant import Assistant
from engine.verify_results import Report


async def machine(assistant: Assistant, report: Report) -> tuple[dict[str, str], dict[str, str]]:
    """What is known of it, and versions, by their names. Of a server its host alone."""
    device = report.subject.device
    here = {
        "system": platform.platform(),
        "processor": f"{platform.machine()}, {os.cpu_count()} cores",
        "memory": words.size(psutil.virtual_memory().total),
    }
    if device.kind == "remote":
        return {"host": device.name}, {"python": platform.python_version()}
    inspected = await assistant.inspect()
    known = here | {device.kind: device.name, "threads": str(inspected.threads)}
    return known, inspected.versions
