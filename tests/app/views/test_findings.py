"""What the parts of a text gave, as it comes in: certain ones in order, uncertain ones apart."""

import msgspec
import pytest
from PySide6.QtWidgets import QPushButton

from app.data.conversation import FoundPart
from app.views.conversation import ConversationView
from app.views.findings import UNCERTAIN_SHOWN, Findings
from tests.app.views import gallery
from tests.app.views.gallery import BOOK, message


def found(part, text, surprise=0.2, stands=True, page=None):
    label = page or str(part + 1)
    certain = stands and surprise < 0.3
    return FoundPart(part, 40, BOOK.id, part * 10, part * 10 + 10, text, surprise, stands, certain, label, label)


@pytest.fixture
def findings(qtbot):
    made = Findings()
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    return made


def texts(rows):
    return [row.text() for row in rows.rows()]


def test_certain_ones_stand_in_the_order_of_the_text(findings):
    findings.set_found((found(9, "third"), found(2, "first")), running=True)
    kept = findings.certain.rows()
    findings.set_found((found(9, "third"), found(2, "first"), found(4, "second")), running=True)
    assert texts(findings.certain) == ["first", "second", "third"]
    assert set(kept) < set(findings.certain.rows()), "rows that stand stay as they are"
    assert findings._title.text() == "FOUND · 3"


def test_uncertain_ones_stand_apart_the_likeliest_first_and_say_why(findings, qtbot):
    given = [found(n, f"guess {n}", 0.9 - n / 20, stands=n % 2 == 0) for n in range(8)]
    findings.set_found((found(1, "fact"), *given))
    assert texts(findings.certain) == ["fact"]
    assert findings._apart.text() == "UNCERTAIN · 8"
    assert texts(findings.uncertain) == ["guess 7", "guess 6", "guess 5", "guess 4"][:UNCERTAIN_SHOWN]
    rows = findings.uncertain.rows()
    assert rows[0].accessibleName() == "guess 7, page 8, not in that part of the text (0.55 nats)"
    assert rows[1].accessibleName() == "guess 6, page 7, the model was not sure (0.60 nats)"
    assert findings._more.text() == "Show all 8"
    findings._more.click()
    assert len(findings.uncertain.rows()) == 8
    assert findings._more.isHidden()


def test_the_same_text_stands_once_with_all_its_pages(findings):
    findings.set_found(tuple(found(n, "The  4417" if n % 2 else "the 4417") for n in range(5)))
    (row,) = findings.certain.rows()
    buttons = [row._buttons.itemAt(place).widget() for place in range(row._buttons.count())]
    assert [button.text() for button in buttons] == ["p. 1", "p. 2", "p. 3", "+2"]
    more = buttons[-1]
    assert [action.text() for action in more.menu().actions()] == ["p. 4", "p. 5"]


def test_a_page_opens_where_it_was_found(findings, qtbot):
    findings.set_found((found(3, "4417"),))
    button = next(b for b in findings.findChildren(QPushButton) if b.text() == "p. 4")
    assert button.accessibleName() == "4417: open page 4"
    with qtbot.waitSignal(findings.place) as asked:
        button.click()
    assert asked.args == [BOOK.id, 30, 40]


def test_nothing_certain_is_said_and_empty_texts_are_nothing(findings):
    findings.set_found((found(0, "  "), found(1, "guess", 0.7)), running=True)
    assert findings._none.text() == "Nothing certain yet."
    findings.set_found((found(0, "  "), found(1, "guess", 0.7)))
    assert findings._none.text() == "Nothing that the model was certain of."
    assert findings.uncertain.count() == 1
    findings.set_found((found(5, "another answer"),))
    assert texts(findings.certain) == ["another answer"]
    assert findings.uncertain.count() == 0


def test_an_answer_shows_what_is_found_before_its_words_and_again_after_a_restart(qtbot):
    conversation = ConversationView()
    qtbot.addWidget(conversation)
    conversation.resize(800, 500)
    conversation.show()
    conversation.show_messages([message("a", "assistant", "", state="waiting")])
    view = conversation.view("a")
    assert view.findings() is None
    conversation.set_status("a", "Going over part 3 of 40")
    conversation.show_found("a", (found(2, "4417"),))
    assert texts(view.findings().certain) == ["4417"]
    assert view.status().startswith("Going over part 3 of 40 · ")
    conversation.append("a", "There is one.")
    conversation.update_message(message("a", "assistant", "There is one.", found=(found(2, "4417"),)))
    assert view._layout.indexOf(view.findings()) < view._layout.indexOf(view.reader)
    opened = []
    conversation.place.connect(lambda *where: opened.append(where))
    conversation.show_messages([message("a", "assistant", "There is one.", found=(found(2, "4417"),))])
    again = conversation.view("a").findings()
    next(b for b in again.findChildren(QPushButton) if b.text() == "p. 3").click()
    assert opened == [(BOOK.id, 20, 30)]
    conversation.show_messages([message("b", "assistant", "", state="stopped", found=(found(2, "4417"),))])
    assert conversation.view("b").status() == "Stopped. What was found is kept, and so is what was read."


def test_hundreds_of_parts_build_few_rows(findings):
    many = tuple(
        msgspec.structs.replace(one, part=n, text=f"{one.text} {n}") for n, one in enumerate(gallery.FOUND * 8)
    )
    for end in range(0, len(many), 20):
        findings.set_found(many[:end], running=True)
    findings.set_found(many)
    assert len(findings.uncertain.rows()) == UNCERTAIN_SHOWN
    assert findings.uncertain.count() > 100
