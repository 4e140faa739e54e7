"""A hybrid's chain that forgets whole blocks: what is left is chosen among and attended to as if nothing else had ever
been, at the numbers and positions that it had; which blocks go, and that their memory does."""

import numpy as np
import pytest
import torch
from msgspec.structs import replace

from engine.chain import Chain
from engine.evidence.blocks import BlockScores
from engine.memory import caches as caches_module
from engine.memory import planner
from engine.protocol import Eviction
from engine.reading.eviction import guard, policies

WINDOW = 1024
BLOCK, INITIAL, LOCAL = 16, 1, 5
HOW = Eviction("blocks", rows=192, prompt="pieces")
END = replace(HOW, prompt="end")


@pytest.fixture(params=[128, 2048], ids=["sparse", "dense"])
def dense_below(request):
    return request.param


@pytest.fixture
def model(checkpoint):
    return checkpoint(sparse_config={"dense_len": 128})


def make(model, how=HOW, form="model", window=WINDOW):
    decoder = model.load()
    if how is None:
        return Chain(decoder, window, form)
    return Chain(
        *(decoder, window, form),
        prune=lambda caches: policies.pruning(how, caches, decoder.config, window, pytest.fail),
    )


def ids(model, count, seed=5):
    return np.array(model.ids(count, seed), np.int32)


def read(chain, text, piece=64, borders=()):
    """All of it behind what the chain holds."""
    *_, (_, logits) = chain.read(text, piece, answer=True, borders=borders)
    return logits


def asked(chain, prompt, piece=64, borders=()):
    """What of it is not in memory; tokens that were, and the logits of the last."""
    kept = chain.usable(prompt, len(prompt) - 1)
    chain.keep(kept)
    return kept, read(chain, prompt[kept:], piece, borders)


class There:
    """Which blocks every token found as it was read, in each layer that keeps rows."""

    def __init__(self, chain, total):
        self.chain, self.seen = chain, []
        blocks = -(-total // BLOCK)
        self.layers = [torch.zeros(2, total, blocks, dtype=torch.bool) for _ in chain.caches.rows]

    def before(self):
        """The next tokens find what is there now, and themselves."""
        places = self.chain.caches.places().tokens
        now = []
        for layer, tokens in zip(self.layers, places, strict=True):
            found = torch.ones_like(layer[:, 0])
            known = -(-self.chain.caches.tokens // BLOCK)
            found[:, :known] = False
            found.scatter_(1, tokens.long() // BLOCK, True)
            now.append(found)
        self.now, self.first = now, self.chain.caches.tokens

    def after(self):
        for layer, now in zip(self.layers, self.now, strict=True):
            layer[:, self.first : self.chain.caches.tokens] = now[:, None]


def followed(chain, text, written, piece=64):
    """Read a text and write tokens; what every token found, and the logits behind the text and each token."""
    there, logits = There(chain, len(text) + len(written)), []
    reading = chain.read(text, piece, answer=True)
    there.before()
    for _, some in reading:
        there.after()
        there.before()
        logits = [] if some is None else [some]
    for token in written:
        there.before()
        logits.append(chain.write(int(token)))
        there.after()
    return there, torch.stack(logits)


@pytest.mark.parametrize("how", [HOW, END], ids=["pieces", "end"])
@pytest.mark.parametrize("length", [431, 448])
def test_blocks_are_chosen_among_those_left_and_attended_to(how, length, dense_below, checkpoint, distance):
    """Of odd lengths; across several cuts; and while an answer is written for longer than a cut."""
    model = checkpoint(sparse_config={"dense_len": dense_below})
    chain = make(model, how)
    text, written = ids(model, length), model.ids(290, seed=9)
    there, ours = followed(chain, text, written)
    assert chain.caches.dropped > 400
    assert len({chain.caches.places().tokens[:, :, :].flatten(0, 1)[row].sum().item() for row in range(6)}) > 1
    twin = model.twin()
    theirs = twin.read([*text.tolist(), *written], there.layers)[length - 1 :]
    assert distance(ours, theirs) < 1e-4
    everything = model.twin().read([*text.tolist(), *written])[length - 1 :]
    assert distance(ours, everything) > 1e-2


def test_a_twin_with_exact_normalisers_agrees(checkpoint, distance, monkeypatch):
    model = checkpoint()
    chain = make(model)
    for layer in chain.caches.rows:
        layer.normaliser = "exact"
    text = ids(model, 400)
    there, ours = followed(chain, text, model.ids(5, seed=9))
    theirs = model.twin("exact").read([*text.tolist(), *model.ids(5, seed=9)], there.layers)[399:]
    assert distance(ours, theirs) < 1e-4


@pytest.mark.parametrize("form", ["model", "int8"])
@pytest.mark.parametrize("how", [replace(HOW, rows=512), replace(END, rows=512)], ids=["pieces", "end"])
def test_with_room_for_all_nothing_changes(how, form, model, distance):
    chain, plain = make(model, how, form), make(model, None, form)
    for text in ids(model, 401), ids(model, 37, 6):
        assert distance(read(chain, text), read(plain, text)) < 1e-5
    for token in model.ids(10, seed=7):
        assert distance(chain.write(token), plain.write(token)) < 1e-5
    assert chain.caches.dropped == 0
    assert not chain.pruning.inactive


def expected(choices, tokens, kept):
    """Blocks that stay by the definition, of what a head's queries chose [T, blocks] by which scores."""
    chosen, scores = choices
    total = -(-tokens // BLOCK)
    worth, queries = [0.0] * total, [0] * total
    for token in range(tokens):
        near = token // BLOCK - LOCAL
        mine = [b for b in range(INITIAL, near + 1) if chosen[token, b]]
        most = sum(scores[token, b].item() for b in mine)
        for b in mine:
            worth[b] += scores[token, b].item() / most if most else 0
        for b in range(INITIAL, near + 1):
            queries[b] += 1
    always = [*range(INITIAL), *range(total - LOCAL, total)]
    others = sorted(range(INITIAL, total - LOCAL), key=lambda b: (-worth[b] / queries[b], b))
    return sorted([*always, *others[: kept - len(always)]])


def test_the_blocks_that_were_chosen_least_go(dense_below, checkpoint):
    model = checkpoint(sparse_config={"dense_len": dense_below})
    chain, text = make(model, END), ids(model, 421)
    read(chain, text)
    twin = model.twin()
    twin.read(text.tolist())
    tokens = chain.caches.places().tokens
    assert tokens.shape == (3, 2, 192 - BLOCK + 421 % BLOCK)
    for layer, heads in enumerate(twin.choices):
        for head, choices in enumerate(heads):
            kept = tokens[layer, head]
            assert kept.unique_consecutive().div(BLOCK, rounding_mode="floor").unique().tolist() == expected(
                choices, 421, 192 // BLOCK
            )
            assert (kept.diff() > 0).all()
    assert tokens[..., -1].unique().tolist() == [420]


@pytest.mark.parametrize("how", [HOW, END], ids=["pieces", "end"])
def test_what_is_kept_does_not_hang_on_pieces(how, model):
    """Rows go at places of the text, so that pieces of any size make no difference."""
    kept = []
    for piece in (64, 37, 700):
        chain = make(model, how)
        read(chain, ids(model, 700), piece)
        kept.append(chain.caches.places().tokens)
    assert all(torch.equal(kept[0], other) for other in kept[1:])


def test_the_same_wherever_the_text_stands(model):
    """A constant added to all positions changes nothing: neither what is kept nor what is said."""
    near, far = make(model), make(model)
    far.caches.next_pos = 600
    text = ids(model, 450)
    assert torch.allclose(read(far, text), read(near, text), atol=2e-3)
    assert torch.equal(far.caches.places().tokens, near.caches.places().tokens)
    for token in (5, 6, 7):
        assert torch.allclose(far.write(token), near.write(token), atol=2e-3)
    assert far.caches.next_pos == near.caches.next_pos + 600 == 450 + 3 + 600


def test_a_mean_goes_when_all_of_its_rows_have(model):
    chain = make(model, END)
    read(chain, ids(model, 421))
    cache = chain.caches.rows[1]
    for head, tokens in enumerate(chain.caches.places().tokens[1]):
        there = set(tokens.tolist())
        for kernel, numbers in ((8, cache._left(len(tokens)).fine[head]), (32, cache._left(len(tokens)).coarse[head])):
            left = [number for number in numbers.tolist() if number < 421]
            stride = kernel // 2
            windows = range((421 - kernel) // stride + 1)
            assert left == [j for j in windows if not there.isdisjoint(range(j * stride, j * stride + kernel))]
    # What they stand for is the mean of all their keys, of which some are gone
    plain = make(model, None)
    read(plain, ids(model, 421))
    whole, own = plain.caches.rows[1].means(421)[0][0], cache.means(len(tokens))[0][0]
    for head, numbers in enumerate(cache._left(len(tokens)).fine):
        known = numbers < 421
        torch.testing.assert_close(own[head, known], whole[head, numbers[known]], rtol=0, atol=1e-6)


def test_memory_is_given_back(model, monkeypatch):
    monkeypatch.setattr(caches_module, "STEP", 16)
    monkeypatch.setattr("engine.memory.windows.STEP", 16)
    monkeypatch.setattr(guard, "BLOCKS", 4)
    chain, plain = make(model, END), make(model, None)
    monkeypatch.setattr(guard, "STEP", 16)
    read(plain, ids(model, 900))
    read(chain, ids(model, 900))
    assert chain.caches.allocated == 256  # the budget and what may come before rows go again
    config = chain._decoder.config
    assert guard.needed(END, config, 900, WINDOW, 64) == (900, 256)
    assert guard.needed(HOW, config, 900, WINDOW, 64) == (256, 256)
    counted = planner.with_policy(HOW, config, 900, 64, 4)
    assert (counted.rows, counted.reading, counted.after) == (192, *[256 * planner.kv_token(config, 4)] * 2)
    rows = sum(layer.bytes() for layer in chain.caches.rows)
    assert rows < 0.4 * sum(layer.bytes() for layer in plain.caches.rows)
    for piece in (16, 64):
        chain, most = make(model), 0
        for _ in chain.read(ids(model, 900), piece, answer=True):
            most = max(most, chain.caches.allocated)
        assert most <= 256


def test_a_chat_goes_on_from_its_end_and_from_marks(model, distance):
    """An edit of the last answer goes back to the end of its prompt; one before the cut reads again."""
    chain, text = make(model), ids(model, 421)
    read(chain, text)
    answer = model.ids(9, seed=3)
    for token in answer:
        chain.write(token)
    longer = np.concatenate((text, answer, ids(model, 40, 6)))
    assert chain.usable(longer) == 430
    other = np.concatenate((text, answer[:4], ids(model, 40, 7)))
    kept, logits = asked(chain, other)
    assert kept == 421
    fresh = make(model)
    read(fresh, text)
    assert distance(logits, read(fresh, other[421:])) < 1e-5
    assert torch.equal(chain.caches.places().tokens, fresh.caches.places().tokens)
    edited = other.copy()
    edited[300] = (edited[300] + 1) % 160
    kept, logits = asked(chain, edited)
    assert kept == 0
    assert distance(logits, read(make(model), edited)) < 1e-5


def test_before_any_cut_texts_are_taken_back_to_marks(model, distance):
    chain = make(model, replace(HOW, rows=448))
    document, one, other = ids(model, 300), ids(model, 20, 8), ids(model, 300, 9)
    asked(chain, np.concatenate((document, one)), borders=[300])
    chain.write(5)
    prompt = np.concatenate((document, other))
    kept, logits = asked(chain, prompt, borders=[300])
    assert kept == 300
    fresh = make(model, replace(HOW, rows=448))
    assert distance(logits, read(fresh, prompt)) < 1e-5
    assert torch.equal(chain.caches.places().tokens, fresh.caches.places().tokens)
    assert chain.caches.dropped > 0


def test_writing_for_long_leaves_a_place_to_go_back_to(model):
    chain, text = make(model), ids(model, 421)
    read(chain, text)
    answer = model.ids(300, seed=3)
    for token in answer:
        chain.write(token)
    assert chain.pruning.cut > 421
    cut = chain.pruning.cut
    other = np.concatenate((text, answer[:-1], ids(model, 40, 7)))
    assert chain.usable(other) == cut
    assert asked(chain, other)[0] == cut
    assert chain.usable(text) == 0


def test_crossing_to_sparse_reading_goes_back_or_reads_again(checkpoint, distance):
    model = checkpoint(sparse_config={"dense_len": 256})
    long = ids(model, 300)
    for how in HOW, replace(HOW, rows=320):
        chain = make(model, how)
        asked(chain, long[:250])
        kept, logits = asked(chain, long)
        assert kept == (0 if how is HOW else 128)
        assert distance(logits, read(make(model, how), long)) < 1e-5


def test_bytes_forget_as_numbers_do(model, distance):
    ours, plain = make(model, END, "int8"), make(model, END)
    assert distance(read(ours, ids(model, 400)), read(plain, ids(model, 400))) < 0.1
    assert ours.caches.length() == plain.caches.length()


def test_rows_of_no_whole_blocks_are_not_given_up(model):
    chain = make(model, None)
    read(chain, ids(model, 200))
    for rows in (torch.arange(1, 200), torch.cat((torch.arange(16), torch.arange(176, 200)))):
        with pytest.raises(ValueError, match="whole blocks"):
            chain.caches.prune(rows.expand(3, 2, -1))


def test_what_never_forgets_is_noticed(model, monkeypatch):
    chain = make(model)
    monkeypatch.setattr(chain.pruning, "prune", lambda: None)
    read(chain, ids(model, 600))
    assert chain.pruning.inactive


def test_evidence_is_of_the_text_though_blocks_are_gone(model):
    """As the twin's choices and scores say, block by block of the whole text."""
    chain, text, written = make(model), ids(model, 430), model.ids(5, seed=9)
    there = There(chain, 435)
    there.before()
    for _ in chain.read(text, 64, answer=True):
        there.after()
        there.before()
    scores, taken = BlockScores(chain._decoder, chain.caches), []
    for number, token in enumerate(written):
        if number:  # the prompt's last token chose among more than is left
            scores.take()
            taken.append(chain.caches.tokens - 1)
        there.before()
        chain.write(token)
        there.after()
    ours = scores.gather(4)
    assert len(ours) == 434
    twin = model.twin()
    twin.read([*text.tolist(), *written], there.layers)
    found = torch.zeros(28, dtype=torch.float64)
    for heads in twin.choices:
        for chosen, values in heads:
            for token in taken:
                found += torch.where(chosen[token], values[token], 0)
    found[0] = 0
    own = 429 // BLOCK
    torch.testing.assert_close(ours[: own * BLOCK : BLOCK].double() * BLOCK, found[:own], rtol=1e-3, atol=1e-5)
