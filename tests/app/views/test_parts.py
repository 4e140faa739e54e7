"""Reading bar, banner and source."""

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from app.data.document import Span
from app.views import announce
from app.views.banner import Banner
from app.views.passages import LONGEST, passage_at, passage_named, passages
from app.views.reading_bar import ReadingBar
from app.views.source import SourcePane
from tests.app.views import gallery


@pytest.fixture
def bar(qtbot):
    made = ReadingBar()
    qtbot.addWidget(made)
    return made


def test_the_bar_never_goes_back_and_is_never_full_before_the_end(bar):
    steps = [("extract", 0.0), ("extract", 0.7), ("extract", 0.2), ("tokenise", None), ("tokenise", 1.0)]
    steps += [("read", 0.0), ("read", 0.5), ("read", 0.4), ("read", 1.0)]
    seen = []
    for stage, fraction in steps:
        bar.show_progress(stage, fraction, None, None, ["a.pdf"])
        seen.append(bar.value())
    assert seen == sorted(seen)
    assert seen[-1] == 0.99
    bar.finish()
    assert not bar.isVisible()
    bar.show_progress("read", 0.5)
    assert bar.value() == pytest.approx(0.5)


def test_the_bar_says_rate_time_and_silence(bar):
    bar.show_progress("read", 0.63, 4812.0, 26.0, ["payments-service/"])
    assert bar._label.whole() == "Reading payments-service/ in full"
    assert bar._figures.text() == "63 % · 4,812 tok/s · 26 s left"
    bar.set_silent(1.0)
    assert bar._silent.text() == ""
    bar.set_silent(2.4)
    assert bar._silent.text() == "the engine last spoke 2 s ago"
    assert bar._figures.text() == "63 %"
    bar.show_progress("read", 0.64)
    assert bar._silent.text() == ""


def test_the_bar_offers_to_answer_now_only_when_a_question_waits(bar, qtbot):
    bar.show_progress("read", 0.1)
    assert not bar._answer.isVisible()
    bar.set_can_answer(True)
    with qtbot.waitSignal(bar.answer_now):
        bar._answer.click()
    with qtbot.waitSignal(bar.cancelled):
        bar._cancel.click()


def test_progress_is_announced_by_quarters(bar, monkeypatch):
    said = []
    monkeypatch.setattr(announce, "politely", lambda widget, text: said.append(text))
    bar.show()
    for percent in range(0, 100, 2):
        bar.show_progress("read", percent / 100, names=["a.pdf"])
    assert said == [f"Reading a.pdf in full, {percent} %" for percent in (26, 50, 76)]


def test_a_banner_says_one_thing_with_its_buttons(qtbot):
    banner = Banner()
    qtbot.addWidget(banner)
    banner.show_message("warn", "Settings were damaged.", [("show", "Show the file"), ("ok", "Keep defaults")])
    banner.show_message("bad", "The disk is full.", [("retry", "Try again")])
    assert banner.text() == "The disk is full."
    button = next(b for b in banner.findChildren(QPushButton) if b.text() == "Try again")
    with qtbot.waitSignal(banner.action) as pressed:
        button.click()
    assert pressed.args == ["retry"]


SPANS = (Span(0, 10, 0, "iii"), Span(10, 20, 1, "iv"), Span(20, 20 + 2 * LONGEST + 5, 2, "1"))
TEXT = "a" * 10 + "b" * 9 + "🙂" + "needle" + "c" * (2 * LONGEST - 30) + "NEEDLE" + "d" * 23


def test_pages_are_found_by_label_then_by_number():
    every = passages(len(TEXT), SPANS)
    assert [passage.parts for passage in every] == [1, 1, 3, 3, 3]
    assert every[-1].end == len(TEXT)
    assert every[passage_named(every, "IV")].index == 1
    assert every[passage_named(every, "1")].index == 2
    assert every[passage_named(every, "2")].index == 1
    assert passage_named(every, "99") is None
    assert passage_at(every, 15) == 1


def test_pages_of_files_in_a_folder_are_found_by_their_file(qtbot):
    spans = (
        Span(0, 10, 0, "a.txt"),
        Span(10, 20, 0, "i", "in/b.pdf", "page"),
        Span(20, 30, 1, "ii", "in/b.pdf", "page"),
    )
    every = passages(30, spans, "file")
    assert [(one.index, one.label, one.file, one.unit) for one in every] == [
        (0, "a.txt", "", None),
        (1, "i", "in/b.pdf", "page"),
        (1, "ii", "in/b.pdf", "page"),
    ]
    assert [passage_named(every, entry) for entry in ("2", "in/B.pdf", "ii", "a.txt", "3")] == [1, 1, 2, 0, None]
    pane = SourcePane()
    qtbot.addWidget(pane)
    folder = structs.replace(gallery.AGREEMENT, kind="folder", unit="file")
    pane.show_item(folder, TEXT[:30], spans, 25)
    assert pane.page_label() == "in/b.pdf, page ii"
    assert pane.document._foot._of.text() == "of 2 files"


def test_the_source_shows_pages_with_their_labels(qtbot):
    pane = SourcePane()
    qtbot.addWidget(pane)
    pane.show_item(gallery.AGREEMENT, TEXT, SPANS)
    assert pane.page_text() == "a" * 10
    assert pane.page_label() == "iii (index 1)"
    pane.document._foot.on.click()
    assert pane.page_label() == "iv (index 2)"
    pane.document.entry().setText("1")
    qtbot.keyClick(pane.document.entry(), Qt.Key.Key_Return)
    assert pane.page_label() == "1 (index 3) · part 1 of 3"
    pane.document.entry().setText("77")
    qtbot.keyClick(pane.document.entry(), Qt.Key.Key_Return)
    assert pane.page_label() == "There is no page 77"
    pane.clear()
    assert pane.item() is None


def test_the_source_finds_in_all_pages(qtbot):
    pane = SourcePane()
    qtbot.addWidget(pane)
    pane.show_item(gallery.AGREEMENT, TEXT, SPANS)
    pane.find_here()
    pane.document._find._field.setText("needle")
    assert pane.document._find._count.text() == "1 of 2"
    assert pane.page_label().startswith("1 (index 3)")
    assert pane.document._page.extraSelections()[0].cursor.selectedText() == "needle"
    qtbot.keyClick(pane.document._find._field, Qt.Key.Key_Return)
    assert pane.document._page.extraSelections()[0].cursor.selectedText() == "NEEDLE"
    assert pane.page_label() == "1 (index 3) · part 2 of 3"
    pane.document._find._field.setText("zebra")
    assert pane.document._find._count.text() == "not found"
