"""An engine without a model, run as a process: it does what the conversation's text or the settings tell it to do.

`python fake_engine.py DIARY [FATE]`: appends each command's name to DIARY; FATE "mute" says nothing, "old" another
version, "dies" ends before Ready, "leaves" ends at once after it.
"""

import os
import sys
import threading
from pathlib import Path

from engine import wire
from engine.protocol import (
    VERSION,
    Answered,
    Cancel,
    Count,
    Counted,
    Delta,
    DeviceInfo,
    Done,
    Failed,
    Forget,
    Forgotten,
    Found,
    Generate,
    Listed,
    Load,
    Loaded,
    MemoryParts,
    Place,
    Progress,
    Quit,
    Read,
    Readings,
    Ready,
)


def say(message):
    sys.stdout.buffer.write(wire.encode(message))
    sys.stdout.buffer.flush()


def loaded(id, model):
    device = DeviceInfo("cpu", "none", 1, 1, ("fp32",))
    memory = MemoryParts(1, 0, 0, 0, 0, 1)
    return Loaded(id, model, "f", "fake", 1, {"full": 1}, 8, 8, "fp32", device, "none", {}, memory, 0.0)


def answer(id, text, diary):
    match text.split():
        case ["die"]:
            os._exit(9)
        case ["die-once", mark]:
            if not Path(mark).exists():
                Path(mark).touch()
                os._exit(9)
        case ["speak-and-die"]:
            say(Delta(id, "half an ans"))
            os._exit(9)
        case ["progress-die-once", mark]:
            for done in (1, 2) if Path(mark).exists() else (1, 5):
                say(Progress(id, "read", done, 9))
            if not Path(mark).exists():
                Path(mark).touch()
                os._exit(9)
        case ["find"]:
            say(Found(id, 0, 2, Place(0, 0, 4), "seven", 0.2, True, True))
        case ["find-and-die"]:
            say(Found(id, 0, 2, Place(0, 0, 4), "seven", 0.2, True, True))
            os._exit(9)
        case ["print"]:
            print("a library's chatter", flush=True)
        case ["twice"]:
            say(Done(id, "complete"))
            say(Delta(id, "after the end"))
        case ["wait"]:
            return
    say(Delta(id, "yes"))
    say(Done(id, "complete", result=Answered("yes", (1,), None)))


def main():
    diary, fate = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    if fate == "dies":
        sys.exit(7)
    if fate == "mute":
        threading.Event().wait()
    say(Ready(VERSION + 1 if fate == "old" else VERSION, os.getpid()))
    if fate == "leaves":
        os._exit(5)
    for command in wire.commands(sys.stdin.buffer):
        with diary.open("a") as file:
            file.write(type(command).__name__ + "\n")
        match command:
            case Load(id, settings) if settings.model == "broken":
                say(Failed(id, "bad_model", "it is broken"))
            case Load(id, settings) if settings.model == "slow":
                say(Progress(id, "load", 1, 2))
            case Load(id, settings):
                say(Progress(id, "load", 1, 1))
                say(loaded(id, settings.model))
            case Generate(id, conversation) | Read(id, conversation):
                answer(id, conversation.turns[-1].parts[0].text, diary)
            case Count(id, documents):
                say(Done(id, "complete", result=Counted(tuple(len(document.path) for document in documents))))
            case Readings(id):
                say(Done(id, "complete", result=Listed((), 0, 1, 1, "here")))
            case Forget(id):
                say(Done(id, "complete", result=Forgotten(1, 2)))
            case Cancel(target):
                say(Done(target, "cancelled"))
            case Quit() if fate != "stubborn":
                return
    if fate == "stubborn":
        threading.Event().wait()


main()
