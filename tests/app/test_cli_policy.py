"""The command line over texts of which a policy forgets some: what is asked for, refused, and told."""

from argparse import Namespace
from typing import get_args

import msgspec
import pytest

from app.commands import sentences
from app.commands.run import over
from app.data.conversation import Failure
from app.data.settings import Settings
from app.words import FAILURES
from engine.protocol import Eviction, FailureCode, ReadingSettings


def eviction(out: str) -> Eviction | None:
    return msgspec.json.decode(out, type=ReadingSettings).eviction


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        (("--policy", "triattention"), Eviction("triattention")),
        (("--policy", "h2o", "--keep", "0.3"), Eviction("h2o", 0.3)),
        (("--policy", "snapkv", "--keep", "30%", "--policy-mode", "max"), Eviction("snapkv", 0.3, mode="max")),
        (
            ("--policy", "streaming", "--policy-rows", "2048", "--policy-prompt", "refuse"),
            Eviction("streaming", rows=2048, prompt="refuse"),
        ),
        (("--policy", "blocks", "--keep", "40%"), Eviction("blocks", 0.4)),
        (
            ("--policy", "triattention", "--policy-score-window", "300", "--policy-no-adaptive-weight"),
            Eviction("triattention", score_window=300, adaptive_weight=False),
        ),
        ((), None),
        (("--policy", "none"), None),
    ],
)
def test_every_option_reaches_the_engine(run, options, asked):
    code, out, _ = run("ask", *options, "how")
    assert (code, eviction(out)) == (0, asked)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--keep", "0.3"), "without --policy nothing is forgotten"),
        (("--policy", "h2o", "--keep", "30"), "must be above 0 and at most 1, or a percentage with its sign"),
        (("--policy", "h2o", "--keep", "0%"), "must be above 0"),
        (("--policy", "h2o", "--policy-rows", "175"), "must be 176 or more"),
        (("--policy", "newest"), "invalid choice"),
        (("--policy-score-window", "9"), "without --policy nothing is forgotten"),
        (("--policy-no-adaptive-weight",), "without --policy nothing is forgotten"),
        (("--policy", "h2o", "--policy-score-window", "9"), "of --policy triattention; h2o chooses by something else"),
        (("--policy", "snapkv", "--policy-no-adaptive-weight"), "of --policy triattention; snapkv chooses by"),
        (("--policy", "triattention", "--policy-score-window", "0"), "must be 1 or more"),
    ],
)
def test_what_means_nothing_is_bad_use(run, options, said):
    code, out, error = run("ask", *options, "how")
    assert (code, out) == (2, "")
    assert said in error


def test_another_policy_than_the_kept_one_knows_nothing_of_it():
    kept = Settings(policy="triattention", policy_keep=0.5, policy_mode="union", policy_score_window=9)
    said = Namespace(policy="h2o", policy_rows=2048)
    assert over(kept, said) == Settings(policy="h2o", policy_keep=0.5, policy_rows=2048)
    assert over(kept, Namespace(policy="triattention")) == kept
    assert over(kept, Namespace()) == kept


def test_refusals_are_sentences():
    codes = [code for code in FAILURES if code.startswith("evict_")]
    assert set(codes) == {code for code in get_args(FailureCode) if code.startswith("evict_")}
    for code in codes:
        said = sentences.failure(Failure(code, "h2o", 1732, 1300))
        assert "?" not in said
        assert said.endswith(".")
    assert "1,732 tokens, of which 1,300 would be kept" in sentences.failure(Failure("evict_refused", None, 1732, 1300))
