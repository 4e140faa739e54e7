"""Facts outside of quotations: which they are, and whether they stand in a document."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from app.services.quotes import values
from app.services.quotes.answers import paragraphs
from app.services.quotes.facts import facts

ANSWER = """# Key Findings Here

**Payment Terms:** The Seller's liability is capped at £50,000 (p. 12), i.e. 7.5 % of US$2.4 million, signed on
12 March 2024 by John Smith and Acme Holdings Ltd under Clause 9.4(b).

1. However the Bank of England paid EUR 2.400,00 within 30 days or six months. It was -5 °C at 12:30; see `foo_bar`,
   maxDelay, AB-1234 and a@example.org.
2. It has 3 parts, 5–7 % more, on pages 12-14, since 2019.

租金为3,000元，期限30天，于2024年3月12日签订，见第九条、百分之五。
"""
FACTS = [
    *("£50,000", "7.5 %", "US$2.4 million", "12 March 2024", "John Smith", "Acme Holdings Ltd", "Clause 9.4(b)"),
    *("Bank of England", "EUR 2.400,00", "30 days", "six months", "-5 °C", "12:30", "foo_bar", "maxDelay", "AB-1234"),
    *("a@example.org", "5–7 %", "2019", "3,000元", "30天", "2024年3月12日", "第九条", "百分之五"),
]


def test_what_is_a_fact_and_what_is_none():
    found = [fact for paragraph in paragraphs(ANSWER) for fact in sorted(facts(paragraph, []))]
    assert [fact.text for fact in found] == FACTS


def test_a_fact_lies_where_the_answer_has_it(quotes):
    answer = "So **£50,000** is due, and `max_delay` is [Acme Holdings Ltd](https://example.org)'s."
    found = quotes(answer, "nothing")
    assert [answer[one.start : one.end] for one in found] == ["£50,000", "max_delay", "Acme Holdings Ltd"]


DOCUMENT = """Clause 9.4 The rent is £12,400 and the deposit 2.400,00 euros, 17.5% of it; or - on 3 May 2024 - -7.5 °C.
JOHN SMITH of Acme-Holdings Ltd agreed to six (6) months and thirty business days, and to pay $2.4 million by
2024-06-05.
10 Notices
Order AB-1234 was for 50 % of max_delay. 人民币３,０００元，于2024年3月12日前。Mary Jane Watson-Parker paid 1 250 m²."""

STANDS = [
    "£12,400",
    "17.5 %",
    "3 May 2024",
    "-7.5 °C",
    "John Smith",
    "AB-1234",
    "50%",
    "max_delay",
    "3,000元",
    "Clause 9.4",
]
STANDS += ["2024年3月12日", "$2.4 million", "1 250 m²", "2024-06-05"]
NEARLY = [
    ("€12,400", "£12,400"),
    ("12,400", "£12,400"),
    ("£12400", "£12,400"),
    ("2,400.00 euros", "2.400,00 euros"),
    ("2,400 euros", "2.400,00 euros"),
    ("£2,400", "2.400,00 euros"),
    ("2024-05-03", "3 May 2024"),
    ("May 3, 2024", "3 May 2024"),
    ("5 June 2024", "2024-06-05"),
    ("6 months", "6) months"),
    ("30 days", "thirty business days"),
    ("$2,400,000", "$2.4 million"),
    ("Acme Holdings Ltd", "Acme-Holdings Ltd"),
    ("Jon Smith", "JOHN SMITH"),
    ("12 March 2024", "2024年3月12日"),
    ("Clause 10", "10"),
    ("Mary Jane Watson", "Mary Jane Watson-Parker"),
    ("17.50", "17.5%"),
    ("17.5", "17.5%"),
]
NOT_THERE = [
    "£2,300",
    "7.5 %",
    "£400",
    "Clause 9.5",
    "Clause 4",
    "4 May 2024",
    "John Miller",
    "5 months",
    "AB-123",
    "9,999",
]
NOT_THERE += ["13 March 2024", "第九条"]


@pytest.mark.parametrize("fact", STANDS)
def test_what_stands_there(verdict, fact):
    assert verdict(f"They say {fact} there.", DOCUMENT) == ("exact", "")


@pytest.mark.parametrize(("fact", "found"), NEARLY)
def test_what_stands_there_in_another_notation(verdict, fact, found):
    assert verdict(f"They say {fact} there.", DOCUMENT) == ("close", found)


@pytest.mark.parametrize("fact", NOT_THERE)
def test_what_does_not_stand_there(verdict, fact):
    assert verdict(f"They say {fact} there.", DOCUMENT) == ("missing", "")


def test_a_minus_is_a_part_of_the_number(verdict):
    assert verdict("It was 75 then.", "It was -75 then.")[0] != "exact"
    assert verdict("It was -75 then.", "It was 75 then.")[0] != "exact"


def test_a_scale_is_a_part_of_the_number(verdict):
    assert verdict("It is £50 now.", "It is £50 million now.")[0] != "exact"
    assert verdict("It is 75 now.", "It is 75 per cent now.")[0] != "exact"
    assert verdict("It is 50 now.", "It is 50万元。")[0] != "exact"
    assert verdict("“The price is to be £50 then”", "The price is to be £50 million then")[0] == "close"
    assert verdict("“Now the price is to be £50”", "Now the price is to be £50 million") == (
        *("close", "Now the price is to be £50 million"),
    )


def test_a_product_is_no_emphasis(quotes):
    answer = "So 50*30 is `a*b`, and **50** is not."
    assert [answer[one.start : one.end] for one in quotes(answer, "50")] == ["50", "30", "a*b", "50"]


def test_a_fact_in_many_places_stands_in_the_text(quotes):
    (one,) = quotes("It is 7319.", "The number is 7319. " * 30)
    assert (one.verdict, one.kind, one.count, len(one.places)) == ("exact", "fact", 30, 12)


def test_the_first_word_of_a_sentence_may_be_no_name(quotes):
    assert [one.verdict for one in quotes("Yesterday John Smith left.", "John Smith left.")] == ["exact"]
    assert not quotes("Yesterday Smith left.", "John Smith left.")
    answer = "Yesterday John Smith left."
    (one,) = quotes(answer, "John Smith left.")
    assert answer[one.start : one.end] == "John Smith"
    (one,) = quotes(answer, "Jane Miller left.")
    assert (one.verdict, answer[one.start : one.end]) == ("missing", "John Smith")


@pytest.mark.parametrize(
    ("quoted", "verdict_", "kind"),
    [
        ("Consideration", "exact", "fact"),
        ("price", "ambiguous", "fact"),
        ("the fee", "exact", "fact"),
        ("the price", "ambiguous", "fact"),
        ("a fine", "missing", "fact"),
        ("30 days", "close", "fact"),
        ("consideration", "close", "fact"),
        ("rice", "missing", "fact"),
    ],
)
def test_few_words_are_never_a_quotation_by_accident(quotes, quoted, verdict_, kind):
    text = "The Consideration is the price. The fee is due: the fee is the price, in 30 business days.".replace(
        "The fee", "It"
    )
    (one,) = quotes(f"It says “{quoted}”.", text)
    assert (one.verdict, one.kind) == (verdict_, kind)


@pytest.mark.parametrize(
    ("text", "may_be"),
    [
        ("2,400", {"2400", "2.400"}),
        ("2.400,00", {"2400.00"}),
        ("2 400", {"2400"}),
        ("1'234.5", {"1234.5"}),
        ("7,5", {"7.5"}),
        ("1.234.567", {"1234567"}),
        ("0.400", {"0.400"}),
        ("12", {"12"}),
    ],
)
def test_what_a_number_may_be(text, may_be):
    assert values.numbers(text) == {Decimal(each) for each in may_be}


@given(some.decimals(1, 10**9, places=2))
@settings(deadline=None)
def test_a_value_is_found_in_every_notation(value):
    for text in (f"{value:,}", f"{value}", f"{value:,}".replace(",", " "), f"{value:,}".replace(",", "'")):
        there = values.amount(text)
        assert value in there.values
        assert "".join(filter(str.isdigit, text)) in values.notations(value)


@given(some.dates())
@settings(deadline=None)
def test_a_day_is_the_same_day_in_every_notation(day):
    forms = [f"{day:%d} {day:%B} {day.year:04d}", f"{day:%B} {day.day}, {day.year:04d}", day.isoformat()]
    forms += [f"{day.year:04d}年{day.month}月{day.day}日", f"{day:%d}.{day:%m}.{day.year:04d}"]
    wanted = (day.year, day.month, day.day)
    for form in forms:
        assert wanted in values.dates(values.DATE.fullmatch(form))
        assert "".join(filter(str.isalnum, form)).lower() in values.written(wanted)
