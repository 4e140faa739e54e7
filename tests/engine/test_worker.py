"""Reading once and asking many, with a model of random weights: what is read, reused, refused and counted."""

import json

import pytest
from msgspec.structs import replace

from engine import generate
from engine.protocol import (
    Conversation,
    Count,
    Counted,
    Delta,
    Done,
    Failed,
    Generate,
    Inspect,
    Load,
    Loaded,
    ModelSettings,
    Plan,
    Progress,
    Read,
    ReadingSettings,
    Sampling,
    Text,
    Turn,
)

AUTO, WHOLE = ReadingSettings(), ReadingSettings(mode="whole")
FEW = Sampling(max_tokens=5)


@pytest.fixture
def book(desk):
    return desk.document(desk.made_up_text(150))


def ask(desk, *turns, only_read=False, sampling=FEW, reading=AUTO):
    return desk.run(Generate(desk.id(), desk.talk(*turns), sampling, only_read, reading))


def read(desk, *turns, reading=AUTO):
    return desk.run(Read(desk.id(), desk.talk(*turns), reading))


def stop_after(desk, layers):
    """Say stop at the given question between layers, and not again afterwards."""
    asked = iter(range(layers + 1))
    desk.stopped = lambda: next(asked, None) is None


def test_what_was_loaded(desk):
    assert isinstance(desk.loaded, Loaded)
    assert desk.loaded.layers == {"full": 2}
    assert desk.loaded.window == desk.loaded.native_window == 1024
    assert desk.loaded.precision == "fp32"
    assert desk.loaded.takes_system


def test_an_answer_counts_exactly(desk, book):
    done = ask(desk, [book, "What is it about?"])
    usage = done.usage
    assert usage.prompt == usage.read
    assert (usage.reused, usage.unread, usage.written) == (0, 0, 5)
    assert done.finish == "length"
    assert len(done.result.tokens) == 5
    assert "".join(event.text for event in desk.events if isinstance(event, Delta)) == done.result.text
    assert (usage.window, usage.precision, usage.layers) == (1024, "fp32", {"full": 2})
    progress = [event for event in desk.events if isinstance(event, Progress) and event.stage == "read"]
    assert [event.done for event in progress] == [*range(0, usage.prompt, 64), usage.prompt]
    assert desk.worker.gauges(None).window_used == usage.prompt + 4  # the fifth has not been read


def test_a_second_question_reads_only_the_question(desk, book):
    first = ask(desk, [book, "What is it about?"]).usage
    second = ask(desk, [book, "Who wrote it?"]).usage
    assert second.prompt == second.read + second.reused
    assert second.reused > first.prompt - 40
    assert second.read < 40


def test_the_next_turn_reads_only_what_is_new(desk, book):
    first = ask(desk, [book, "What is it about?"])
    second = ask(desk, [book, "What is it about?"], first.result.text, "And then?").usage
    # All of the first prompt, and of the answer all that was read while writing: the very tokens, not its text's
    assert second.reused == first.usage.prompt + 4


def test_a_system_turn_at_the_head_reads_nothing_anew(desk, book):
    head = Turn("system", (Text("Quote word for word."),))

    def talk(*turns):
        plain = desk.talk(*turns)
        return Conversation((head, *plain.turns), plain.began)

    first = desk.run(Generate(desk.id(), talk([book, "What is it about?"]), FEW, False, AUTO))
    told = ([book, "What is it about?"], first.result.text, "And then?")
    second = desk.run(Generate(desk.id(), talk(*told), FEW, False, AUTO)).usage
    assert second.reused == first.usage.prompt + 4


def test_an_edited_question_reads_from_the_edit_on(desk, book):
    ask(desk, [book, "What is it about?"])
    edited = ask(desk, [book, "What is it all about, then?"]).usage
    assert edited.read < 40
    again = ask(desk, [desk.document("Another. " + desk.made_up_text(150)), "What is it about?"]).usage
    assert again.reused < 40


def test_reading_ahead_warms_the_question(desk, book):
    done = read(desk, [book])
    assert (done.finish, done.usage.read) == ("read", done.usage.prompt)
    answer = ask(desk, [book, "What is it about?"]).usage
    assert answer.reused == done.usage.prompt
    again = read(desk, [book]).usage
    assert (again.read, again.reused) == (0, done.usage.prompt)
    assert desk.worker.gauges(None).window_used > done.usage.prompt  # what came after the book was kept


def test_the_same_question_again_gives_the_same_answer(desk, book):
    first = ask(desk, [book, "What is it about?"])
    second = ask(desk, [book, "What is it about?"])
    assert second.result == first.result
    assert second.usage.read == 1  # the last token, for its logits


def test_a_cancelled_reading_keeps_whole_pieces(desk, book):
    stop_after(desk, 2 * 2 + 2)  # heard before the first layer of the third or fourth piece
    done = read(desk, [book])
    usage = done.usage
    assert done.finish == "cancelled"
    assert usage.read % 64 == 0
    assert 0 < usage.read < usage.prompt
    assert usage.prompt == usage.read + usage.reused + usage.unread
    desk.stopped = lambda: False
    again = ask(desk, [book, "What is it about?"]).usage
    assert again.reused == usage.read


def test_a_cancelled_answer_says_what_it_wrote(desk, book):
    read(desk, [book])
    stop_after(desk, 12)
    done = ask(desk, [book, "What is it about?"], sampling=Sampling(max_tokens=100))
    assert done.finish == "cancelled"
    assert 0 < done.usage.written < 100
    assert len(done.result.tokens) == done.usage.written


def test_an_answer_from_what_was_read(desk, book):
    stop_after(desk, 2 * 3)
    part = read(desk, [book]).usage
    desk.stopped = lambda: False
    full = ask(desk, [book, "What is it about?"], only_read=True).usage
    assert full.reused == part.read
    assert full.read < 40
    assert full.prompt == full.read + full.reused + full.unread
    assert full.unread > 100
    # What it skipped is read as usual afterwards, after what was read before
    assert ask(desk, [book, "What is it about?"]).usage.reused >= part.read


def test_an_answer_without_anything_read(desk, book):
    done = ask(desk, [book, "What is it about?"], only_read=True).usage
    assert done.reused == 0
    assert done.read < 40


def test_too_long_is_refused_before_anything_is_read(desk, book):
    before = ask(desk, [book, "What is it about?"]).usage
    long = desk.document(desk.made_up_text(800))
    failed = read(desk, [long], reading=WHOLE)
    assert isinstance(failed, Failed)
    assert (failed.code, failed.available) == ("too_long", 1024)
    count = desk.run(Count(desk.id(), (long,))).result.tokens[0]
    assert failed.needed >= count + generate.ROOM
    answer = ask(desk, [long, "What is it about?"], reading=WHOLE)
    assert answer.code == "too_long"
    assert answer.needed > count + FEW.max_tokens
    assert ask(desk, [book, "What is it about?"]).usage.reused == before.prompt - 1


def test_the_window_ends_an_answer(desk, book):
    done = ask(desk, [book, "What is it about?"], sampling=Sampling(temperature=1.0, top_k=50, seed=3))
    assert done.finish in ("length", "loop", "complete")
    if done.finish == "length":
        assert done.usage.prompt + done.usage.written == 1024 + 1  # the last is not read


def test_counting_and_a_document_that_has_changed(desk, book):
    done = desk.run(Count(desk.id(), (book, desk.document(""))))
    assert isinstance(done.result, Counted)
    assert done.result.tokens[1] == 0
    assert done.result.tokens[0] > 150
    other = desk.document("Some text.", "other.txt")
    with open(other.path, "a", encoding="utf-8") as file:
        file.write("More.")
    failed = ask(desk, [other, "What is it about?"])
    assert (failed.code, failed.subject) == ("bad_document", "other.txt")
    assert "other" not in failed.message
    with open(other.path, "wb") as file:
        file.truncate()
    assert desk.run(Count(desk.id(), (other,))).code == "bad_document"


def test_a_document_is_encoded_once(desk, book):
    ask(desk, [book, "What is it about?"])
    with open(book.path, "wb") as file:
        file.truncate()
    assert isinstance(ask(desk, [book, "Who wrote it?"]), Done)


def test_sampling_with_a_seed_comes_again_and_reports_it(desk):
    sampling = Sampling(temperature=1.0, max_tokens=12)
    first = ask(desk, "Hello", sampling=sampling)
    assert first.result.seed is not None
    again = ask(desk, "Hello", sampling=Sampling(temperature=1.0, max_tokens=12, seed=first.result.seed))
    assert again.result == first.result


def test_without_a_model(tmp_path, tiny_model):
    from engine.worker import ModelWorker

    worker = ModelWorker(tmp_path)
    failed = worker.run(Count("1", ()), print, lambda: False)
    assert (failed.code, failed.message) == ("bad_model", "no model is loaded")
    assert worker.gauges(None).window == 0
    assert worker.run(Inspect("2"), print, lambda: False).result.model is None
    planned = worker.run(Plan("3", ModelSettings(str(tiny_model), window=512)), print, lambda: False).result
    assert (planned.window, planned.native_window, planned.fits) == (512, 1024, True)


@pytest.mark.parametrize("wrong", ["nothing", "no template", "no tokenizer", "bad template"])
def test_a_model_that_cannot_be_used_leaves_the_old_one(new_desk, tiny_model, tmp_path, wrong):
    folder = tmp_path / "model"
    if wrong != "nothing":
        folder.mkdir()
        for file in tiny_model.iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
    if wrong == "no tokenizer":
        (folder / "tokenizer.json").unlink()
    elif wrong == "no template":
        (folder / "tokenizer_config.json").write_text("{}")
    elif wrong == "bad template":
        (folder / "tokenizer_config.json").write_text('{"chat_template": "{% for %}"}')
    failed = new_desk.run(Load(new_desk.id(), ModelSettings(str(folder))))
    assert failed.code == "bad_model"
    assert isinstance(ask(new_desk, "Hello"), Done)


def test_a_load_can_be_cancelled(new_desk, tiny_model):
    stop_after(new_desk, 1)
    assert new_desk.run(Load(new_desk.id(), ModelSettings(str(tiny_model)))).finish == "cancelled"


def test_a_model_that_does_not_fit_is_refused(new_desk, tiny_model, monkeypatch):
    from engine import worker

    planned = new_desk.run(Plan(new_desk.id(), ModelSettings(str(tiny_model)))).result
    tight = replace(planned, fits=False, needed=10, available=5)
    monkeypatch.setattr(worker.planner, "plan", lambda *arguments, **options: tight)
    failed = new_desk.run(Load(new_desk.id(), ModelSettings(str(tiny_model))))
    assert (failed.code, failed.needed, failed.available) == ("out_of_memory", 10, 5)


def test_a_bench_names_its_model_or_takes_the_loaded_one(tmp_path, tiny_model, monkeypatch):
    from engine import bench
    from engine.protocol import Work
    from engine.worker import ModelWorker

    monkeypatch.setattr(bench, "work", lambda options, progress, stopped: json.dumps({"named": options["model"]}))
    worker = ModelWorker(tmp_path)
    ask = lambda options: worker.run(Work("1", "bench", options), lambda event: None, lambda: False)  # noqa: E731
    assert json.loads(ask({"model": str(tiny_model)}).result.report)["results"] == {"named": str(tiny_model)}
    refused = ask({})
    assert (refused.code, refused.message) == ("bad_model", "no model is loaded")


@pytest.mark.parametrize("mode", ["whole", "parallel"])
def test_plain_words_are_gone_on_from(desk, book, mode):
    reading = ReadingSettings(mode=mode, segment=160, save=False)
    talk = replace(desk.talk([book, "And then"]), plain=True)
    done = desk.run(Generate(desk.id(), talk, FEW, reading=reading))
    assert (done.finish, done.usage.written, done.usage.mode) == ("length", 5, mode)
    again = desk.run(Generate(desk.id(), replace(talk, turns=(*talk.turns, Turn("user", (Text(" what"),)))), FEW))
    if mode == "whole":
        assert again.usage.reused >= done.usage.prompt - 1
