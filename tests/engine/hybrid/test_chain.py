"""A chain with states goes back only to where copies were taken, and is the same from there as read anew."""

import numpy as np
import pytest
import torch

from engine import chain as chain_module
from engine.chain import Chain
from engine.memory.states import Copies, State
from engine.model.decoder import Stopped

WINDOW = 1024


def ids(model, count, seed=5):
    return np.array(model.ids(count, seed), np.int32)


def after(model, prompt, more=()):
    """The twin's logits after the prompt, and after each token written behind it as part of the same prompt."""
    return model.twin().read([*prompt.tolist(), *more])[len(prompt) - 1 :]


def read(chain, prompt, piece=64, borders=()):
    """What is not in memory; tokens that were, and the logits of the last."""
    kept = chain.usable(prompt, len(prompt) - 1)
    chain.keep(kept)
    *_, (_, logits) = chain.read(prompt[kept:], piece, answer=True, borders=borders)
    return kept, logits


@pytest.fixture
def model(checkpoint):
    return checkpoint(sparse_config={"dense_len": 256})


@pytest.fixture
def chain(model):
    return Chain(model.load(), WINDOW)


def test_a_short_prompt_goes_on_to_a_long_one(model, chain, distance):
    """What was read densely beyond the blocks that everything is in is read again by choosing blocks."""
    long = ids(model, 300)
    kept, logits = read(chain, long[:250])
    assert kept == 0
    assert distance(logits, after(model, long[:250])[0]) < 1e-3
    kept, logits = read(chain, long)
    assert kept == model.load().config.sparse.alike == 128
    assert distance(logits, after(model, long)[0]) < 1e-3
    # And back: what was read by choosing blocks is of no use to a short prompt
    kept, logits = read(chain, long[:250])
    assert kept <= 128
    assert distance(logits, after(model, long[:250])[0]) < 1e-3


def test_writing_goes_across_the_border(model, chain):
    """What was read densely stays; from there on blocks are chosen."""
    prompt = ids(model, 250)
    read(chain, prompt)
    before = chain.ran
    written = [chain.write(id) for id in model.ids(12, seed=9)]
    assert torch.stack(written).isfinite().all()
    now = {what: count - before.get(what, 0) for what, count in chain.ran.items()}
    # 5 tokens up to 255 rows of 3 sparse layers, then 7; 12 of 3 lightning layers
    assert now == {"lightning": 36, "dense": 15, "sparse": 21}
    whole = np.concatenate((prompt, model.ids(12, seed=9)))
    assert chain.usable(whole) <= 128


def test_another_question_begins_where_the_document_ends(model, chain, distance):
    document, one, other = ids(model, 400), ids(model, 20, 8), ids(model, 20, 9)
    first = np.concatenate((document, one))
    read(chain, first, borders=[400])
    for id in model.ids(6, seed=3):
        chain.write(id)
    second = np.concatenate((document, other))
    kept, logits = read(chain, second, borders=[400])
    assert kept == 400
    assert distance(logits, after(model, second)[0]) < 1e-3
    # The next turn goes on from the end of the answer, and one that drops what was thought from that of the prompt
    answer = model.ids(5, seed=4)
    for id in answer:
        chain.write(id)
    third = np.concatenate((second, answer, one))
    assert chain.usable(third) == len(second) + 5
    dropped = np.concatenate((second, answer[3:], one))
    kept, logits = read(chain, dropped, borders=[400])
    assert kept == len(second)
    assert distance(logits, after(model, dropped)[0]) < 1e-3


def test_asking_the_same_again_reads_the_question(model, chain, distance):
    prompt = ids(model, 420)
    _, first = read(chain, prompt, borders=[400])
    kept, again = read(chain, prompt, borders=[400])
    assert kept == 400
    assert distance(again, first) < 1e-5


def test_a_long_way_has_places_to_go_back_to(model, chain, monkeypatch, distance):
    monkeypatch.setattr(chain_module, "STEP", 128)
    prompt = ids(model, 700)
    read(chain, prompt, piece=50)
    changed = prompt.copy()
    changed[400] = (changed[400] + 1) % 160
    kept, logits = read(chain, changed, piece=50)
    assert kept == 384
    assert distance(logits, after(model, changed)[0]) < 1e-3


def test_saved_and_restored(model, chain, distance):
    prompt = np.concatenate((ids(model, 400), ids(model, 20, 8)))
    read(chain, prompt, borders=[150, 400])
    tensors = chain.rows(400)
    assert tensors["places"].tolist() == [400]
    other = Chain(model.load(), WINDOW)
    other.take(prompt[:400], tensors, chain.saved_as(400))
    kept, logits = read(other, prompt, borders=[150, 400])
    assert kept == 400
    assert distance(logits, after(model, prompt)[0]) < 1e-3
    written = [one.write(7) for one in (other, chain)]
    assert distance(*written) < 1e-5


def test_rows_as_bytes_are_near_and_know_no_pieces(model, distance):
    """Read in any pieces, saved and restored, or rewound: the same; and near what is computed with exact rows, as near
    as choices of blocks allow that rounding has turned."""
    prompt = ids(model, 400)
    exact = after(model, prompt, [7])
    chains = {piece: Chain(model.load(), WINDOW, "int8") for piece in (1, 37, 400)}
    read_in = {piece: read(chain, prompt, piece)[1] for piece, chain in chains.items()}
    assert 1e-5 < distance(read_in[400], exact[0]) < 6e-2
    assert distance(read_in[1], read_in[400]) < 1e-4
    assert distance(read_in[37], read_in[400]) < 1e-4
    other = Chain(model.load(), WINDOW, "int8")
    other.take(prompt, chains[400].rows(400), "sparse")
    written = [one.write(7) for one in (other, chains[400])]
    assert distance(*written) < 1e-6
    assert distance(written[0], exact[1]) < 6e-2
    rewound = chains[37]
    read(rewound, np.concatenate((prompt[:300], ids(model, 60, 3))))
    _, logits = read(rewound, prompt)
    assert distance(logits, read_in[400]) < 1e-4
    assert chains[400].bytes() < Chain.bytes(filled(model, prompt))


def filled(model, prompt):
    chain = Chain(model.load(), WINDOW)
    read(chain, prompt)
    return chain


def test_borders_of_documents_are_saved(model, chain, monkeypatch):
    monkeypatch.setattr(chain_module, "APART", 100)
    prompt = ids(model, 420)
    read(chain, prompt, borders=[150, 200, 400])
    tensors = chain.rows(400)
    assert tensors["places"].tolist() == [150, 400]
    other = Chain(model.load(), WINDOW)
    other.take(prompt[:400], tensors, "sparse")
    assert other.usable(np.concatenate((prompt[:300], ids(model, 200, 2)))) == 150


def test_a_piece_that_is_cut_short_leaves_no_trace(model, chain, distance):
    prompt = ids(model, 300)
    asked = iter([False] * 20 + [True] * 100)  # in the fourth piece
    with pytest.raises(Stopped):
        for _ in chain.read(prompt, 64, answer=True, stopped=lambda: next(asked)):
            pass
    assert len(chain) == 192
    kept, logits = read(chain, prompt)
    assert kept == 192
    assert distance(logits, after(model, prompt)[0]) < 1e-3


def test_regimes_are_named_where_they_differ(model, chain):
    assert [chain.regime(*sizes) for sizes in [(300, 128), (300, 129), (255, 255), (255, 100)]] == [
        *("", "sparse", "dense", ""),
    ]
    read(chain, ids(model, 300))
    assert (chain.saved_as(300), chain.saved_as(100)) == ("sparse", "")
    read(chain, ids(model, 200))
    assert chain.saved_as(200) == "dense"


def copies(budget, *taken):
    state = State(1, 1, 4, torch.device("cpu"))
    kept = Copies(budget * 64)
    for at, kind in taken:
        state.put(torch.full((1, 1, 4, 4), float(at)))
        kept.keep(at, kind, [state])
        assert kept.bytes() <= budget * 64
    for at in kept.places:
        assert kept.copy(at).unique().tolist() == [at]
    return kept


def test_copies_on_the_way_are_thinned_first_and_ends_of_documents_last():
    steps = [(at, "step") for at in range(1, 9)]
    assert len(copies(4, *steps).places) == 4
    assert {1, 8} <= set(copies(4, *steps).places)
    mixed = copies(4, (10, "border"), (12, "prompt"), *((at, "step") for at in range(20, 30)))
    assert {10, 12} <= set(mixed.places)
    assert copies(3, (1, "step"), (2, "prompt"), (3, "border"), (4, "prompt"), (5, "border")).places == (3, 4, 5)
    assert copies(2, (3, "border"), (1, "border"), (2, "prompt")).places == (1, 2)
    assert copies(1, (3, "border"), (1, "prompt")).places == (1,)


def test_the_last_copy_at_or_before_a_place():
    kept = copies(9, (10, "border"), (20, "prompt"), (30, "step"))
    assert [kept.before(at) for at in (9, 10, 19, 20, 99)] == [0, 10, 10, 20, 30]
    kept.trim(20)
    assert (kept.places, 30 in kept, 20 in kept) == ((10, 20), False, True)
