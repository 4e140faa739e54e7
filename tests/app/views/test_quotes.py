"""Quotes of an answer: signs in its text, chips under it, passages where the pointer rests."""

import re

import msgspec
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication, QToolTip

from app.data.quote import Excerpt, Quote, QuotePlace
from app.models import quote_words
from app.views.answer import AnswerView
from app.views.conversation import ConversationView
from app.views.markdown_view import MarkdownView
from app.views.marks import NARROW, OPEN, TextMark, marked
from tests.app.views.gallery import AGREEMENT, LEDGER, LETTER, message

TEXT = """The cap: “the **aggregate** liability” and “invented words”, of £50,000.

- in [the notes](https://example.org): "shall not
  be liable" `max_delay`

> It is quoted
> as a block"""
TERM = QuotePlace(AGREEMENT.id, 10, 40, "214", "page", 231, "", ("Part 1", "3. Term"))


def quote(words: str, verdict: str = "exact", *places: QuotePlace, **more) -> Quote:
    start = TEXT.index(words)
    more = {"count": len(places), **more}
    return Quote(start, start + len(words), verdict, places=places, **more)


FOUND = (
    quote("“the **aggregate** liability”", "exact", TERM),
    quote("“invented words”", "missing"),
    quote("£50,000", "exact", TERM, kind="fact"),
    quote('"shall not\n  be liable"', "close", TERM, found="shall be liable"),
    quote("max_delay", "missing", kind="fact"),
    quote("It is quoted\n> as a block", "ambiguous", TERM, QuotePlace(LETTER.id, 0, 9, "2"), count=30),
)
SHOWN = """The cap: “the aggregate liability”|✓ and “invented words”|✗, of £50,000|✓.
in the notes: "shall not be liable"|≈ max_delay|✗
It is quoted as a block|30×""".replace("|", NARROW)


@pytest.fixture
def answer(qtbot):
    made = AnswerView(message("a", "assistant", TEXT, ledger=LEDGER, quotes=FOUND))
    qtbot.addWidget(made)
    made.resize(700, 500)
    with qtbot.waitExposed(made):
        made.show()
    return made


def letters_at(view: MarkdownView, words: str) -> QTextCharFormat:
    """How the words look that the answer shows."""
    cursor = view.document().find(words)
    assert not cursor.isNull(), words
    cursor.setPosition(cursor.selectionEnd())
    return cursor.charFormat()


def test_each_quote_has_its_sign_in_the_text(answer):
    assert answer.reader.toPlainText() == SHOWN
    assert letters_at(answer.reader, "liability").underlineStyle() == QTextCharFormat.UnderlineStyle.DotLine
    assert letters_at(answer.reader, "£50,000").underlineStyle() == QTextCharFormat.UnderlineStyle.NoUnderline
    assert letters_at(answer.reader, "✓").anchorHref() == "quote:0"
    assert letters_at(answer.reader, "30×").anchorHref() == "quote:5"
    assert letters_at(answer.reader, "aggregate").fontWeight() > letters_at(answer.reader, "liability").fontWeight()


def test_the_answer_is_copied_without_signs(answer):
    answer.copy()
    assert QApplication.clipboard().text() == TEXT


def test_signs_come_once_after_the_answer_and_go_with_another_text(answer):
    drawn = []
    answer.reader.drawn.connect(lambda: drawn.append(1))
    answer.set_message(answer.message)
    assert not drawn, "nothing has changed"
    answer.set_message(message("a", "assistant", "Other words."))
    assert answer.reader.toPlainText() == "Other words."
    assert answer.quotes.isHidden()
    answer.set_message(message("a", "assistant", TEXT, ledger=LEDGER))
    plain = answer.reader.toPlainText()
    answer.set_message(message("a", "assistant", TEXT, ledger=LEDGER, quotes=FOUND))
    assert (plain, answer.reader.toPlainText()) == (re.sub(f"{NARROW}(✓|✗|≈|30×)", "", SHOWN), SHOWN)
    answer.reader.append("\n\nMore.")
    answer.reader.draw()
    assert answer.reader.toPlainText() == plain + "\nMore."


def test_signs_keep_what_markdown_makes_of_the_text(qtbot):
    """Marked or not, the words come out the same."""
    view = MarkdownView()
    qtbot.addWidget(view)
    text = "# A “b *c*” d\n\n| x | “y” |\n|---|---|\n| **50%** | `a_b` z |\n\n1. ~~“e~~ f” [“g”](http://h) ![“i”](http://j)\n"
    view.set_text(text)
    plain = view.toPlainText()
    ends = [found.span() for found in re.finditer(r"“.*?”|50%|a_b", text)]
    view.set_marks([TextMark(*span, "✓", "good", f"quote:{n}", True) for n, span in enumerate(ends)])
    assert view.toPlainText().replace(f"{NARROW}✓", "") == plain
    assert view.toPlainText().count("✓") == len(ends) - 1, "all but the one in a picture's words"


def test_marks_in_program_text_are_left_out_and_the_others_stay(qtbot):
    """What is program text for Markdown alone, such as indented lines, is shown and copied as it is."""
    view = MarkdownView()
    qtbot.addWidget(view)
    text = "one “a” two\n\n    code “b” here\n\nthree “c”"
    view.set_text(text)
    ends = [found.span() for found in re.finditer(r"“.”", text)]
    view.set_marks([TextMark(*span, str(n), "good", f"quote:{n}", True) for n, span in enumerate(ends)])
    assert view.toPlainText().replace(NARROW, "").split() == [
        "one",
        "“a”0",
        "two",
        "code",
        "“b”",
        "here",
        "three",
        "“c”2",
    ]
    assert view.code_at(view.toPlainText().index("“b”")) == "code “b” here"


def test_the_caret_stays_where_it_was(answer):
    reader = answer.reader
    caret = reader.textCursor()
    caret.setPosition(20)
    reader.setTextCursor(caret)
    reader.set_marks(())
    assert reader.textCursor().position() == 20


def test_a_text_that_has_the_signs_of_marks_itself_is_shown_unmarked(qtbot):
    view = MarkdownView()
    qtbot.addWidget(view)
    view.set_text(f"one {OPEN} two")
    before = view.toPlainText()
    view.set_marks([TextMark(0, 3, "✓", "good", "quote:0", True)])
    assert view.toPlainText() == before


def test_marks_are_put_where_they_belong():
    assert marked("abcdef", [TextMark(1, 2, *"?" * 3, True), TextMark(4, 6, *"?" * 3, True)]) == (
        "a\ufdd0b\ufdd1cd\ufdd0ef\ufdd1"
    )


def test_chips_name_sign_document_page_and_heading(answer):
    assert [chip.text() for chip in answer.quotes.chips()] == [
        "✓ Share Purcha…reement.pdf p. 214 · 3. Term",
        "✗ invented words",
        "✓ £50,000 · Share Purcha…reement.pdf p. 214 · 3. Term",
        "≈ Share Purcha…reement.pdf p. 214 · 3. Term",
        "✗ max_delay",
        "30× Share Purcha…reement.pdf p. 214, Disclosure letter.docx p. 2 …",
    ]
    said = [chip.accessibleName() for chip in answer.quotes.chips()]
    assert said[0].startswith(
        "Quoted letter for letter, Share Purchase Agreement.pdf, page 214, 3. Term, the aggregate"
    )
    assert said[1] == "Not found in the documents, invented words"
    assert said[3].endswith("shall not be liable, the document says: shall be liable")
    assert all(chip.focusPolicy() & Qt.FocusPolicy.TabFocus for chip in answer.quotes.chips())


def test_a_chip_and_a_sign_open_the_place(answer, qtbot):
    for press in (answer.quotes.chip(3).click, lambda: answer.reader.anchorClicked.emit("quote:3")):
        with qtbot.waitSignal(answer.quote_opened) as opened:
            press()
        assert opened.args == ["a", 3, 0]
    with qtbot.waitSignal(answer.quote_opened) as opened:
        qtbot.keyClick(answer.quotes.chip(0), Qt.Key.Key_Space)
    assert opened.args == ["a", 0, 0]
    with qtbot.waitSignal(answer.link) as link:
        answer.reader.anchorClicked.emit("https://example.org")
    assert link.args == ["https://example.org"]


def test_of_several_places_the_person_chooses_one(answer, qtbot):
    menu = answer.quotes.chip(5).menu()
    assert [(action.text(), action.isEnabled()) for action in menu.actions()] == [
        ("Share Purcha…reement.pdf p. 214", True),
        ("Disclosure letter.docx p. 2", True),
        ("and 28 more", False),
    ]
    with qtbot.waitSignal(answer.quote_opened) as opened:
        menu.actions()[1].trigger()
    assert opened.args == ["a", 5, 1]


def test_hovering_shows_the_passage_with_its_surroundings(answer, qtbot):
    asked = []

    def give(message_id):
        asked.append(message_id)
        passage = Excerpt("…before <it> ", "shall be liable", " after…")
        answer.quotes.set_excerpts([[passage] if quote.places else [] for quote in FOUND])

    answer.excerpts_wanted.connect(give)
    chip = answer.quotes.chip(3)
    point = chip.rect().center()
    QApplication.sendEvent(chip, QHelpEvent(QEvent.Type.ToolTip, point, chip.mapToGlobal(point)))
    assert asked == ["a"]
    tip = chip.toolTip()
    assert "…before &lt;it&gt; <span" in tip
    assert "shall <s>not</s> be liable" in tip
    assert chip.accessibleDescription() == "shall be liable"
    chip = answer.quotes.chip(0)
    QApplication.sendEvent(chip, QHelpEvent(QEvent.Type.ToolTip, point, chip.mapToGlobal(point)))
    assert asked == ["a"], "they are asked for once"
    QToolTip.hideText()


def test_hovering_a_sign_shows_the_same(answer, qtbot):
    asked = []
    answer.excerpts_wanted.connect(asked.append)
    cursor = answer.reader.document().find("≈")
    point = answer.reader.cursorRect(QTextCursor(cursor)).center() - QPoint(3, 0)
    assert answer.reader.anchorAt(point) == "quote:3"
    viewport = answer.reader.viewport()
    QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, point, viewport.mapToGlobal(point)))
    assert asked == ["a"]
    QToolTip.hideText()


def test_many_facts_are_folded_but_those_that_are_wrong(qtbot):
    text = " ".join(f"£{n},000" for n in range(100, 112))
    found = [
        Quote(n * 9, n * 9 + 8, "missing" if n == 5 else "exact", "fact", (TERM,) if n != 5 else (), count=n != 5)
        for n in range(12)
    ]
    view = AnswerView(message("a", "assistant", text, quotes=tuple(found)))
    qtbot.addWidget(view)
    assert [chip.text() for chip in view.quotes.chips()] == ["✗ £105,000"]
    assert view.quotes._more.text() == "Facts that stand in the text: 11"
    view.quotes._more.click()
    assert len(view.quotes.chips()) == 12
    view.quotes._more.click()
    assert view.quotes.point_at(3) is view.quotes.chip(3)
    assert view.quotes.chip(3) in view.quotes.chips()
    assert [chip.property("shown") for chip in view.quotes.chips()].count(True) == 1


def test_a_fact_that_is_told_twice_has_one_chip(qtbot):
    twice = Quote(0, 2, "exact", "fact", (TERM,), count=1), Quote(3, 5, "exact", "fact", (TERM,), count=1)
    view = AnswerView(message("a", "assistant", "42 42", quotes=twice))
    qtbot.addWidget(view)
    assert len(view.quotes.chips()) == 1
    assert view.quotes.chip(0) is view.quotes.chip(1)


def test_the_ledger_counts_quotes(answer):
    assert "Quotes: 1 ✓ 1 ≈ 1 ✗ · 1 in several places" in answer.ledger().text()
    answer.set_message(message("a", "assistant", TEXT, ledger=LEDGER))
    assert "Quotes" not in answer.ledger().text()


def test_an_older_answer_has_nothing(qtbot):
    view = AnswerView(message("a", "assistant", TEXT, ledger=LEDGER))
    qtbot.addWidget(view)
    assert view.quotes is None
    assert "✓" not in view.reader.toPlainText()


def test_the_conversation_passes_them_on(qtbot):
    conversation = ConversationView()
    qtbot.addWidget(conversation)
    conversation.show_messages([message("q", "user", "?"), message("a", "assistant", TEXT, quotes=FOUND)])
    view = conversation.view("a")
    with qtbot.waitSignal(conversation.quote_opened) as opened:
        view.quotes.chip(0).click()
    assert opened.args == ["a", 0, 0]
    conversation.show_excerpts("a", [[Excerpt("", "passage", "")]] * len(FOUND))
    assert view.quotes.chip(0).accessibleDescription() == "passage"
    conversation.show_excerpts("of no message", [])
    conversation.point_at_quote("a", 1)
    assert view.quotes.chip(1).property("shown")
    conversation.point_at_quote("q", 1)


def test_a_word_that_stands_once_is_still_no_quotation():
    one = Quote(0, 6, "ambiguous", "fact", (TERM,), count=1)
    assert quote_words.verdict(one) == "Stands in the text, and is too short to be a quotation"
    assert "which one is meant" not in quote_words.tooltip(one, "“rent”", {}, (), "#fff")
    assert quote_words.chip(one, "“rent”", {}) == "1× rent · p. 214 · 3. Term"


@pytest.mark.parametrize(
    ("said", "found", "pieces"),
    [
        ("shall be", "shall not be", [("same", "shall"), ("found", "not"), ("same", "be")]),
        ("pay 30 days", "pay 60 days", [("same", "pay"), ("said", "30"), ("found", "60"), ("same", "days")]),
        ("不得超过", "得超过", [("said", "不"), ("same", "得超过")]),
        ("the Seller", "The Seller", [("said", "the"), ("found", "The"), ("same", "Seller")]),
    ],
)
def test_what_differs_is_marked(said, found, pieces):
    assert quote_words.differences(said, found) == pieces


@pytest.mark.parametrize(
    ("place", "names", "said"),
    [
        (TERM, {}, "p. 214"),
        (TERM, {AGREEMENT.id: "a.pdf"}, "a.pdf p. 214"),
        (msgspec.structs.replace(TERM, file="x/b.pdf"), {AGREEMENT.id: "a.zip"}, "b.pdf p. 214"),
        (QuotePlace("i", 3, 9), {}, "characters 4 to 9"),
        (QuotePlace("i", 3, 9, "Rent", "section"), {}, "Rent"),
        (QuotePlace("i", 3, 9, "7", "slide"), {}, "slide 7"),
        (QuotePlace("i", 3, 9, "src/main.py", "file"), {}, "src/main.py"),
    ],
)
def test_where_a_place_is(place, names, said):
    assert quote_words.where(place, names) == said
