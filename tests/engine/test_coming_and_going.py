"""Many requests, many of them cancelled: nothing of them stays in memory."""

import gc
import random

import pytest
from taking_over import request

from engine.protocol import Format, ReadingSettings, Sampling


@pytest.fixture
def made(desk):
    """Tensors' bytes that are alive now, by their storages."""
    import torch

    def count() -> int:
        gc.collect()
        alive = {}
        for one in gc.get_objects():
            if isinstance(one, torch.Tensor) and not one.is_meta:
                storage = one.untyped_storage()
                alive[storage.data_ptr()] = storage.nbytes()
        return sum(alive.values())

    return count


def test_fifty_requests_of_which_many_are_cancelled_leave_nothing(desk, made):
    draw = random.Random(3)
    texts = [desk.document(desk.made_up_text(200 + 40 * seed, seed), f"{seed}.txt") for seed in range(4)]
    ways = [
        ReadingSettings(save=False),
        ReadingSettings(save=False, mode="parallel", segment=160),
    ]
    held = Format("schema", '{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}')

    def round_of(count: int) -> None:
        for _ in range(count):
            left = draw.randrange(1, 60)
            asked = iter(range(left))
            desk.stopped = lambda asked=asked: next(asked, None) is None
            sampling = Sampling(max_tokens=12, format=draw.choice([None, held]), logprobs=draw.choice([None, 5]))
            own = request(desk, desk.talk([draw.choice(texts), "What?"]), sampling, draw.choice(ways))
            window = request(desk, desk.talk("Who?"), sampling, ReadingSettings(save=False), "window")
            at = draw.randrange(1, 20)
            borders = iter(range(at))

            def border(borders=borders, window=window) -> None:
                if next(borders, None) == 0:
                    desk.worker.run(window, lambda event: None, lambda: False, lambda: None)

            desk.worker.run(own, lambda event: None, lambda: desk.stopped(), border)
        desk.forget()
        desk.events = []

    round_of(5)  # what is made once for all
    before, known = made(), len(desk.worker._model.grammars._ready)
    round_of(50)
    assert made() <= before + (1 << 16)
    assert len(desk.worker._model.chains._chains) == 1
    assert not desk.worker._model.chains._aside
    assert len(desk.worker._model.grammars._ready) == max(known, 1)
