"""Run one command from its parts to its exit code: everything that goes wrong ends in one clear sentence."""

import asyncio
import contextlib
import getpass
import os
import signal
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager

import msgspec
from msgspec import Struct

from app import crash, paths, serve_words, words
from app.commands import beside, sentences
from app.commands.terminal import Terminal
from app.data import policies
from app.data.fault import NotHonoured
from app.data.settings import Settings
from app.documents.messages import Options
from app.services import passing
from app.services.assistant import Assistant
from app.services.collections import Collections
from app.services.conversations import Conversations
from app.services.database import MEMORY, Database
from app.services.library import Library
from app.services.models import Models
from app.services.problem import Problem
from app.services.providers import Providers
from app.services.settings import SettingsStore
from app.services.text_index import TextIndex
from engine.client import Engine, EngineBusy, EngineDown, RequestFailed

FAILED, BAD_USE, INTERRUPTED = 1, 2, 130
"""Exit codes; 130 is what shells expect after Ctrl+C."""

POLICY = ("keep", "rows", "mode", "prompt", "score_window", "adaptive_weight")
"""Settings that mean nothing without a policy."""
SCORES = ("score_window", "adaptive_weight")
"""Of these: triattention's alone."""


class Parts(Struct):
    """The services of one command."""

    settings: Settings
    models: Models
    library: Library
    collections: Collections
    conversations: Conversations
    engine: Engine
    assistant: Assistant
    providers: Providers
    index: TextIndex | None
    """Only of a library that is kept."""


def run(command: Callable[[Namespace, Terminal], Awaitable[int]], arguments: Namespace) -> int:
    """The command's exit code, or that of how it failed. Ctrl+C and a request to end cancel it and clean up."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a pipe may know fewer letters than the answer has
    terminal = Terminal()
    try:
        paths.make()
        crash.install(paths.logs())
        return asyncio.run(_until_told(command(arguments, terminal)))
    except Problem as problem:
        terminal.say(sentences.problem(problem))
    except NotHonoured as refused:
        terminal.say("\n".join(serve_words.said(fault) for fault in refused.faults))
        return BAD_USE
    except RequestFailed as error:
        terminal.say(sentences.failure(error.failed))
    except EngineBusy as busy:
        terminal.say(sentences.problem(beside.holder(busy)))
    except EngineDown as error:
        terminal.say(words.sentence(words.PROBLEMS, "engine_down", {"subject": str(error.log)}))
    except BrokenPipeError:
        # whoever read the answer has gone; what is left in the buffer must not complain at the exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        terminal.say(
            words.sentence(
                words.PROBLEMS, "cannot_write", {"subject": str(paths.data()), "message": error.strerror or "?"}
            )
        )
    except (KeyboardInterrupt, asyncio.CancelledError):
        return INTERRUPTED
    return FAILED


async def _until_told(command: Awaitable[int]) -> int:
    """A hang-up or a request to end is as good as Ctrl+C, where the system has such signals."""
    task = asyncio.ensure_future(command)
    if os.name == "posix":
        for number in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    return await task


def settings(arguments: Namespace, terminal: Terminal) -> Settings:
    """The kept settings with what the command line says instead."""
    kept, problem = SettingsStore(paths.settings()).load()
    if problem is not None:
        terminal.say(words.sentence(words.PROBLEMS, f"settings_{problem.code}", {"subject": str(problem.kept)}))
    return over(kept, arguments)


def over(kept: Settings, arguments: Namespace) -> Settings:
    """What the command line says, and the rest as it was."""
    said = {name: getattr(arguments, name, None) for name in Settings.__struct_fields__}
    kept = policies.chosen(kept, said["policy"] or kept.policy)
    return msgspec.structs.replace(kept, **{name: value for name, value in said.items() if value is not None})


def policy_missing(chosen: Settings, arguments: Namespace) -> str:
    """A sentence, where the command line says how a policy keeps and there is none, or none that keeps so."""

    def said(names: tuple[str, ...]) -> bool:
        return any(getattr(arguments, f"policy_{name}") is not None for name in names)

    if chosen.policy == "none" and said(POLICY):
        return "without --policy nothing is forgotten; its other options mean nothing then"
    if chosen.policy != "triattention" and said(SCORES):
        return (
            "--policy-score-window and --policy-no-adaptive-weight are of --policy triattention; "
            f"{chosen.policy} chooses by something else"
        )
    return ""


def reading(arguments: Namespace) -> Options:
    """How a command's documents are to be read. A password that was not given with its option is asked for."""
    password = arguments.password
    if password == "":
        password = getpass.getpass("Password of the documents: ")
    return Options({} if password is None else {"": password}, arguments.changes, arguments.ocr)


@contextlib.asynccontextmanager
async def opened(chosen: Settings, *, keep: bool) -> AsyncIterator[Parts]:
    """The services; afterwards there is no engine, and without `keep` nothing of documents and conversations."""
    with contextlib.ExitStack() as stack:
        texts = paths.texts() if keep else stack.enter_context(passing.folder(paths.data()))
        database = Database(paths.database() if keep else MEMORY)
        stack.callback(database.close)
        index = TextIndex(paths.index()) if keep else None
        if index is not None:
            stack.callback(index.close)
        library, conversations = Library(database, texts, index), Conversations(database)
        models, engine = Models(paths.models()), Engine(data=paths.data())
        providers = Providers(paths.providers())
        assistant = Assistant(engine, library, conversations, models, chosen, providers)
        try:
            yield Parts(
                *(chosen, models, library, Collections(database), conversations, engine, assistant, providers),
                index=index,
            )
        finally:
            await assistant.close()
            await engine.stop()


@contextlib.contextmanager
def kept_library() -> Iterator[tuple[Library, Collections]]:
    """What is kept of documents and matters, beside the services of a command that keeps nothing."""
    database = Database(paths.database() if paths.database().exists() else MEMORY)
    try:
        yield Library(database, paths.texts()), Collections(database)
    finally:
        database.close()


def looked_into(arguments: Namespace, terminal: Terminal) -> AbstractAsyncContextManager[Parts]:
    """The services over what is kept; a library that nobody has made yet is not made by looking."""
    return opened(settings(arguments, terminal), keep=paths.database().exists())
