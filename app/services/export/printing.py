"""HTML to PDF by a process of its own: laying out pages is Qt's, and services have none."""

import asyncio
import subprocess

import msgspec

from app import processes
from app.data.printing import PrintJob
from app.services.problem import Problem

SECONDS = 120.0
"""For a conversation of hundreds of pages; the layout of one takes milliseconds."""


async def print_pdf(html: str, title: str) -> bytes:
    """Raises `Problem("export_failed")` when no PDF came."""
    return await asyncio.to_thread(_printed, msgspec.json.encode(PrintJob(html, title)))


def _printed(job: bytes) -> bytes:
    try:
        done = subprocess.run(
            processes.command("printing"),
            input=job,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # Qt's complaints may hold words of the text
            env=processes.environment() | {"QT_QPA_PLATFORM": "offscreen"},
            timeout=SECONDS,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Problem("export_failed") from error
    if done.returncode or not done.stdout.startswith(b"%PDF-"):
        raise Problem("export_failed")
    return done.stdout
