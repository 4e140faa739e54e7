"""What the attention read for an answer, in the right pane and on its pages; and answers without a passage."""

from msgspec.structs import replace
from PySide6.QtCore import QObject

from app.controller.answers import AnswerController
from app.controller.desk import Desk
from app.controller.shelf import ShelfController
from app.data.conversation import Failure, Message
from app.data.evidence import ShownPassage, ShownSentence, Without
from app.data.quote import QuotePlace
from app.models.references import Cited, Style, reference
from app.services.answer import Answer
from app.services.places import place_of
from app.services.problem import Problem
from app.views.failure import sentence
from engine.client import EngineBusy, EngineDown, RequestFailed


class EvidenceController(QObject):
    def __init__(self, desk: Desk, shelf: ShelfController, answers: AnswerController) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._window = desk.services, desk.state, desk.window
        self._tasks, self._shelf = desk.tasks, shelf
        self._message: Message | None = None
        source = desk.window.source
        desk.window.conversation.evidence_wanted.connect(self.show)
        source.evidence_chosen.connect(self._show_newest)
        answers.answered.connect(self._follow)
        source.evidence.opened.connect(self._open)
        source.evidence.without.connect(self._ask_without)
        source.reference_wanted.connect(self._copy)
        desk.state.conversation_changed.connect(self._clear)

    def show(self, message_id: str) -> None:
        """The evidence of this answer, its passages shaded on the pages."""
        message = self._services.conversations.message(message_id)
        self._set(message)
        self._window.source.show_tab("evidence")
        self._window.show_source()

    def _set(self, message: Message) -> None:
        self._message = message
        host = message.ledger.host if message.ledger is not None else None
        self._window.source.evidence.set_sentences(self._shown(message), host)
        self._shade()

    def _show_newest(self) -> None:
        """The tab was chosen: it shows the answer that it showed, or the newest that has any."""
        if self._message is not None or not self._state.conversation:
            return
        messages = self._services.conversations.messages(self._state.conversation)
        newest = next((one for one in reversed(messages) if one.evidence or _is_far(one)), None)
        if newest is not None:
            self._set(newest)

    def _follow(self, answer: Answer) -> None:
        """An answer was written beside the open tab."""
        message = answer.message
        if message.conversation == self._state.conversation and (message.evidence or _is_far(message)):
            if self._window.source.shows_evidence():
                self._set(message)
            else:
                self._message = None  # the tab is about the newest when it is opened again

    def _clear(self) -> None:
        self._message = None
        self._window.source.evidence.set_sentences(())

    def _shown(self, message: Message) -> list[ShownSentence]:
        items = {p.place.item for one in message.evidence for p in one.passages}
        several, texts = len(items) > 1, {item: self._text(item) for item in items}
        return [
            ShownSentence(
                message.text[one.start : one.end].strip(),
                tuple(
                    ShownPassage(
                        *(passage, self._words(passage.place, texts[passage.place.item])),
                        self._name(passage.place) if several else "",
                    )
                    for passage in one.passages
                ),
                one.how,
            )
            for one in message.evidence
        ]

    def _text(self, item: str) -> str | None:
        """None: it is not kept any more."""
        try:
            return self._services.library.text(item)
        except (KeyError, Problem):
            return None

    def _words(self, place: QuotePlace, text: str | None) -> str:
        if text is None:
            return self.tr("The text of this document is not kept any more.")
        return text[place.start : place.end]

    def _name(self, place: QuotePlace) -> str:
        try:
            return self._services.library.get(place.item).name
        except KeyError:
            return ""

    def _open(self, place: QuotePlace) -> None:
        self._shelf.show_item(place.item, place.start, place.end)
        self._shade()

    def _shade(self) -> None:
        if self._message is None:
            return
        item = self._window.source.item()
        if item is None:
            return
        places = {p.place for one in self._message.evidence for p in one.passages if p.place.item == item.id}
        self._window.source.shade(item.id, [(place.start, place.end, "faint_mark") for place in places])

    def _ask_without(self, place: QuotePlace) -> None:
        if self._message is not None:
            self._tasks.start(self._without(self._message, place))

    async def _without(self, message: Message, place: QuotePlace) -> None:
        view, asked = self._window.source.evidence, Without(place)
        view.set_without(asked)
        try:
            result = await self._services.assistant.without(
                *(message.conversation, message.id, place, lambda text: view.set_without(replace(asked, text=text)))
            )
        except RequestFailed as error:
            result = replace(asked, problem=sentence(error.failed))
        except Problem as problem:
            result = replace(asked, problem=sentence(Failure(problem.code, problem.values.get("subject"))))
        except (EngineBusy, EngineDown, KeyError, ValueError):
            result = replace(asked, problem=self.tr("It could not be asked now. Try again when the engine runs."))
        view.set_without(result)

    def _copy(self, item_id: str, start: int, end: int, style: Style) -> None:
        library = self._services.library
        item = library.get(item_id)
        place = place_of(item, library.spans(item_id), library.headings(item_id), start, end)
        text = library.text(item_id)[start:end]
        cited = Cited(text, item.name, place.label, place.unit, place.file, place.path)
        self._window.copy(reference(cited, style))


def _is_far(message: Message) -> bool:
    """A server wrote it, which tells nothing of its attention: that is shown instead."""
    return message.ledger is not None and message.ledger.host is not None
