"""What a policy forgot of an answer's texts: in the line, in the details, and as cells that open pages."""

import msgspec
import pytest
from PySide6.QtWidgets import QLabel

from app.data.forgotten import worst_first, worst_of
from app.data.ledger import LedgerDocument, LedgerForgotten, LedgerPlace, LedgerPruned
from app.models import forgetting_words
from app.views.ledger_line import LedgerLine
from tests.app.views.samples import BOOK, LEDGER, MINUTES, PARALLEL, PRUNED


def gone(share, first, last="", item=BOOK.id, start=0, tokens=100, unit="page"):
    return LedgerForgotten(LedgerPlace(item, start, start + 99, first, last or first, unit), tokens, share)


def pruned(*parts, rows=300, forgotten=700):
    return LedgerPruned("h2o", "auto", 300, rows, forgotten, parts)


@pytest.fixture
def line(qtbot):
    made = LedgerLine()
    qtbot.addWidget(made)
    made.resize(700, 400)
    made.show()
    return made


def told(line) -> dict[str, str]:
    shown = [label.text().replace("\u00a0", " ") for label in line._details.findChildren(QLabel)]
    return dict(zip(shown[::2], shown[1::2], strict=True))


def test_the_line_says_how_much_by_what_and_which_pages_lost_most(line):
    line.set_ledger(PRUNED)
    said = line.text().replace("\u00a0", " ")
    assert "⚠ Forgotten: 2,801 of 4,001 tokens (TriAttention)" in said
    assert "Most was forgotten of p. 5, p. 11, p. 2, pp. 9–10, pp. 3–4" in said
    assert "and 19 more" in said


def test_the_details_tell_every_page_and_its_cells_open_them(line, qtbot):
    line.set_ledger(PRUNED)
    line._more.click()
    rows = told(line)
    assert rows["Policy"] == "TriAttention · every head chooses for itself"
    assert rows["Kept"] == "1,200 tokens in every head, 1,188 at the prompt's end"
    assert rows["Share that was forgotten"].startswith("p. 5: 100 %, p. 11: 99 %, p. 2: 95 %, pp. 9–10: 92 %")
    assert rows["Share that was forgotten"].endswith("p. 1: 20 %, p. 13: 1 %")
    assert len(line.strip.cells) == len(PRUNED.pruned.parts)
    assert line.strip.cells[0].accessibleName().replace("\u00a0", " ") == "page 5, 120 tokens, 100 % forgotten"
    with qtbot.waitSignal(line.place) as place:
        line.strip.cells[0].click()
    assert place.args == [BOOK.id, 2_000, 2_500]


def test_without_a_policy_nothing_is_said_of_forgetting(line):
    for ledger in (LEDGER, PARALLEL):
        line.set_ledger(ledger)
        line._more.setChecked(True)
        assert "orgotten" not in line.text()
        assert not told(line).keys() & {"Policy", "Kept", "Forgotten", "Share that was forgotten"}


def test_a_policy_that_forgot_nothing_says_that(line):
    nothing = msgspec.structs.replace(PRUNED, evicted=0, pruned=pruned(rows=900, forgotten=0))
    line.set_ledger(nothing)
    assert "Forgotten: nothing (H2O)" in line.text()
    assert "⚠" not in line.text()
    line._more.click()
    assert line.strip is None
    assert "Share that was forgotten" not in told(line)


def test_older_ledgers_tell_the_number_alone(line):
    line.set_ledger(msgspec.structs.replace(LEDGER, evicted=512))
    assert "⚠ Forgotten: 512 tokens" in line.text()


def test_parts_of_one_page_are_one_and_those_of_a_section_are_not():
    parts = (gone(0.9, "3"), gone(0.5, "3", start=100, tokens=300), gone(0.8, "4"), gone(0.7, "Tale", unit="section"))
    parts += (gone(0.8, "Tale", start=100, unit="section"),)
    made = worst_first(pruned(*parts))
    assert [(part.place.first_label, part.share) for part in made] == [
        *(("4", 0.8), ("Tale", 0.8), ("Tale", 0.7), ("3", pytest.approx(0.6)))
    ]
    joined = made[-1]
    assert (joined.place.start, joined.place.end, joined.tokens) == (0, 199, 400)
    assert [part.place.first_label for part in worst_of(pruned(*parts))] == ["4", "Tale", "Tale"]
    assert worst_of(pruned(*parts, forgotten=0)) == []


def test_several_documents_are_named():
    both = (LedgerDocument(BOOK.id, BOOK.name, "c", 9), LedgerDocument(MINUTES.id, MINUTES.name, "d", 9))
    parts = (gone(0.8, "7"), gone(0.9, "2", item=MINUTES.id))
    ledger = msgspec.structs.replace(PRUNED, documents=both, pruned=pruned(*parts))
    said = forgetting_words.most(ledger).replace("\u00a0", " ")
    assert said == f"Most was forgotten of {MINUTES.name} p. 2, {BOOK.name} p. 7"
