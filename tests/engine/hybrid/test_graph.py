"""Written tokens that are repeated as a CUDA graph repeats them are those that are computed one by one."""

import importlib
import json
import logging

import pytest
import torch

from engine.memory import caches as caches_module
from engine.model.graph import WARM, Graph
from engine.model.replay import Replay
from kernels import dispatch
from tests.engine.hybrid.conftest import LIGHTNING, SPARSE, Checkpoint
from tests.engine.hybrid.recorded import Computer, Looked, Recorder, Recording

CPU = torch.device("cpu")
MINICPM4 = {
    "architectures": ["MiniCPMForCausalLM"],
    "model_type": "minicpm",
    "num_hidden_layers": 3,
    "mixer_types": [SPARSE] * 3,
}
HYBRID = {"num_hidden_layers": 3, "mixer_types": [SPARSE, LIGHTNING, SPARSE]}
TOKENS = 40
WITHIN = {"model": 1e-5, "int8": 1e-2}
"""Of tokens whose row is a number, other operations: as near as two forms of a kernel in fp32. A value that lies
between two bytes may become the one or the other."""
BATCH = 2
"""A lone row's norm is left to its product on CPUs alone."""


@pytest.fixture(autouse=True)
def as_on_a_card(monkeypatch):
    """Forms whose operations are torch's own, over rows as a card has them; caches that grow often."""
    forms = {"full_attention": "sdpa"}
    monkeypatch.setattr(
        dispatch,
        "implementation",
        lambda name, device: importlib.import_module(f"kernels.{name}.{forms.get(name, dispatch.PLAIN)}"),
    )
    monkeypatch.setattr(caches_module, "STEP", 32)


def by_torch(decoder):
    for linear in (decoder.head, *(part for layer in decoder.layers for part in layer.linears())):
        linear.use("matrix")
    return decoder


@pytest.fixture
def hybrid(checkpoint):
    return by_torch(checkpoint(sparse_config={"dense_len": 256}, **HYBRID).load())


@pytest.fixture
def decoder(request, checkpoint):
    if request.param == "dense":
        model = Checkpoint(request.getfixturevalue("tmp_path") / "model", 0, **MINICPM4)
        config = json.loads((model.path / "config.json").read_text())
        del config["sparse_config"]
        (model.path / "config.json").write_text(json.dumps(config))
        decoder = by_torch(model.load())
        assert set(decoder.config.mixers) == {"full"}
        return decoder
    return by_torch(checkpoint(sparse_config={"dense_len": 256}, **request.param).load())


def tokens(decoder, count):
    return torch.randint(0, decoder.config.vocab, (BATCH, count), generator=torch.Generator().manual_seed(7))


def made(decoder, capacity, form="model", recorder=None):
    """Caches whose tokens are repeated, or without a recorder none."""
    caches = decoder.make_caches(capacity, BATCH, form)
    caches.repeats = Replay(-1) if recorder is None else Graph(recorder, CPU)
    return caches


def both(decoder, ids, prompt, capacity, form="model", *, of=0):
    """Caches and the logits of all tokens behind the prompt: repeated, and with rows that are numbers; the recorder.
    What is repeated is to the bit what is computed by the same operations."""
    recorder = Recorder()
    found = []
    for one in (recorder, Computer(), None):
        caches = made(decoder, capacity, form, one)
        if prompt:
            decoder.read(ids[:, :prompt], caches, logits="none", prompt=of)
        logits = [decoder.write(ids[:, at], caches, prompt=of) for at in range(prompt, ids.shape[1])]
        found.append((caches, torch.stack(logits)))
    ours, computed, theirs = found
    assert torch.equal(ours[1], computed[1])
    return ours, theirs, recorder


def assert_same(ours, theirs, distance, within=WITHIN["model"]):
    """Logits, and all that the caches hold of the newest token."""
    caches, logits = ours
    others, expected = theirs
    length = caches.length()
    assert max(distance(one, other) for one, other in zip(logits, expected, strict=True)) < within
    assert caches.ran() == others.ran()
    for layer, other in zip(caches, others, strict=True):
        assert distance(layer.queries, other.queries) < within
        chosen, right = (getattr(one, "chosen", None) for one in (layer, other))
        if right is not None:
            assert torch.equal(chosen[..., : right.shape[-1]], right)
            assert (chosen[..., right.shape[-1] :] == -1).all()
            for means, expected in zip(layer.means(length), other.means(length), strict=True):
                torch.testing.assert_close(means, expected, rtol=within, atol=10 * within)
        for one, right in zip(
            layer.held.tensors(0, length).values(), other.held.tensors(0, length).values(), strict=True
        ):
            if one.dtype is torch.int8:
                apart = (one.int() - right.int()).abs()
                assert apart.max() <= 1
                assert apart.float().mean() < 0.02
    for state, other in zip(caches.states, others.states, strict=True):
        assert distance(state.now, other.now) < within


def assert_alike(recorder):
    """What is computed for one memory is always the same, to the addresses."""
    for one, *others in recorder.captured:
        assert len(one.lines) > 50
        assert len(others) == WARM
        for other in others:
            assert one.lines == other.lines


CASES = [
    ("dense", 90, "model", 0),
    ("dense", 90, "int8", 0),
    (HYBRID, 244, "model", 0),  # from seeing all to choosing blocks, at 256
    (HYBRID, 244, "int8", 0),
    (HYBRID, 20, "model", 300),  # of a long prompt from its first blocks on
    (MINICPM4, 244, "model", 0),
    (MINICPM4, 290, "int8", 0),
]


@pytest.mark.parametrize(("decoder", "prompt", "form", "of"), CASES, indirect=["decoder"], ids=str)
def test_repeated_tokens_are_those_that_are_computed(decoder, prompt, form, of, distance):
    """Over borders of windows and blocks, up to the last row that there is memory for and beyond."""
    with torch.inference_mode():
        ids = tokens(decoder, prompt + TOKENS)
        ours, theirs, recorder = both(decoder, ids, prompt, prompt + TOKENS, form, of=of)
        assert_same(ours, theirs, distance, WITHIN[form])
    assert_alike(recorder)
    assert len(recorder.captured) >= 2
    assert recorder.repeated > TOKENS // 2
    assert ours[0].repeats.refused == ""


def test_the_first_row_of_all_is_written_too(hybrid, distance):
    with torch.inference_mode():
        ids = tokens(hybrid, 40)
        ours, theirs, recorder = both(hybrid, ids, 0, 64, of=300)
        assert_same(ours, theirs, distance)
    assert_alike(recorder)


def test_it_goes_on_after_reading_and_trimming_without_being_captured_again(hybrid, distance):
    """Reading leaves a state elsewhere, and sees rows that no repeated token has seen."""
    with torch.inference_mode():
        ids = tokens(hybrid, 110)
        recorder, found = Recorder(), []
        for one in (recorder, None):
            caches, logits = made(hybrid, 400, recorder=one), []
            caches.reserve(400)
            for first, read, last in ((0, 50, 56), (56, 75, 80), (80, 82, 84)):
                hybrid.read(ids[:, first:read], caches, logits="none", prompt=300)
                logits += [hybrid.write(ids[:, at], caches, prompt=300) for at in range(read, last)]
            caches.trim(0)
            hybrid.read(ids[:, 40:100], caches, logits="none", prompt=300)
            logits += [hybrid.write(ids[:, at], caches, prompt=300) for at in range(100, 110)]
            found.append((caches, torch.stack(logits)))
        assert_same(*found, distance)
    assert len(recorder.captured) == 1


class Failing(Recorder):
    """`how`: behind the first token, whose state is changed already, or when one is captured."""

    def __init__(self, how):
        super().__init__()
        self.how = how

    def warm(self, run):
        out = super().warm(run)
        if self.how == "warm":
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate")
        return out

    def capture(self, run):
        raise RuntimeError("operation not permitted when stream is capturing\nmore of it")


@pytest.mark.parametrize("how", ["warm", "capture"])
def test_what_cannot_be_captured_is_computed_and_said(how, hybrid, distance, caplog):
    with torch.inference_mode():
        ids, found = tokens(hybrid, 20), []
        for one in (Failing(how), None):
            caches = made(hybrid, 64, recorder=one)
            found.append((caches, torch.stack([hybrid.write(ids[:, at], caches, prompt=300) for at in range(20)])))
        with caplog.at_level(logging.WARNING):
            assert_same(*found, distance)
    said = [record.getMessage() for record in caplog.records if "cannot be captured" in record.getMessage()]
    assert len(said) == 1
    assert said[0].endswith("Tried to allocate" if how == "warm" else "stream is capturing")


def test_a_number_that_python_asks_for_is_found():
    x = torch.arange(4.0)
    for looks in (lambda: int(x.max()), lambda: x[x > 1], lambda: bool(x[0]), lambda: x.nonzero()):
        with pytest.raises(Looked), Recording():
            looks()
