"""The window's question in the middle of a client's, where lightning layers keep a state that does not go back."""

import pytest
from taking_over import interleaved, request

from engine.protocol import ReadingSettings, Sampling
from tests.engine.conftest import write_tokenizer

SAMPLING = Sampling(max_tokens=24)
UNSAVED = ReadingSettings(save=False)


@pytest.fixture(scope="module")
def hybrid(make_desk, checkpoint):
    model = checkpoint(vocab_size=640, sparse_config={"dense_len": 512})
    write_tokenizer(model.path)
    return make_desk(model.path, piece=128, threads=1)


@pytest.mark.parametrize("words", [200, 900], ids=["dense", "sparse"])
@pytest.mark.parametrize("budget", ["room", "none"])
def test_answers_are_those_that_each_would_give_alone(hybrid, monkeypatch, words, budget):
    book, other = (hybrid.document(hybrid.made_up_text(words, seed), f"{seed}.txt") for seed in (21, 22))
    asked, window = hybrid.talk([book, "What is it about?"]), hybrid.talk([other, "Who wrote it?"])
    alone = []
    for talk in (asked, window, asked):
        hybrid.forget()
        alone.append(hybrid.run(request(hybrid, talk, SAMPLING, UNSAVED)).result.tokens)
    hybrid.forget()
    if budget == "none":
        monkeypatch.setattr(hybrid.worker._model.chains, "budget", 0)
    own = request(hybrid, asked, SAMPLING, UNSAVED)
    others = [request(hybrid, talk, SAMPLING, UNSAVED, "window") for talk in (window, asked)]
    done, endings = interleaved(hybrid, own, others, (3, 20))
    assert [one.result.tokens for one in (done, *endings)] == alone
    # It was read to its end, and the next question finds it
    after = hybrid.run(request(hybrid, asked, SAMPLING, UNSAVED)).usage
    assert after.read <= 128
