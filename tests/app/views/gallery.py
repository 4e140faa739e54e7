"""Saves pictures of the window in its states, with made-up data, for people to look at.

    python -m tests.app.views.gallery FOLDER [light|dark] [scene ...]

Not a test: whether it looks right is for people. Needs a display, such as Xvfb's, or QT_QPA_PLATFORM=offscreen.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from app.data.conversation import Conversation, Failure
from app.data.document import Span
from app.data.ledger import LedgerDocument
from app.data.preflight import PreflightRow, PreflightTotal
from app.models.waiting_words import waiting
from app.views import theme
from app.views.forget_dialog import ForgetDialog
from app.views.preflight import Preflight
from app.views.window import MainWindow
from engine.protocol import DeviceInfo, Gauges, Loaded, MemoryParts
from tests.app.views.samples import (
    AGREEMENT,
    ANSWER,
    BOOK,
    CODE,
    COVERAGE,
    DISK,
    FOUND,
    GIB,
    LEDGER,
    LETTER,
    MIB,
    MINUTES,
    NUMBERS,
    PAGE,
    PARALLEL,
    PRUNED,
    QUESTION,
    QUOTED,
    QUOTES,
    SERVICE,
    message,
)


def furnish(window: MainWindow) -> None:
    """Fill the parts that every scene shows."""
    window.sidebar.set_items([AGREEMENT, LETTER, SERVICE])
    window.sidebar.set_item_state(AGREEMENT.id, 1.0)
    window.sidebar.set_item_state(LETTER.id, 1.0)
    window.sidebar.set_item_state(SERVICE.id, 0.63, "reading 63 % · 4,812 tok/s · 26 s left")
    titles = ("Liability caps and carve-outs", "Compare the two indemnities", "Where is retry back-off set?")
    conversations = [
        Conversation(f"c{place + 1}", title, "2026-01-01", 3.0 - place) for place, title in enumerate(titles)
    ]
    window.sidebar.set_conversations(conversations, "c1")
    window.composer.set_attachments([(AGREEMENT, None), (LETTER, None), (SERVICE, 0.63)])
    device = DeviceInfo("cuda", "NVIDIA RTX 5090", 32 * GIB, 10 * GIB, ("bf16",))
    memory = MemoryParts(32 * GIB, 10 * GIB, 7 * GIB, GIB, 4 * GIB, 10 * GIB)
    loaded = Loaded(
        id="l",
        name="MiniCPM-SALA 9B",
        fingerprint="9b",
        architecture="minicpm",
        parameters=9 * 10**9,
        layers={"lightning": 24, "sparse": 8},
        native_window=524_288,
        window=524_288,
        precision="int8",
        device=device,
        writing="int8 rows",
        candidates={},
        memory=memory,
        seconds=8.0,
    )
    window.instruments.set_device(device)
    window.instruments.set_loaded(loaded)
    window.instruments.set_engine_state("ready")
    window.instruments.set_gauges(Gauges(memory, 2 * GIB, 269_547, 524_288, 4812.0, 41.0))
    window.instruments.set_first_word(0.9)
    text = f"{'Earlier pages. ' * 20}\n{PAGE}"
    start = text.index("9. LIM")
    spans = (Span(0, start, 230, "213"), Span(start, len(text), 231, "214"))
    window.source.show_item(AGREEMENT, text, spans, start)


def answered(window: MainWindow) -> None:
    window.conversation.show_messages(
        [message("q", "user", QUESTION), message("a", "assistant", ANSWER, ledger=LEDGER)]
    )


def quoted(window: MainWindow) -> None:
    """An answer whose quotes were looked for: exact, close, invented, and facts."""
    answer = message("a", "assistant", QUOTED, ledger=LEDGER, quotes=QUOTES)
    window.conversation.show_messages([message("q", "user", QUESTION), answer])
    window.conversation.point_at_quote("a", 0)


def code(window: MainWindow) -> None:
    question = message("q", "user", "Where is retry back-off set?", documents=(SERVICE.id,))
    window.conversation.show_messages([question, message("a", "assistant", CODE, ledger=LEDGER)])
    window.conversation.view("a").ledger()._more.setChecked(True)


def reading(window: MainWindow) -> None:
    window.conversation.show_messages([message("q", "user", QUESTION), message("a", "assistant", "", state="waiting")])
    window.conversation.set_status("a", "Waits until the documents are read")
    window.reading_bar.show_progress("read", 0.63, 4812.0, 26.0, [SERVICE.name])
    window.reading_bar.set_silent(2.4)
    window.reading_bar.set_can_answer(True)
    window.set_busy(True)


def drop(window: MainWindow) -> None:
    answered(window)
    window._lay_overlay([Path("a.pdf"), Path("b.pdf"), Path("c.docx"), Path("/tmp")])


def failed(window: MainWindow) -> None:
    failure = Failure("too_long", needed=637_204, available=524_288)
    short = LEDGER.documents[0], LedgerDocument(LETTER.id, LETTER.name, "a1" * 32, 51_207, unread=20_000, left_out=3)
    partly = msgspec.structs.replace(LEDGER, documents=short, unread=20_000)
    window.conversation.show_messages(
        [
            message("q", "user", QUESTION),
            message("a", "assistant", ANSWER, state="stopped", ledger=partly),
            message("q2", "user", "And the payments service?"),
            message("a2", "assistant", "", state="failed", failure=failure),
        ]
    )
    window.banner.show_message(
        "warn",
        "The engine stopped unexpectedly. Your words are kept, and what was written so far; ask again.",
        [("ask", "Ask again")],
    )
    window.composer.set_text("A question of more\nthan one line,\nwhich makes the composer grow")


def editing(window: MainWindow) -> None:
    answered(window)
    window.conversation.view("q").edit()
    window.conversation.find_here()
    window.conversation.find_bar._field.setText("the")
    window.source.find_here()
    window.source.document._find._field.setText("liability")


def segments(window: MainWindow) -> None:
    """A long text was read in segments: the ledger names those that the answer was written over."""
    _long(window)
    answer = "The seal of the archive is kept in the third drawer: its number is **7340**."
    window.conversation.show_messages(
        [
            message("q", "user", "What is the number of the seal?", documents=(BOOK.id,)),
            message("a", "assistant", answer, ledger=PARALLEL),
        ]
    )
    window.conversation.view("a").ledger()._more.setChecked(True)
    window.conversation.view("a").ledger().strip.cells[8].setFocus()


def forgetting(window: MainWindow) -> None:
    """A policy forgot most of a text: the ledger says how much and of which pages."""
    _long(window)
    window.conversation.show_messages(
        [
            message("q", "user", "What is the number of the seal?", documents=(BOOK.id,)),
            message("a", "assistant", "Its number is **7340**.", ledger=PRUNED),
        ]
    )
    window.conversation.view("a").ledger()._more.setChecked(True)
    window.instruments.set_policy(True)
    memory = MemoryParts(24 * GIB, 270 * MIB, 92 * MIB, 0, 4 * GIB, 19 * GIB)
    window.instruments.set_gauges(Gauges(memory, GIB, 4_001, 8_192, None, 41.0, rows=1_200, forgotten=2_801))


def asking(window: MainWindow) -> None:
    _long(window)
    window.conversation.show_messages(
        [message("q", "user", "What is the number of the seal?"), message("a", "assistant", "", state="waiting")]
    )
    window.conversation.set_status("a", waiting("ask", 12, 66))
    window.reading_bar.show_progress("ask", 12 / 66, None, 7.0, [BOOK.name], (12, 66))
    notice = "The Archive Book is 131,072 tokens and the window holds 8,192: it was read in 66 segments."
    window.banner.show_message("info", notice, [("settings", "How texts are read…")])
    window.set_busy(True)


def covering(window: MainWindow) -> None:
    """Every part of the text is gone over, and what they give streams in."""
    _long(window)
    window.conversation.show_messages(
        [
            message("q", "user", "List every magic number of the book."),
            message("a", "assistant", "", state="waiting", found=FOUND[:14]),
        ]
    )
    window.conversation.set_status("a", waiting("parts", 92, 256))
    window.reading_bar.show_progress("parts", 92 / 256, None, 96.0, [BOOK.name], (92, 256))
    window.set_busy(True)


def covered(window: MainWindow) -> None:
    _long(window)
    answer = f"The book names {len(NUMBERS)} magic numbers: {', '.join(NUMBERS)}."
    window.conversation.show_messages(
        [
            message("q", "user", "List every magic number of the book.", documents=(BOOK.id,)),
            message("a", "assistant", answer, ledger=COVERAGE, found=FOUND),
        ]
    )


def offer(window: MainWindow) -> None:
    segments(window)
    part = "What is the magic number mentioned in the text?"
    window.composer.offer_every_part("List every magic number of the book.", part, 256, 240.0)


def forced(window: MainWindow) -> None:
    segments(window)
    window.composer.set_text("Which people does the author name?")
    window.actions_by_name["every_part"].setChecked(True)
    window.composer.propose_part_question("Which person does the author name in the text?")


def forget(window: MainWindow) -> None:
    segments(window)
    dialog = ForgetDialog(BOOK.name, 3 * GIB, 184.0, [MINUTES.name], window)
    window.dialog = dialog
    dialog.open()


def before_reading(window: MainWindow) -> None:
    """What was dropped is longer than the window."""
    _long(window)
    window.card = card = Preflight(window.centralWidget())
    card.begin()
    card.set_row(PreflightRow("1", BOOK.name, "ready", True, BOOK, 131_072, None, 0, 0, 66, True, 3 * GIB, 184.0))
    row = PreflightRow("2", MINUTES.name, "ready", True, MINUTES, 6_200, None, 0, 0, 4, False, 142 * MIB, 9.0)
    card.set_row(row)
    total = PreflightTotal(137_272, 8_192, 4 * GIB, 24 * GIB, 193.0, True, 70, 3 * GIB + 142 * MIB, 41 * GIB)
    card.set_total(total)


def _long(window: MainWindow) -> None:
    """A long book in the library, beside items in every state."""
    window.sidebar.set_items([BOOK, MINUTES, AGREEMENT, SERVICE, LETTER])
    window.sidebar.set_saved(DISK)
    window.sidebar.set_item_state(AGREEMENT.id, 1.0)
    window.sidebar.set_item_state(SERVICE.id, 0.63, "reading 63 % · 4,812 tok/s · 26 s left")
    window.sidebar.set_item_state(LETTER.id, None)
    window.sidebar.select_item(BOOK.id)
    window.composer.set_attachments([(BOOK, None)])
    text = f"{'Earlier pages. ' * 20}\n{PAGE}"
    start = text.index("9.2")
    spans = (Span(0, start, 40, "40"), Span(start, len(text), 41, "41"))
    window.source.show_item(BOOK, text, spans, start, text.index("9.4"))


def narrow(window: MainWindow) -> None:
    answered(window)
    window.resize(1000, 800)
    settle()
    window.show_source()


def narrowest(window: MainWindow) -> None:
    answered(window)
    window.resize(760, 800)


SCENES: dict[str, Callable[[MainWindow], None]] = {
    scene.__name__: scene
    for scene in (
        *(answered, quoted, code, reading, drop, failed, editing, segments, asking, covering, covered, offer, forced),
        *(forgetting, before_reading, forget, narrow, narrowest),
    )
}


def settle() -> None:
    """Let layouts and fades finish."""
    loop = QEventLoop()
    QTimer.singleShot(250, loop.quit)
    loop.exec()


def main(folder: Path, schemes: list[str], scenes: list[str]) -> None:
    app = QApplication.instance() or QApplication([])
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in schemes:
        theme.apply(app, scheme)
        for name in scenes:
            window = MainWindow()
            furnish(window)
            window.show()
            settle()
            SCENES[name](window)
            settle()
            shown = getattr(window, "dialog", window)
            shown.grab().save(str(folder / f"{name}-{scheme}.png"))
            window.close()
            window.deleteLater()


if __name__ == "__main__":
    given = sys.argv[2:]
    chosen = [word for word in given if word in theme.TOKENS] or list(theme.TOKENS)
    main(Path(sys.argv[1]), chosen, [word for word in given if word in SCENES] or list(SCENES))
