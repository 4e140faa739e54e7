"""`longread verify`: whether the long window is real, on this machine, with these settings."""

import dataclasses
from argparse import Namespace
from importlib.metadata import version
from pathlib import Path

from msgspec.structs import replace

from app import paths, verify_words
from app.commands import elsewhere, sentences
from app.commands.ask import add
from app.commands.run import BAD_USE, FAILED, Parts, opened, reading, run, settings
from app.commands.terminal import Terminal
from app.data.certificate import Certificate
from app.services import passing
from app.services.verify import certificate, desk, forecast, text_of
from app.services.verify.machine import machine
from app.services.verify.replay import prepared, replay, sample
from app.services.verify.told import told
from engine.verify import Desk, Outcome, TestName, digest, plan
from engine.verify import run as verified


def main(arguments: Namespace) -> int:
    return run(_check if arguments.check is not None else _verify, arguments)


async def _verify(arguments: Namespace, terminal: Terminal) -> int:
    if arguments.to is not None and arguments.to.suffix.lower() not in (".md", ".pdf"):
        terminal.say("longread verify: --to needs a name that ends in .md or .pdf; --json writes the form for --check")
        return BAD_USE
    async with opened(settings(arguments, terminal), keep=False) as parts:
        if not _may(parts, arguments, terminal):
            return BAD_USE
        own = await _own(parts, arguments, terminal)
        if own is None:
            return FAILED
        terminal.progress(sentences.STAGES["load"], "")
        with passing.folder(paths.data()) as folder:
            subject = await _desk(parts, folder, arguments.seed, own)
            how = plan(arguments.tier, subject.loaded, arguments.length)
            if arguments.only:
                wanted = tuple(name for name in how.tests if name in arguments.only)
                how = dataclasses.replace(how, tests=wanted)
            terminal.progress("Reading a short text to see how long it takes", "")
            if (seconds := await forecast(subject, how)) is not None:
                terminal.say(f"This takes about {sentences.roughly(seconds)} here. Ctrl+C stops it.")
            watch = _Watch(terminal, subject, how.tests)
            report = await verified(subject, how, watch.begin, watch.show)
        known, versions = await machine(parts.assistant, report)
    made = Certificate(replace(report, versions=versions), version("longread"), known)
    terminal.answer(
        f"{verify_words.SIGNS[report.verdict]} {verify_words.VERDICTS[report.verdict]}: seed {report.seed}\n"
    )
    for path in filter(None, (arguments.json, arguments.to)):
        for written in await certificate.write(made, path):
            terminal.say(f"Written: {written}")
    return FAILED if report.verdict in ("fail", "inactive") else 0


async def _check(arguments: Namespace, terminal: Terminal) -> int:
    """The exit code is 1 when anything came out otherwise, or another model answers."""
    what = certificate.opened(arguments.check)
    async with opened(settings(arguments, terminal), keep=False) as parts:
        if not _may(parts, arguments, terminal):
            return BAD_USE
        own = await _own(parts, arguments, terminal)
        if own is None:
            return FAILED
        terminal.progress(sentences.STAGES["load"], "")
        with passing.folder(paths.data()) as folder:
            subject = prepared(await _desk(parts, folder, what.report.seed, own), what)
            if subject.loaded.fingerprint != what.report.subject.fingerprint:
                terminal.say(
                    f"The certificate is about {what.report.subject.model} ({what.report.subject.fingerprint[:12]}); "
                    f"{subject.loaded.name} ({subject.loaded.fingerprint[:12]}) is loaded. Choose it with --model."
                )
                return FAILED
            document, now = what.report.subject.document, digest(own)
            if now != document:
                of = f"your document with SHA-256 {document[:12]}" if document else "prose of this computer"
                given = f"the text given has {now[:12]}" if now else "none was given"
                hint = "give it with --doc" if document else "leave --doc out"
                terminal.say(f"The certificate is about {of}, and {given}: {hint}.")
                return FAILED
            if subject.loaded.precision != what.report.subject.precision:
                then, loaded = what.report.subject.precision, subject.loaded.precision
                terminal.say(f"It was verified in {then} and {loaded} is loaded: --precision {then} asks the same.")
            if not sample(what):
                terminal.say("Nothing of it can be replayed: what gives the same twice was skipped.")
                return FAILED
            watch = _Watch(terminal, subject, ())
            found = await replay(subject, what, watch.begin)
    for one in found:
        sign, verdict = ("✓", "as then") if one.same else ("✗", f"then {one.was}, {one.right[0]} right")
        terminal.answer(f"{sign} {one.test}: {one.now}, {one.right[1]} right; {verdict}\n")
    return 0 if found and all(one.same for one in found) else FAILED


def _may(parts: Parts, arguments: Namespace, terminal: Terminal) -> bool:
    """Of a server: whether what is asked of it can be had there; if so it is said where the texts go."""
    if not parts.providers.is_remote(parts.settings.model):
        return True
    if (said := elsewhere.refused(arguments)) is not None:
        terminal.say(said.replace("longread ask", "longread verify"))
        return False
    elsewhere.say_where(parts.providers, parts.settings.model, len(arguments.doc), terminal)
    return True


async def _desk(parts: Parts, folder: Path, seed: str, own: str) -> Desk:
    return await desk(
        *(parts.assistant, parts.engine, parts.models, parts.providers, parts.settings, folder), seed=seed, own=own
    )


async def _own(parts: Parts, arguments: Namespace, terminal: Terminal) -> str | None:
    """The text of what --doc names, "" without; None where one gave none, which is said."""
    if not arguments.doc:
        return ""
    items = await add(parts.library, arguments.doc, terminal, reading(arguments))
    return None if items is None else text_of([parts.library.text(item.id) for item in items])


class _Watch:
    """A line of progress under way, and two lines for each verdict."""

    def __init__(self, terminal: Terminal, subject: Desk, tests: tuple[TestName, ...]) -> None:
        self._terminal, self._tests = terminal, tests
        self._name: TestName = "tokens"
        subject.on_step = self._step

    def begin(self, name: TestName) -> None:
        self._name = name
        self._step(0, 1, 0.0)

    def show(self, outcome: Outcome) -> None:
        title = verify_words.TITLES[outcome.test]
        verdict = f"{verify_words.SIGNS[outcome.verdict]} {verify_words.VERDICTS[outcome.verdict]:9}"
        self._terminal.answer(f"{verdict} {title} ({outcome.test}, {sentences.seconds(outcome.seconds)})\n")
        if said := told(outcome):
            self._terminal.answer(f"            {said}\n")

    def _step(self, done: int, total: int, within: float) -> None:
        place = f"{self._tests.index(self._name) + 1} of {len(self._tests)}, " if self._name in self._tests else ""
        share = min((done + within) / max(total, 1), 1.0)
        self._terminal.progress(f"{place}{verify_words.TITLES[self._name]}", f"{share:.0%}")
