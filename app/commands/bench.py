"""`longread bench`: how fast this computer reads and writes with a model."""

from argparse import Namespace

import msgspec

from app.commands import sentences
from app.commands.run import opened, run, settings
from app.commands.terminal import Terminal
from engine.protocol import Progress


def main(arguments: Namespace) -> int:
    return run(_measure, arguments)


async def _measure(arguments: Namespace, terminal: Terminal) -> int:
    def show(at: Progress) -> None:
        terminal.progress(sentences.STAGES[at.stage], sentences.progress(at))

    async with opened(settings(arguments, terminal), keep=False) as parts:
        await parts.assistant.load(parts.settings, show)
        worked = await parts.assistant.bench({}, show)
    if arguments.json:
        terminal.answer(worked.report.rstrip("\n") + "\n")
        return 0
    report = msgspec.json.decode(worked.report)
    for name, value in report.items() if isinstance(report, dict) else [("report", report)]:
        terminal.answer(f"{name}: {msgspec.json.encode(value).decode()}\n")
    return 0
