"""What is done in the window for the README's pictures: `screenplay.py THEME FOLDER ACT`, on `screenshots.py`'s screen.

Act `first` is a short book and then one of sixteen windows; act `again` opens the program a second time and asks about
the long one, which is not read anew; act `verify` is a verification. The window is driven by the signals and buttons
that a person's hands reach, and every step waits for what it shows.
"""

import asyncio
import random
import runpy
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app import application, paths
from app.controller import Controller
from app.data.settings import Settings
from app.services.settings import SettingsStore
from app.views.ledger_line import LedgerLine
from app.views.markdown_view import MarkdownView
from app.views.quote_chips import Chip
from app.views.verify_view import VerifyView
from app.views.window import MainWindow
from engine.verify_names import TestName

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 900
"""Seconds that any one step may take."""
LONG = 500_000
"""Characters of the long book."""
KEY = "What is the number of the key to the archive room?"
QUESTION = "What is the access number for the amber tower?"
LONGEST = 160
"""Tokens of an answer: the small model would not always come to an end by itself."""


def desk(folder: Path) -> list[Path]:
    """Things to drop: a book, a text, and a folder with something in it that is left out."""
    book = runpy.run_path(str(ROOT / "tests" / "data" / "make_book.py"))
    book["make_book"](folder / "The Archive Book.pdf")
    shutil.copy(ROOT / "resources" / "samples" / "lighthouses.md", folder)
    code = folder / "archive-tools"
    (code / "build").mkdir(parents=True)
    (code / ".gitignore").write_text("build/\n")
    (code / "build" / "out.txt").write_text("made by a machine\n")
    for name in ("conversation.py", "document.py"):
        shutil.copy(ROOT / "app" / "data" / name, code)
    return [folder / "The Archive Book.pdf", folder / "lighthouses.md", code]


def long_book(folder: Path) -> Path:
    """A text of some 128,000 tokens, sixteen windows of the small model: Python's manual and what its library says of
    itself, in a fixed order, with a fact in the middle."""
    from engine.bench_corpus import paragraphs  # not before: it is the engine's, and only this play needs it here

    parts = list(paragraphs())
    random.Random(7).shuffle(parts)
    chosen: list[str] = []
    while parts and sum(map(len, chosen)) < LONG:
        chosen.append(parts.pop())
    chosen.insert(len(chosen) // 2, "The access number for the amber tower is 7319264.")
    book = folder / "Collected Manuals.txt"
    book.write_text("\n\n".join(chosen), encoding="utf-8")
    return book


class Play:
    def __init__(self, window: MainWindow, theme: str, out: Path) -> None:
        self.window, self.theme, self.out = window, theme, out
        self.controller: Controller = window.findChild(Controller)

    async def until(self, condition: Callable[[], object], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError(f"waited {PATIENCE} s for {what}")
            await asyncio.sleep(0.02)

    async def take(self, name: str, settle: float = 0.4) -> None:
        """A picture of the whole screen, once fades are over."""
        await asyncio.sleep(settle)
        picture = self.out / f"{self.theme}-{name}.png"
        if not self.window.screen().grabWindow(0).save(str(picture)):
            raise OSError(f"{picture} could not be written")
        print(picture, flush=True)

    async def play(self, things: list[Path]) -> None:
        window, preflight = self.window, self.controller.preflight
        await self.until(lambda: self.controller.state.loaded, "the model")
        await self.take("empty")

        window.dropped.emit(things)
        await self.until(preflight.read_button.isEnabled, "the list of what was dropped")
        for thing in things[1:]:
            self.leave_out(thing.name)
        await self.until(preflight.read_button.isEnabled, "the list with the book alone")
        await self.take("preflight")

        preflight.read_button.click()
        await self.until(lambda: window.reading_bar.value() > 0.5, "half of the reading")
        await self.take("reading", settle=0.0)
        await self.until(lambda: self.controller.state.read, "the end of the reading")
        window.sidebar.item_clicked.emit(next(iter(self.controller.state.read)))

        await self.ask(KEY)
        await self.until(lambda: not self.busy() and self.answer().findChild(Chip), "the first answer and its quote")
        self.answer().findChild(Chip).open()
        pane = window.source.document
        await self.until(lambda: pane.page_label() and pane.as_printed(), "the page of the quote")
        await self.take("quote", settle=2.0)
        window.source.choose_tab("evidence")
        await self.take("evidence", settle=1.0)
        window.source.show_tab("page")
        await self.ask("Explain in five sentences what this text says about warranty and liability.")
        await self.until(lambda: self.written() > 200 or not self.busy(), "an answer")
        await self.take("answering", settle=0.0)
        await self.until(lambda: not self.busy(), "the second answer")

        window.actions_by_name["settings"].trigger()
        await self.until(self.controller.settings_panel.isVisible, "the settings")
        await self.take("settings", settle=1.0)
        self.controller.settings_panel.hide()

        await self.play_api()

    async def play_api(self) -> None:
        """The local API, on, with a key for each of two programs."""
        for name in ("editor", "notebook"):
            self.controller.services.keys.add(name)
        self.window.actions_by_name["gateway"].trigger()
        page = self.controller.gateway.page
        await self.until(page.isVisible, "the page of the local API")
        page.state.switched.emit(True)
        await self.until(lambda: self.controller.gateway.served.state == "on", "the local API")
        await self.take("api", settle=1.5)
        page.state.switched.emit(False)
        await self.until(lambda: self.controller.gateway.served.state == "off", "the end of the local API")
        page.hide()

    async def play_long(self, book: Path) -> None:
        """In a conversation of its own."""
        window, preflight = self.window, self.controller.preflight
        window.actions_by_name["new_conversation"].trigger()
        window.dropped.emit([book])
        await self.until(preflight.read_button.isEnabled, "the list with the long book")
        await self.take("long-preflight")
        preflight.read_button.click()
        await self.until(lambda: window.reading_bar.value() > 0.4, "a good part of the long book")
        await self.take("long-reading", settle=0.0)
        await self.until(lambda: book.name in self.names_read(), "the end of the long book")
        await self.ask_long("long-ledger")

    async def play_verify(self, book: Path) -> None:
        """Beside a conversation over the short book: while it runs, and with its verdicts."""
        window, preflight = self.window, self.controller.preflight
        await self.until(lambda: self.controller.state.loaded, "the model")
        window.dropped.emit([book])
        await self.until(preflight.read_button.isEnabled, "the list with the book")
        preflight.read_button.click()
        await self.until(lambda: self.controller.state.read, "the end of the reading")
        await self.ask(KEY)
        await self.until(lambda: not self.busy() and self.answer().findChild(Chip), "the answer and its quote")
        view = window.source.verify
        window.source.choose_tab("verify")
        view.go_button.click()
        await self.until(lambda: self.share(view, "needles") > 0.5, "half of the needles")
        await self.take("verify-running")
        await self.until(lambda: not view.running, "the verdict")
        await self.until(lambda: self.controller.state.loaded, "the model again")
        view.scroll_to("tokens")
        await self.take("verify", settle=1.0)

    @staticmethod
    def share(view: VerifyView, test: TestName) -> float:
        """How far a test is; 0 of one that waits."""
        card = view.cards.get(test)
        return card.bar.value() / card.bar.maximum() if card is not None else 0.0

    async def play_again(self) -> None:
        """The program was closed and is open again, at the conversation over the long book."""
        await self.until(lambda: self.controller.state.loaded, "the model")
        await self.take("reopened", settle=2.0)
        await self.ask_long("reopened-ledger")

    async def ask_long(self, picture: str) -> None:
        await self.ask(QUESTION)
        await self.until(lambda: not self.busy(), "the answer over the long book")
        line = self.answer().findChild(LedgerLine)
        next(button for button in line.findChildren(QPushButton) if button.isCheckable()).click()
        await self.take(picture, settle=1.0)

    def names_read(self) -> set[str]:
        """Of what the engine has read of the conversation on the screen."""
        return {self.controller.services.library.get(id).name for id in self.controller.state.read}

    def leave_out(self, name: str) -> None:
        """Untick a row of the list, as its box does."""
        model = self.controller.preflight.model
        place = next(number for number, row in enumerate(model.rows()) if row.name == name)
        model.toggle(place)

    async def ask(self, question: str) -> None:
        self.window.composer.set_text(question)
        self.window.composer.ask()
        await self.until(self.busy, "an answer to begin")

    def answer(self) -> QWidget:
        """The last one; nothing where it has no place in the window yet."""
        return self.window.conversation.view(self.window.conversation.messages()[-1].id) or QWidget()

    def written(self) -> int:
        """Characters of the last answer so far."""
        text = self.answer().findChild(MarkdownView)
        return len(text.source()) if text else 0

    def busy(self) -> bool:
        return self.window.actions_by_name["stop"].isEnabled()


def main(theme: str, out: Path, act: str) -> int:
    paths.make()
    SettingsStore(paths.settings()).save(Settings(theme=theme, seen_first_run=True, language="en", max_tokens=LONGEST))
    qt = QApplication([])
    codes = [1]

    async def perform() -> None:
        window = next(widget for widget in qt.topLevelWidgets() if isinstance(widget, MainWindow))
        window.setGeometry(window.screen().geometry())
        try:
            with tempfile.TemporaryDirectory(prefix="longread-desk-") as folder:
                play = Play(window, theme, out)
                if act == "again":
                    await play.play_again()
                elif act == "verify":
                    await play.play_verify(desk(Path(folder))[0])
                else:
                    await play.play(desk(Path(folder)))
                    await play.play_long(long_book(Path(folder)))
            codes[0] = 0
        except (TimeoutError, OSError, AttributeError):
            traceback.print_exc()
        finally:
            window.close()

    begun = []
    # Runs inside the window's own event loop, as soon as there is one
    QTimer.singleShot(0, lambda: begun.append(asyncio.ensure_future(perform())))
    return application.run([]) or codes[0]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3]))
