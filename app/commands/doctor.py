"""`longread doctor`: what this computer has, what the engine chose, and where things are kept."""

import asyncio
import importlib.metadata
import platform
from argparse import Namespace
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from app import paths, words
from app.commands import beside, sentences
from app.commands.run import BAD_USE, FAILED, Parts, opened, policy_missing, run, settings
from app.commands.terminal import Terminal
from app.data.provider import Provider
from app.documents import ocr
from app.documents.messages import Probe
from app.documents.run import isolation
from app.services.problem import Problem
from engine.client import EngineBusy, EngineDown, RequestFailed
from engine.protocol import Inspected, Loaded, Planned, PlannedPolicy
from engine.remote import Proxy, address, proxy_variables

PACKAGES = ("longread", "PySide6-Essentials", "apsw-sqlite3mc", "pypdfium2", "msgspec")
"""Of the program's own process; the engine tells its own."""

LARGE = 3_000_000_000
"""Parameters from which on reading is slow without a GPU: at 0.4 TFLOP/s 100,000 tokens take 8 min for each billion."""


class Server(Struct):
    """A provider without its key. `key`: "kept", the name of its variable, or empty. `local`: it is this computer."""

    name: str
    host: str
    models: tuple[str, ...]
    key: str
    local: bool


class Report(Struct):
    versions: dict[str, str]
    places: dict[str, str]
    documents: Probe | None
    recognised: tuple[str, ...]
    """Languages in which scans are read."""
    engine: Inspected | None = None
    plan: Planned | None = None
    model: Loaded | None = None
    model_path: str | None = None
    providers: tuple[Server, ...] = ()
    proxies: tuple[Proxy, ...] = ()
    problems: list[str] = []


def main(arguments: Namespace) -> int:
    return run(_examine, arguments)


async def _examine(arguments: Namespace, terminal: Terminal) -> int:
    chosen = settings(arguments, terminal)
    if missing := policy_missing(chosen, arguments):
        terminal.say(f"longread doctor: {missing}")
        return BAD_USE
    report = Report(_versions(), _places(), await isolation(), ocr.available())
    if report.documents is None or report.documents.reached is not None:
        report.problems.append(words.sentence(words.PROBLEMS, "documents_open", {}))
    report.proxies = await asyncio.to_thread(proxy_variables)
    async with opened(chosen, keep=False) as parts:
        try:
            report.providers = tuple(map(_server, parts.providers.all()))
            await _ask_engine(parts, report, terminal)
        except Problem as problem:
            report.problems.append(sentences.problem(problem))
        except RequestFailed as error:
            report.problems.append(sentences.failure(error.failed))
        except EngineBusy as busy:
            report.problems.append(sentences.problem(beside.holder(busy)))
        except EngineDown as error:
            report.problems.append(words.sentence(words.PROBLEMS, "engine_down", {"subject": str(error.log)}))
    if arguments.json:
        terminal.answer(msgspec.json.encode(report).decode() + "\n")
    else:
        terminal.answer("".join(f"{line}\n" for line in _lines(report)))
    for problem_said in report.problems:
        terminal.say(problem_said)
    return FAILED if report.problems else 0


async def _ask_engine(parts: Parts, report: Report, terminal: Terminal) -> None:
    """The devices are told also when the model cannot be had. A model elsewhere is not connected for this."""
    await parts.engine.start()
    report.engine = await parts.assistant.inspect()
    if parts.providers.is_remote(parts.settings.model):
        return
    report.model_path = str(parts.models.resolve(parts.settings.model))
    report.plan = await parts.assistant.plan(parts.settings)
    terminal.progress(sentences.STAGES["load"], "")
    report.model = await parts.assistant.load(parts.settings)


def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version(), "system": platform.platform()}
    for name in PACKAGES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = "not installed"
    return versions


def _places() -> dict[str, str]:
    return {
        "data": str(paths.data()),
        "conversations": str(paths.database()),
        "settings": str(paths.settings()),
        "texts": str(paths.texts()),
        "search index": str(paths.index()),
        "models": str(paths.models()),
        "servers and their keys": str(paths.providers()),
        "logs": str(paths.logs()),
    }


def _lines(report: Report) -> Iterable[str]:
    engine = report.engine
    yield "Versions"
    yield from _rows(report.versions | (engine.versions if engine else {}))
    if engine is not None:
        yield "Devices"
        for device in engine.devices:
            memory = f"{words.size(device.free)} of {words.size(device.memory)} of memory are free"
            precisions = ", ".join(device.precisions)
            yield f"  {device.kind}: {device.name}; {memory}; precisions that run well, the best first: {precisions}"
        if all(device.kind == "cpu" for device in engine.devices):
            yield "  No GPU is in use: the processor does all of the work."
            if report.model is not None and report.model.parameters >= LARGE:
                yield "  A model of this size reads slowly without one: a long text may take hours."
        yield f"  threads: {engine.threads}"
    if report.plan is not None:
        yield "Memory"
        yield from _rows(_needs(report.plan))
    if report.model is not None:
        yield "Model"
        yield from _rows(_model(report.model) | {"place": report.model_path or ""})
        yield from (f"  {sentences.note(note.code, note.values)}" for note in report.model.notes)
    yield "Documents"
    if report.documents is not None:
        yield f"  {words.ISOLATION[report.documents.network]}"
    if report.recognised:
        yield f"  Scans and pictures: text is recognised in {', '.join(report.recognised)}."
    else:
        yield "  Scans and pictures: no text is recognised; `pip install 'longread[ocr]'` adds it."
    yield "Servers"
    yield from _servers(report)
    yield "Places"
    yield from _rows(report.places)


def _server(provider: Provider) -> Server:
    where = address(provider.base_url)
    key = provider.api_key_env or ("kept" if provider.api_key else "")
    return Server(provider.name, where.host, provider.models, key, where.local)


def _servers(report: Report) -> Iterable[str]:
    """Those of other computers, and what the variables for proxies mean for them and for this one."""
    for server in report.providers:
        key = {"": "no key", "kept": "its key is kept here"}.get(server.key, f"its key is in {server.key}")
        models = ", ".join(server.models) or "no models listed yet: longread remote test " + server.name
        where = "on this computer" if server.local else "leaves this computer"
        yield f"  {server.name}: {server.host} ({where}; {key}); {models}"
    if not report.providers:
        yield "  None. Models of other computers are added with: longread remote add"
    for proxy in report.proxies:
        there = "something answers there" if proxy.answers else "NOTHING ANSWERS THERE"
        yield f"  {proxy.variable} is set to {proxy.address} ({there})."
    if report.proxies:
        yield "  Addresses of this computer (127.0.0.1, localhost) are reached past any proxy, so for them it does not"
        yield "  matter; other servers are reached through it unless NO_PROXY names them."


def _needs(plan: Planned) -> dict[str, str]:
    """What the planner foresees; what would fit instead is told with the failure."""
    parts = {"weights": plan.weights, "K/V": plan.kv, "states": plan.state, "work": plan.activations + plan.overhead}
    told = ", ".join(f"{name} {words.size(amount)}" for name, amount in parts.items() if amount)
    holds = f"enough for a window of {plan.largest:,} tokens" if plan.largest else "not enough for any window"
    told_of = {} if plan.policy is None else {"policy": _policy(plan, plan.policy)}
    return {
        "needed": f"{words.size(plan.needed)} at a window of {plan.window:,} tokens ({told})",
        **told_of,
        "free": f"{words.size(plan.available)}, {holds}",
    }


def _policy(plan: Planned, policy: PlannedPolicy) -> str:
    """What of a full window's keys and values it leaves; else why that cannot be counted."""
    if policy.refused:
        can = ", ".join(plan.policies) or "none"
        return f"{policy.how.policy} cannot be had as things are set, so nothing is saved; this model can have {can}"
    after, reading = words.size(policy.after), words.size(policy.reading)
    held = f"at most {after}" if policy.after == policy.reading else f"{reading} while it is read, then at most {after}"
    kept = f"{policy.how.policy} keeps {policy.rows:,} of {plan.window:,} tokens"
    return f"{kept}: K/V {held} in place of {words.size(plan.kv)}"


def _model(model: Loaded) -> dict[str, str]:
    timed = ", ".join(f"{name} {milliseconds:.3f} ms" for name, milliseconds in model.candidates.items())
    layers = ", ".join(f"{count} {kind}" for kind, count in model.layers.items())
    return {
        "name": f"{model.name} ({model.architecture}, {model.parameters:,} parameters, {layers} layers)",
        "window": f"{model.window:,} tokens for the text, the question and the answer together; {_made_for(model)}",
        "longer texts": "refused, never cut" if model.whole_only else "read in segments, never cut",
        "precision": model.precision,
        "writing": f"{model.writing} (a layer, timed on this computer: {timed})" if timed else model.writing,
        "weights": words.size(model.memory.weights),
        "loaded in": sentences.seconds(model.seconds),
    }


def _made_for(model: Loaded) -> str:
    if model.window > model.native_window:
        return f"the model was trained on {model.native_window:,}"
    return f"the model was made for {model.native_window:,}"


def _rows(values: dict[str, str]) -> Iterable[str]:
    width = max(map(len, values)) + 1
    return (f"  {name + ':':{width}} {value}" for name, value in values.items())
