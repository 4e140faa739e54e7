"""The blocks that sparse layers chose, and their scores, against the definition; and the hybrid's dense prompts."""

import numpy as np
import pytest
import torch

from engine.chain import Chain
from engine.evidence.blocks import BlockScores
from engine.evidence.mass import Head, HeadMass
from engine.protocol import Evidence, Generate, ReadingSettings, Sampling
from kernels import block_scores
from kernels.block_scores import reference
from tests.engine.conftest import write_tokenizer

BLOCK = 16


@pytest.fixture
def model(checkpoint):
    return checkpoint(sparse_config={"dense_len": 256})


def read(chain, ids, piece=64):
    ids = np.array(ids, np.int32)
    kept = chain.usable(ids, len(ids) - 1)
    chain.keep(kept)
    list(chain.read(ids[kept:], piece, answer=True))


def expected(chain, rows):
    """The reference's scores of the blocks that the newest token's layers chose, shared among their rows."""
    found = torch.zeros(rows)
    for number, layer in enumerate(chain._decoder.layers):
        cache = chain.caches[number]
        if not hasattr(layer.mixer, "blocks"):
            continue
        blocks, q = layer.mixer.blocks, cache.queries[:, :, None]
        keys = cache.held.part(0, rows)[0]
        k1, k2 = (reference.compress(keys, 0, by * blocks.kernel, by * blocks.stride) for by in (1, 4))
        # Nothing is chosen in any case here, but for the query's own block
        free = block_scores.Blocks(blocks.kernel, blocks.stride, blocks.block, 0, 1, blocks.count)
        scores = reference.scores(q, k1, k2, rows - 1, free, layer.mixer.scale, cache.normaliser)[0, :, 0]
        chosen = reference.choose(q, k1, k2, rows - 1, blocks, layer.mixer.scale, cache.normaliser)[0, :, 0]
        assert torch.equal(chosen, cache.chosen[0])
        for own, choice in zip(scores, chosen.tolist(), strict=True):
            for block in choice:
                if blocks.initial <= block < (rows - 1) // BLOCK:
                    found[block * BLOCK : (block + 1) * BLOCK] += own[block] / BLOCK
    return found


@pytest.mark.parametrize("gathered", [[6], [2, 4], [1] * 6])
def test_the_chosen_blocks_and_their_scores(model, gathered):
    chain = Chain(model.load(), 1024)
    read(chain, model.ids(400))
    scores, theirs = BlockScores(chain._decoder, chain.caches), []
    for id in model.ids(6, seed=9):
        scores.take()
        theirs.append(expected(chain, len(chain)))
        chain.write(id)
    ours = torch.zeros(405)
    for count in gathered:
        some = scores.gather(count)
        ours[: len(some)] += some
    own = 399 // BLOCK * BLOCK  # the newest block is read in any case, and the reference gives it no score
    total = torch.zeros(405)
    for one in theirs:
        total[: len(one)] += one
    torch.testing.assert_close(ours[:own], total[:own], rtol=1e-4, atol=1e-6)
    assert (ours[:BLOCK] == 0).all()
    read_at_all = {row // BLOCK for row in total.nonzero().flatten().tolist()}
    assert 4 < len(read_at_all) < 400 // BLOCK, "some blocks were chosen and some were not"


def test_after_saving_and_going_back_it_is_the_same(model):
    prompt, question = model.ids(400), model.ids(20, seed=8)
    chain = Chain(model.load(), 1024)
    list(chain.read(np.array(prompt + question, np.int32), 64, answer=True, borders=[400]))
    scores = BlockScores(chain._decoder, chain.caches)
    scores.take()
    first = scores.gather(1)
    for id in model.ids(9, seed=3):
        chain.write(id)
    other = Chain(model.load(), 1024)
    chain.keep(400)
    other.take(np.array(prompt, np.int32), chain.rows(400), chain.saved_as(400))
    for again in (chain, other):
        read(again, prompt + question)
        scores = BlockScores(again._decoder, again.caches)
        scores.take()
        torch.testing.assert_close(scores.gather(1), first, rtol=1e-3, atol=1e-5)


def test_a_short_prompt_is_looked_at_by_its_heads(model):
    chain = Chain(model.load(), 1024)
    read(chain, model.ids(100))
    heads = [Head(0, 1), Head(3, 2)]
    mass = HeadMass(chain.caches, chain._decoder.config, heads)
    mass.take()
    expected = torch.zeros(100)
    for one in heads:
        keys = chain.caches[one.layer].held.part(0, 100)[0][0, one.head // 2]
        expected += (keys @ chain.caches[one.layer].queries[0, one.head] / 4).softmax(0)
    torch.testing.assert_close(mass.gather(1), expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize(("words", "how"), [(1200, "blocks"), (150, "heads")])
def test_a_hybrids_answer_has_evidence(make_desk, checkpoint, words, how):
    path = checkpoint(vocab_size=640, sparse_config={"dense_len": 512}).path
    write_tokenizer(path)
    desk = make_desk(path, piece=128, threads=1)
    text = desk.made_up_text(words)
    talk, answers = desk.talk([desk.document(text), "What is it about?"]), []
    for count in (3, 0):
        request = Generate(desk.id(), talk, Sampling(max_tokens=40), reading=ReadingSettings(evidence=count))
        answers.append(desk.run(request).result)
        found = [event for event in desk.events if isinstance(event, Evidence)]
        assert bool(found) == bool(count)
        for event in found:
            assert event.how == how
            assert 1 <= len(event.passages) <= 3
            for passage in event.passages:
                assert 0 < passage.score <= 1
                assert passage.place.document == 0
                assert 0 <= passage.place.start < passage.place.end <= len(text)
    assert answers[0].tokens == answers[1].tokens
