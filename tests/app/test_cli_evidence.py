"""What the attention read, on the command line."""

import json

import msgspec

from app.commands import evidence
from app.data.conversation import Message
from app.data.evidence import Passage, SentenceEvidence
from app.data.quote import QuotePlace

TEXT = "The rent is 900. " * 30
MESSAGE = Message("m", "c", "assistant", "It is 900. Paid monthly.", 1.0)


def passage(score: float, start: int, end: int, **place) -> Passage:
    return Passage(QuotePlace("a", start, end, **place), score)


def told(*sentences: SentenceEvidence, names=None) -> list[str]:
    message = msgspec.structs.replace(MESSAGE, evidence=sentences)
    return evidence.lines(message, names or {"a": "lease.pdf"}, lambda place: TEXT[place.start : place.end])


def test_each_sentence_with_its_passages():
    page = passage(0.624, 0, 16, label="12", path=("3. Money", "3.1 Rent"))
    first = SentenceEvidence(0, 10, (page, passage(0.05, 17, 300, label="13")), "heads")
    lines = told(first, SentenceEvidence(11, 24, (passage(1.0, 0, 16),), "heads"))
    assert lines[:3] == [
        "What the attention read:",
        "  It is 900.",
        "     62%  page 12, 3.1 Rent: The rent is 900.",
    ]
    assert lines[3].startswith("      5%  page 13: The rent is 900. The rent")
    assert lines[3].endswith("…")
    assert lines[4:] == ["  Paid monthly.", "    100%  The rent is 900."]


def test_several_documents_are_named_and_files_of_one():
    names = {"a": "papers.zip", "b": "other.txt"}
    place = passage(0.5, 0, 16, label="2", file="lease.pdf")
    assert told(SentenceEvidence(0, 10, (place,), "blocks"), names=names)[2] == (
        "     50%  papers.zip lease.pdf page 2: The rent is 900."
    )
    plain = passage(0.5, 0, 16, label="papers.zip", unit="section")
    assert told(SentenceEvidence(0, 10, (plain,), "blocks"), names={"a": "papers.zip"})[2] == (
        "     50%  The rent is 900."
    )


def test_so_many_sentences_are_told_and_the_rest_counted():
    one = SentenceEvidence(0, 10, (passage(1.0, 0, 16),), "segments")
    lines = told(*[one] * 15)
    assert lines.count("  It is 900.") == 12
    assert lines[-1] == "  and for 3 more sentences, which --json tells"


def test_an_answer_without_any_says_so():
    assert told() == ["What the attention read: no passage of a document."]


def test_it_is_told_when_it_is_asked_for(run, document):
    text = document("The rent is 900. " * 9)
    code, out, error = run("ask", "--doc", text, "--evidence", "Who?")
    assert (code, out) == (0, "You asked: Who?\n")
    assert error.split("What the attention read:")[1].startswith("\n  You asked: Who?\n     75%  The rent is 900.\n"), (
        error[-400:]
    )
    assert "What the attention read" not in run("ask", "--doc", text, "Who?")[2]


def test_programs_are_told_all_of_it(run, document):
    code, out, _ = run("ask", "--doc", document("The rent is 900. " * 9), "--json", "Who?")
    assert code == 0
    (sentence,) = json.loads(out)["evidence"]
    (passage,) = sentence.pop("passages")
    assert sentence == {"text": "You asked: Who?", "start": 0, "end": 15, "how": "heads"}
    assert (passage["score"], passage["text"], passage["name"]) == (0.75, "The rent is 900.", "lease.txt")
    assert (passage["start"], passage["end"], passage["index"], passage["path"]) == (0, 16, 0, [])
    assert json.loads(run("ask", "--json", "Who?")[1])["evidence"] == []
