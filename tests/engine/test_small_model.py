"""The small real model: it finds what was planted, and nothing is read twice."""

import asyncio
import random
import re

import pytest

from engine.client import Engine, new_id
from engine.protocol import Delta, Done, Failed, Generate, ModelSettings, Progress, Read, Sampling

pytestmark = pytest.mark.whole

LENGTH = 4000
"""Tokens of the text that a number is planted in."""
SHORT = 2400
DEPTHS = (0.9, 0.5, 0.1)
"""The deepest first: then what stands before the next place is in memory already."""


@pytest.fixture(scope="module")
def small(small_model, make_desk):
    return make_desk(small_model, precision="auto", threads=1)


def varied_text(desk, seed, length=LENGTH):
    """Paragraphs of Python's own manual, which comes with every Python, in an order of the seed's."""
    from pydoc_data import topics

    written = [part for topic in topics.topics.values() for part in topic.split("\n\n")]
    paragraphs = [part for part in written if len(part) > 200 and re.search("[a-z]{4} [a-z]", part)]
    random.Random(seed).shuffle(paragraphs)
    encode, chosen, tokens = desk.worker._model.tokenizer.encode, [], 0
    while tokens < length:
        chosen.append(paragraphs.pop())
        tokens += len(encode(chosen[-1] + "\n\n"))
    return chosen


def found_at(desk, seed, depths, length=LENGTH):
    """Depths at which a number planted in the seed's text is found, one number at a time."""
    paragraphs, found = varied_text(desk, seed, length), []
    for depth in depths:
        number = str(random.Random(int(depth * 10)).randint(10000, 99999))
        planted = list(paragraphs)
        planted.insert(round(depth * len(planted)), f"The access number of the harbour gate is {number}.")
        talk = desk.talk([desk.document("\n\n".join(planted)), "What is the access number of the harbour gate?"])
        done = desk.run(Generate(desk.id(), talk, Sampling(max_tokens=40)))
        assert done.usage.prompt > length
        if number in done.result.text:
            found.append(depth)
    return found


def test_a_planted_number_is_found_at_every_depth(small):
    assert found_at(small, 11, DEPTHS, SHORT) == list(DEPTHS)


@pytest.mark.full
@pytest.mark.parametrize("seed", [21, 22, 23])
def test_a_planted_number_is_found_in_other_texts(small, seed):
    depths = tuple(place / 10 for place in range(9, 0, -1))
    assert len(found_at(small, seed, depths)) >= 8, "one in ten may be missed by a model of this size"


@pytest.mark.full
async def test_cancelled_reading_is_heard_at_once_and_kept(home, small_model, small):
    book = small.document("\n\n".join(varied_text(small, seed=12)))
    engine = Engine(data=home)
    await engine.start()
    await engine.load(ModelSettings(str(small_model), threads=1))
    stream = engine.send(Read(new_id(), small.talk([book])))
    async for event in stream:
        if isinstance(event, Progress) and event.stage == "read" and event.done > 0:
            break
    stream.cancel()
    done = await stream.ending()
    assert done.finish == "cancelled"
    assert 0 < done.usage.read < done.usage.prompt
    question = small.talk([book, "What is this about?"])
    first = await engine.send(Generate(new_id(), question, Sampling(max_tokens=8))).ending()
    assert first.usage.reused == done.usage.read
    second = await engine.send(Generate(new_id(), small.talk([book, "Who wrote it?"]), Sampling(max_tokens=8))).ending()
    assert second.usage.read < 40
    await engine.stop()


@pytest.mark.full
async def test_killed_in_the_middle_of_an_answer(home, small_model, small):
    states = []
    engine = Engine(data=home, on_state=states.append)
    await engine.start()
    loaded = await engine.load(ModelSettings(str(small_model), threads=1))
    talk = small.talk("Write a long story about a lighthouse.")
    stream = engine.send(Generate(new_id(), talk, Sampling(max_tokens=400)))
    async for event in stream:
        if isinstance(event, Delta):
            engine.kill()
            break
    failed = await stream.ending()
    assert isinstance(failed, Failed)
    assert failed.code == "engine_died"
    done = await engine.send(Generate(new_id(), talk, Sampling(max_tokens=4))).ending()
    assert isinstance(done, Done)
    assert engine.loaded.fingerprint == loaded.fingerprint
    assert states[-3:] == ["restarting", "loading", "ready"]
    await engine.stop()


@pytest.mark.full
async def test_requests_of_many_at_once_all_end(home, small_model, small):
    engine = Engine(data=home)
    await engine.start()
    await engine.load(ModelSettings(str(small_model), threads=1))
    streams = [
        engine.send(Generate(new_id(), small.talk(f"Say {n}."), Sampling(max_tokens=6, temperature=0.5)))
        for n in range(4)
    ]
    streams[2].cancel()
    endings = await asyncio.gather(*(stream.ending() for stream in streams))
    assert [ending.id for ending in endings] == [stream.id for stream in streams]
    assert {ending.finish for ending in endings} <= {"complete", "length", "cancelled"}
    await engine.stop()
