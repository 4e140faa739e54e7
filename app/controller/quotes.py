"""An answer's quotes: shown when they were looked for, opened at their places, walked through one by one."""

import contextlib
from collections.abc import Iterator

from PySide6.QtCore import QObject

from app.controller.answers import AnswerController
from app.controller.desk import Desk
from app.controller.shelf import ShelfController
from app.data.conversation import Message
from app.data.quote import Excerpt, Quote
from app.models import quote_words
from app.services.answer import Answer
from app.services.problem import Problem
from app.views import announce


class QuoteController(QObject):
    def __init__(self, desk: Desk, answers: AnswerController, shelf: ShelfController) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._window = desk.services, desk.state, desk.window
        self._tasks, self._shelf = desk.tasks, shelf
        self._shown: tuple[str, int] | None = None
        """The message and the quote of it that was opened last."""
        answers.answered.connect(lambda answer: self._tasks.start(self._show(answer)))
        conversation = desk.window.conversation
        conversation.quote_opened.connect(self.open)
        conversation.excerpts_wanted.connect(self._show_excerpts)
        desk.window.actions_by_name["next_quote"].triggered.connect(lambda: self.walk(1))
        desk.window.actions_by_name["previous_quote"].triggered.connect(lambda: self.walk(-1))

    async def _show(self, answer: Answer) -> None:
        if await answer.checked() and answer.question.conversation == self._state.conversation:
            self._window.conversation.update_message(answer.message)

    def open(self, message_id: str, number: int, place_number: int = 0) -> None:
        """Show a quote's place in the source."""
        message = self._message(message_id)
        if message is None:
            return
        place = message.quotes[number].places[place_number]
        self._shown = (message_id, number)
        self._shelf.show_item(place.item, place.start, place.end)

    def walk(self, step: int) -> None:
        """Open the next quote of the answer whose quotes are looked at, or else of the last one that has any."""
        message = self._walked()
        if message is None:
            return
        stops = list(_stops(message.quotes))
        here = self._shown[1] if self._shown is not None and self._shown[0] == message.id else None
        if here is None:
            number = stops[0 if step > 0 else -1]
        else:
            beyond = [stop for stop in stops if (stop - here) * step > 0]
            number = min(beyond, key=lambda stop: abs(stop - here)) if beyond else stops[0 if step > 0 else -1]
        self.open(message.id, number)
        self._window.conversation.point_at_quote(message.id, number)
        quote = message.quotes[number]
        said = quote_words.spoken(quote, message.text[quote.start : quote.end], {})
        announce.politely(self._window.source, said)

    def _walked(self) -> Message | None:
        messages = [one for one in self._window.conversation.messages() if any(_stops(one.quotes))]
        shown = next((one for one in messages if self._shown is not None and one.id == self._shown[0]), None)
        return shown or (messages[-1] if messages else None)

    def _message(self, message_id: str) -> Message | None:
        return next((one for one in self._window.conversation.messages() if one.id == message_id), None)

    def _show_excerpts(self, message_id: str) -> None:
        message = self._message(message_id)
        if message is not None:
            excerpts = [self._excerpts(quote) for quote in message.quotes]
            self._window.conversation.show_excerpts(message_id, excerpts)

    def _excerpts(self, quote: Quote) -> list[Excerpt]:
        """Of its first places; what was deleted for good has none."""
        found: list[Excerpt] = []
        for place in quote.places[: quote_words.NAMED]:
            with contextlib.suppress(KeyError, Problem):
                found.append(self._services.assistant.quotes.excerpt(place))
        return found


def _stops(quotes: tuple[Quote, ...]) -> Iterator[int]:
    """Those that have one place; facts where nothing is quoted."""
    one = [(number, quote.kind) for number, quote in enumerate(quotes) if len(quote.places) == 1]
    quoted = [number for number, kind in one if kind == "quote"]
    yield from quoted or (number for number, _ in one)
