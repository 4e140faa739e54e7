"""A client's request, and the window's in the middle of it: at borders of pieces and of tokens."""

from engine.protocol import Conversation, Generate, ReadingSettings, Sampling


def request(desk, talk: Conversation, sampling: Sampling, reading: ReadingSettings, whose="client") -> Generate:
    return Generate(desk.id(), talk, sampling, reading=reading, whose=whose)


def interleaved(desk, own, others, borders):
    """Endings of `own` and of the `others`, which take over from it one by one at these of its borders."""
    waiting, at, endings = list(others), [], []

    def border() -> None:
        at.append(None)
        if waiting and len(at) in borders:
            endings.append(desk.worker.run(waiting.pop(0), desk.events.append, lambda: False, lambda: None))

    ending = desk.worker.run(own, desk.events.append, lambda: desk.stopped(), border)
    assert not waiting, f"it had {len(at)} borders"
    return ending, endings
