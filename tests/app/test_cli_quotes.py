"""The command line tells which quotes of an answer stand in its documents. The engine says the question back."""

import json

from app.commands import quotes
from app.data.conversation import Message
from app.data.quote import Quote, QuotePlace

LEASE = """# Term

The lease runs for ninety-nine years. The rent is £1,200.

# Roof

The roof is not to be altered at all."""
QUESTION = (
    "“The lease runs for ninety-nine years”, “The roof is to be altered at all”, “it is all made of gold”, £1,200?"
)


def test_each_quote_is_told_with_its_place(run, document):
    code, out, error = run("ask", "--doc", document(LEASE, "lease.md"), QUESTION)
    assert (code, out) == (0, f"You asked: {QUESTION}\n")
    told = error.splitlines()
    first = told.index("✓ lease.md section Term: “The lease runs for ninety-nine years”")
    assert told[first + 1 : first + 5] == [
        "≈ lease.md section Roof: “The roof is to be altered at all”",
        "  the document says: The roof is not to be altered at all",
        "✗ “it is all made of gold”",
        "✓ lease.md section Term: £1,200",
    ]
    assert " · quotes: 1 ✓ 1 ≈ 1 ✗ · " in error


def test_json_has_everything_of_them(run, document):
    code, out, _ = run("ask", "--json", "--doc", document(LEASE, "lease.md"), QUESTION)
    report = json.loads(out)
    assert code == 0
    assert [one["verdict"] for one in report["quotes"]] == ["exact", "close", "missing", "exact"]
    assert [one["kind"] for one in report["quotes"]] == ["quote"] * 3 + ["fact"]
    exact, close, missing, _ = report["quotes"]
    assert report["answer"][exact["start"] : exact["end"]] == exact["text"] == "“The lease runs for ninety-nine years”"
    (place,) = exact["places"]
    assert (place["name"], place["label"], place["unit"], place["index"]) == ("lease.md", "Term", "section", 0)
    assert place["sha256"] == report["documents"][0]["sha256"]
    assert close["found"] == "The roof is not to be altered at all"
    assert (missing["places"], missing["count"], missing["found"]) == ([], 0, "")


def test_without_documents_nothing_is_said_of_quotes(run):
    code, out, error = run("ask", "--json", QUESTION)
    assert (code, json.loads(out)["quotes"]) == (0, [])
    assert "quotes:" not in error


def place(label: str = "12", path: tuple[str, ...] = (), item: str = "a", file: str = "") -> QuotePlace:
    return QuotePlace(item, 0, 5, label, "page", 11, file, path)


def told(*found: Quote, text: str = "some words of an answer") -> list[str]:
    return quotes.lines(Message("m", "c", "assistant", text, 1.0, quotes=found), {"a": "a.pdf", "b": "b.zip"})


def test_places_are_named_and_counted():
    many = tuple(place(str(page)) for page in range(1, 7))
    assert told(Quote(0, 10, "ambiguous", places=many, count=300)) == [
        "300× a.pdf page 1; a.pdf page 2; a.pdf page 3; a.pdf page 4; and 296 more: some words"
    ]
    inside = place("iv", ("1. First", "1.2 Inner"), "b", "docs/x.pdf")
    assert told(Quote(0, 4, "exact", places=(inside,), count=1)) == ["✓ b.zip docs/x.pdf page iv, 1.2 Inner: some"]
    plain = QuotePlace("a", 0, 5, "a.pdf", "section")
    assert told(Quote(0, 4, "exact", places=(plain,), count=1)) == ["✓ a.pdf: some"]


def test_facts_are_told_once_and_not_without_end():
    text = " ".join(f"£{n}" for n in range(100, 130))
    facts = [Quote(n * 5, n * 5 + 4, "missing", "fact") for n in range(30)]
    lines = told(*facts, *facts, text=text)
    assert len(lines) == 21
    assert lines[0] == "✗ £100"
    assert lines[-1] == "and 10 more facts, which --json tells"
    assert quotes.counts(facts) == ""


def test_a_long_quote_is_cut_in_its_line_and_nowhere_else():
    text = "“" + "word " * 60 + "”"
    (line,) = told(Quote(0, len(text), "missing"), text=text)
    assert len(line) == 102
    assert line.endswith("…")
