"""An answer token by token: what ends it, and how likely each of its tokens was."""

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from engine.answer import Answer
from engine.protocol import Delta, Generate, Sampling
from engine.tokenizer import Tokenizer
from engine.weights import tokenizer_files

TOLD = Sampling(max_tokens=12, logprobs=3)


@pytest.fixture(scope="module")
def tokenizer(tiny_model):
    return Tokenizer(tokenizer_files.read(tiny_model, tiny_model / "kept"))


def logits(id):
    made = torch.zeros(640)
    made[id] = 20.0
    return made


def written(tokenizer, ids, sampling):
    """The answer, what was given out after each token, and all of its deltas."""
    answer, given, deltas = Answer(tokenizer, sampling), [], []
    for id in ids:
        given.append(answer.next(logits(id)))
        deltas += answer.deltas("1", given[-1])
        if answer.finish is not None:
            break
    given.append(answer.rest())
    deltas += answer.deltas("1", given[-1], last=True)
    return answer, given, deltas


def letters(tokenizer, text):
    """A token for every byte."""
    return [id for byte in text.encode() for id in [tokenizer.token_bytes.index(bytes([byte]))]]


@pytest.mark.parametrize(
    ("text", "stop", "left", "which"),
    [
        ("one\nUser: two", ("\nUser:",), "one", "\nUser:"),
        ("one\nUsed", ("\nUser:",), "one\nUsed", None),
        ("naïve é!", ("e", "é"), "naïv", "e"),
        ("naïve é!", ("é", "€"), "naïve ", "é"),
        ("a€b", ("€b", "b"), "a", "€b"),
        ("one two", ("two", "one two"), "one ", "two"),
    ],
)
def test_a_stop_text_over_several_tokens_is_never_given_in_part(tokenizer, text, stop, left, which):
    answer, given, deltas = written(tokenizer, letters(tokenizer, text), Sampling(stop=stop, logprobs=0))
    if which == "two":  # the longer one is whole no sooner, and begins before it
        left, which = "", "one two"
    assert "".join(given) == answer.answered().text == left
    assert answer.answered().stop == which
    assert answer.finish == ("stop" if which else None)
    # Its own tokens are not told, and nothing of the text is missing
    assert b"".join(one.token.bytes for delta in deltas for one in delta.tokens) == left.encode()
    assert all(len(delta.text) or delta is deltas[-1] for delta in deltas)


def test_tokens_are_told_with_the_text_that_they_begin(tokenizer):
    _, _, deltas = written(tokenizer, letters(tokenizer, "aé€b"), Sampling(logprobs=1))
    assert [delta.text for delta in deltas] == ["a", "é", "€", "b"]
    assert [len(delta.tokens) for delta in deltas] == [1, 2, 3, 1]
    for delta in deltas:
        assert all(one.top == (one.token,) for one in delta.tokens)


def test_the_end_is_not_told(tokenizer):
    end = min(tokenizer.ends)
    answer, _, deltas = written(tokenizer, [*letters(tokenizer, "a"), end], Sampling(logprobs=2))
    assert answer.finish == "complete"
    assert [one.token.bytes for delta in deltas for one in delta.tokens] == [b"a"]


def test_nothing_is_told_unasked(tokenizer):
    _, _, deltas = written(tokenizer, letters(tokenizer, "ab"), Sampling())
    assert [delta.tokens for delta in deltas] == [(), ()]


@pytest.mark.parametrize(
    "sampling",
    [TOLD, Sampling(max_tokens=12, logprobs=3, temperature=1.3, top_k=30, repetition_penalty=1.4, seed=3)],
    ids=["greedy", "sampled"],
)
def test_log_probabilities_are_transformers_own(desk, tiny_model, sampling):
    """Before temperature and penalties, by a forward of all tokens at once in another implementation."""
    done = desk.run(Generate(desk.id(), desk.talk("What is it about?"), sampling, ids=True))
    told = [one for event in desk.events if isinstance(event, Delta) for one in event.tokens]
    tokens = list(done.result.tokens)
    assert len(told) == done.usage.written == len(tokens) == 12
    twin = LlamaForCausalLM.from_pretrained(tiny_model, config=LlamaConfig.from_pretrained(tiny_model)).float().eval()
    prompt = desk.worker._model.chains.current.ids[: done.usage.prompt].tolist()
    with torch.inference_mode():
        out = twin(torch.tensor([prompt + tokens])).logits[0, len(prompt) - 1 : -1].float()
    expected = out.log_softmax(-1)
    tokenizer = desk.worker._model.tokenizer
    for row, id, one in zip(expected, tokens, told, strict=True):
        assert one.token.logprob == pytest.approx(float(row[id]), abs=2e-4)
        assert one.token.bytes == tokenizer.bytes(id)
        best = row.topk(3)
        assert [likely.logprob for likely in one.top] == pytest.approx(best.values.tolist(), abs=2e-4)
        assert [likely.bytes for likely in one.top] == [tokenizer.bytes(id) for id in best.indices.tolist()]
