"""Answers held to a form by a grammar, with a model that knows nothing and with the small real one."""

import json

import pytest
import torch

from engine.grammar import BadFormat, Grammars
from engine.protocol import Done, Failed, Format, Generate, ReadingSettings, Sampling
from engine.tokenizer import Tokenizer
from engine.weights import tokenizer_files

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 12},
        "kind": {"enum": ["ship", "house"]},
        "sizes": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 99}, "maxItems": 3},
        "open": {"type": "boolean"},
    },
    "required": ["name", "kind", "sizes", "open"],
    "additionalProperties": False,
}
FORM = Format("schema", json.dumps(SCHEMA))


def check(value):
    """After the schema, by hand."""
    assert list(value) == ["name", "kind", "sizes", "open"]
    assert len(value["name"]) <= 12
    assert value["kind"] in ("ship", "house")
    assert len(value["sizes"]) <= 3
    assert all(isinstance(size, int) and 0 <= size <= 99 for size in value["sizes"])
    assert isinstance(value["open"], bool)


@pytest.fixture(scope="module")
def tokenizer(tiny_model):
    return Tokenizer(tokenizer_files.read(tiny_model, tiny_model / "kept"))


def ask(desk, sampling, *turns, **reading):
    talk = desk.talk(*(turns or ("Describe it as JSON.",)))
    return desk.run(Generate(desk.id(), talk, sampling, reading=ReadingSettings(**reading)))


@pytest.mark.parametrize(
    "more",
    [{}, {"temperature": 1.2, "seed": 5}, {"temperature": 2.0, "top_k": 3, "seed": 5}, {"repetition_penalty": 1.5}],
    ids=["greedy", "sampled", "few", "penalised"],
)
def test_an_answer_is_after_its_schema(desk, more):
    """The random model's own choices, of what it may choose."""
    done = ask(desk, Sampling(max_tokens=300, format=FORM, **more))
    assert done.finish == "complete"
    check(json.loads(done.result.text))


def test_segments_are_answered_in_form_as_well(desk):
    book = desk.document(desk.made_up_text(300))
    done = ask(desk, Sampling(max_tokens=300, format=FORM), [book, "What?"], mode="parallel", segment=160, save=False)
    assert (done.finish, done.usage.mode) == ("complete", "parallel")
    check(json.loads(done.result.text))


def test_an_answer_that_is_cut_says_so(desk):
    done = ask(desk, Sampling(max_tokens=5, format=FORM))
    assert done.finish == "length"
    with pytest.raises(json.JSONDecodeError):
        json.loads(done.result.text)


def test_what_may_come_is_what_can_become_one(tokenizer):
    grammar = Grammars(tokenizer).of_schema({"type": "object", "properties": {"a": {"type": "boolean"}}})
    logits = torch.zeros(700)  # more than there are tokens
    ends = sorted(tokenizer.ends)
    written, whole = b"", b'{"a": true}'
    while written != whole:
        assert not grammar.complete
        allowed = grammar.allowed(logits) > -torch.inf
        assert not allowed[640:].any()
        assert not allowed[ends].any()  # nothing is whole before the last brace
        may = [id for id in allowed.nonzero()[:, 0].tolist() if tokenizer.bytes(id)]
        best = max((id for id in may if whole.startswith(tokenizer.bytes(id), len(written))), key=tokenizer.bytes)
        written += tokenizer.bytes(best)
        grammar.take(best)
    assert grammar.complete


def test_where_it_is_whole_it_may_end_or_go_on(tokenizer):
    grammar = Grammars(tokenizer).of_schema({"type": "integer"})
    ends, logits = sorted(tokenizer.ends), torch.zeros(640)
    seven = tokenizer.token_bytes.index(b"7")
    assert not (grammar.allowed(logits)[ends] > -torch.inf).any()
    grammar.take(seven)
    allowed = grammar.allowed(logits)
    assert (allowed[ends] > -torch.inf).all()
    assert allowed[seven] > -torch.inf
    assert not grammar.complete


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ("{", "not JSON"),
        ("3", "a JSON object"),
        ('{"type": "nothing"}', "Invalid type"),
        ('{"not": {"type": "string"}}', "Unimplemented"),
        ('{"$ref": "#/nowhere"}', "does not exist"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_schema_that_cannot_be_followed_is_refused(desk, schema, why):
    failed = ask(desk, Sampling(format=Format("schema", schema)))
    assert isinstance(failed, Failed)
    assert failed.code == "bad_format"
    assert why in failed.subject
    assert not failed.message.count(why)


def test_coverage_has_a_form_of_its_own(desk):
    failed = ask(desk, Sampling(format=FORM), [desk.document("One."), "Which?"], coverage=True)
    assert (failed.code, "list" in failed.subject) == ("bad_format", True)


def test_a_grammar_serves_many_answers(tokenizer):
    grammars = Grammars(tokenizer)
    first, second = (grammars.of_schema(SCHEMA) for _ in range(2))
    first.take(tokenizer.token_bytes.index(b"{"))
    allowed = second.allowed(torch.zeros(640)) > -torch.inf
    assert tokenizer.bytes(int(allowed.nonzero()[0, 0])).strip().startswith(b"{")
    with pytest.raises(BadFormat):
        second.take(tokenizer.token_bytes.index(b"x"))


@pytest.mark.whole
def test_the_real_model_answers_in_form(small_model, make_desk):
    """Out of a GGUF file, whose tokenizer is converted."""
    desk = make_desk(small_model, precision="auto", threads=1)
    done = ask(desk, Sampling(max_tokens=200, format=FORM), "Describe a red house by the sea as JSON.")
    assert isinstance(done, Done)
    assert done.finish == "complete"
    check(json.loads(done.result.text))
    free = ask(desk, Sampling(max_tokens=120, format=Format("json")), "Give me the name and age of a person as JSON.")
    assert free.finish in ("complete", "length")
    if free.finish == "complete":
        assert isinstance(json.loads(free.result.text), dict)
