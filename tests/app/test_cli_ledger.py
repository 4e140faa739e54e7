"""The lines under an answer on the command line."""

import msgspec
import pytest

from app.commands import ledger, sentences
from app.data.conversation import FoundPart
from app.data.ledger import Ledger, LedgerDocument, LedgerPlace, LedgerSegment

ONE = (LedgerDocument("a", "BOOK.pdf", "a", 131_072),)
TWO = (*ONE, LedgerDocument("b", "lease.txt", "b", 900))
PLAIN = Ledger(
    ONE, *(131_200, 0, 131_200, 5, 0, 0, "stop", 1.5, None, 40.0, "M", "f", "bf16", "int8", "cpu", 8192, {}, 0.0, None)
)  # fmt: skip


def segment(number: int, *places: LedgerPlace, kept: bool = True) -> LedgerSegment:
    return LedgerSegment(number, places, 2000, 1.5 if kept else 2.5, kept, 2000 if kept else 0)


def pages(first: str, last: str, item: str = "a") -> LedgerPlace:
    return LedgerPlace(item, 0, 9, first, last)


def told(**changes) -> str:
    return ledger.lines(msgspec.structs.replace(PLAIN, **changes))


def parallel(*segments: LedgerSegment, **changes) -> str:
    return told(mode="parallel", segments=segments, asked=len(segments), **changes)


def test_a_text_that_was_read_whole():
    assert told(reopened=131_072) == (
        "Read in full: BOOK.pdf · 131,072 tokens · 131,200 reused, 131,072 of them from disk · "
        "first word after 1.5 s · 40 tok/s · M bf16 int8 · window 8,192"
    )
    assert told(unread=72).startswith("Read 131,000 of 131,072 tokens: BOOK.pdf · ")


def test_segments_are_named_with_their_pages():
    skipped = segment(1, pages("1", "8"), kept=False)
    line = parallel(skipped, segment(4, pages("12", "14")), segment(9, pages("40", "40")))
    assert line.startswith(
        "Read in full: BOOK.pdf · 131,072 tokens in 3 segments; "
        "this answer was written over segments 4, 9 (pages 12-14, 40) · "
    )
    assert "over segment 9 (page 40) · " in parallel(segment(9, pages("40", "40")))
    assert "over segment 9 (pages 40-41) · " in parallel(segment(9, pages("40", "41")))
    assert "over segment 9 · " in parallel(segment(9, pages("", "")))


def test_several_documents_are_named_with_their_places():
    line = parallel(segment(1, pages("3", "4")), segment(7, pages("9", "9"), pages("1", "1", "b")), documents=TWO)
    assert "segments 1, 7 (BOOK.pdf pages 3-4, 9; lease.txt page 1) · " in line


def test_sections_and_files_are_named_by_their_titles():
    section = LedgerPlace("a", 0, 9, "Rent", "Deposit", "section")
    files = LedgerPlace("a", 0, 9, "main.py", "main.py", "file")
    assert "(sections Rent to Deposit)" in parallel(segment(1, section))
    assert "(file main.py)" in parallel(segment(1, files))


def test_pages_of_files_in_a_folder_are_named_with_their_file():
    inner = [
        LedgerPlace("a", 0, 9, "2", "4", "page", "in/b.pdf"),
        LedgerPlace("a", 9, 12, "7", "7", "page", "in/b.pdf"),
    ]
    whole = LedgerPlace("a", 12, 20, "c.py", "c.py", "file")
    assert "(in/b.pdf pages 2-4, 7, file c.py)" in parallel(segment(1, *inner, whole))
    assert "(BOOK.pdf in/b.pdf page 7; lease.txt page 1)" in parallel(
        segment(1, inner[1], pages("1", "1", "b")), documents=TWO
    )
    found = FoundPart(3, 9, "a", 0, 9, "7", 0.1, True, True, "ii", "ii", "page", "in/b.pdf")
    assert ledger.finding(found, {"a": "files"}) == "in/b.pdf page ii: 7"


def test_a_text_without_pages_is_not_said_to_be_on_one_of_its_own_name():
    book, lease = pages("BOOK.pdf", "BOOK.pdf"), pages("lease.txt", "lease.txt", "b")
    assert "over segment 1 · " in parallel(segment(1, book))
    assert "over segment 1 (BOOK.pdf; lease.txt) · " in parallel(segment(1, book, lease), documents=TWO)
    found = FoundPart(3, 9, "b", 0, 9, "7", 0.1, True, True, "lease.txt", "lease.txt", "section")
    assert ledger.finding(found, {"b": "lease.txt"}) == "part 4 of 9: 7"
    assert ledger.finding(found, {"a": "BOOK.pdf", "b": "lease.txt"}) == "lease.txt part 4 of 9: 7"


def test_a_line_names_so_many_and_counts_the_rest():
    line = parallel(*(segment(number, pages(str(number), str(number))) for number in range(1, 15)))
    assert "segments 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, and 2 more (pages 1, 2," in line
    assert "11, 12, and 2 more) · " in line


def test_coverage_says_how_many_parts_were_asked():
    line = told(mode="coverage", asked=256, segments=(segment(1, pages("1", "9"), kept=False),))
    assert "131,072 tokens in 1 segment; went over all 256 parts · " in line
    stopped = msgspec.structs.replace(PLAIN, mode="coverage", asked=1_000, finish="cancelled")
    assert "; went over 1,000 of 2,560 parts · " in ledger.lines(stopped, parts=2_560)
    assert "Stopped by you" in ledger.lines(stopped, parts=2_560)


def test_notes_are_whole_sentences():
    line = told(
        notes=("read_parallel", "not_saved_full", "history_long", "of_a_newer_engine"),
        note_values={
            "read_parallel": {"tokens": "131200", "window": "8192", "segments": "64"},
            "not_saved_full": {"needed": str(3 * 2**30), "quota": str(2**30)},
        },
    )
    assert "The text is 131,200 tokens and the window holds 8,192. It was read in full, in 64 segments" in line
    assert "it takes 3.0 GB, and all readings together may take 1.0 GB" in line
    assert "left room for ? segments only" in line
    assert line.endswith("\nof a newer engine")


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("read_parallel", ("tokens", "window", "segments")),
        ("kv_int8", ()),
        ("not_saved_full", ("needed", "quota")),
        *((code, ()) for code in ("not_saved_disk", "not_saved", "reading_int8")),
        ("reading_damaged", ("segments",)),
        ("history_long", ("kept",)),
        ("asked_some", ("asked", "segments")),
        ("extended", ("factor", "native", "window", "method")),
        ("window_extended", ("asked", "window")),
        *((f"not_extended_{code}", ("method", "native", "kind")) for code in ("scaled", "sliding")),
    ],
)
def test_every_note_of_the_engine_has_a_sentence_for_its_values(code, values):
    said = sentences.note(code, dict.fromkeys(values, "2"))
    assert said.endswith(".")
    assert "?" not in said
    assert "{" not in said


def part(number: int, surprise: float, *, stands: bool = True, certain: bool = False, text="7\n 8") -> FoundPart:
    return FoundPart(number, 99, "a", 0, 9, text, surprise, stands, certain, str(number), str(number))


def test_uncertain_findings_come_likeliest_first_and_not_all():
    found = [part(1, 0.9), part(2, 0.5), part(3, 0.1, stands=False), part(4, 0.1, certain=True)]
    names = {"a": "BOOK.pdf"}
    assert ledger.findings(found, names) == ["page 2: 7 8", "page 1: 7 8", "page 3: 7 8"]
    many = ledger.findings([part(number, 0.5) for number in range(30)], names | {"b": "lease.txt"})
    assert len(many) == 21
    assert many[0] == "BOOK.pdf page 0: 7 8"
    assert many[-1] == "and 10 less likely ones, which --json tells"


@pytest.mark.parametrize(("text", "said"), [("", "page 1: "), ("a\tb\r\nc", "page 1: a b c")])
def test_a_finding_is_one_line(text, said):
    assert ledger.finding(part(1, 0.1, text=text), {}) == said
