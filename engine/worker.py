"""What the engine does for each request: holds the loaded model, its tokenizer and the chain of what was read."""

import gc
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from msgspec.structs import replace

from engine import admission, device, expecting, failure, jobs, kernel_choice, weights
from engine.evidence.watch import Watch
from engine.generate import ROOM, Task
from engine.grammar import BadFormat
from engine.in_use import InUse
from engine.inspection import inspected
from engine.kernel_choice import NoKernel
from engine.look import Look, documents_of
from engine.memory import allocator, planner
from engine.model.decoder import Stopped
from engine.prompt import BadDocument, Prompt, build
from engine.protocol import (
    Answered,
    Count,
    Counted,
    Delta,
    Done,
    Ending,
    Event,
    Expect,
    Failed,
    Forget,
    Forgotten,
    Found,
    Gauges,
    Generate,
    Inspect,
    Load,
    Loaded,
    Note,
    Plan,
    Progress,
    Read,
    Readings,
    Request,
    Stage,
    Work,
    Worked,
)
from engine.reading.eviction.report import Spread
from engine.reading.reader import Long, open_store
from engine.reading.segmented import Segmented
from engine.runtime_check import notes as runtime_notes
from engine.template import BadTool, Template
from engine.tokenizer import Tokenizer
from engine.weights import BadModel, tokenizer_files

KEPT = "tokenizers"
"""Folder in the data folder with tokenizers that were converted."""
THREADS = torch.get_num_threads()
"""Torch's own choice, where the settings make none."""

log = logging.getLogger(__name__)

Emit = Callable[[Event], None]
Stop = Callable[[], bool]
Border = Callable[[], None]
Asked = Read | Generate | Expect
"""Requests with a conversation."""


class ModelWorker:
    """`data`: the data folder. No method is called by two threads, but `run` may be called within `stopped`, and within
    `border`: the request that was worked on is then set aside."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._model: InUse | None = None
        self._task: Task | Segmented | None = None

    def run(self, request: Request, emit: Emit, stopped: Stop, border: Border = lambda: None) -> Ending:
        task = self._task
        if task is None:
            return self._run(request, emit, stopped, border)
        with task.clock.aside():
            return self._run_between(task, request, emit, stopped, border)

    def _run_between(
        self, task: Task | Segmented, request: Request, emit: Emit, stopped: Stop, border: Border
    ) -> Ending:
        """In the middle of a task, which then goes on."""
        if self._model is None or not isinstance(request, Asked):
            return self._run(request, emit, stopped, border)
        spoken: list[Event] = []

        def heard(event: Event) -> None:
            if isinstance(event, Delta | Found):
                spoken[:] = [event]
            emit(event)

        self._task = None
        try:
            with self._model.aside(task.chain if isinstance(task, Task) else None):
                try:
                    return self._run(request, heard, stopped, border)
                except Exception as error:
                    if spoken or not failure.out_of_memory(error):
                        raise
                # The exception is gone, and with its frames what they held. What is set aside goes as well now
                self.recover()
                return self._run(request, emit, stopped, border)
        finally:
            self._task = task

    def _run(self, request: Request, emit: Emit, stopped: Stop, border: Border) -> Ending:
        try:
            match request:
                case Load():
                    return self._load(request, emit, stopped)
                case Read():
                    return self._read(request, emit, stopped, border)
                case Generate():
                    return self._generate(request, emit, stopped, border)
                case Expect():
                    return self._expect(request, emit, stopped)
                case Count(id, documents):
                    look = Look(id, documents, emit, stopped)
                    texts = self._loaded().texts
                    counts = tuple(len(texts.document(document, look)) for document in documents)
                    return Done(id, "complete", result=Counted(counts))
                case Plan(id, settings, eviction):
                    planned = planner.plan(settings.model, settings, held=self._held(), eviction=eviction)
                    return Done(id, "complete", result=planned)
                case Readings(id, folder):
                    return Done(id, "complete", result=open_store(self._data, folder).listed())
                case Forget(id, documents, folder):
                    if self._model is not None:
                        self._model.forget(documents)
                    allocator.give_back()
                    forgotten = open_store(self._data, folder).forget(documents)
                    return Done(id, "complete", result=Forgotten(*forgotten))
                case Inspect(id):
                    name = self._model.model.name if self._model is not None else None
                    return Done(id, "complete", result=inspected(name))
                case Work(id, job, options):
                    if "model" not in options:
                        settings = self._loaded().settings
                        options = {"model": settings.model, "precision": settings.precision} | options
                    options = {"data": str(self._data)} | options
                    report = jobs.work(job, options, _progress(id, emit, "read"), stopped)
                    return Done(id, "complete", result=Worked(report))
        except Stopped:
            return Done(request.id, "cancelled")
        except BadModel as error:
            return Failed(request.id, "bad_model", error.message, error.subject)
        except BadDocument as error:
            return Failed(request.id, "bad_document", error.message, error.subject)
        except (BadFormat, BadTool) as error:
            return Failed(request.id, "bad_format", "what the answer must be cannot be followed", str(error))

    def gauges(self, busy: str | None) -> Gauges:
        model, task = self._model, self._task
        if model is None:
            info = device.choose("auto")
            memory = device.memory_parts(info, weights=0, kv=0, state=0)
            return Gauges(memory, device.process_bytes(), 0, 0, busy=busy)
        chain = model.chains.current
        return Gauges(
            memory=model.memory(),
            process=device.process_bytes(),
            # What is forgotten has taken its place of the window, but of a text without an end
            window_used=chain.caches.length() if chain.endless else len(chain),
            window=model.chains.window,
            reading=task.reading if task is not None else None,
            writing=task.writing if task is not None else None,
            busy=busy,
            rows=chain.caches.length() if chain.how is not None else None,
            forgotten=chain.caches.dropped,
        )

    def recover(self) -> None:
        # The rows are as they were before the piece that failed, so what was read is still good
        if self._model is not None:
            self._model.give_back()
        gc.collect()
        allocator.give_back()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    def _held(self) -> int:
        if self._model is None:
            return 0
        return self._model.bytes()

    def _loaded(self) -> InUse:
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
        try:
            kernel_choice.choose(settings, description.config, device.torch_device(device.choose(settings.device)))
        except NoKernel as error:
            return Failed(id, "no_kernel", str(error), path.name)
        self._model = None
        self.recover()
        torch.set_num_threads(settings.threads or THREADS)
        planned = planner.plan(description, settings)
        if not planned.fits:
            would = ", ".join(f"{one.change} {one.window}" for one in planned.advice) or "nothing"
            message = f"the planner finds no room for a window of {planned.window}; what would fit: {would}"
            log.warning("%s (%d bytes of %d)", message, planned.needed, planned.available)
            about = (path.name, planned.needed, planned.available, planned.advice)
            return Failed(id, "out_of_memory", message, *about)
        model = weights.load(
            *(path, settings.precision, settings.device),
            extension=settings.extension,
            window=planned.window,
            progress=_progress(id, emit, "load"),
            stopped=stopped,
        )
        self._model = loaded = InUse(self._data, settings, planned, model, files, tokenizer, template)
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
            notes=tuple({note.code: note for note in (*runtime_notes(), *planned.notes, *model.notes)}.values()),
            calibration=loaded.calibration,
            kv_token=loaded.reader.desk.kv_token,
            kv_token_int8=loaded.reader.desk.kv_token_int8,
            takes_system=template.takes_system,
            takes_tools=loaded.call_form is not None,
        )

    def _read(self, request: Read, emit: Emit, stopped: Stop, border: Border) -> Ending:
        model, began = self._loaded(), time.monotonic()
        if (refused := admission.refused(model, request)) is not None:
            return refused
        admission.prepare(model, request, stopped)
        prompt = self._prompt(model, request, emit, stopped, answer=False)
        if prompt is None:
            if (refused := admission.in_segments(request)) is not None:
                return refused
            long = self._long(model, request, emit, stopped, began)
            return self._follow(model, long, long.read(), emit, border)
        task = self._whole(model, request, prompt, emit, stopped, began)
        return self._keep(model, request, prompt, self._follow(model, task, task.read(), emit, border))

    def _generate(self, request: Generate, emit: Emit, stopped: Stop, border: Border) -> Ending:
        model, began = self._loaded(), time.monotonic()
        if (refused := admission.refused(model, request)) is not None:
            return refused
        answer = admission.answer(model, request)
        admission.prepare(model, request, stopped)
        prompt = self._prompt(model, request, emit, stopped, answer=True)
        if prompt is None:
            if (refused := admission.in_segments(request)) is not None:
                return refused
            long = self._long(model, request, emit, stopped, began)
            events = long.answer(answer, only_read=request.only_read)
            ending = self._follow(model, long, events, emit, border)
        else:
            task = self._whole(model, request, prompt, emit, stopped, began)
            events = task.answer(answer, only_read=request.only_read)
            ending = self._keep(model, request, prompt, self._follow(model, task, events, emit, border))
        match ending:
            # of a call the words are not all that was written, and what parts gave together was written by nobody
            case Done(finish=finish, result=Answered(text, tokens, calls=())) if text and tokens and finish != "stop":
                model.texts.remember(text, list(tokens))
        return ending

    def _expect(self, request: Expect, emit: Emit, stopped: Stop) -> Ending:
        model = self._loaded()
        if (refused := admission.no_tools(model, request)) is not None:
            return refused
        prompt = self._prompt(model, request, emit, stopped, answer=True)
        if prompt is None:
            expected = expecting.in_segments(self._long(model, request, emit, stopped, time.monotonic()))
        else:
            look = Look(request.id, documents_of(request.conversation), emit, stopped)
            expected = expecting.whole(model, request, prompt, look)
        return Done(request.id, "complete", result=expected)

    def _whole(
        self, model: InUse, request: Read | Generate, prompt: Prompt, emit: Emit, stopped: Stop, began: float
    ) -> Task:
        documents, count = documents_of(request.conversation), request.reading.evidence
        store, form = model.reader.store(request.reading), model.form(request.reading)
        how = request.reading.eviction
        chain = model.chains.chain_for(prompt.ids, documents, store, form, how, request.reading.selection)
        task = Task(request.id, chain, prompt, model.piece, stopped, began, request.ids)
        task.reopened = model.chains.reopened
        look = Look(request.id, documents, emit, stopped)

        def watch(asked: Prompt) -> Watch | None:
            texts = [model.texts.placed(document, look) for document in documents]
            spread = None if how is None else Spread(chain.caches)
            return model.reader.watches.whole(request.id, chain.caches, asked, texts, count, spread)

        if count:
            task.watch = watch
        if how is not None:
            task.texts = [model.texts.placed(document, look) for document in documents]
        return task

    def _keep(self, model: InUse, request: Read | Generate, prompt: Prompt, ending: Ending) -> Ending:
        """Documents that are read to their end are kept on disk."""
        store, chain = model.reader.store(request.reading), model.chains.current
        count = prompt.documents[-1].end if prompt.documents else 0
        if store is not None and count and chain.common(prompt.ids[:count]) == count:
            model.chains.save(chain, count, documents_of(request.conversation), store)
        notes = list(model.chains.notes)
        if model.whole_only and prompt.documents and (request.reading.mode == "parallel" or request.reading.coverage):
            notes.append(Note("whole_only"))
        return replace(ending, notes=(*ending.notes, *notes)) if isinstance(ending, Done) and notes else ending

    def _long(self, model: InUse, request: Asked, emit: Emit, stopped: Stop, began: float) -> Long:
        look = Look(request.id, documents_of(request.conversation), emit, stopped)
        task = model.reader.task(request.id, request.conversation, request.reading, look, stopped, began)
        # A short text is in segments as well when every part of it is asked
        text = sum(segment.own for segment in task.segments) + len(task.frame.tail)
        fits = request.reading.coverage and text + ROOM <= model.chains.window
        if request.reading.mode == "auto" and not fits:
            values = {
                "tokens": sum(part.own for part in task.segments),
                "window": model.chains.window,
                "segments": len(task.segments),
            }
            task.notes.append(Note("read_parallel", {name: str(value) for name, value in values.items()}))
        return task

    def _prompt(self, model: InUse, request: Asked, emit: Emit, stopped: Stop, *, answer: bool) -> Prompt | None:
        """The conversation as one text; None when it is to be read in segments."""
        mode, documents = request.reading.mode, documents_of(request.conversation)
        if documents and not model.whole_only and (mode == "parallel" or request.reading.coverage):
            return None
        look = Look(request.id, documents, emit, stopped)
        prompt = build(request.conversation, model.tokenizer, model.template, model.texts, answer=answer, look=look)
        whole = len(prompt.ids) + ROOM <= model.chains.window or request.reading.eviction is not None
        return None if documents and mode == "auto" and not whole and not model.whole_only else prompt

    def _follow(
        self, model: InUse, task: Task | Segmented, events: Iterator[Event | None], emit: Emit, border: Border
    ) -> Ending:
        self._task = task
        try:
            for event in events:
                if isinstance(event, Failed):
                    whole = model.whole_only and event.code == "too_long"
                    return replace(event, code="too_long_model") if whole else event
                if isinstance(event, Done):
                    assert event.usage is not None
                    layers, calls = model.ran(event.usage.calls), event.usage.calls
                    if calls:
                        log.info("layers %s, calls %s", layers, calls)
                    how = {"layers": layers, "precision": model.model.precision, "writing": model.model.writing}
                    return replace(event, usage=replace(event.usage, **how))
                if event is not None:
                    emit(event)
                border()
        finally:
            self._task = None
        raise AssertionError("a task ended without an ending")


def _progress(id: str, emit: Emit, stage: Stage) -> Callable[[int, int], None]:
    """Reports steps of half a percent and the end: layers of small models come by the thousand."""
    told = 0

    def report(done: int, total: int) -> None:
        nonlocal told
        if done >= total or done - told >= total / 200:
            told = done
            emit(Progress(id, stage, done, total))

    return report
