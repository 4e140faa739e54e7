"""Heads that look at what is written about: found against transformers' own attention, once for a model, and kept."""

import msgspec
import numpy as np
import pytest
import torch
import transformers

from engine.evidence import heads as module
from engine.evidence import watches
from engine.evidence.mass import Head
from engine.evidence.probes import Probe, probes
from engine.model.decoder import Stopped
from engine.prompt import build
from engine.protocol import Generate, Read, ReadingSettings, Sampling

TEXT = "bal bem din. The fol gar is called lam. Nor pes ran. The sil tom is called bul. Dar."
PROBES = (
    Probe(13, 39, "What is the fol gar called?", "The fol gar is called lam."),
    Probe(53, 79, "What is the sil tom called?", "The sil tom is called bul."),
)


@pytest.fixture
def short(monkeypatch):
    """A text that the tiny model's window has room for."""
    assert [TEXT[probe.start : probe.end] for probe in PROBES] == [probe.answer for probe in PROBES]
    monkeypatch.setattr(module, "probes", lambda: (TEXT, PROBES))


def parts(desk):
    model = desk.worker._model
    return model.model.decoder, model.tokenizer, model.template, 16


def test_the_probes_are_their_facts():
    text, asked = probes()
    assert len(asked) >= 8
    assert len({probe.question for probe in asked}) == len(asked)
    for probe in asked:
        assert text[probe.start : probe.end] == probe.answer
        assert text.count(probe.answer) == 1
    assert probes() == (text, asked)


def test_shares_are_those_of_transformers_attention(desk, short, tiny_model):
    decoder, tokenizer, template, piece = parts(desk)
    ours = module.shares(decoder, tokenizer, template, piece)
    assert ours.shape == (2, 2, 4)
    theirs = transformers.AutoModelForCausalLM.from_pretrained(
        tiny_model, attn_implementation="eager", dtype=torch.float32
    )
    document = desk.document(TEXT, "notes")
    placed = desk.worker._model.texts.placed(document, lambda done, total: None)
    for number, probe in enumerate(PROBES):
        talk = desk.talk([document, probe.question])
        prompt = build(talk, tokenizer, template, desk.worker._model.texts, answer=True)
        (span,) = prompt.documents
        answer = tokenizer.encode(probe.answer)
        whole = np.concatenate((prompt.ids, answer)).astype(np.int64)
        attentions = theirs(torch.from_numpy(whole)[None], output_attentions=True).attentions
        first = np.searchsorted(placed.starts, probe.start, side="right") - 1
        last = np.searchsorted(placed.starts, probe.end)
        for layer, attention in enumerate(attentions):
            mass = attention[0, :, len(prompt.ids) - 1 : -1, span.body : span.close].sum(1)  # [heads, tokens]
            expected = mass[:, first:last].sum(-1) / mass.sum(-1)
            torch.testing.assert_close(ours[number, layer], expected, rtol=0, atol=1e-4)


def test_the_best_in_the_worst_case_are_found(desk, short, monkeypatch):
    shares = torch.tensor([[[0.9, 0.4, 0.1, 0.5], [0.8, 0.3, 0.6, 0.2]], [[0.1, 0.5, 0.1, 0.6], [0.7, 0.3, 0.5, 0.9]]])
    monkeypatch.setattr(module, "shares", lambda *arguments: shares)
    monkeypatch.setattr(module, "COUNT", 3)
    assert module.find(*parts(desk)) == (Head(0, 3), Head(1, 0), Head(1, 2))


@pytest.fixture
def looked(new_desk, short, monkeypatch):
    """new_desk with how often heads were looked for."""
    counted = []
    find = module.find
    monkeypatch.setattr(module, "find", lambda *arguments: counted.append(1) or find(*arguments))
    return new_desk, counted


def ask(desk, **reading):
    talk = desk.talk([desk.document(desk.made_up_text(60)), "What is it about?"])
    return desk.run(Generate(desk.id(), talk, Sampling(max_tokens=3), reading=ReadingSettings(**reading)))


def test_they_are_found_once_and_kept(looked, tmp_path):
    desk, counted = looked
    ask(desk, evidence=0)
    desk.run(Generate(desk.id(), desk.talk("Without a text"), Sampling(max_tokens=3)))
    assert counted == []
    desk.run(Read(desk.id(), desk.talk([desk.document(desk.made_up_text(60))])))
    ask(desk)
    assert counted == [1]
    kept = module.load(tmp_path, desk.loaded.fingerprint)
    assert len(kept) == 6
    assert all(0 <= one.layer < 2 and 0 <= one.head < 4 for one in kept)
    watch = desk.worker._model.reader.watches
    again = watches.Watches(tmp_path, watch._model, watch._tokenizer, watch._template, 16)
    again.prepare()
    assert again._found == kept
    assert counted == [1]
    # What cannot be read is found anew
    (file,) = (tmp_path / "calibrations").glob("*.heads.json")
    file.write_text("{")
    watches.Watches(tmp_path, watch._model, watch._tokenizer, watch._template, 16).prepare()
    assert counted == [1, 1]
    assert msgspec.json.decode(file.read_bytes(), type=tuple[Head, ...]) == kept


def test_looking_for_them_can_be_stopped(looked, tmp_path):
    desk, counted = looked
    desk.stopped = lambda: bool(counted)
    assert ask(desk).finish == "cancelled"
    assert module.load(tmp_path, desk.loaded.fingerprint) is None
    desk.stopped = lambda: False
    assert ask(desk).finish == "length"
    assert counted == [1, 1]


def test_a_window_that_is_too_short_for_finding_any_has_all_heads_looked_at(new_desk, tmp_path):
    with pytest.raises(module.Unfit):
        module.find(*parts(new_desk))
    assert ask(new_desk).finish == "length"
    assert new_desk.worker._model.reader.watches._found == ()
    assert not (tmp_path / "calibrations").exists()


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(looked, tmp_path):
    desk, counted = looked
    (tmp_path / "calibrations").write_text("a file in the folder's place")
    assert ask(desk).finish == "length"
    assert ask(desk).finish == "length"
    assert counted == [1]
    assert len(desk.worker._model.reader.watches._found) == 6


def test_stopping_is_heard_between_layers(desk, short):
    with pytest.raises(Stopped):
        module.find(*parts(desk), stopped=lambda: True)
