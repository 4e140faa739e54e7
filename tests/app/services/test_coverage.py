"""A question that needs all of a text is known by its words, and put to one part of it in the singular."""

import pytest

from app.services.coverage import singular, wants_all
from app.services.plurals import one


@pytest.mark.parametrize(
    "question",
    [
        "List every special magic number",
        "please list the parties",
        "Could you list all deadlines?",
        "What does every tenant pay?",
        "How many chapters are there?",
        "Summarise the book.",
        "Give me a summary",
        "summarize what it says about fees",
        "What are the main points?",
        "Compare the two leases",
        "What is the difference between A and B?",
        "How do the proposals differ?",
        "Which magic numbers does the text mention?",
        "Which people are named?",
        "Name all characters",
        "Count the chapters",
        "What is said in the whole book?",
        "列出所有神奇数字",
        "文中有哪些违约责任？",
        "一共提到了多少个人？",
        "请总结全文",
        "比较甲和乙的方案",
        "甲与乙有什么区别？",
        "列出每一条义务",
    ],
)
def test_asks_for_everything(question):
    assert wants_all(question)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "What is the rent?",
        "What is the special magic number for a tree?",
        "Who is Anna's brother?",
        "What must be paid every month?",
        "Is the tenant liable at all?",
        "What happened after all?",
        "Where is the price list?",
        "Which colour does the text mention?",
        "Do they love each other?",
        "租金是多少？",
        "租期几个月？",
        "每个月要付多少钱？",
        "这个方案比较好吗？",
    ],
)
def test_asks_for_one_thing(question):
    assert not wants_all(question)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("List every special magic number", "What is the special magic number mentioned in the text?"),
        ("List all special magic numbers in the text.", "What is the special magic number in the text?"),
        ("Which magic numbers does the text mention?", "What is the magic number mentioned in the text?"),
        ("How many special magic numbers are there?", "What is the special magic number mentioned in the text?"),
        ("Please list all people who are mentioned", "Who is the person who is mentioned?"),
        ("List the names of the witnesses", "What is the name of the witness mentioned in the text?"),
        ("Find every date on which a payment is due", "What is the date on which a payment is due?"),
        ("Can you extract all clauses that are about payments?", "What is the clause that is about payments?"),
        ("What are the obligations of the tenant?", "What is the obligation of the tenant mentioned in the text?"),
        ("Summarise the book", "What is the main point of the text?"),
        ("Summarize what the contract says about termination", "What does the text say about termination?"),
        ("Compare the two leases", "What does the text say about the two leases?"),
        ("How does plan A compare with plan B?", "What does the text say about plan A and plan B?"),
        ("请列出文中提到的所有神奇数字。", "文中提到的神奇数字是什么？"),
        ("文中提到了哪些神奇数字？", "文中提到的神奇数字是什么？"),
        ("一共有多少个神奇数字？", "文中提到的神奇数字是什么？"),
        ("总结全文", "这段文字的要点是什么？"),
        ("总结一下关于终止的规定", "这段文字关于终止说了什么？"),
        ("比较甲和乙的异同", "这段文字关于甲和乙说了什么？"),
        ("甲和乙有什么区别？", "这段文字关于甲和乙说了什么？"),
    ],
)  # fmt: skip
def test_one_part_is_asked_in_the_singular(question, part):
    assert singular(question) == part


@pytest.mark.parametrize("question", ["What is the rent?", "Find the house", "Tell me the rent", "租金是多少？", ""])
def test_what_is_asked_of_one_thing_stays_as_it_is(question):
    assert singular(f" {question}\n") == question


@pytest.mark.parametrize(
    ("many", "single"),
    [
        *(("numbers", "number"), ("parties", "party"), ("clauses", "clause"), ("addresses", "address")),
        *(("boxes", "box"), ("Criteria", "Criterion"), ("analyses", "analysis"), ("people", "person")),
        *(("status", "status"), ("series", "series"), ("codes", "code"), ("PDFs", "PDF"), ("class", "class")),
        *(("NDAs", "NDA"), ("USS", "USS"), ("heroes", "hero"), ("ids", "id"), ("is", "is")),
    ],
)
def test_singulars(many, single):
    assert one(many) == single


def test_a_very_long_question_is_looked_through_at_once():
    pasted = "and then you please list the words of how does which what are the " * 2_000
    assert wants_all(pasted)
    assert singular(pasted)
    assert singular("how many " + "x " * 20_000)
    assert not wants_all("word " * 20_000)
