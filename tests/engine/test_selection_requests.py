"""A request that looks at a selection of rows: what it is told, what is used again, and what is kept."""

import pytest

from engine.memory import selected_rows
from engine.protocol import Done, Eviction, Failed, Generate, Read, ReadingSettings, Sampling, Selection

QUEST = Selection("quest", budget=160, least=0)
BLOCKS = Selection("blocks", threshold=0.5, least=0)
FEW = Sampling(max_tokens=6)


@pytest.fixture(autouse=True)
def every_layer(monkeypatch):
    """Of the model's two layers none would write over pages."""
    monkeypatch.setattr(selected_rows, "DENSE_LAYERS", 0)


@pytest.fixture
def talk(desk):
    book = desk.document(desk.made_up_text(220))
    return desk.talk([book, "Which word comes first?"])


def ask(desk, talk, selection=None, **reading):
    settings = ReadingSettings(evidence=0, **reading, **({} if selection is None else {"selection": selection}))
    done = desk.run(Generate(desk.id(), talk, FEW, reading=settings))
    assert isinstance(done, Done), done
    return done


def test_calls_tell_how_layers_ran(desk, talk):
    done = ask(desk, talk, QUEST, save=False)
    pieces = -(-done.usage.read // 64)
    assert done.usage.calls["quest"] == 2 * (done.usage.written - 1)
    assert done.usage.calls["full"] == pieces + 1  # the last layer's attention is wanted of the last piece alone
    assert done.usage.layers == {"quest": 2, "full": 2}
    desk.forget()
    assert ask(desk, talk, save=False).usage.calls == {}


def test_with_everything_selected_the_answer_is_the_dense_one(desk, talk):
    dense = ask(desk, talk, save=False).result.tokens
    for selection in (Selection("quest", least=0), Selection("blocks", threshold=1.0, least=0)):
        desk.forget()
        assert ask(desk, talk, selection, save=False).result.tokens == dense


def test_what_quest_read_is_kept_and_what_it_wrote_is_read_again_by_others(desk, talk):
    first = ask(desk, talk, QUEST)
    assert first.notes == ()
    more = desk.talk(*(list(turn.parts) for turn in talk.turns), first.result.text, "And then?")
    prompt = first.usage.prompt
    expected = ask(desk, more, save=False)
    assert expected.usage.reused <= prompt
    again = ask(desk, more, save=False)  # by now all is dense
    assert again.usage.reused == again.usage.prompt - 1


def test_a_second_question_with_the_same_selection_reads_what_is_new(desk, talk):
    first = ask(desk, talk, BLOCKS, save=False)
    assert first.usage.calls["blocks"]
    more = desk.talk(*(list(turn.parts) for turn in talk.turns), first.result.text, "And then?")
    assert ask(desk, more, BLOCKS, save=False).usage.reused >= first.usage.prompt
    assert ask(desk, more, save=False).usage.reused == 0


def test_what_was_read_by_blocks_is_not_kept_and_it_says_so(desk, talk, tmp_path):
    folder = str(tmp_path)
    done = ask(desk, talk, BLOCKS, folder=folder)
    assert [note.code for note in done.notes] == ["selection_not_saved"]
    assert not list(tmp_path.rglob("*.safetensors"))
    desk.forget()
    assert ask(desk, talk, folder=folder).usage.reopened == 0
    desk.worker._model.forget(None)
    opened = ask(desk, talk, BLOCKS, folder=folder)  # what is exact may be used by all
    assert opened.usage.reopened > 0
    assert opened.notes == ()


def test_reading_alone_selects_too(desk, talk):
    done = desk.run(Read(desk.id(), talk, ReadingSettings(selection=BLOCKS, save=False, evidence=0)))
    assert done.usage.calls["blocks"] > 0


@pytest.mark.parametrize("reading", [{"mode": "parallel"}, {"coverage": True}])
def test_a_text_in_segments_is_refused(desk, talk, reading):
    for request in (Generate, Read):
        failed = desk.run(request(desk.id(), talk, reading=ReadingSettings(selection=QUEST, **reading)))
        assert isinstance(failed, Failed)
        assert failed.code == "selection_whole"


def test_a_model_of_other_layers_is_refused(desk, talk, monkeypatch):
    monkeypatch.setattr(desk.worker._model, "selectable", False)
    failed = desk.run(Generate(desk.id(), talk, reading=ReadingSettings(selection=QUEST)))
    assert failed.code == "no_selection"
    assert ask(desk, talk, save=False).finish != "failed"


def test_beside_a_policy_it_is_refused_and_what_it_made_is_not_taken_by_one(desk, talk):
    policy = Eviction("streaming", rows=200, prompt="end")
    for request in (Generate, Read):
        failed = desk.run(request(desk.id(), talk, reading=ReadingSettings(selection=QUEST, eviction=policy)))
        assert isinstance(failed, Failed)
        assert failed.code == "evict_selection"
    exact = ask(desk, talk, eviction=policy, save=False)
    desk.forget()
    ask(desk, talk, BLOCKS, save=False)
    after = ask(desk, talk, eviction=policy, save=False)
    assert after.usage.reused == 0
    assert after.result.tokens == exact.result.tokens
