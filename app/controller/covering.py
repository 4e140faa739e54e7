"""Questions that ask for all of a long text: the window offers to go over every part, and a switch forces it."""

from PySide6.QtCore import QObject

from app.controller.answers import AnswerController
from app.controller.desk import Desk
from app.controller.estimate import Estimate, estimate
from app.services.coverage import singular, wants_all

MANY = 8
"""Parts from which going over all of them is another thing than reading the text."""


class CoverageController(QObject):
    def __init__(self, desk: Desk, answers: AnswerController) -> None:
        super().__init__(desk.window)
        self._state, self._composer = desk.state, desk.window.composer
        self._attachments, self._answers = desk.attachments, answers
        self._composer.asked.connect(self.ask)
        self._composer.asked_likeliest.connect(answers.ask)
        self._composer.asked_every_part.connect(self.ask_every_part)
        self._composer.typed.connect(self._propose)
        desk.state.conversation_changed.connect(self._leave)

    def ask(self, question: str) -> None:
        """Have it answered, or first offer to go over every part."""
        expected = self._expected()
        long = expected is not None and (expected.segments is not None or expected.parts >= MANY)
        if expected is None or not long or not wants_all(question):
            self._answers.ask(question)
            return
        rate = self._state.part_rate
        seconds = expected.parts / rate if rate else None
        self._composer.offer_every_part(question, singular(question), expected.parts, seconds)

    def ask_every_part(self, question: str, part_question: str) -> None:
        """`part_question` empty: what the question gives."""
        self._answers.ask(question, part_question or singular(question))

    def _expected(self) -> Estimate | None:
        """Of what the open conversation holds; None without documents or model, and where a model takes no parts."""
        items, loaded = self._attachments.of(self._state.conversation), self._state.loaded
        if not items or loaded is None or loaded.whole_only:
            return None
        return estimate([item.tokens or 0 for item in items], loaded, self._state.settings)

    def _propose(self, text: str) -> None:
        self._composer.propose_part_question(singular(text) if text.strip() else "")

    def _leave(self) -> None:
        self._composer.set_every_part(False)
        self._composer.every_part.close_up()
