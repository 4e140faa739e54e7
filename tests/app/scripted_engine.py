"""An engine without a model, run as a process: it answers what the question says, at once.

`python scripted_engine.py`: a document's tokens are its bytes; "hang" begins an answer and waits to be cancelled,
"die" begins one and ends, "too long" is refused, "loop" ends early; anything else is said back.
"""

import json
import os
import sys
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
    Document,
    Done,
    Failed,
    Generate,
    Inspect,
    Inspected,
    Load,
    Loaded,
    MemoryParts,
    Note,
    Progress,
    Quit,
    Ready,
    Usage,
    Work,
    Worked,
)

CPU = DeviceInfo("cpu", "Test processor", 8 * 2**30, 4 * 2**30, ("bf16", "fp32"))


def say(*messages) -> None:
    for message in messages:
        sys.stdout.buffer.write(wire.encode(message))
    sys.stdout.buffer.flush()


def size(document: Document) -> int:
    return Path(document.path).stat().st_size


def answer(request: Generate) -> None:
    id = request.id
    parts = [part for turn in request.conversation.turns for part in turn.parts]
    question = parts[-1].text
    read = sum(size(part) for part in parts if isinstance(part, Document)) + len(question)
    say(Progress(id, "read", read // 2, read, rate=100.0, left=1.0), Progress(id, "read", read, read))
    if question == "too long":
        return say(Failed(id, "too_long", "longer than the window", needed=9000, available=4096))
    if question in ("hang", "die"):
        say(Delta(id, "Half "))
        return os._exit(9) if question == "die" else None
    said = f"You asked: {question}"
    say(*(Delta(id, piece) for piece in (said[:5], said[5:])))
    sampled = request.sampling
    usage = Usage(read, read, 0, 2, first_token=0.1, writing_rate=40.0, precision="bf16", writing="int8", window=4096)
    finish = "loop" if question == "loop" else "complete"
    say(Done(id, finish, usage, Answered(said, (1, 2), sampled.seed if sampled.temperature else None)))


def main() -> None:
    say(Ready(VERSION, os.getpid()))
    for command in wire.commands(sys.stdin.buffer):
        match command:
            case Load(id, settings) if "broken" in settings.model:
                say(Failed(id, "bad_model", "model.safetensors is cut short", "model.safetensors"))
            case Load(id, settings):
                memory = MemoryParts(8, 1, 1, 0, 1, 5)
                notes = (Note("no_cuda"),) if settings.device == "cuda" else ()
                made = ("llama", 1000, {"full": 2}, 8192, settings.window or 4096, "bf16", CPU, "int8")
                say(Progress(id, "load", 1, 1))
                say(Loaded(id, "Test model", "f1", *made, {"int8": 0.5, "bf16": 0.75}, memory, 0.1, notes))
            case Generate():
                answer(command)
            case Count(id, documents):
                say(Done(id, "complete", result=Counted(tuple(size(document) for document in documents))))
            case Inspect(id):
                say(Done(id, "complete", result=Inspected((CPU,), {"torch": "9.9"}, 2, 1000, None)))
            case Work(id, _, options):
                theirs = 350.0 if options["compare"] == "yes" else None
                row = {"name": "read", "unit": "tokens/s", "ours": 700.0, "theirs": theirs, "ratio": theirs and 2.0}
                about = {"model": options["model"], "precision": "bf16", "writing": "int8", "device": "Test processor"}
                say(Progress(id, "read", 1, 2))
                say(Done(id, "complete", result=Worked(json.dumps(about | {"threads": 2, "rows": [row]}))))
            case Cancel(target):
                say(Done(target, "cancelled", Usage(4, 4, 0, 1)))
            case Quit():
                return


main()
