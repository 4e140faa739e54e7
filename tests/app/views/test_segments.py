"""A text in segments: how the ledger names them, and the strip that shows them all."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from app.data.ledger import LedgerDocument, LedgerPlace, LedgerSegment
from app.models import places, segment_words
from app.views.ledger_line import LedgerLine
from app.views.segment_strip import SegmentStrip, shades
from tests.app.views import gallery
from tests.app.views.gallery import BOOK, COVERAGE, MINUTES, PARALLEL


def page(first, last="", item=BOOK.id):
    return LedgerPlace(item, 100, 200, first, last or first)


PACKED = LedgerSegment(3, (page("7"), LedgerPlace(MINUTES.id, 0, 900, "Agenda", "Agenda", "section")), 1_500, 2.1)
BOTH = msgspec.structs.replace(
    PARALLEL,
    documents=(
        LedgerDocument(BOOK.id, BOOK.name, "c3" * 32, 131_072),
        LedgerDocument(MINUTES.id, MINUTES.name, "d4" * 32, 900),
    ),
    segments=(msgspec.structs.replace(PACKED, kept=True, rows=750), LedgerSegment(4, (page("8", "9"),), 1_900)),
)


@pytest.fixture
def line(qtbot):
    made = LedgerLine()
    qtbot.addWidget(made)
    made.resize(700, 400)
    made.show()
    return made


def test_places_are_said_short_and_whole():
    section = LedgerPlace("i", 99, 400, "Chapter 3", "Chapter 3", "section")
    files = LedgerPlace("i", 0, 9, "src/a.py", "src/b.py", "file")
    unnamed = LedgerPlace("i", 999, 1_200)
    inner = LedgerPlace("i", 0, 9, "ii", "iv", "page", "in/b.pdf")
    given = (page("40"), page("40", "47"), section, files, unnamed, inner)
    said = [(places.short(one), places.whole(one)) for one in given]
    assert said == [
        ("p. 40", "page 40"),
        ("pp. 40–47", "pages 40 to 47"),
        ("Chapter 3, at 100", "section Chapter 3, characters 100 to 400"),
        ("src/a.py – src/b.py", "files src/a.py to src/b.py"),
        ("characters 1,000 to 1,200", "characters 1,000 to 1,200"),
        ("in/b.pdf, pp. ii–iv", "in/b.pdf, pages ii to iv"),
    ]
    assert places.together([page("3"), inner]) == "p. 3, in/b.pdf, pp. ii–iv"


def test_the_line_says_what_the_answer_was_written_over(line):
    line.set_ledger(PARALLEL)
    assert "Read in full: 1 document · 131,072 tokens in 66 segments" in line.text()
    assert "This answer was written over segments 4, 9, 17 (pp. 16–21, 41–46, 81–86)" in line.text()
    assert "131,072 tokens opened from disk" in line.text()
    line.set_ledger(gallery.LEDGER)
    assert "segment" not in line.text()


def test_many_kept_segments_are_counted_and_not_listed():
    kept = tuple(msgspec.structs.replace(one, kept=True) for one in PARALLEL.segments[:20])
    said = segment_words.written_over(msgspec.structs.replace(PARALLEL, segments=kept))
    assert said.startswith("This answer was written over segments 1, 2, 3, 4, 5, 6, 7, 8 and 12 more (pp. 1–6, ")


def test_packed_segments_name_their_documents(line):
    line.set_ledger(BOTH)
    where = "(The Archive Book.pdf p. 7; Board minutes 2019.docx Agenda, at 1)"
    assert f"This answer was written over segment 3 {where}" in line.text()
    named = segment_words.names(BOTH)
    assert segment_words.segment(BOTH.segments[0], named) == (
        "Segment 3, The Archive Book.pdf page 7, Board minutes 2019.docx section Agenda, characters 1 to 900, "
        "1,500 tokens, 2.10 nats, kept, 750 of its rows"
    )
    assert segment_words.segment(BOTH.segments[1], named).endswith("1,900 tokens, not asked")


def test_a_question_over_every_part_says_so(line):
    line.set_ledger(COVERAGE)
    assert "every part asked: 256" in line.text()
    assert "written over" not in line.text()
    line._more.click()
    assert line.strip.about() == "Every part of every segment was asked"
    assert not any(cell.kept for cell in line.strip.cells)
    assert "not asked" not in line.strip.cells[0].accessibleName()


def test_details_tell_how_it_was_asked_and_joined(line):
    line.set_ledger(PARALLEL)
    line._more.click()
    shown = [label.text() for label in line._details.findChildren(QLabel)]
    told = dict(zip(shown[::2], shown[1::2], strict=True))
    assert told["Asked"] == "66 of 66 segments"
    assert told["Joined"] == "one after the other (consecutive)"
    assert told["Keys and values"] == "as int8: half the size, rounded"
    assert told["Opened from disk"] == "131,072 tokens"
    line.set_ledger(gallery.LEDGER)
    shown = [label.text() for label in line._details.findChildren(QLabel)]
    assert "Joined" not in shown
    assert line.strip is None


def test_notes_are_filled_in_where_their_values_are_known(line):
    noted = msgspec.structs.replace(
        PARALLEL, notes=("window_native",), note_values={"window_native": {"asked": "9000", "window": "8192"}}
    )
    line.set_ledger(noted)
    line._more.click()
    shown = [label.text() for label in line._details.findChildren(QLabel)]
    assert "9,000 tokens were asked for; the model was made for 8,192, which is what it gets." in shown
    line.set_ledger(msgspec.structs.replace(noted, note_values={}))
    assert "window native" in [label.text() for label in line._details.findChildren(QLabel)]


def test_shades_go_from_worst_to_best():
    made = [LedgerSegment(n, (), 10, score) for n, score in enumerate((1.8, 2.8, None, 2.3), 1)]
    assert shades(made) == [1.0, 0.0, None, pytest.approx(0.5)]
    assert shades([LedgerSegment(1, (), 10, 2.0)]) == [1.0]
    assert shades([]) == []


@pytest.fixture
def strip(qtbot):
    made = SegmentStrip(PARALLEL)
    qtbot.addWidget(made)
    made.resize(400, 200)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_every_segment_has_a_cell_that_says_itself(strip):
    assert len(strip.cells) == 66
    ninth = strip.cells[8]
    assert ninth.accessibleName() == ninth.toolTip() == "Segment 9, pages 41 to 46, 1,978 tokens, 1.81 nats, kept"
    assert [place + 1 for place, cell in enumerate(strip.cells) if cell.kept] == [4, 9, 17]


def test_the_strip_wraps_and_is_walked_by_arrows(strip, qtbot):
    columns = sum(cell.y() == strip.cells[0].y() for cell in strip.cells)
    assert 5 < columns < 66
    reached = [cell for cell in strip.cells if cell.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert reached == [strip.cells[3]], "Tab reaches it as one thing, at the first that was kept"
    strip.cells[3].setFocus()
    for key, place in ((Qt.Key.Key_Right, 4), (Qt.Key.Key_Down, 4 + columns), (Qt.Key.Key_Left, 3 + columns)):
        qtbot.keyClick(strip.window().focusWidget(), key)
        assert strip.window().focusWidget() is strip.cells[place]
    assert strip.about() == strip.cells[3 + columns].accessibleName()
    qtbot.keyClick(strip.window().focusWidget(), Qt.Key.Key_End)
    qtbot.keyClick(strip.window().focusWidget(), Qt.Key.Key_Right)
    assert strip.window().focusWidget() is strip.cells[-1]
    assert [cell for cell in strip.cells if cell.focusPolicy() & Qt.FocusPolicy.TabFocus] == [strip.cells[-1]]


def test_a_cell_opens_its_page_by_mouse_and_by_key(strip, qtbot):
    opened = []
    strip.place.connect(lambda *where: opened.append(where))
    qtbot.mouseClick(strip.cells[8], Qt.MouseButton.LeftButton)
    qtbot.keyClick(strip.cells[8], Qt.Key.Key_Return)
    assert opened == [(BOOK.id, 36_000, 40_000)] * 2


def test_a_segment_s_page_is_asked_of_the_window(window, qtbot):
    gallery.segments(window)
    with qtbot.waitSignal(window.conversation.place) as asked:
        window.conversation.view("a").ledger().strip.cells[0].click()
    assert asked.args == [BOOK.id, 4000, 8000]


def test_the_source_marks_what_it_was_asked_to_show(window):
    gallery.segments(window)
    marked = [selection.cursor.selectedText() for selection in window.source.document._page.extraSelections()]
    assert len(marked) == 1
    assert marked[0].startswith("9.2 Save")
    assert "9.4" not in marked[0]
