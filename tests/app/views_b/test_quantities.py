"""Numbers as people read them."""

import pytest

from app import words
from app.models import quantities
from app.models.spoken import spoken


@pytest.mark.parametrize(
    ("count", "words"), [(0.94, "0.9 s"), (26, "26 s"), (59.6, "1 min"), (140, "2 min 20 s"), (3900, "1 h 5 min")]
)
def test_seconds(qapp, count, words):
    assert quantities.seconds(count) == words


def test_expected_time_has_no_false_seconds(qapp):
    assert quantities.seconds(1240, rough=True) == "21 min"
    assert quantities.seconds(140, rough=True) == "2 min 20 s"


@pytest.mark.parametrize(
    ("count", "words"), [(512, "512"), (8192, "8K"), (700_000, "683K"), (2**20, "1M"), (3 * 2**19, "1.5M")]
)
def test_window_is_never_said_larger_than_it_is(qapp, count, words):
    assert quantities.window(count) == words


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 B"), (92 * 2**20, "92 MB"), (int(9.5 * 2**30), "9.5 GB"), (1023, "1 KB")]
)
def test_size(qapp, count, words):
    assert quantities.size(count) == words


def test_digits_are_grouped_and_100_percent_waits_for_the_end(qapp):
    assert quantities.tokens(218_340) == "218,340 tokens"
    assert quantities.tokens(1) == "1 token"
    assert quantities.percent(0.9999) == "99 %"
    assert quantities.percent(1.0) == "100 %"


def test_what_is_only_expected_is_said_without_tenths(qapp):
    assert [quantities.roughly(count) for count in (0.2, 4.2, 26, 1240)] == ["1 s", "4 s", "26 s", "21 min"]


def test_notes_say_bytes_as_sizes_and_counts_with_their_digits_grouped(qapp):
    values = {"needed": str(3 * 2**30), "quota": str(2**30)}
    assert "it takes 3 GB, and all readings together may take 1 GB" in spoken(words.NOTES, "not_saved_full", values)
    values = {"tokens": "131072", "window": "8192", "segments": "66"}
    assert spoken(words.NOTES, "read_parallel", values).startswith(
        "The text is 131,072 tokens and the window holds 8,192."
    )
    assert spoken(words.NOTES, "of_a_newer_engine", {}) == "of a newer engine"
