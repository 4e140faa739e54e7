"""What the engine does for each request: holds the loaded model, its tokenizer and the chain of what was read."""

import gc
import importlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from msgspec.structs import replace

from engine import device, weights
from engine.chain import Chain
from engine.generate import ROOM, Task
from engine.inspection import inspected
from engine.memory import planner
from engine.model.decoder import Stopped
from engine.prompt import BadDocument, Prompt, Texts, build
from engine.protocol import (
    Answered,
    Conversation,
    Count,
    Counted,
    DeviceInfo,
    Document,
    Done,
    Ending,
    Event,
    Failed,
    Gauges,
    Generate,
    Inspect,
    Load,
    Loaded,
    MemoryParts,
    ModelSettings,
    Note,
    Plan,
    Planned,
    Progress,
    Read,
    Request,
    Stage,
    Work,
    Worked,
)
from engine.reading import calibration
from engine.reading.parallel import Parallel
from engine.reading.reader import Reader
from engine.reading.segmented import Segmented
from engine.template import Template
from engine.tokenizer import Tokenizer
from engine.weights import BadModel, LoadedModel, tokenizer_files
from engine.weights.tokenizer_files import TokenizerFiles

KEPT = "tokenizers"
"""Folder in the data folder with tokenizers that were converted."""
CPU_SECOND = 600e9
"""Operations that a CPU is thought to do in a second: pieces of big models are made to take not much longer, so that
progress moves. Fixed, not measured, so that the same text is always read in the same pieces."""
SMALLEST_PIECE = 64
THREADS = torch.get_num_threads()
"""Torch's own choice, where the settings make none."""

Emit = Callable[[Event], None]
Stop = Callable[[], bool]


class _Model:
    """Everything of the loaded model. `piece`: tokens read in one go."""

    def __init__(
        self,
        data: Path,
        settings: ModelSettings,
        planned: Planned,
        model: LoadedModel,
        files: TokenizerFiles,
        tokenizer: Tokenizer,
        template: Template,
    ) -> None:
        self.settings = settings
        self.model = model
        self.device: DeviceInfo = planned.device
        self.tokenizer = tokenizer
        self.template = template
        self.texts = Texts(tokenizer)
        self.chain = Chain(model.decoder, planned.window)
        self.piece = settings.piece or _piece(model.parameters, planned.device)
        mixers = model.config.mixers
        self.calibration = calibration.load(data, model.fingerprint, model.config, model.parameters)
        self.reader = Reader(
            *(data, settings, model, tokenizer, template, self.texts, files, self.calibration, planned.device),
            piece=self.piece,
        )
        self.layers: dict[str, int] = {kind: mixers.count(kind) for kind in dict.fromkeys(mixers)}

    def memory(self) -> MemoryParts:
        kv = self.chain.bytes() + self.reader.bytes()
        return device.memory_parts(self.device, weights=self.model.bytes, kv=kv, state=0)


class ModelWorker:
    """`data`: the data folder. No method is called by two threads, but `run` may be called within `stopped`."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._model: _Model | None = None
        self._task: Task | Segmented | None = None

    def run(self, request: Request, emit: Emit, stopped: Stop) -> Ending:
        try:
            match request:
                case Load():
                    return self._load(request, emit, stopped)
                case Read():
                    return self._read(request, emit, stopped)
                case Generate():
                    return self._generate(request, emit, stopped)
                case Count(id, documents):
                    look = _Look(id, documents, emit, stopped)
                    texts = self._loaded().texts
                    counts = tuple(len(texts.document(document, look)) for document in documents)
                    return Done(id, "complete", result=Counted(counts))
                case Plan(id, settings):
                    return Done(id, "complete", result=planner.plan(settings.model, settings, held=self._held()))
                case Inspect(id):
                    name = self._model.model.name if self._model is not None else None
                    return Done(id, "complete", result=inspected(name))
                case Work(id, job, options):
                    if "model" not in options:
                        settings = self._loaded().settings
                        options = {"model": settings.model, "precision": settings.precision} | options
                    report = importlib.import_module(f"engine.{job}").work(
                        options, _progress(id, emit, "read"), stopped
                    )
                    return Done(id, "complete", result=Worked(report))
        except Stopped:
            return Done(request.id, "cancelled")
        except BadModel as error:
            return Failed(request.id, "bad_model", error.message, error.subject)
        except BadDocument as error:
            return Failed(request.id, "bad_document", error.message, error.subject)

    def gauges(self, busy: str | None) -> Gauges:
        model, task = self._model, self._task
        if model is None:
            info = device.choose("auto")
            memory = device.memory_parts(info, weights=0, kv=0, state=0)
            return Gauges(memory, device.process_bytes(), 0, 0, busy=busy)
        return Gauges(
            memory=model.memory(),
            process=device.process_bytes(),
            window_used=len(model.chain),
            window=model.chain.window,
            reading=task.reading if task is not None else None,
            writing=task.writing if task is not None else None,
            busy=busy,
        )

    def recover(self) -> None:
        # The rows are as they were before the piece that failed, so what was read is still good
        gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    def _held(self) -> int:
        if self._model is None:
            return 0
        return self._model.model.bytes + self._model.chain.bytes() + self._model.reader.bytes()

    def _loaded(self) -> _Model:
        if self._model is None:
            raise BadModel("no model is loaded", "")
        return self._model

    def _load(self, request: Load, emit: Emit, stopped: Stop) -> Ending:
        began, id, settings = time.monotonic(), request.id, request.settings
        path = Path(settings.model)
        # What can be refused is refused before the model now loaded is given up
        description = weights.describe(path)
        files = tokenizer_files.read(path, self._data / KEPT)
        if files.template is None:
            raise BadModel("it has no chat template, so it was not made for conversations", path.name)
        tokenizer = Tokenizer(files)
        template = Template(files.template, files.special)
        self._model = None
        self.recover()
        torch.set_num_threads(settings.threads or THREADS)
        planned = planner.plan(description, settings)
        if not planned.fits:
            message = "the planner finds no room for it"
            return Failed(id, "out_of_memory", message, path.name, planned.needed, planned.available)
        model = weights.load(
            *(path, settings.precision, settings.device),
            extension=settings.extension,
            window=planned.window,
            progress=_progress(id, emit, "load"),
            stopped=stopped,
        )
        self._model = loaded = _Model(self._data, settings, planned, model, files, tokenizer, template)
        return Loaded(
            id=id,
            name=model.name,
            fingerprint=model.fingerprint,
            architecture=model.architecture,
            parameters=model.parameters,
            layers=loaded.layers,
            native_window=planned.native_window,
            window=planned.window,
            precision=model.precision,
            device=device.choose(settings.device),
            writing=model.writing,
            candidates=model.candidates,
            memory=loaded.memory(),
            seconds=time.monotonic() - began,
            notes=tuple({note.code: note for note in (*planned.notes, *model.notes)}.values()),
            calibration=loaded.calibration,
            kv_token=loaded.reader.desk.kv_token,
            kv_token_int8=loaded.reader.desk.kv_token_int8,
        )

    def _read(self, request: Read, emit: Emit, stopped: Stop) -> Ending:
        model, began = self._loaded(), time.monotonic()
        prompt = self._prompt(model, request, emit, stopped, answer=False)
        if prompt is None:
            long = self._long(model, request, emit, stopped, began)
            return self._follow(model, long, long.read(), emit)
        task = Task(request.id, model.chain, prompt, model.piece, stopped, began)
        return self._follow(model, task, task.read(), emit)

    def _generate(self, request: Generate, emit: Emit, stopped: Stop) -> Ending:
        model, began = self._loaded(), time.monotonic()
        prompt = self._prompt(model, request, emit, stopped, answer=True)
        task: Task | Segmented
        if prompt is None:
            task = long = self._long(model, request, emit, stopped, began)
            events = long.answer(request.sampling, only_read=request.only_read)
        else:
            task = whole = Task(request.id, model.chain, prompt, model.piece, stopped, began)
            events = whole.answer(model.tokenizer, request.sampling, only_read=request.only_read)
        ending = self._follow(model, task, events, emit)
        match ending:
            case Done(finish=finish, result=Answered(text, tokens)) if text and finish != "stop":
                model.texts.remember(text, list(tokens))
        return ending

    def _long(self, model: _Model, request: Read | Generate, emit: Emit, stopped: Stop, began: float) -> Parallel:
        look = _Look(request.id, _documents(request.conversation), emit, stopped)
        task = model.reader.parallel(request.id, request.conversation, request.reading, look, stopped, began)
        if request.reading.mode == "auto":
            values = {"tokens": task.total, "window": model.chain.window, "segments": len(task.segments)}
            task.notes.append(Note("read_parallel", {name: str(value) for name, value in values.items()}))
        return task

    def _prompt(
        self, model: _Model, request: Read | Generate, emit: Emit, stopped: Stop, *, answer: bool
    ) -> Prompt | None:
        """The conversation as one text; None when it is to be read in segments."""
        mode, documents = request.reading.mode, _documents(request.conversation)
        if documents and (mode == "parallel" or request.reading.coverage):
            return None
        look = _Look(request.id, documents, emit, stopped)
        prompt = build(request.conversation, model.tokenizer, model.template, model.texts, answer=answer, look=look)
        fits = len(prompt.ids) + ROOM <= model.chain.window
        return None if documents and mode == "auto" and not fits else prompt

    def _follow(self, model: _Model, task: Task | Segmented, events: Iterator[Event], emit: Emit) -> Ending:
        self._task = task
        try:
            for event in events:
                if isinstance(event, Failed):
                    return event
                if isinstance(event, Done):
                    assert event.usage is not None
                    how = {"layers": model.layers, "precision": model.model.precision, "writing": model.model.writing}
                    return replace(event, usage=replace(event.usage, **how))
                emit(event)
        finally:
            self._task = None
        raise AssertionError("a task ended without an ending")


class _Look:
    """Told how far the encoding of texts is, one text after the other; stops it, and reports it as tokens at an
    estimated four characters each, since how many it will be is known only afterwards."""

    def __init__(self, id: str, documents: tuple[Document, ...], emit: Emit, stopped: Stop) -> None:
        self._id = id
        self._emit = emit
        self._stopped = stopped
        self._documents = documents
        self._before = self._last = 0

    def __call__(self, done: int, total: int) -> None:
        if self._stopped():
            raise Stopped
        if done == 0:
            self._before, self._last = self._before + self._last, total
            return  # most texts are done in one go, and not worth a word
        whole = sum(_size(document) for document in self._documents)
        so_far = self._before + done
        self._emit(Progress(self._id, "tokenise", so_far // 4, max(whole, self._before + total) // 4))


def _documents(conversation: Conversation) -> tuple[Document, ...]:
    return tuple(part for turn in conversation.turns for part in turn.parts if isinstance(part, Document))


def _size(document: Document) -> int:
    try:
        return Path(document.path).stat().st_size
    except OSError:
        return 0  # its own failure is told when it is read


def _progress(id: str, emit: Emit, stage: Stage) -> Callable[[int, int], None]:
    """Reports steps of half a percent and the end: layers of small models come by the thousand."""
    told = 0

    def report(done: int, total: int) -> None:
        nonlocal told
        if done >= total or done - told >= total / 200:
            told = done
            emit(Progress(id, stage, done, total))

    return report


def _piece(parameters: int, info: DeviceInfo) -> int:
    if info.kind != "cpu":
        return planner.PIECE
    return max(SMALLEST_PIECE, min(planner.PIECE, int(CPU_SECOND / (2 * parameters)) // 64 * 64))
