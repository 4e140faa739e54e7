"""What is letter for letter, what is close, and what is not there."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from app.services.quotes.folding import Folded
from app.services.quotes.matching import compare, forms, sought

LEASE = """9. Liability
9.2 Save in the case of fraud, the aggregate liability of the Seller in respect of all Claims shall not exceed the \
Consid-
eration actually received, being £50,000 or 7.5 % of it – within 10–12 months.
The “ﬁrst” oﬃcer, non-compliance, can't and 12,400 people. At -5 °C it’s 2 400 m². See (a) the Buyer. Sold in 5½ hours.
The Tenant shall pay. It was long-
term and mid-2019. Is it closed? The cap is US$900 for liability¹ of all."""

EXACT = [
    "in respect of all Claims shall not exceed the Consideration actually received",
    "the aggregate  liability\nof the Seller in respect",
    "exceed the Consid-\neration actually",
    "received, being £50,000 or 7.5% of it",
    "7.5 % of it - within 10-12 months",
    "The 'first' officer, non-compliance",
    "It was long-term and mid-2019",
    "It was longterm and",
    "(a) the Buyer. Sold in",
    "Is it closed? The cap",
    "Is it closed?",
    "The cap is US$900 for liability",
    "At −5 °C it's 2 400 m2",
    "the aggregate liability of the Seller in respect of all Claims.",
    "…the aggregate liability of the Seller…",
]
CHANGED = [
    (
        "in respect of all Claims shall exceed the Consideration",
        "in respect of all Claims shall not exceed the Consideration",
    ),
    (
        "the aggregate liability of the Buyer in respect of all",
        "the aggregate liability of the Seller in respect of all",
    ),
    ("the aggregate liability of the seller in respect", "the aggregate liability of the Seller in respect"),
    ("compliance, can't and", "non-compliance, can't and"),
    ("“first” oﬃcer, non-compliance, can", "ﬁrst” oﬃcer, non-compliance, can't"),
    ("being €50,000 or 7.5 % of it", "being £50,000 or 7.5 % of it"),
    ("50,000 or 7.5 % of it", "£50,000 or 7.5 % of it"),
    ("received, being £50,000 or 7.5", "received, being £50,000 or 7.5 %"),
    ("12 months. The “first” officer", "10–12 months. The “ﬁrst” oﬃcer"),
    ("2,400 people. At -5 °C", None),
    ("400 people. At -5 °C it", "12,400 people. At -5 °C it’s"),
    ("5 °C it’s 2 400 m²", "-5 °C it’s 2 400 m²"),
    ("400 m². See (a) the Buyer", "2 400 m². See (a) the Buyer"),
    ("the Buyer. Sold in 5", "the Buyer. Sold in 5½"),
    ("Is it closed! The cap", "Is it closed? The cap"),
    ("The “first officer” non-compliance", "The “ﬁrst” oﬃcer, non-compliance"),
    ("enant shall pay. It was", "Tenant shall pay. It was"),
    ("2019. Is it closed", "mid-2019. Is it closed"),
    ("The cap is US$9 for liability", None),
    ("$900 for liability of all", None),
]


@pytest.mark.parametrize("words", EXACT)
def test_typesetting_makes_no_difference(verdict, words):
    assert verdict(f"It says “{words.replace('“', '').replace('”', '')}” there.", LEASE) == ("exact", "")


@pytest.mark.parametrize(("words", "found"), CHANGED)
def test_everything_else_does(verdict, words, found):
    """`found` None: what is near is said, whatever it is."""
    told, there = verdict("> " + words, LEASE)
    assert told in ("close", "missing")
    if found is not None:
        assert (told, there) == ("close", found)


def test_two_words_are_not_one():
    document = Folded("He met therapist friends")
    assert not compare(document, document.key.find("therapist"), sought("the rapist")).exact


@pytest.mark.parametrize(
    "mark", ["“{}”", '"{}"', "«{}»", "« {} »", "„{}“", "‘{}’", "'{}'", "「{}」", "『{}』", "‹{}›", "> {}", "‚{}‘"]
)
def test_all_kinds_of_quotation_marks(quotes, mark):
    answer = (
        f"So: {mark.format('the Tenant shall pay all of it')}"
        if ">" not in mark
        else mark.format("the Tenant shall pay it")
    )
    (one,) = quotes(answer, "And the Tenant shall pay all of it. Also the Tenant shall pay it.")
    assert (one.verdict, one.kind) == ("exact", "quote")
    assert answer[one.start : one.end].endswith(mark[-1] if ">" not in mark else "it")


def test_titles_are_no_quotations(quotes):
    assert not quotes("见《房屋租赁合同》。", "房屋租赁合同")


def test_code_is_no_quotation(quotes):
    assert not [
        one
        for one in quotes('`print("hello dear world of code")`\n\n```\n"not this one either"\n```', "text")
        if one.kind == "quote"
    ]


def test_a_block_quote_is_one_a_paragraph_without_its_source(quotes):
    answer = "> The Tenant shall pay\n> all of **it**. (p. 3)\n>\n> — Clause 4\n\n> “The Landlord shall not pay.”\n"
    document = "The Tenant shall pay all of it. The Landlord shall not pay."
    found = [one for one in quotes(answer, document) if one.kind == "quote"]
    assert [one.verdict for one in found] == ["exact", "exact"]
    assert answer[found[0].start : found[0].end] == "The Tenant shall pay\n> all of **it**."


def test_a_quotation_across_two_files_is_none(verdict, make_source):
    from app.data.document import Span

    text = "the end of one file\n\nthe start of the next"
    spans = (Span(0, 19, 0, "a.txt"), Span(21, len(text), 1, "b.txt"))
    words = "the end of one file the start of the next"
    assert verdict(f"“{words}”", make_source(text, spans, unit="file"))[0] == "close"
    assert verdict(f"“{words}”", make_source(text, spans))[0] == "exact"


CHINESE = """第九条 责任限制
甲方的全部责任不得超过已收到的
对价，即５０,０００元，除非存在欺诈行为。
⼄方应当在 30 日内付款。"""


@pytest.mark.parametrize(
    "words",
    [
        "甲方的全部责任不得超过已收到的对价",
        "即50,000元,除非存在欺诈行为.",
        "乙方应当在30日内付款",
        "全部责任不得超过已 收到的对价",
    ],
)
def test_chinese_knows_no_spaces(verdict, words):
    assert verdict(f"合同规定「{words}」。", CHINESE) == ("exact", "")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("甲方的全部责任得超过已收到的对价", "甲方的全部责任不得超过已收到的 对价"),
        ("乙方应当在 3 日内付款", "⼄方应当在 30 日内付款"),
        ("即50,000美元，除非存在欺诈", "即５０,０００元，除非存在欺诈"),
    ],
)
def test_a_changed_chinese_quotation_is_close(verdict, words, found):
    assert verdict(f"合同规定“{words}”。", CHINESE) == ("close", found)


WORDS = "the tenant shall not pay rent of 40 days to Seller and Buyer, or 7.5 % it's"
words_ = some.lists(
    some.sampled_from(WORDS.split()),
    min_size=6,
    max_size=14,
)


@given(words_, words_, some.data())
@settings(deadline=None, max_examples=100)
def test_an_altered_quotation_is_never_exact(document, others, data):
    """A word more, less, other or elsewhere: unless that stands in the document as well."""
    place = data.draw(some.integers(0, len(document) - 1))
    other = data.draw(some.sampled_from(others))
    changed = data.draw(
        some.sampled_from(
            [
                [*document[:place], other, *document[place:]],
                [*document[:place], *document[place + 1 :]],
                [*document[:place], other, *document[place + 1 :]],
                [*document[place:], *document[:place]],
            ]
        )
    )
    text, told = " ".join(document), " ".join(changed)
    what = sought(told)
    folded = Folded(text)
    found = folded.key.find(what.key)
    if found >= 0 and compare(folded, found, what).exact:
        assert _bare(told) in _bare(text)


def _bare(text: str) -> str:
    return f" {text.strip(',')} ".replace(", ", " ")


@given(
    some.text(alphabet="ab1 -\n’'\u00ad.,—–…\u00a0", max_size=8), some.sampled_from("ab1漢"), some.sampled_from("ab1漢")
)
def test_what_stands_between_letters_is_like_itself(gap, before, after):
    assert forms(gap, before, after)
    assert not forms(gap, before, after).isdisjoint(forms(gap.replace("\u00a0", " "), before, after))
