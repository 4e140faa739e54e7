"""Long texts before a model of random weights whose window is 1,024 tokens: questions in few words, and their cost."""

from collections.abc import Callable
from pathlib import Path

from engine.protocol import Done, Failed, Generate, Progress, Read, ReadingSettings, Sampling

SHORT = Sampling(max_tokens=5)


class Asking:
    """A desk's requests with reading settings as keywords. Every usage is checked to add up.

    `book` and `tale` have 770 tokens each: with the room for an answer more than the window. `note` has 130.
    """

    def __init__(self, desk, monkeypatch) -> None:
        self.desk = desk
        self.computed = 0
        """Tokens that went through the model's first layer, those of a batch one by one."""
        self.settings: dict = {"segment": 160, "overlap": 8}
        self.book = desk.document(desk.made_up_text(600))
        self.tale = desk.document(desk.made_up_text(600, seed=7), "tale.txt")
        self.note = desk.document(desk.made_up_text(100, seed=3), "note.txt")
        self._said: list[int] = []
        desk.stopped = lambda: False
        self._count(desk.worker._model.model.decoder, monkeypatch)

    def __call__(self, *turns, only_read=False, sampling=SHORT, **reading) -> Done | Failed:
        request = Generate(self.desk.id(), self.desk.talk(*turns), sampling, only_read, self._reading(reading))
        return self._checked(self.desk.run(request))

    def read(self, *turns, **reading) -> Done | Failed:
        return self._checked(self.desk.run(Read(self.desk.id(), self.desk.talk(*turns), self._reading(reading))))

    def sizes(self, *turns, **reading) -> list[int]:
        """Tokens of each segment with its preamble and head, as the engine cuts a conversation's documents."""
        reader = self.desk.worker._model.reader
        talk = self.desk.talk(*turns)
        return [len(one.ids) for one in reader.cut(talk, self._reading(reading), lambda done, total: None)[1]]

    @property
    def preamble(self) -> int:
        """Tokens of the template before the first segment's head."""
        reader = self.desk.worker._model.reader
        return len(reader.cut(self.desk.talk([self.book]), self._reading({}), lambda done, total: None)[0].preamble)

    def closed(self) -> None:
        """As after closing the program and opening it again: nothing in memory, everything on disk."""
        self.desk.worker._model.forget(None)

    @property
    def folder(self) -> Path:
        return self.desk.texts.parent / "readings"

    def files(self, kind: str = "safetensors") -> list[Path]:
        """Saved blocks, or files of another kind, in the data folder."""
        return sorted(self.folder.rglob(f"[!.]*.{kind}"))

    def events(self, kind) -> list:
        return [event for event in self.desk.events if isinstance(event, kind)]

    def progress(self, stage: str) -> list[int]:
        """How far it was in a stage, each time that was told."""
        return [event.done for event in self.events(Progress) if event.stage == stage]

    def stop_when(self, heard: Callable[[], bool]) -> None:
        """Say stop as soon as `heard`, to everyone who asks."""
        self._said = []

        def stopped() -> bool:
            if self._said or heard():
                self._said.append(self.computed)
            return bool(self._said)

        self.desk.stopped = stopped

    def go_on(self) -> None:
        """Nothing may have gone through the model after stop was said."""
        assert self._said, "nobody was told to stop"
        assert self._said[0] == self.computed, "more was computed after it was said"
        self.desk.stopped = lambda: False

    @staticmethod
    def _checked(ending: Done | Failed) -> Done | Failed:
        if isinstance(ending, Done) and (usage := ending.usage) is not None:
            assert usage.prompt == usage.read + usage.reused + usage.unread, usage
            assert min(usage.read, usage.reused, usage.unread, usage.asked) >= 0, usage
            assert usage.reopened <= usage.reused, usage
        return ending

    def _reading(self, changed: dict) -> ReadingSettings:
        return ReadingSettings(**(self.settings | changed))

    def _count(self, decoder, monkeypatch) -> None:
        mlp = decoder.layers[0].mlp
        read, write = mlp.read, decoder.write

        def counted_read(x, norm):
            self.computed += x.shape[0] * x.shape[1]
            return read(x, norm)

        def counted_write(id, caches):
            self.computed += 1
            return write(id, caches)

        monkeypatch.setattr(mlp, "read", counted_read)
        monkeypatch.setattr(decoder, "write", counted_write)


def codes(done: Done) -> list[str]:
    return [note.code for note in done.notes]


def noted(done: Done, code: str) -> dict[str, str]:
    """The values of the one note with this code."""
    [values] = [note.values for note in done.notes if note.code == code]
    return values


def asked(done: Done) -> list[int]:
    """Numbers of the segments that the question was put to."""
    return [use.number for use in done.usage.segments if use.score is not None]


def kept(done: Done) -> list[int]:
    """Numbers of the segments that the answer was written over."""
    return [use.number for use in done.usage.segments if use.kept]
