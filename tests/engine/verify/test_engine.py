"""The same questions to the engine itself, with a model of random weights: it knows nothing, and what is counted,
saved and forgotten is right all the same."""

import dataclasses

from engine.protocol import Load, ModelSettings
from engine.stream import Stream
from engine.verify import Desk, plan, run
from engine.verify import memory as memory_test
from engine.verify.texts import made_up


class Face:
    """A worker of this process, as engines are talked to."""

    gauges = None

    def __init__(self, desk) -> None:
        self._worker, self.loaded, self._desk = desk.worker, desk.loaded, desk

    def send(self, command) -> Stream:
        stream = Stream(command, lambda it: None)
        ending = self._worker.run(command, stream.put, lambda: stream.cancelled)
        stream.put(ending)
        return stream

    async def load(self, settings, on_progress=None):
        self.loaded = self._desk.run(Load(self._desk.id(), settings))
        return self.loaded


async def test_a_random_model_reads_every_token_and_finds_nothing(new_desk, tiny_model, tmp_path, monkeypatch):
    monkeypatch.setattr(memory_test, "EVERY", 0.0)
    face, folder = Face(new_desk), tmp_path / "verified"
    folder.mkdir()
    settings = ModelSettings(str(tiny_model), precision="fp32", device="cpu", piece=64, threads=1)
    desk = Desk(face, folder, "seed", local=face, settings=settings, prose=made_up(100))
    how = plan("quick", face.loaded, 1500)
    tests = ("tokens", "needles", "layers", "saved", "memory")
    how = dataclasses.replace(how, tests=tests, depths=(0.0, 1.0), cycles=1, cycled=300)
    report = await run(desk, how)
    found = {one.test: (one.verdict, one.reason) for one in report.outcomes}
    assert found == {
        "tokens": ("pass", ""),
        "needles": ("skipped", "unable"),
        "layers": ("pass", ""),
        "saved": ("pass", ""),
        "memory": ("skipped", "no_gauges"),
    }
    assert report.outcomes[3].values["reopened"] != "0"
    assert desk.reloaded
