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

from app.data.conversation import Conversation, Failure, FoundPart, Message
from app.data.document import Item, Span
from app.data.ledger import Ledger, LedgerDocument, LedgerPlace, LedgerSegment
from app.data.preflight import PreflightRow, PreflightTotal
from app.models.readings import OnDisk
from app.models.waiting_words import waiting
from app.views import theme
from app.views.forget_dialog import ForgetDialog
from app.views.preflight import Preflight
from app.views.window import MainWindow
from engine.protocol import DeviceInfo, Gauges, Loaded, MemoryParts

GIB = 2**30
QUESTION = "Which clauses limit the Seller's liability, and is there any exception for tax claims?"
ANSWER = """The Seller's total liability is capped at the Consideration: "the aggregate liability of the Seller …
shall not exceed the Consideration". Claims are excluded below a threshold of £50,000.

Tax claims are carved out of the threshold but **not** of the cap: "Clause 9.4 shall not apply to any Tax Claim". The
Disclosure Letter adds that the Seller "accepts no wider liability"."""
CODE = """Retries are set in `client.py`, and there are **three** things to know:

1. The delay doubles with every attempt
   - at most 30 seconds
   - with a jitter of 10 %
2. A `429` waits as long as the server says

```python
@retry(attempts=5)
def fetch(url: str) -> bytes:
    # a server may ask for patience
    delay = min(2 ** attempt * 0.5, 30.0)
    return session.get(url, timeout=delay).content
```

| Setting | Default | Where |
|:--|--:|:--|
| `attempts` | 5 | client.py |
| `ceiling` | 30 s | settings.toml |

> Delays are counted from the answer, not from the question.

See [the notes](https://example.org/notes) for more."""
PAGE = """9. LIMITATION OF LIABILITY

9.1 The provisions of this clause apply notwithstanding any other provision of this Agreement.

9.2 Save in the case of fraud, the aggregate liability of the Seller in respect of all Claims shall not exceed the \
Consideration actually received by the Seller.

9.3 The Buyer shall not be entitled to recover damages more than once in respect of the same loss.

9.4 The Seller shall not be liable for any Claim unless the amount of the liability exceeds the threshold."""


def item(number: int, name: str, kind: str, unit: str, units: int, tokens: int) -> Item:
    key = f"{number:064x}"
    return Item(key, name, f"/home/anna/{name}", kind, unit, units, tokens * 4, "", 1.0, tokens=tokens)


AGREEMENT = item(1, "Share Purchase Agreement.pdf", "pdf", "page", 412, 218_340)
LETTER = item(2, "Disclosure letter.docx", "docx", "page", 96, 51_207)
SERVICE = item(3, "payments-service/", "folder", "file", 1284, 348_657)
LEDGER = Ledger(
    documents=(
        LedgerDocument(AGREEMENT.id, AGREEMENT.name, "4f" * 32, 218_340),
        LedgerDocument(LETTER.id, LETTER.name, "a1" * 32, 51_207),
    ),
    prompt=269_547,
    read=612,
    reused=268_935,
    written=141,
    unread=0,
    evicted=0,
    finish="complete",
    first_token=0.9,
    reading_rate=4812.0,
    writing_rate=41.0,
    model="MiniCPM-SALA 9B",
    fingerprint="9b" * 32,
    precision="int8",
    writing="int8 rows",
    device="NVIDIA RTX 5090",
    window=524_288,
    layers={"lightning": 24, "sparse": 8},
    temperature=0.0,
    seed=None,
)


MIB = 2**20
BOOK = item(4, "The Archive Book.pdf", "pdf", "page", 310, 131_072)
MINUTES = item(5, "Board minutes 2019.docx", "docx", "section", 12, 6_200)
DISK = {
    BOOK.id: OnDisk(3 * GIB, True, 1.4, frozenset()),
    MINUTES.id: OnDisk(148 * MIB, False, None, frozenset()),
    AGREEMENT.id: OnDisk(5 * GIB, True, None, frozenset()),
}
KEPT = {4: 1.62, 9: 1.81, 17: 1.9}
SEGMENTS = tuple(
    LedgerSegment(
        number,
        (LedgerPlace(BOOK.id, number * 4000, number * 4000 + 4000, str(number * 5 - 4), str(number * 5 + 1)),),
        1_980 - number % 7,
        KEPT.get(number, 2.4 + (number * 37 % 23) / 12),
        number in KEPT,
        1_980 - number % 7 if number in KEPT else 0,
    )
    for number in range(1, 67)
)
PARALLEL = msgspec.structs.replace(
    LEDGER,
    documents=(LedgerDocument(BOOK.id, BOOK.name, "c3" * 32, 131_072),),
    prompt=132_480,
    read=46,
    reused=132_434,
    reopened=131_072,
    model="SmolLM2-135M-Instruct",
    precision="bf16",
    layers={"full": 30},
    window=8192,
    first_token=2.3,
    mode="parallel",
    segments=SEGMENTS,
    asked=66,
    join="consecutive",
    kv="int8",
)
NUMBERS = ("4417", "8023", "1956", "7340", "2681", "9105", "3374", "6642", "5590", "1287", "7703", "8816")


def _found(part: int, text: str, surprise: float, stands: bool = True) -> FoundPart:
    page = str(1 + part * 310 // 256)
    certain = stands and surprise < 0.3
    return FoundPart(part, 256, BOOK.id, part * 1900, part * 1900 + 1900, text, surprise, stands, certain, page, page)


FOUND = tuple(
    _found(part, NUMBERS[part // 20], 0.13 + (part % 9) / 80)
    if part % 20 == 3
    else _found(part, f"The number {part * 7 % 90} is given in the text.", 0.41 + (part * 13 % 50) / 90, part % 3 == 0)
    for part in range(240)
    if part % 20 == 3 or part % 9 == 1
)
VISITED = tuple(msgspec.structs.replace(one, score=None, kept=False, rows=0) for one in SEGMENTS)
COVERAGE = msgspec.structs.replace(PARALLEL, mode="coverage", segments=VISITED, asked=256, join=None)


def message(name: str, role: str, text: str, **more: object) -> Message:
    return Message(name, "c1", role, text, 1.0, **more)


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
        "The engine stopped unexpectedly and was started again. Your words are kept; ask again.",
        [("ask", "Ask again")],
    )
    window.composer.set_text("A question of more\nthan one line,\nwhich makes the composer grow")


def editing(window: MainWindow) -> None:
    answered(window)
    window.conversation.view("q").edit()
    window.conversation.find_here()
    window.conversation.find_bar._field.setText("the")
    window.source.find_here()
    window.source._find._field.setText("liability")


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
        *(answered, code, reading, drop, failed, editing, segments, asking, covering, covered, offer, forced),
        *(before_reading, forget, narrow, narrowest),
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
