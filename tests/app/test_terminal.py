"""What a terminal shows: progress in one line, and nothing that a document or a model could command it with."""

import io

import pytest

from app.commands import ledger as ledgers
from app.commands import sentences, terminal
from app.commands.terminal import Terminal, plain
from app.data.conversation import Failure
from app.data.document import Item, LeftOut, Warning
from app.data.ledger import Ledger, LedgerDocument, LedgerForgotten, LedgerPlace, LedgerPruned
from app.words import size
from engine.protocol import Advice, Progress


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_control_characters_of_an_answer_do_nothing_on_a_terminal():
    screen, file = Screen(), io.StringIO()
    Terminal(screen, Screen()).answer("a\x1b[2Jb\x07\u202ec\td\ne")
    Terminal(file, Screen()).answer("a\x1b[2Jb")
    assert screen.getvalue() == "a�[2Jb��c\td\ne"
    assert file.getvalue() == "a\x1b[2Jb"  # a program gets what was written


@pytest.mark.parametrize("name", ["\x9b31mred.pdf", "a\rb", "\u2066x\u2069"])
def test_names_do_nothing_either(name):
    assert plain(name) != name


def test_progress_is_one_line_on_a_terminal_and_gone_when_something_is_said(monkeypatch):
    monkeypatch.setattr(terminal, "EVERY", 0.0)
    screen = Screen()
    one = Terminal(io.StringIO(), screen)
    one.progress("Reading", "1 %")
    one.progress("Reading", "2 %")
    one.say("Done.")
    assert screen.getvalue() == "\r\x1b[KReading  1 %\r\x1b[KReading  2 %\r\x1b[KDone.\n"


def test_progress_is_sparse_in_a_file():
    file = io.StringIO()
    one = Terminal(io.StringIO(), file)
    for share in range(50):
        one.progress("Reading", f"{share} %")
    one.progress("Writing", "1 %")
    assert file.getvalue() == "Reading  0 %\nWriting  1 %\n"


def test_a_long_line_of_progress_is_cut_at_the_edge(monkeypatch):
    monkeypatch.setenv("COLUMNS", "10")
    screen = Screen()
    Terminal(io.StringIO(), screen).progress("Opening", "a" * 40)
    assert screen.getvalue() == "\r\x1b[KOpening  "


def test_how_far_a_reading_is():
    at = Progress("1", "read", 6540, 6540, reused=120, rate=612.4, left=75.2)
    assert sentences.progress(at) == "99 % · 6,540 of 6,540 tokens · 120 reused · 612 tok/s · 1 min 15 s left"
    assert sentences.progress(Progress("1", "load", 2**20, 2**22)) == "25 % · 1.0 MB of 4.0 MB"
    assert sentences.progress(Progress("1", "read", 0, 0)) == "0 % · 0 of 0 tokens"


def test_failures_count_tokens_and_measure_bytes():
    too_long = sentences.failure(Failure("too_long", needed=131_072, available=8_192))
    assert "131,072 tokens" in too_long
    assert "8,192" in too_long
    memory = sentences.failure(Failure("out_of_memory", needed=3 * 2**30, available=2**30))
    assert "3.0 GB were needed" in memory
    assert "1.0 GB are free" in memory
    assert "lease.pdf" in sentences.failure(Failure("bad_document", "lease.pdf"))
    advice = (Advice("window", 131_072), Advice("int4", 524_288), Advice("kv", 600_000), Advice("newer", 1))
    advised = sentences.failure(Failure("out_of_memory", needed=3, available=1, advice=advice))
    assert advised.endswith(
        "A window of 131,072 tokens would fit. With INT4 weights, which are less exact, a window of 524,288 would fit. "
        "With keys and values as INT8 as well, a window of 600,000 would fit."
    )


def ledger(**changes) -> Ledger:
    known = {
        "documents": (LedgerDocument("d", "lease.pdf", "d", 100),),
        "prompt": 110,
        "read": 110,
        "reused": 0,
        "written": 5,
        "unread": 0,
        "evicted": 0,
        "finish": "complete",
        "first_token": 1.5,
        "reading_rate": 700.0,
        "writing_rate": 40.0,
        "model": "M",
        "fingerprint": "f",
        "precision": "bf16",
        "writing": "int8",
        "device": "cpu",
        "window": 8192,
        "layers": {"full": 30},
        "temperature": 0.0,
        "seed": None,
    }
    return Ledger(**(known | changes))


def test_the_lines_under_an_answer():
    assert ledgers.lines(ledger()) == (
        "Read in full: lease.pdf · 100 tokens · first word after 1.5 s · 40 tok/s · M bf16 int8 · window 8,192"
    )
    hybrid = ledgers.lines(ledger(layers={"lightning": 24, "sparse": 8}))
    assert hybrid.endswith(" · layers 24 lightning, 8 sparse · window 8,192")
    partly = ledgers.lines(
        ledger(
            documents=(LedgerDocument("d", "lease.pdf", "d", 100, 40, 2),),
            unread=40,
            reused=60,
            finish="length",
            notes=("only_read", "of_a_newer_engine"),
        )
    )
    assert partly.startswith("Read 60 of 100 tokens: lease.pdf · 2 parts left out · 60 reused")
    assert "longest answer that was allowed" in partly
    assert "Answered from what had been read" in partly
    assert partly.endswith("of a newer engine")


def test_the_extent_of_documents():
    item = Item(
        "d", "lease.pdf", "/lease.pdf", "pdf", "page", 9, 41_312, "/d.txt", 1.0, first_label="i", last_label="8"
    )
    assert sentences.extent(item) == "9 pages (i to 8), 41,312 characters"
    folder = Item("d", "code", "/code", "folder", "file", 1, 12, "/d.txt", 1.0, tokens=1)
    assert sentences.extent(folder) == "1 file, 12 characters, 1 token"


def test_what_is_left_out_and_warned_of_has_a_sentence():
    assert sentences.warning(Warning("attachments", {"count": "2"})) == "2 attached files were not read"
    assert sentences.left_out(LeftOut("a.png", "binary")).startswith("a.png: ")


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 KB"),
        (92_871_040, "89 MB"),
        (15 * 2**30, "15.0 GB"),
        (2**50, "1,024.0 TB"),
    ],
)
def test_sizes(count, told):
    assert size(count) == told


@pytest.mark.parametrize(
    ("count", "told"), [(0.04, "0.0 s"), (9.94, "9.9 s"), (59.6, "1 min 0 s"), (4000, "1 h 6 min")]
)
def test_times(count, told):
    assert sentences.seconds(count) == told


def test_the_line_under_an_answer_names_the_pages_that_lost_most():
    def part(page: str, share: float) -> LedgerForgotten:
        return LedgerForgotten(LedgerPlace("d", 0, 1, page, page), 100, share)

    parts = (part("3", 0.5), part("4", 0.9), part("7", 0.81))
    pruned = LedgerPruned("triattention", "auto", 300, 305, 1200, parts)
    said = ledgers.lines(ledger(pruned=pruned, evicted=1200))
    assert "100 tokens · forgot 1,200 of 1,505 tokens (triattention), most of pages 4, 7 · first" in said
    nothing = ledgers.lines(ledger(pruned=LedgerPruned("h2o", "auto", 300, 110, 0)))
    assert "forgot nothing of 110 tokens (h2o)" in nothing
    assert "forgot" not in ledgers.lines(ledger())
