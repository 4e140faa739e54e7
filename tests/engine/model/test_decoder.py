"""Pieces, single tokens, stops and rows: how a text is read never changes what comes out."""

import pytest
import torch

from engine.model.decoder import Stopped
from engine.weights import load

SAME = 1e-4

YARN = {"rope_type": "yarn", "rope_theta": 5000.0, "factor": 4.0, "original_max_position_embeddings": 32}
LONGROPE = {
    "rope_type": "longrope",
    "rope_theta": 5000.0,
    "short_factor": [1.0] * 8,
    "long_factor": [2.0] * 8,
    "original_max_position_embeddings": 32,
}
DYNAMIC = {"rope_type": "dynamic", "rope_theta": 5000.0, "factor": 2.0}


@pytest.fixture(
    params=[
        ("llama", {}),
        ("qwen2", {"rope_parameters": YARN}),
        ("qwen3", {"rope_parameters": LONGROPE}),
        ("llama", {"rope_parameters": DYNAMIC, "max_position_embeddings": 32}),
        ("mistral", {"sliding_window": 24}),
    ],
    ids=["llama", "qwen2-yarn", "qwen3-longrope", "llama-dynamic", "mistral-sliding"],
)
def decoder(request, make):
    family, options = request.param
    folder, _ = make(family, **options)
    return load(folder, "fp32", "cpu").decoder


@pytest.fixture
def whole(decoder, tokens):
    return decoder.read(tokens, decoder.make_caches(100), logits="all")


@pytest.mark.parametrize("piece", [1, 7, 64])
def test_pieces_give_the_logits_of_the_whole(decoder, tokens, whole, piece, distance):
    caches = decoder.make_caches(100)
    parts = [decoder.read(part, caches, logits="all") for part in tokens.split(piece, 1)]
    assert distance(torch.cat(parts, 1), whole) < SAME


def test_writing_gives_the_logits_of_reading(decoder, tokens, whole, distance):
    caches = decoder.make_caches(100)
    written = torch.stack([decoder.write(id, caches) for id in tokens.unbind(1)], 1)
    assert distance(written, whole) < SAME
    assert written.dtype == torch.float32


def test_only_the_last_or_no_logits(decoder, tokens, whole, distance):
    """What is not wanted is left out of the last layer, and its rows are stored all the same."""
    caches = decoder.make_caches(100)
    assert decoder.read(tokens[:, :40], caches, logits="none") is None
    last = decoder.read(tokens[:, 40:90], caches, logits="last")
    assert distance(last, whole[:, 89]) < SAME
    assert distance(decoder.read(tokens[:, 90:], caches, logits="all"), whole[:, 90:]) < SAME


def test_a_batch_is_its_texts_side_by_side(decoder, tokens, distance):
    texts = torch.cat((tokens, tokens.flip(1)))
    caches = decoder.make_caches(100, batch=2)
    both = decoder.read(texts[:, :90], caches, logits="all")
    written = decoder.write(texts[:, 90], caches)
    for row in range(2):
        alone = decoder.read(texts[row : row + 1, :91], decoder.make_caches(100), logits="all")
        assert distance(both[row], alone[0, :90]) < SAME
        assert distance(written[row], alone[0, 90]) < SAME


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_a_piece_cut_short_leaves_no_trace(decoder, tokens, whole, layer, distance):
    caches = decoder.make_caches(100)
    decoder.read(tokens[:, :30], caches, logits="none")
    asked = iter(range(100))
    with pytest.raises(Stopped):
        decoder.read(tokens.flip(1)[:, :50], caches, logits="none", stopped=lambda: next(asked) == layer)
    assert (caches.length(), caches.next_pos) == (30, 30)
    assert distance(decoder.read(tokens[:, 30:], caches, logits="all"), whole[:, 30:]) < SAME


def test_trimming_goes_back_to_an_earlier_text(decoder, tokens, whole, distance):
    caches = decoder.make_caches(100)
    decoder.read(torch.cat((tokens[:, :40], tokens.flip(1)[:, :50]), 1), caches, logits="none")
    caches.trim(40)
    assert (caches.length(), caches.next_pos) == (40, 40)
    assert distance(decoder.read(tokens[:, 40:], caches, logits="all"), whole[:, 40:]) < SAME


def test_more_than_there_is_room_for_is_refused(decoder, tokens):
    caches = decoder.make_caches(99)
    with pytest.raises(ValueError, match="room for 99"):
        decoder.read(tokens, caches, logits="none")
    decoder.read(tokens[:, :99], caches, logits="none")
    with pytest.raises(ValueError, match="room for 0"):
        decoder.write(tokens[:, 0], caches)
    with pytest.raises(ValueError, match="0 tokens"):
        decoder.read(tokens[:, :0], caches, logits="none")
    assert caches.length() == 99
