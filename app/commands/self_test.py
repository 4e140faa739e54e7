"""`longread --self-test`: the page that comes along is opened, read and asked about, and the window is drawn.

Nothing of the person's is touched: what is made lies in a folder that is gone at the end. Works without a network.
"""

import argparse
import asyncio
import importlib.util
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import resources
from app import paths, processes
from app.data.document import Item, Refused
from app.data.settings import Settings
from app.documents.run import isolation
from app.services.assistant import Assistant
from app.services.conversations import Conversations
from app.services.database import MEMORY, Database
from app.services.library import Library
from app.services.models import Models
from engine.client import Engine

PAGE = "samples/self_test.md"
QUESTION = "What number does the spare key of the oil store bear?"
FACT = "48213"
LONGEST = 48
"""Tokens of the answer."""
WINDOW_SECONDS = 60.0


class _Wrong(Exception):
    """A check did not come out as it must."""


def main(argv: Sequence[str]) -> int:
    """0 when every check is right, 1 otherwise."""
    parser = argparse.ArgumentParser(prog="longread --self-test", description=__doc__)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="longread-self-test-", ignore_cleanup_errors=True) as scratch:
        rows = asyncio.run(_run(Path(scratch)))
    right = all(row["right"] for row in rows)
    if arguments.json:
        print(json.dumps({"right": right, "checks": rows}, indent=2))
    else:
        for row in rows:
            print(f"{'ok' if row['right'] else 'FAILED':8}{row['check']:10}{row['seconds']:7.1f} s  {row['told']}")
    return 0 if right else 1


async def _run(scratch: Path) -> list[dict[str, Any]]:
    """The checks in order, each with `right`, `told` and `seconds`; all of them, since each says something else."""
    database = Database(MEMORY)
    library, conversations = Library(database, scratch / "texts"), Conversations(database)
    settings = Settings(max_tokens=LONGEST, save_readings=False)
    models, engine = Models(paths.models()), Engine(data=scratch)
    assistant = Assistant(engine, library, conversations, models, settings)
    item: list[Item] = []

    async def document() -> str:
        probe = await isolation()
        added = await library.add(resources.path(PAGE))
        if isinstance(added, Refused):
            raise _Wrong(added.code)
        item.append(added)
        guarded = probe is not None and probe.reached is None
        return f"{added.characters} characters; no network while opening: {'yes' if guarded else 'NOT HERE'}"

    async def load() -> str:
        loaded = await assistant.load(settings)
        inspected = await assistant.inspect()
        torch = inspected.versions.get("torch", "?")
        return f"{loaded.name}, {loaded.precision}, {loaded.device.name}, torch {torch}"

    async def answer() -> str:
        asked = assistant.ask(conversations.new().id, QUESTION, tuple(one.id for one in item))
        async for _event in asked:
            pass
        await asked.checked()
        message = asked.message
        if message.failure is not None or FACT not in message.text:
            raise _Wrong(f"the answer lacks {FACT}: {message.failure or message.text}")
        verdicts = [quote.verdict for quote in message.quotes if FACT in message.text[quote.start : quote.end]]
        if verdicts != ["exact"]:
            raise _Wrong(f"{FACT} was not found on the page: {verdicts}")
        return f"{FACT}, found on the page"

    (scratch / "texts").mkdir()
    try:
        checks = {"document": document, "load": load, "answer": answer, "window": _window}
        return [await _checked(name, check) for name, check in checks.items()]
    finally:
        await assistant.close()
        await engine.stop()
        database.close()


async def _checked(name: str, check: Callable[[], Awaitable[str]]) -> dict[str, Any]:
    began, right = time.monotonic(), True
    try:
        told = await check()
    except Exception as problem:  # noqa: BLE001 - whatever does not work here is what the test is to say
        right, told = False, f"{type(problem).__name__}: {problem}"
    return {"check": name, "right": right, "told": told, "seconds": round(time.monotonic() - began, 3)}


async def _window() -> str:
    """In a process of its own: Qt ends a process that cannot draw, and this one holds no Qt."""
    if importlib.util.find_spec("PySide6") is None:
        return "not looked at: Qt is not installed"
    done = await asyncio.to_thread(
        subprocess.run,
        processes.command("window"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=processes.environment() | {"QT_QPA_PLATFORM": "offscreen"},
        timeout=WINDOW_SECONDS,
        check=False,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    if done.returncode:
        raise _Wrong(f"exit code {done.returncode}: {os.fsdecode(done.stderr)[-300:]}")
    return os.fsdecode(done.stdout).strip()
