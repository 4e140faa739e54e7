"""The right pane: printed pages and their marks, zoom, a second document, evidence, and copies with references."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from app.data.document import Span
from app.data.drawing import Drawing, Rectangle
from app.data.evidence import Passage, ShownPassage, ShownSentence, Without
from app.data.quote import QuotePlace
from app.models.references import Cited, reference
from app.views.source import SourcePane

from . import gallery

SPANS = (Span(0, 20, 0, "i"), Span(20, 40, 1, "ii"))
TEXT = "The lease of a shop." + "The tenant pays 2,4."
PDF = gallery.AGREEMENT
NOTE = msgspec.structs.replace(PDF, id="n" * 64, name="note.txt", kind="text", unit="section")


def drawing(width=200, marks=()):
    return Drawing(b"\xff" * (4 * width * 2 * width), width, 2 * width, tuple(marks))


@pytest.fixture
def pane(qtbot):
    made = SourcePane()
    qtbot.addWidget(made)
    made.resize(420, 700)
    made.show()
    return made


def test_a_printed_page_is_asked_for_with_what_is_marked_on_it(pane, qtbot):
    with qtbot.waitSignal(pane.drawing_wanted) as asked:
        pane.show_item(PDF, TEXT, SPANS, 24, 30)
    item, index, width, spans = asked.args
    assert (item, index, spans) == (PDF.id, 1, [(24, 30)])
    assert width > 200
    pane.show_drawing(PDF.id, 1, drawing(400, [(Rectangle(40, 80, 60, 20), Rectangle(40, 110, 10, 20))]))
    assert pane.document._drawn.marks() == 2
    picture = pane.document._drawn._sheet.grab().toImage()
    factor = picture.width() / 400
    marked = picture.pixelColor(round(60 * factor), round(90 * factor))
    assert marked != QColor("white"), "the mark lies over the words"
    assert picture.pixelColor(round(300 * factor), round(90 * factor)) == QColor("white")


def test_a_page_that_was_left_since_is_not_shown(pane):
    pane.show_item(PDF, TEXT, SPANS)
    pane.show_drawing(PDF.id, 1, drawing(marks=[(Rectangle(1, 1, 1, 1),)]))
    assert pane.document._drawn.marks() == 0


def test_where_a_page_cannot_be_drawn_its_text_is_shown_and_why(pane):
    pane.show_item(PDF, TEXT, SPANS)
    assert pane.printed.isVisible()
    pane.drawing_failed(PDF.id, "The original has changed.")
    assert pane.document._pages.currentWidget() is pane.document._page
    assert pane.page_text() == TEXT[:20]
    assert pane.page_label() == "The original has changed."
    assert not pane.printed.isChecked()


def test_text_and_print_are_one_click_apart(pane, qtbot):
    pane.show_item(PDF, TEXT, SPANS)
    pane.printed.click()
    assert pane.document._pages.currentWidget() is pane.document._page
    with qtbot.waitSignal(pane.drawing_wanted):
        pane.printed.click()


def test_what_has_no_print_is_text(pane):
    pane.show_item(NOTE, TEXT, SPANS)
    assert not pane.printed.isVisible()
    assert pane.document._pages.currentWidget() is pane.document._page


def test_zoom_in_steps_and_back(pane):
    pane.show_item(NOTE, TEXT, SPANS)
    size = pane.document._page.document().firstBlock().begin().fragment().charFormat().font().pointSizeF()
    pane.into.click()
    larger = pane.document._page.document().firstBlock().begin().fragment().charFormat().font().pointSizeF()
    assert larger > size
    for _ in range(30):
        pane.into.click()
    assert pane.document.zoomed() == 3.0
    pane.document.zoom(0)
    assert pane.document.zoomed() == 1.0


def test_two_documents_side_by_side(pane):
    pane.show_item(PDF, TEXT, SPANS)
    pane.hold.click()
    pane.show_item(NOTE, TEXT, SPANS, 20)
    assert pane.held.item() is not None
    assert (pane.held.item().id, pane.item().id) == (PDF.id, NOTE.id)
    assert pane.held.isVisible()
    assert pane._documents.orientation() == Qt.Orientation.Vertical
    pane.resize(900, 700)
    assert pane._documents.orientation() == Qt.Orientation.Horizontal
    pane.hold.click()
    assert not pane.held.isVisible()
    assert pane.item().id == NOTE.id


@pytest.mark.parametrize(
    ("style", "said"),
    [
        ("plain", "“The lease ends.” (Lease of 1887.pdf, p. iv)"),
        ("bluebook", "“The lease ends.” Lease of 1887, § 3. Term, at iv."),
        ("gbt7714", "“The lease ends.” Lease of 1887[Z]: iv."),
    ],
)
def test_references(style, said):
    cited = Cited("The lease\nends.", "Lease of 1887.pdf", "iv", path=("Lease", "3. Term"))
    assert reference(cited, style) == said


def test_references_of_what_has_no_pages():
    cited = Cited("x y", "papers", "Introduction", "section", "notes/v1.0 draft.docx", ("Introduction",))
    assert reference(cited, "plain") == "“x y” (papers, notes/v1.0 draft.docx, Introduction)"
    assert reference(cited, "bluebook") == "“x y” v1.0 draft, § Introduction."
    assert reference(Cited("x", "readme"), "gbt7714") == "“x” readme[Z]."


def test_a_copy_is_of_the_selection_else_of_the_mark_else_of_the_page(pane, qtbot):
    pane.show_item(NOTE, TEXT, SPANS, 24, 30)
    action = pane.cite.menu().actions()[0]
    with qtbot.waitSignal(pane.reference_wanted) as asked:
        action.trigger()
    assert asked.args == [NOTE.id, 24, 30, "plain"]
    cursor = pane.document._page.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(3, cursor.MoveMode.KeepAnchor)
    pane.document._page.setTextCursor(cursor)
    with qtbot.waitSignal(pane.reference_wanted) as asked:
        action.trigger()
    assert asked.args == [NOTE.id, 20, 23, "plain"]
    pane.show_item(NOTE, TEXT, SPANS, 0)
    with qtbot.waitSignal(pane.reference_wanted) as asked:
        action.trigger()
    assert asked.args == [NOTE.id, 0, 20, "plain"]


PLACE = QuotePlace(PDF.id, 24, 30, "ii", "page", 1, "", ("2. Rent",))


@pytest.fixture
def evidence(pane):
    shown = ShownPassage(Passage(PLACE, 0.62), "tenant pays  2,4")
    other = ShownPassage(Passage(QuotePlace(PDF.id, 0, 9), 0.2), "x" * 500)
    pane.evidence.set_sentences([ShownSentence("The rent is 2,4.", (shown, other), "heads")])
    pane.show_tab("evidence")
    return pane.evidence


def test_evidence_is_ranked_and_opens_its_page(evidence, qtbot):
    first, second = evidence.cards()
    assert first.open_button.text() == "p. ii · 2. Rent"
    assert first.open_button.accessibleName() == "1. p. ii · 2. Rent, 62 %: tenant pays 2,4"
    assert len(second.words) < 250
    assert second.words.endswith("…")
    with qtbot.waitSignal(evidence.opened) as asked:
        first.open_button.click()
    assert asked.args == [PLACE]


def test_an_answer_without_a_passage(evidence, qtbot):
    card, _ = evidence.cards()
    with qtbot.waitSignal(evidence.without) as asked:
        card.without_button.click()
    assert asked.args == [PLACE]
    assert not card.without_button.isEnabled()
    evidence.set_without(Without(PLACE, "It is"))
    assert card.result().endswith("It is")
    evidence.set_without(Without(PLACE, "It is not said.", True))
    assert card.result() == "≠ Without it the answer is: It is not said."
    assert card.without_button.isEnabled()
    evidence.set_without(Without(PLACE, "The rent is 2,4.", False))
    assert card.result() == "= Without it the answer is the same."
    evidence.set_without(Without(PLACE, problem="The engine stopped."))
    assert card.result() == "The engine stopped."


def test_what_was_read_is_shaded_faintly_and_the_quote_strongly(pane):
    pane.show_item(NOTE, TEXT, SPANS, 24, 30)
    pane.shade(NOTE.id, [(20, 40, "faint_mark"), (0, 5, "faint_mark")])
    selections = pane.document._page.extraSelections()
    assert [made.cursor.selectedText() for made in selections] == [TEXT[20:40], TEXT[24:30]]
    pane.shade("another", [])
    assert len(pane.document._page.extraSelections()) == 2
