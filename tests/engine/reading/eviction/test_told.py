"""What the window says a policy keeps and takes is what the engine does."""

import numpy as np
import pytest
from msgspec.structs import replace

from app.data import policies
from app.data.policies import asked as eviction
from app.data.settings import Settings
from engine.chain import Chain
from engine.reading.eviction import guard, statistics
from engine.reading.eviction import policies as engine_policies

WINDOW = 8192


@pytest.mark.parametrize("policy", ["triattention", "h2o", "snapkv", "streaming"])
@pytest.mark.parametrize("prompt", ["auto", "pieces", "end"])
def test_rows_are_those_of_the_engine(policy, prompt, make_model):
    config = make_model("full").decoder.config
    for keep in (None, 0.01, 0.1, 0.35, 0.7, 1.0):
        for rows in (None, 176, 3000):
            settings = Settings(policy=policy, policy_keep=keep, policy_rows=rows, policy_prompt=prompt)
            how = eviction(settings)
            assert policies.at_end(settings) == guard.at_end(how)
            assert policies.endless(settings) == guard.endless(how)
            for tokens in (100, 600, 5000, WINDOW):
                budget = guard.budget(how, config, tokens, WINDOW)
                assert policies.kept(settings, tokens, WINDOW) == min(budget, tokens)
                told = policies.held(settings, tokens, WINDOW)
                assert told == guard.needed(how, config, tokens, WINDOW, policies.PIECE)


@pytest.mark.parametrize(
    ("policy", "keep"),
    [("streaming", 0.1), ("streaming", 0.5), ("snapkv", 0.1), ("snapkv", 0.6), ("triattention", 0.2)],
)
@pytest.mark.parametrize("piece", [256, 2048])
def test_memory_is_at_most_what_is_told(policy, keep, piece, make_model):
    decoder = make_model("full").decoder
    settings = Settings(policy=policy, policy_keep=keep)
    how, text = eviction(settings), np.random.default_rng(5).integers(0, 120, 6000, np.int32)

    def means():
        return statistics.measured(decoder, text[:200], 64)

    chain = Chain(
        decoder,
        WINDOW,
        prune=lambda caches: engine_policies.pruning(how, caches, decoder.config, WINDOW, means),
    )
    most = 0
    for _ in chain.read(text, piece, answer=True):
        most = max(most, chain.caches.allocated)
    reading, after = policies.held(replace(settings, piece=piece), len(text), WINDOW)
    assert most <= -(-reading // policies.STEP) * policies.STEP
    assert chain.caches.allocated <= -(-after // policies.STEP) * policies.STEP
    assert policies.held(settings, len(text), WINDOW)[1] >= after
