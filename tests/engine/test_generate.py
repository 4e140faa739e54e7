import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answer import StopStrings
from engine.repetition import RUN, RUN_OF_SIGNS, Repetition
from engine.writing import Rate


def cut(pieces, *strings):
    stop = StopStrings(strings)
    given = []
    for piece in pieces:
        given.append(stop.add(piece))
        if stop.found:
            break
    return [*given, stop.rest()], stop.found


@given(st.lists(st.text("ab#", max_size=4)), st.lists(st.text("ab#", min_size=1, max_size=3), max_size=2))
def test_everything_before_the_first_stop_string_and_nothing_of_it(pieces, strings):
    whole = "".join(pieces)
    given, found = cut(pieces, *strings)
    at = [start for string in strings if (start := whole.find(string)) != -1]
    assert found == bool(at)
    if not at:
        assert "".join(given) == whole
        return
    # The one that is whole first ends it, at its start or at that of a longer one that is whole by then
    text = "".join(given)
    assert whole.startswith(text)
    assert not any(string in text for string in strings)


def test_what_may_begin_a_stop_string_is_held_back():
    assert cut(["one\nUs", "er:", " two"], "\nUser:") == (["one", "", ""], True)
    assert cut(["one\nUs", "ed"], "\nUser:") == (["one", "\nUsed", ""], False)
    assert cut(["one\nUs"], "\nUser:") == (["one", "\nUs"], False)


def test_a_rate_is_of_the_last_two_seconds():
    times = iter([0.0, 0.1, 1.0, 2.0, 3.0, 4.0, 5.0])
    rate = Rate(lambda: next(times))
    assert rate.now(1) is None  # too soon to say
    assert rate.now(10) == 10
    assert rate.now(20) == 10
    assert rate.now(120) == pytest.approx(55)
    assert rate.now(120) == pytest.approx(50)
    assert rate.now(120) == 0


def loops(text):
    """After how many tokens a text counts as a loop; a token is a word, a digit, a sign or a line end."""
    repetition, ids = Repetition(), {}
    for count, word in enumerate(re.findall(r" ?[^\W\d]+|\d|\s|[^\w\s]", text), 1):
        if repetition.add(ids.setdefault(word, len(ids)), letters=any(map(str.isalpha, word))):
            return count
    return None


@pytest.mark.parametrize(
    "text",
    [
        "the same words again and " * 400,
        "no " * 1000,
        "An answer begins well enough. " + "It says one thing. Then it says another, and a third. " * 90,
        "".join(f"{n}. x\n" for n in range(50)) + "\n- and so on" * 400,
        "0" * 2000,
    ],
)
def test_endless_repetition_is_found(text):
    assert RUN <= loops(text) <= RUN_OF_SIGNS + 300


@pytest.mark.parametrize(
    "text",
    [
        "| name | size | price |\n|---|---|---|\n"
        + "".join(f"| part {n} | {n * 7} | {n * 13} |\n" for n in range(200)),
        "values = [\n" + "".join(f"    {n * n},\n" for n in range(400)) + "]\n",
        "def test():\n" + "".join(f"    assert f({n}) == {n + 1}\n" for n in range(300)),
        "[\n" + ("[" + "0, " * 15 + "0],\n") * 16 + "]\n",
        "-" * 300 + "\nTitle\n" + "=" * 300,
        "| 0 | 0 | 0 |\n" * 40,
        "Yes, yes, yes. " * 60,
        "\n".join(f"{n}. " + "Because it says so in the contract. " * 3 for n in range(60)),
    ],
)
def test_tables_lists_and_rulers_are_not_loops(text):
    assert loops(text) is None
