"""An engine without a model, run as a process: it answers what the question says, at once.

`python scripted_engine.py`: a document's tokens are its bytes, its window 4,096 of them; a longer text is read in
segments of 2,000, of which the first and the last are kept. "hang" begins an answer and waits to be cancelled, "die"
begins one and ends, "too long" is refused, "loop" ends early, "how" is answered with the settings of reading,
"documents" with the ids of the documents in their order; "wait PATH" reads for as long as nobody writes to that pipe;
anything else is said back, or where there are tools the first of them is called with it. Layers are dense, or sparse
and lightning where the model's name holds "hybrid". In coverage the numbers that
stand in a part are found for certain; everything else is a guess. Of other answers the evidence is the first 16
characters of the first document.

What was read is noted in a file of the folder for readings.
"""

import json
import os
import re
import sys
from pathlib import Path

import msgspec
from msgspec.structs import replace

from engine import wire
from engine.protocol import (
    VERSION,
    Answered,
    Call,
    Cancel,
    Count,
    Counted,
    Delta,
    DeviceInfo,
    Document,
    Done,
    Evidence,
    Expect,
    Expected,
    Failed,
    Forget,
    Forgotten,
    Found,
    Generate,
    Inspect,
    Inspected,
    Listed,
    Load,
    Loaded,
    MemoryParts,
    ModelSettings,
    Note,
    Passage,
    Place,
    Plan,
    Planned,
    PlannedPolicy,
    Progress,
    Quit,
    Readings,
    ReadingSettings,
    Ready,
    Saved,
    SegmentUse,
    Usage,
    Work,
    Worked,
)

CPU = DeviceInfo("cpu", "Test processor", 8 * 2**30, 4 * 2**30, ("bf16", "fp32"))
WINDOW = 4096


def say(*messages) -> None:
    for message in messages:
        sys.stdout.buffer.write(wire.encode(message))
    sys.stdout.buffer.flush()


def size(document: Document) -> int:
    return Path(document.path).stat().st_size


def places(documents: list[Document], length: int) -> list[Place]:
    """The documents' text in lengths of so many characters."""
    return [
        Place(number, start, min(start + length, size(document)))
        for number, document in enumerate(documents)
        for start in range(0, size(document), length)
    ]


def segments(documents: list[Document], how: ReadingSettings) -> tuple[SegmentUse, ...]:
    where = places(documents, how.segment or 2000)
    kept = (0, len(where) - 1)[: how.keep]
    return tuple(
        SegmentUse(number + 1, (place,), place.end - place.start, *((1.5, True, 9) if number in kept else (2.5, False)))
        for number, place in enumerate(where)
    )


def found(id: str, documents: list[Document], how: ReadingSettings) -> list[Found]:
    where = places(documents, how.part or 500)
    events = []
    for number, place in enumerate(where):
        text = Path(documents[place.document].path).read_text()[place.start : place.end]
        seen = re.search(r"\d+", text)
        told = (seen.group(), 0.2, True, True) if seen else ("nothing", 0.9, False, False)
        events.append(Found(id, number, len(where), place, *told))
    return events


def answer(request: Generate) -> None:
    id, how = request.id, request.reading
    parts = [part for turn in request.conversation.turns for part in turn.parts]
    documents, question = [part for part in parts if isinstance(part, Document)], parts[-1].text
    read = sum(size(document) for document in documents) + len(question)
    if question == "too long":
        return say(Failed(id, "too_long", "longer than the window", needed=9000, available=WINDOW))
    say(Progress(id, "read", read // 2, read, rate=100.0, left=1.0), Progress(id, "read", read, read))
    if question in ("hang", "die"):
        say(Delta(id, "Half "))
        return os._exit(9) if question == "die" else None
    if question.startswith("wait "):
        Path(question.removeprefix("wait ")).read_bytes()
    known = {"how": msgspec.to_builtins(how), "documents": [document.sha256 for document in documents]}
    said = json.dumps(known[question]) if question in known else f"You asked: {question}"
    usage = Usage(read, read, 0, 2, first_token=0.1, writing_rate=40.0, precision="bf16", writing="int8", window=WINDOW)
    notes = ()
    if how.coverage:
        events = found(id, documents, how)
        say(*(event for each in events for event in (Progress(id, "ask", each.part, each.parts), each)))
        usage = msgspec.structs.replace(usage, mode="coverage", asked=len(events), segments=segments(documents, how))
    elif how.mode == "parallel" or read > WINDOW:
        used = segments(documents, how)
        asked = min(how.asked or len(used), len(used))
        usage = msgspec.structs.replace(usage, mode="parallel", segments=used, asked=asked, join="reread")
        notes = (Note("read_parallel", {"tokens": str(read), "window": str(WINDOW), "segments": str(len(used))}),)
        say(Progress(id, "ask", asked, asked))
    if how.save:
        keep(how.folder, kept(how.folder) | {document.sha256 for document in documents})
    say(*(Delta(id, piece) for piece in (said[:5], said[5:])))
    if documents and how.evidence and not how.coverage:
        passage = Passage(Place(0, 0, min(16, size(documents[0]))), 0.75)
        say(Evidence(id, 0, len(said), (passage,), "segments" if usage.segments else "heads"))
    sampled = request.sampling
    if (tools := request.conversation.tools) and request.conversation.turns[-1].role == "user":
        called = Call("call_1", tools[0].name, json.dumps({"words": question}))
        return say(Done(id, "calls", usage, Answered(said, (1, 2), None, (called,)), notes))
    finish = "loop" if question == "loop" else "complete"
    say(Done(id, finish, usage, Answered(said, (1, 2), sampled.seed if sampled.temperature else None), notes))


def shelf(folder: str | None) -> Path:
    return Path(folder or os.environ["LONGREAD_HOME"]) / "scripted-readings.json"


def kept(folder: str | None) -> set[str]:
    return set(json.loads(shelf(folder).read_text())) if shelf(folder).exists() else set()


def keep(folder: str | None, documents: set[str]) -> None:
    shelf(folder).write_text(json.dumps(sorted(documents)))


def listed(folder: str | None) -> Listed:
    made = ("Test model", "f1", "bf16", 1.4)
    readings = [Saved(f"r{id[:4]}", (id,), "parallel", 9000, 2**20, 1e9, 1e9, *made) for id in sorted(kept(folder))]
    return Listed(tuple(readings), 2**20 * len(readings), 2**30, 2**33, str(shelf(folder).parent))


def forget(request: Forget) -> Forgotten:
    before = kept(request.folder)
    gone = before if request.documents is None else before & set(request.documents)
    keep(request.folder, before - gone)
    return Forgotten(len(gone), 2**20 * len(gone))


def layers(settings: ModelSettings) -> dict[str, int]:
    return {"sparse": 1, "lightning": 3} if "hybrid" in Path(settings.model).name else {"full": 2}


def main() -> None:
    say(Ready(VERSION, os.getpid()))
    for command in wire.commands(sys.stdin.buffer):
        match command:
            case Load(id, settings) if "broken" in settings.model:
                say(Failed(id, "bad_model", "model.safetensors is cut short", "model.safetensors"))
            case Load(id, settings):
                memory = MemoryParts(8, 1, 1, 0, 1, 5)
                notes = (Note("no_cuda"),) if settings.device == "cuda" else ()
                if settings.extension != "none":
                    told = {"factor": "2", "native": "8192", "window": "16384", "method": settings.extension}
                    notes += (Note("extended", told),)
                made = ("llama", 1000, layers(settings), 8192, settings.window or WINDOW, "bf16", CPU, "int8")
                say(Progress(id, "load", 1, 1))
                say(Loaded(id, "Test model", "f1", *made, {"int8": 0.5, "bf16": 0.75}, memory, 0.1, notes))
            case Generate():
                answer(command)
            case Plan(id, settings, how):
                made = {"layers": layers(settings), "theta": 10_000.0, "stored": "BF16"}
                planned = Planned(1, 1, 0, 1, 1, 4, 8, WINDOW, 8192, 8192, True, "bf16", CPU, **made)
                if how is not None:
                    can, refused = ("triattention", "h2o"), "" if how.policy == "h2o" else "evict_blocks"
                    counted = PlannedPolicy(how, 2458, 3 * 2**30, 2**30, refused)
                    planned = replace(planned, policies=can, policy=counted)
                say(Done(id, "complete", result=planned))
            case Expect(id):
                say(Done(id, "complete", result=Expected(100, 40, 60)))
            case Count(id, documents):
                say(Done(id, "complete", result=Counted(tuple(size(document) for document in documents))))
            case Readings(id, folder):
                say(Done(id, "complete", result=listed(folder)))
            case Forget(id):
                say(Done(id, "complete", result=forget(command)))
            case Inspect(id):
                say(Done(id, "complete", result=Inspected((CPU,), {"torch": "9.9"}, 2, 1000, None)))
            case Work(id, "quantize", options):
                made = Path(options["out"])
                made.mkdir()
                (made / "config.json").write_text(json.dumps(options))
                (made / "model.safetensors").write_bytes(b"")
                about = {"out": str(made), "bits": int(options["bits"]), "group": 64, "rounded": 14, "left": 1}
                report = about | {"bytes": 2**20, "seconds": 2.0}
                say(Progress(id, "read", 1, 2), Done(id, "complete", result=Worked(json.dumps(report))))
            case Work(id, _, options):
                theirs = 350.0 if options["compare"] == "yes" else None
                row = {"name": "read", "unit": "tokens/s", "ours": 700.0, "theirs": theirs, "ratio": theirs and 2.0}
                about = {"model": options["model"], "precision": "bf16", "writing": "int8", "device": "Test processor"}
                say(Progress(id, "read", 1, 2))
                form = {"format": 1, "kind": "speed", "program": "0", "versions": {}, "model": None, "options": {}}
                form |= {"machine": {"cpu": "Test processor", "cores": 2, "features": [], "memory": 1}}
                form |= {"began": "2026-01-01T00:00:00+00:00", "seconds": 1.0}
                report = form | {"results": about | {"threads": 2, "rows": [row]}}
                say(Done(id, "complete", result=Worked(json.dumps(report))))
            case Cancel(target):
                say(Done(target, "cancelled", Usage(4, 4, 0, 1)))
            case Quit():
                return


main()
