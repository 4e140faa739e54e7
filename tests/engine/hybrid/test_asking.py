"""A MiniCPM4 without sparse layers reads long texts in segments as any dense model does, with its scales."""

import json

import pytest
import torch

from engine.memory.rows import SegmentRows
from engine.model.rope import Rotation
from engine.reading.asking import surprises
from tests.engine.hybrid.test_logits import MINICPM4


@pytest.fixture
def dense(checkpoint):
    model = checkpoint(seed=1, sparse_config={"dense_len": 10_000}, **MINICPM4)
    config = {name: value for name, value in model.config.items() if name != "sparse_config"}
    (model.path / "config.json").write_text(json.dumps(config))
    return model


def test_a_segment_is_asked_by_the_models_own_likelihood(dense):
    decoder, ids, first = dense.load(), dense.ids(80), 60
    caches = decoder.make_caches(first)
    decoder.read(torch.tensor([ids[:first]]), caches, logits="none")
    rows = SegmentRows.taken(caches, 0, first, "model")
    rotation = Rotation(decoder.config, decoder.config.window, decoder.dtype, decoder.device)
    [ours] = surprises(decoder, [rows], torch.tensor(ids[first:]), (4, 20), rotation=rotation)
    logits = dense.twin().read(ids)[first + 3 : -1]
    theirs = torch.nn.functional.cross_entropy(logits, torch.tensor(ids[first + 4 :])).item()
    assert ours == pytest.approx(theirs, rel=1e-3)
