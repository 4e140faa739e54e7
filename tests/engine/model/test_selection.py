"""A dense model's tokens that look at a selection of rows: written ones at pages, read ones at blocks."""

import pytest
import torch
import transformers

from engine.memory.selected_rows import DENSE_LAYERS
from engine.model.graph import Graph
from engine.protocol import Selection
from engine.weights import load
from kernels import dispatch
from kernels.block_choice import reference as choice_reference
from kernels.block_choice.cpu import masses as cpu_masses
from kernels.block_sparse_attention import reference as sparse_reference
from kernels.native.program import interrupted
from kernels.page_scores import PAGE, Pages, reference
from tests.engine.model.conftest import SIZES

SAME = 1e-5
FEW = Selection("quest", budget=192, least=0)
"""12 of 19 pages and more."""
ALL = Selection("quest", budget=10**6, least=0)
LONG = {"num_hidden_layers": DENSE_LAYERS + 2, "max_position_embeddings": 2048}


@pytest.fixture(scope="module")
def decoder(tmp_path_factory):
    """Made once: no test changes it."""
    torch.manual_seed(7)
    folder = tmp_path_factory.mktemp("dense")
    transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**SIZES | LONG)).save_pretrained(folder)
    return load(folder, "fp32", "cpu").decoder


@pytest.fixture
def ids():
    return torch.randint(0, 100, (1, 340), generator=torch.Generator().manual_seed(5))


def written(decoder, ids, selection, read=300, form="model", caches=None):
    """Logits of the tokens behind the first `read`, written one by one [1, T, vocab]."""
    if caches is None:
        caches = decoder.make_caches(2000, form=form)
        decoder.read(ids[:, :read], caches, logits="none")
    caches.select(selection)
    return torch.stack([decoder.write(id, caches) for id in ids[:, caches.length() :].unbind(1)], 1)


@pytest.fixture
def by_definition(monkeypatch):
    """Pages are chosen and looked at by the kernels' definition, never recorded."""

    class Form:
        bounds = staticmethod(reference.bounds)

        @staticmethod
        def step(*args):
            interrupted()
            return reference.step(*args)

        @staticmethod
        def step_bytes(*args):
            interrupted()
            return reference.step_bytes(*args)

    return lambda: monkeypatch.setitem(dispatch._chosen, ("page_scores", "cpu"), Form)


@pytest.mark.parametrize("form", ["model", "int8"])
def test_with_all_pages_it_writes_densely(decoder, ids, distance, form):
    dense = written(decoder, ids, Selection(), form=form)
    assert distance(written(decoder, ids, ALL, form=form), dense) < SAME
    assert distance(written(decoder, ids, FEW, form=form), dense) > 100 * SAME, "nothing was left out"


@pytest.mark.parametrize("form", ["model", "int8"])
def test_the_pages_are_those_of_the_definition(decoder, ids, distance, by_definition, form):
    ours = written(decoder, ids, FEW, form=form)
    by_definition()
    assert distance(ours, written(decoder, ids, FEW, form=form)) < SAME


@pytest.mark.parametrize("back", [299, 288, 287, 17, 0])
def test_going_back_leaves_nothing_of_what_was_there(decoder, ids, distance, back):
    other = ids.flip(1)
    caches = decoder.make_caches(2000)
    decoder.read(other[:, :300], caches, logits="none")
    written(decoder, other, FEW, caches=caches)
    caches.trim(0)
    decoder.read(ids[:, :back], caches, logits="none") if back else None
    written(decoder, torch.cat((ids[:, :back], other[:, back:]), 1), FEW, caches=caches)
    caches.trim(back)
    if back < 300:
        decoder.read(ids[:, back:300], caches, logits="none")
    assert distance(written(decoder, ids, FEW, caches=caches), written(decoder, ids, FEW)) < SAME


def test_bounds_hold_the_rows_of_their_pages_and_no_others(decoder, ids):
    caches = decoder.make_caches(2000)
    decoder.read(ids[:, :200], caches, logits="none")
    written(decoder, ids[:, :290], FEW, caches=caches)
    caches.trim(245)
    written(decoder, ids.flip(1)[:, :280], FEW, caches=caches)
    for layer in list(caches)[DENSE_LAYERS:]:
        bounds, _ = layer.bounds(280)
        keys = layer.held.part(0, 280)[0]
        assert torch.equal(bounds[:, :, : -(-280 // PAGE)], reference.bounds(keys, torch.float32))


def test_a_token_that_failed_leaves_nothing_in_the_bounds(decoder, ids, monkeypatch):
    caches = decoder.make_caches(2000)
    decoder.read(ids[:, :300], caches, logits="none")
    written(decoder, ids[:, :302], FEW, caches=caches)
    caches.repeats.clear()
    monkeypatch.setattr(decoder.head, "write", None)
    with pytest.raises(TypeError):
        decoder.write(ids[:, 5], caches)
    monkeypatch.undo()
    written(decoder, ids[:, :310], FEW, caches=caches)
    layer = list(caches)[-1]
    bounds, _ = layer.bounds(310)
    assert torch.equal(bounds[:, :, : -(-310 // PAGE)], reference.bounds(layer.held.part(0, 310)[0], torch.float32))


def test_rows_that_grow_while_pages_are_chosen(decoder, distance):
    ids = torch.randint(0, 100, (1, 1040), generator=torch.Generator().manual_seed(6))
    caches = decoder.make_caches(2000)
    decoder.read(ids[:, :1015], caches, logits="none")
    assert caches.allocated == 1024
    ours = written(decoder, ids, FEW, caches=caches)
    assert caches.allocated > 1024
    roomy = decoder.make_caches(2000)
    roomy.reserve(2000)
    decoder.read(ids[:, :1015], roomy, logits="none")
    assert distance(ours, written(decoder, ids, FEW, caches=roomy)) < SAME


def test_saved_rows_are_chosen_from_as_well(decoder, ids, distance):
    caches = decoder.make_caches(2000)
    decoder.read(ids[:, :300], caches, logits="none")
    expected = written(decoder, ids, FEW, caches=caches)
    other = decoder.make_caches(2000)
    decoder.read(ids.flip(1)[:, :320], other, logits="none")
    written(decoder, ids, FEW, caches=other)
    other.trim(0)
    with torch.inference_mode():
        for layer, saved in zip(other, caches, strict=True):
            layer.take({name: tensor.clone() for name, tensor in saved.held.tensors(0, 300).items()})
    other.advance(300)
    assert distance(written(decoder, ids, FEW, caches=other), expected) < SAME


def test_short_texts_and_the_first_layers_are_dense(decoder, ids, distance):
    caches = decoder.make_caches(2000)
    decoder.read(ids[:, :300], caches, logits="none")
    late = written(decoder, ids, Selection("quest", budget=192, least=321), caches=caches)
    assert distance(late[:, :20], written(decoder, ids, Selection())[:, :20]) < SAME
    assert caches.ran() == {"quest": 2 * 20, "full": 4 * 20 + 2 * 20}
    assert [layer.density for layer in caches][:DENSE_LAYERS] == [None, None]
    assert list(caches)[-1].density == pytest.approx(192 / 330, abs=0.01)
    caches.select(Selection())
    caches.trim(300)
    assert distance(written(decoder, ids, Selection(), caches=caches), written(decoder, ids, Selection())) < SAME
    caches.trim(320)
    assert distance(written(decoder, ids, FEW, caches=caches), late[:, 20:]) < 1, "it runs"


def test_another_budget_is_not_the_one_that_was_recorded(decoder, ids, distance):
    caches = decoder.make_caches(2000)
    decoder.read(ids[:, :300], caches, logits="none")
    written(decoder, ids, FEW, caches=caches)
    caches.trim(300)
    assert distance(written(decoder, ids, ALL, caches=caches), written(decoder, ids, Selection())) < SAME


class Never:
    """Nothing is captured."""

    def __init__(self):
        self.warmed = 0

    def warm(self, run):
        self.warmed += 1
        return run()

    def capture(self, run):
        raise AssertionError("captured")


def test_a_graph_leaves_tokens_that_choose_pages_to_be_computed(decoder, ids, distance):
    """Up to the 310th all rows are looked at: by a tensor, as a graph is told; then again when rows are given up."""
    some, found = Selection("quest", budget=192, least=311), []
    for repeats in (Graph(Never(), torch.device("cpu")), None):
        caches = decoder.make_caches(2000)
        caches.repeats = caches.repeats if repeats is None else repeats
        decoder.read(ids[:, :309], caches, logits="none")
        logits = [written(decoder, ids, some, caches=caches)]
        assert caches.selecting
        caches.trim(309)
        logits.append(written(decoder, ids[:, :310], some, caches=caches))
        assert not caches.selecting
        found.append((torch.cat(logits, 1), caches))
    (ours, caches), (theirs, _) = found
    assert distance(ours, theirs) < SAME
    assert caches.repeats.refused == ""
    assert caches.repeats._recorder.warmed == 2  # for the one graph


def test_rows_are_not_dropped_beside_a_selection(decoder, ids):
    caches = decoder.make_caches(2000)
    decoder.read(ids, caches, logits="none")
    rows = torch.arange(100).expand(len(caches), decoder.config.kv_heads, -1)
    caches.select(FEW)
    with pytest.raises(ValueError, match="no selection"):
        caches.prune(rows)
    assert caches.length() == 340
    caches.select(Selection())
    caches.prune(rows)
    with pytest.raises(ValueError, match="were dropped"):
        caches.select(FEW)
    caches.trim(0)
    caches.select(FEW)


def test_by_default_an_eighth_and_no_less_than_128_pages():
    assert [Pages().among(pages) for pages in (1, 100, 128, 1024, 1025, 4096)] == [1, 100, 128, 128, 129, 512]


@pytest.mark.parametrize(("family", "options"), [("mistral", {"sliding_window": 24})])
def test_layers_that_are_not_dense_take_none(make, family, options):
    caches = load(make(family, **options)[0], "fp32", "cpu").decoder.make_caches(100)
    caches.select(Selection())
    with pytest.raises(ValueError, match="not every layer is dense"):
        caches.select(FEW)


EVERY = Selection("blocks", threshold=1.0, least=0)
HALF = Selection("blocks", threshold=0.5, least=0)


@pytest.fixture
def text():
    return torch.randint(0, 100, (1, 700), generator=torch.Generator().manual_seed(8))


def read(decoder, ids, selection, pieces=(700,), form="model"):
    """Logits of all tokens, read in these pieces [1, T, vocab], and the caches."""
    caches = decoder.make_caches(2000, form=form)
    caches.select(selection)
    parts = [decoder.read(part, caches, logits="all", prompt=ids.shape[1]) for part in ids.split(list(pieces), 1)]
    return torch.cat(parts, 1), caches


def test_with_all_blocks_it_reads_densely(decoder, text, distance):
    dense, _ = read(decoder, text, Selection())
    for pieces in ((700,), (100, 29, 300, 1, 270)):
        assert distance(read(decoder, text, EVERY, pieces)[0], dense) < SAME
    assert distance(read(decoder, text, HALF)[0], dense) > 100 * SAME, "nothing was left out"


@pytest.mark.parametrize("form", ["model", "int8"])
def test_a_layer_over_all_blocks_is_dense(decoder, text, distance, form):
    """Of the same rows: through layers, what is rounded to bytes can fall to either side."""
    _, caches = read(decoder, text, EVERY, form=form)
    q = torch.randn(1, SIZES["num_attention_heads"], 333, SIZES["head_dim"])
    for layer in caches:
        dense = layer.held.attend(q, 650, 0.25)
        assert distance(layer.attend(q, 650, 0.25), dense) < SAME
        layer.select(HALF)
        assert distance(layer.attend(q, 650, 0.25), dense) > 100 * SAME


def test_pieces_of_whole_tiles_read_as_one_text(decoder, text, distance):
    whole, caches = read(decoder, text, HALF)
    assert distance(read(decoder, text, HALF, (128, 384, 188))[0], whole) < SAME
    assert caches.ran() == {"blocks": 4}
    assert all(0.2 < layer.density < 1 for layer in caches)


@pytest.mark.parametrize("pieces", [(700,), (100, 29, 300, 1, 270), (690, 10)])
def test_the_blocks_are_those_of_the_definition(decoder, text, distance, monkeypatch, pieces):
    """Pieces begin and end anywhere, and what is behind the last is of no account."""
    ours, _ = read(decoder, text, HALF, pieces)
    monkeypatch.setitem(dispatch._chosen, ("block_choice", "cpu"), choice_reference)
    monkeypatch.setattr(choice_reference, "masses", cpu_masses)  # which is compared with it elsewhere, and slow here
    monkeypatch.setitem(dispatch._chosen, ("block_sparse_attention", "cpu"), sparse_reference)
    assert distance(read(decoder, text, HALF, pieces)[0], ours) < SAME


def test_the_last_tokens_of_a_prompt_look_at_everything(decoder, text, monkeypatch):
    """Of a piece that ends where the prompt does, and of one before it; the others look at blocks."""
    looked = []
    caches = decoder.make_caches(2000)
    caches.select(HALF)
    for layer in caches:
        held = layer.held
        dense, tiles = held.attend, held.attend_tiles
        monkeypatch.setattr(held, "attend", lambda q, *a, f=dense: (looked.append(("all", q.shape[2])), f(q, *a))[1])
        monkeypatch.setattr(
            held, "attend_tiles", lambda q, *a, f=tiles: (looked.append(("blocks", q.shape[2])), f(q, *a))[1]
        )
    decoder.read(text[:, :600], caches, logits="none", prompt=700)
    assert looked == [("blocks", 572), ("all", 28)] * 3  # the last layer's attention is wanted by nobody
    looked.clear()
    decoder.read(text[:, 600:], caches, logits="last", prompt=700)
    assert looked == [*[("all", 100)] * 3, ("all", 1)]


def test_short_prompts_are_read_densely(decoder, text, distance):
    some = Selection("blocks", threshold=0.5, least=701)
    short, caches = read(decoder, text, some)
    assert caches.ran() == {"full": 4}
    assert not caches.selecting
    assert distance(short, read(decoder, text, Selection())[0]) < SAME
    longer = decoder.make_caches(2000)
    longer.select(some)
    decoder.read(text, longer, logits="none", prompt=701)
    assert longer.selecting
    assert longer.ran() == {"blocks": 3}
