"""Quotations with something left out or put in."""

import pytest

DEED = """The Seller shall pay the price in full to the Buyer without delay. It accepts the deed, and shall not be
liable for any loss. The Buyer may inspect the property within thirty days of completion. The surveyor
reports on damp."""

EXACT = [
    "The Seller shall pay … to the Buyer without delay",
    "The Seller shall pay [...] to the Buyer without delay",
    "The Seller shall pay ... the price in full . . . to the Buyer",
    "…shall pay the price in full […]",
    "[t]he Seller shall pay the price in full",
    "The Seller [gladly] shall pay the price in full",
    "The Seller shall [sic] pay the price in full [emphasis added]",
    "The Buyer may inspect the property …… The surveyor reports",
]
CLOSE = [
    (
        "It accepts the deed, and shall … be liable for any loss",
        "It accepts the deed, and shall not be liable for any loss",
    ),
    ("The Seller shall [not] pay the price in full", "The Seller shall pay the price in full"),
    (
        "The Buyer may inspect the property within [90] days of",
        "The Buyer may inspect the property within thirty days of",
    ),
    ("[The Buyer] shall pay the price in full to the Buyer", "shall pay the price in full to the Buyer"),
    ("shall pay the price in full to [the Tenant]", "shall pay the price in full to"),
    ("[the Seller] accepts the deed, and shall not be liable", "accepts the deed, and shall not be liable"),
    ("The Seller … pay … to the Buyer … delay", "The Seller shall pay the price in full to the Buyer without delay"),
    ("the seller shall pay … to the Buyer without", "The Seller shall pay the price in full to the Buyer without"),
]


@pytest.mark.parametrize("words", EXACT)
def test_parts_in_order_are_exact(verdict, words):
    assert verdict(f"“{words}”", DEED) == ("exact", "")


@pytest.mark.parametrize(("words", "found"), CLOSE)
def test_what_denies_or_replaces_shows_the_documents_words(verdict, words, found):
    assert verdict(f"“{words}”", DEED) == ("close", found)


@pytest.mark.parametrize(
    "words",
    [
        "to the Buyer without delay … The Seller shall pay",
        "The Seller shall pay … the moon and the stars",
        "within thirty days … The Buyer may inspect the property",
    ],
)
def test_parts_in_another_order_or_with_an_invented_one_are_not_exact(verdict, words):
    assert verdict(f"“{words}”", DEED)[0] in ("close", "missing")


def test_parts_that_lie_far_apart_are_none(verdict):
    far = f"The Seller shall pay the price. {'More words. ' * 200}The Buyer shall not object."
    assert verdict("“The Seller shall pay … The Buyer shall not object”", far)[0] == "missing"


def test_the_place_spans_all_parts(quotes):
    (one,) = quotes("“The Seller shall pay … to the Buyer without delay”", DEED)
    place = one.places[0]
    assert DEED[place.start : place.end] == "The Seller shall pay the price in full to the Buyer without delay"


def test_the_documents_own_ellipsis_is_none_of_the_writers(quotes):
    (one,) = quotes("“he waited … and waited long”", "So he waited … and waited long. So he waited again.")
    assert (one.verdict, one.count) == ("exact", 1)


def test_a_bracket_of_the_document_is_its_own(verdict):
    text = "The price is [to be agreed] between the parties."
    assert verdict("“The price is [to be agreed] between the parties”", text) == ("exact", "")
