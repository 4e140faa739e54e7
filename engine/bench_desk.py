"""A worker of this process with a folder of its own, for measurements that ask what the window asks."""

import contextlib
import itertools
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import platformdirs

from engine.model.decoder import Stopped, never
from engine.protocol import (
    Document,
    Done,
    Ending,
    Event,
    Forget,
    Generate,
    Load,
    Loaded,
    ModelSettings,
    Read,
    ReadingSettings,
    Request,
    Sampling,
)
from engine.stream import RequestFailed
from engine.tokenizer import Tokenizer
from engine.verify.asking import talk, write_document
from engine.weights import tokenizer_files
from engine.worker import KEPT, ModelWorker


class Desk:
    """`data`: an empty folder. `stopped` is looked at all the time, and then `Stopped` raised.

    Every method raises `RequestFailed` for what the worker refuses.
    """

    def __init__(self, data: Path, settings: ModelSettings, stopped: Callable[[], bool] = never) -> None:
        self.data = data
        self.settings = settings
        self.worker = ModelWorker(data)
        self._texts = data / "texts"
        self._texts.mkdir(parents=True, exist_ok=True)
        self._stopped = stopped
        self._ids = itertools.count(1)
        self.loaded = self.load()
        self._tokenizer = Tokenizer(tokenizer_files.read(Path(settings.model), data / KEPT))

    def load(self) -> Loaded:
        """The model anew, with nothing read."""
        loaded = self.run(Load(self._id(), self.settings))
        assert isinstance(loaded, Loaded)
        return loaded

    def count(self, text: str) -> int:
        """Tokens by the model's tokenizer."""
        return len(self._tokenizer.encode(text))

    def document(self, text: str, name: str = "book.txt") -> Document:
        return write_document(self._texts, text, name)

    def read(self, documents: Sequence[Document], reading: ReadingSettings) -> Done:
        return self._done(Read(self._id(), talk(documents), reading))

    def ask(self, documents: Sequence[Document], question: str, reading: ReadingSettings, max_tokens: int) -> Done:
        """Greedily."""
        sampling = Sampling(max_tokens=max_tokens)
        return self._done(Generate(self._id(), talk(documents, question), sampling, reading=reading))

    def forget(self) -> None:
        """Everything that was read."""
        self.run(Forget(self._id()))

    def run(self, request: Request) -> Ending:
        """One request to its ending, which is not that it failed."""
        return settled(self.worker.run(request, _unheard, self._stopped))

    def _done(self, request: Request) -> Done:
        done = self.run(request)
        assert isinstance(done, Done)
        return done

    def _id(self) -> str:
        return str(next(self._ids))


def model_settings(options: dict[str, str]) -> ModelSettings:
    """What a job's options say of the model: `model` (a path), `precision`, `device`, `threads`, `window`."""
    threads, window = options.get("threads"), options.get("window")
    return ModelSettings(
        options["model"],
        options.get("precision", "auto"),  # type: ignore[arg-type]
        int(window) if window else None,
        options.get("device", "auto"),  # type: ignore[arg-type]
        int(threads) if threads else None,
    )


def data_folder(options: dict[str, str]) -> Path:
    """Option `data`, else where the program keeps its data."""
    named = options.get("data") or os.environ.get("LONGREAD_HOME")
    return Path(named) if named else Path(platformdirs.user_data_dir("longread", appauthor=False))


@contextlib.contextmanager
def temporary(data: Path) -> Iterator[Path]:
    """A folder for as long as a job lasts, on the disk of the data folder: a long text's reading takes gigabytes."""
    data.mkdir(parents=True, exist_ok=True)
    # Named so that the command line clears it away should this process be killed
    prefix = f".passing-{os.getpid()}-"
    with tempfile.TemporaryDirectory(dir=data, prefix=prefix, ignore_cleanup_errors=True) as made:
        yield Path(made)


def settled(ending: Ending) -> Ending:
    """The ending, if it is one. Raises RequestFailed and Stopped."""
    match ending:
        case Loaded():
            return ending
        case Done(finish="cancelled"):
            raise Stopped
        case Done():
            return ending
        case failed:
            raise RequestFailed(failed)


def _unheard(event: Event) -> None:
    """What a measurement reports is in the endings."""
