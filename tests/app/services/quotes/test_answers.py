"""200 answers that quote rightly, nearly and not at all: a tick is never wrong, and seldom missing."""

from collections import Counter

import make_quotes
import pytest

from app.data.document import Span
from app.services.quotes.folding import Folded
from app.services.quotes.locating import quotes_of
from tests.app.services.quotes.conftest import source


@pytest.fixture(scope="module")
def made():
    return make_quotes.documents(seed=5)


@pytest.fixture(scope="module")
def told(made):
    """Each case with what was found of its answer."""
    sources = []
    for document in made:
        spans = tuple(Span(start, end, n, str(n + 1)) for n, (start, end) in enumerate(document.pages))
        sources.append(source(document.text, spans, name=document.name))
    return [(case, list(quotes_of(case.answer, sources, lambda: None))) for case in make_quotes.cases(made, seed=5)]


def test_there_are_two_hundred(told):
    assert len(told) == 200
    kinds = Counter(case.kind.partition(":")[0] for case, _ in told)
    assert kinds.keys() == {"exact", "ligature", "hyphenated", "chinese", "fact", "off", "invented", "ambiguous"}


def test_no_tick_is_wrong(told):
    """Precision of exact: 100 %. What is invented or altered has no tick, be it as close as it may."""
    wrong = [(case, found) for case, found in told if not case.exact and any(one.verdict == "exact" for one in found)]
    assert not wrong


def test_hardly_a_tick_is_missing(told, made):
    """Recall of exact: at least 97 %, each at its place."""
    right = [(case, found) for case, found in told if case.exact]
    missed = [(case, found) for case, found in right if not _is_there(case, found, made)]
    assert len(missed) <= 0.03 * len(right), missed


def _is_there(case, found, made) -> bool:
    ticked = [one for one in found if one.verdict == "exact"]
    if len(ticked) != 1 or len(ticked[0].places) != 1:
        return False
    (place,) = ticked[0].places
    return place.item == f"id of {made[case.document].name}" and case.start <= place.start < place.end <= case.end


def test_a_tick_stands_where_the_same_letters_stand(told, made):
    texts = {f"id of {document.name}": document.text for document in made}
    for case, found in told:
        for one in found:
            if one.verdict == "exact":
                place = one.places[0]
                assert Folded(texts[place.item][place.start : place.end]).key == Folded(_plain(case, one)).key
                assert place.label


def _plain(case, one) -> str:
    return case.answer[one.start : one.end].replace("*", "")


def test_what_is_repeated_shows_no_place_as_the_one(told):
    repeated = [found for case, found in told if case.kind == "ambiguous"]
    assert all(one.verdict == "ambiguous" and one.count == len(one.places) == 6 for found in repeated for one in found)
    assert all(repeated)


def test_what_is_invented_is_not_found(told):
    verdicts = Counter(one.verdict for case, found in told if case.kind == "invented" for one in found)
    assert verdicts.keys() == {"missing"}
    assert verdicts.total() == 20


def test_what_is_off_by_a_word_is_close_with_the_documents_words(told):
    off = [(case, found[0]) for case, found in told if case.kind.startswith("off")]
    close = [(case, one) for case, one in off if one.verdict == "close"]
    assert len(close) >= 0.9 * len(off)
    assert all(one.found and one.places for _, one in close)
    right = sum(one.places[0].start < case.end and case.start < one.places[0].end for case, one in close)
    assert right == len(close)
