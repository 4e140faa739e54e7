"""Long texts of a loaded model: what is kept of them, and the tasks over them."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from engine.evidence.watches import Watches
from engine.memory import planner
from engine.memory.held import Form
from engine.memory.pool import Pool
from engine.memory.store import Made, Store
from engine.model.rope import Rotation
from engine.prompt import Look, Texts
from engine.protocol import Calibration, Conversation, DeviceInfo, ModelSettings, ReadingSettings
from engine.reading.calibration import SMALL, longest_segment
from engine.reading.coverage import Coverage
from engine.reading.frame import Frame, frame
from engine.reading.kept import Kept
from engine.reading.parallel import Parallel
from engine.reading.segmented import Desk
from engine.reading.segments import Segment, segments
from engine.template import Template
from engine.tokenizer import Tokenizer
from engine.weights import LoadedModel
from engine.weights.tokenizer_files import TokenizerFiles

FOLDER = "readings"
"""In the data folder."""
SMALLEST = 64
"""Tokens of a segment, at least: shorter ones say nothing."""


Long = Parallel | Coverage


class Reader:
    """`data`: the data folder. `piece`: tokens read in one go. `window`: tokens that an answer is written over."""

    def __init__(
        self,
        data: Path,
        settings: ModelSettings,
        model: LoadedModel,
        tokenizer: Tokenizer,
        template: Template,
        texts: Texts,
        files: TokenizerFiles,
        calibration: Calibration,
        device: DeviceInfo,
        piece: int,
        window: int,
    ) -> None:
        config, decoder = model.config, model.decoder
        self.watches = Watches(data, model, tokenizer, template, piece)
        self.desk = Desk(
            decoder,
            tokenizer,
            Rotation(config, config.window, decoder.dtype, decoder.device),
            calibration,
            piece,
            planner.kv_token(config, decoder.dtype.itemsize),
            planner.kv_token_int8(config),
            window,
            self.watches,
        )
        self.pool = Pool(planner.reading_budget(device, settings, model.bytes))
        self._data, self._settings, self._model = data, settings, model
        self._tokenizer, self._template, self._texts = tokenizer, template, texts
        self._told = _digest(files.template or "", *map(str, sorted(files.special.items())))
        self._tokens = _digest(files.json)
        self._kept: dict[tuple[str, int | None] | None, Kept] = {}
        self._stores: dict[tuple[str | None, int | None], Store] = {}
        self._keys: dict[str, set[str]] = {}
        """Of the segments that hold a document's text, by its sha256."""

    def task(
        self,
        id: str,
        conversation: Conversation,
        settings: ReadingSettings,
        look: Look,
        stopped: Callable[[], bool],
        began: float,
    ) -> Long:
        """Raises BadDocument, BadModel and what `look` raises."""
        around, parts = self.cut(conversation, settings, look)
        about = (id, self.desk, around, parts, self.kept(settings), settings, stopped, began)
        task: Long = Coverage(*about) if settings.coverage else Parallel(*about)
        task.texts = [self._texts.placed(document, look) for document in around.documents]
        if isinstance(task, Coverage):
            task.over = self._model.parameters >= SMALL
        return task

    def cut(self, conversation: Conversation, settings: ReadingSettings, look: Look) -> tuple[Frame, list[Segment]]:
        """The conversation's documents in segments, as these settings want them."""
        around = frame(conversation, self._tokenizer, self._template, self._texts, look)
        placed = [self._texts.placed(document, look) for document in around.documents]
        calibration = self.desk.calibration
        longest = min(settings.segment or calibration.segment, longest_segment(self.desk.window))
        overlap = calibration.overlap if settings.overlap is None else settings.overlap
        parts = segments(around, placed, self._tokenizer, max(longest, SMALLEST), overlap)
        for part in parts:
            for place in part.places:
                self._keys.setdefault(around.documents[place.document].sha256, set()).add(part.key)
        return around, parts

    def kept(self, settings: ReadingSettings) -> Kept:
        """Where rows are kept by these settings. Its notes are of one request."""
        where = (settings.folder or str(self._data / FOLDER), settings.quota) if settings.save else None
        known = self._kept.get(where)
        if known is None:
            known = self._kept[where] = Kept(self.pool, self.store(settings), self.made, self.desk.decoder.device)
        known.take_up()
        return known

    @contextmanager
    def aside(self) -> Iterator[None]:
        """While another request is worked on, this one's notes are put aside."""
        with ExitStack() as stack:
            for kept in self._kept.values():
                stack.enter_context(kept.aside())
            yield

    def store(self, settings: ReadingSettings) -> Store | None:
        """None when nothing may be kept on disk."""
        if not settings.save:
            return None
        where = settings.folder, settings.quota
        if where not in self._stores:
            self._stores[where] = open_store(self._data, *where)
        return self._stores[where]

    def made(self, form: Form, mode="parallel") -> Made:
        settings = self._settings
        return Made(
            fingerprint=self._model.fingerprint,
            precision=self._model.precision,
            template=self._told,
            tokenizer=self._tokens,
            mode=mode,
            kv=form,
            model=self._model.name,
            extension=settings.extension,
            window=self._model.config.window if settings.extension != "none" else 0,
        )

    def bytes(self) -> int:
        """Of memory, mapped files not among them."""
        return self.pool.bytes()

    def forget(self, documents: Sequence[str] | None) -> None:
        """Let go of what is in memory of these documents (sha256), and of open files; None: of all."""
        self.desk.recent.clear()
        for kept in self._kept.values():
            kept.close()
        if documents is None:
            self.pool.clear()
            self._keys.clear()
        for sha256 in documents or ():
            self.pool.forget(self._keys.pop(sha256, set()))

    def give_back(self) -> None:
        """Memory is short: rows that are on disk, or can be read again, go."""
        self.pool.clear()


def open_store(data: Path, folder: str | None, quota: int | None = None) -> Store:
    """`data`: the data folder, `folder` as in `ReadingSettings`."""
    return Store(Path(folder) if folder else data / FOLDER, quota)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
