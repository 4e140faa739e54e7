"""The one place that turns a conversation into requests of the engine, and events into messages and ledgers."""

import time
import uuid
from collections.abc import Callable, Sequence
from typing import Literal

from app.data import policies
from app.data.conversation import Message
from app.data.document import Item
from app.data.evidence import Without
from app.data.ledger import Ledger
from app.data.quote import QuotePlace
from app.data.settings import Settings
from app.services.answer import Answer, Reading, UnderWay
from app.services.chosen import Chosen, ignore, result
from app.services.conversations import Conversations, Removed
from app.services.ledger import ledger
from app.services.library import Library
from app.services.models import Models
from app.services.places import Places
from app.services.problem import Problem
from app.services.providers import Providers
from app.services.quotes import Quotes
from app.services.requests import model_settings, reading_elsewhere, reading_settings, readings_folder, sampling
from app.services.turns import Prompt, asked_to_quote, prompt
from app.services.without import ask_without
from engine.client import Engine, Stream, new_id
from engine.protocol import (
    Conversation,
    Count,
    Counted,
    Document,
    Done,
    Expect,
    Expected,
    Forget,
    Forgotten,
    Generate,
    Inspect,
    Inspected,
    Listed,
    Loaded,
    Plan,
    Planned,
    Progress,
    Read,
    Readings,
    ReadingSettings,
    Usage,
    Work,
    Worked,
)


class Assistant:
    """`settings` are those that were loaded last, or are loaded when first needed; how texts are read and answers are
    written is taken from them at each question, so that the owner may replace them without a `load`.

    A model of a provider is asked where it is: no engine is started here for it.

    Unknown ids raise KeyError. A request that the engine refuses raises `RequestFailed`; an answer's or a reading's
    failure is kept with it instead.
    """

    def __init__(
        self,
        engine: Engine,
        library: Library,
        conversations: Conversations,
        models: Models,
        settings: Settings,
        providers: Providers | None = None,
    ) -> None:
        self.seed: int | None = None
        """The seed of the answers; None: a new one each time."""
        self.quotes = Quotes(library)
        self._engine = engine
        self._library = library
        self._conversations = conversations
        self._models = models
        self._chosen = Chosen(engine, library, models, settings, providers)
        self._readings: dict[str, Reading] = {}
        self._under_way: set[UnderWay] = set()

    @property
    def settings(self) -> Settings:
        return self._chosen.settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self._chosen.settings = settings

    @property
    def host(self) -> str | None:
        """The server that answers; None: this computer."""
        loaded = self._chosen.loaded
        return loaded.host if loaded is not None else None

    async def load(self, settings: Settings, on_progress: Callable[[Progress], None] = ignore) -> Loaded:
        """Start the engine if need be and make the settings' model the loaded one. For a model elsewhere nothing is
        connected, and the engine here gives its memory back.

        Raises `ModelMissing` or another `Problem`, `EngineBusy`, `EngineDown` or `RequestFailed`; the settings in use
        are then those from before.
        """
        return await self._chosen.load(settings, on_progress)

    async def ready(self) -> None:
        """Have the settings' model loaded, or on its way back. Raises as `load` does."""
        await self._chosen.ready()

    async def plan(self, settings: Settings) -> Planned:
        """What the settings would need. Nothing is loaded."""
        wanted = model_settings(settings, self._models.resolve(settings.model))
        return await result(self._engine.send(Plan(new_id(), wanted, policies.asked(settings))), Planned)

    async def inspect(self) -> Inspected:
        """Devices, memory and versions."""
        return await result(self._engine.send(Inspect(new_id())), Inspected)

    async def bench(
        self,
        options: dict[str, str],
        on_progress: Callable[[Progress], None] = ignore,
        *,
        job: Literal["attention", "bench", "eviction", "joins", "peers", "reading", "selection"] = "bench",
    ) -> Worked:
        """Measure a model. `Worked.report` is JSON text."""
        return await result(self._engine.send(Work(new_id(), job, options)), Worked, on_progress)

    async def quantize(self, options: dict[str, str], on_progress: Callable[[Progress], None] = ignore) -> Worked:
        """Make a smaller copy of a model; options as of `engine.quantize`. `Worked.report` is JSON text."""
        await self._chosen.awake()
        return await result(self._engine.send(Work(new_id(), "quantize", options)), Worked, on_progress)

    async def readings(self) -> Listed:
        """What is saved on disk of texts that were read, by any model. Starts the engine if need be; loads nothing."""
        await self._chosen.awake()
        return await result(self._engine.send(Readings(new_id(), readings_folder(self.settings))), Listed)

    async def forget_readings(self, documents: tuple[str, ...] | None) -> Forgotten:
        """Give up what was read of these items (their ids), in memory and on disk, for good; None: of all texts.

        What is read of them just now ends. Starts the engine if need be; loads nothing.
        """
        await self._chosen.awake()
        request = Forget(new_id(), documents, readings_folder(self.settings))
        return await result(self._engine.send(request), Forgotten)

    async def forget(self, *items: str) -> Forgotten:
        """Delete items of the library (their ids) for good: the copies of their texts, what was read of them, and every
        trace of their words in the library's files.

        When the engine cannot be asked (raises `EngineBusy`, `EngineDown` or `RequestFailed`) the texts are gone and
        the readings are still there: `forget_readings` takes them away later.
        """
        for item in items:
            self._library.forget(item)
        try:
            return await self.forget_readings(items)
        finally:
            await self._library.purge()

    async def count(self, items: Sequence[Item]) -> list[int]:
        """Tokens of each item by the loaded model; they are kept with the items."""
        await self._chosen.ready()
        documents = tuple(Document(item.path, item.id, item.name) for item in items)
        counted = await result(self._chosen.send(Count(new_id(), documents)), Counted)
        for item, tokens in zip(items, counted.tokens, strict=True):
            self._library.set_tokens(item.id, tokens)
        return list(counted.tokens)

    def read(self, conversation_id: str) -> Reading:
        """Read the conversation's documents and those attached to the question to come, so that it is answered soon.

        Raises ValueError when there is nothing to read.
        """
        kept = self._conversations.get(conversation_id)
        what = self._prompt(self._conversations.messages(conversation_id), kept.pending)
        if not what.turns:
            raise ValueError("nothing to read")
        how = self._how()

        async def open_stream() -> Stream:
            await self._chosen.ready()
            return self._chosen.send(Read(new_id(), self._talk(what, kept.began), how))

        reading = Reading(open_stream)
        self._readings[conversation_id] = reading
        self._keep_watch(reading)
        return reading

    def ask(
        self,
        conversation_id: str,
        question: str,
        documents: tuple[str, ...] = (),
        *,
        only_read: bool = False,
        coverage: bool = False,
        part_question: str | None = None,
    ) -> Answer:
        """Keep the question with its documents (ids of items), then have it answered.

        A reading of the same conversation is waited for, or with `only_read` ended: then the answer is from what has
        been read of the documents, and its ledger says what was not.

        `coverage`: every part of the text is asked `part_question`, or without one the question itself; what each gives
        comes as `Found`, and the answer is written from that.
        """
        how = self._how(coverage=coverage, part_question=part_question)
        asked = _asked(conversation_id, question, documents)
        message = _waiting(conversation_id)
        self._conversations.ask(asked, message)
        return self._answer(asked, message, None, how, only_read=only_read)

    def regenerate(
        self,
        conversation_id: str,
        message_id: str,
        *,
        only_read: bool = False,
        coverage: bool = False,
        part_question: str | None = None,
    ) -> Answer:
        """Answer again the question that `message_id` answers. `Answer.removed`: the old answer and all after it.

        `only_read`, `coverage` and `part_question` as for `ask`.
        """
        how = self._how(coverage=coverage, part_question=part_question)
        messages = self._conversations.messages(conversation_id)
        place = [message.id for message in messages].index(message_id)
        question = next(message for message in reversed(messages[: place + 1]) if message.role == "user")
        message = _waiting(conversation_id)
        with self._conversations.together():
            removed = self._conversations.remove_after(question.id)
            self._conversations.add(message)
        return self._answer(question, message, removed, how, only_read=only_read)

    def edit(
        self,
        conversation_id: str,
        message_id: str,
        text: str,
        *,
        coverage: bool = False,
        part_question: str | None = None,
    ) -> Answer:
        """Ask a question in other words, with the same documents. `Answer.removed`: the old one and all after it.

        `coverage` and `part_question` as for `ask`.
        """
        how = self._how(coverage=coverage, part_question=part_question)
        old = self._conversations.message(message_id)
        asked = _asked(conversation_id, text, old.documents)
        message = _waiting(conversation_id)
        with self._conversations.together():
            removed = self._conversations.remove_from(message_id)
            self._conversations.add(asked)
            self._conversations.add(message)
        return self._answer(asked, message, removed, how)

    async def expect_edit(self, conversation_id: str, message_id: str) -> Expected:
        """What asking that question in other words would read, by the loaded model. Nothing is asked."""
        kept = self._conversations.get(conversation_id)
        messages = self._conversations.messages(conversation_id)
        place = [message.id for message in messages].index(message_id)
        what = self._prompt(messages[: place + 1], ())
        request = Expect(new_id(), self._talk(what, kept.began), self._how(), reworded=True)
        return await result(self._chosen.send(request), Expected)

    async def without(
        self, conversation_id: str, message_id: str, place: QuotePlace, on_text: Callable[[str], None]
    ) -> Without:
        """What would be answered if that passage were not in the text, as `ask_without` says it. Raises
        `Problem("without_remote")` where the model is elsewhere."""
        await self._chosen.ready()
        if self.host is not None:
            raise Problem("without_remote", subject=self.host)
        kept, messages = self._conversations.get(conversation_id), self._conversations.messages(conversation_id)
        return await ask_without(
            *(self._engine, self._library, messages, message_id, lambda what: self._talk(what, kept.began), place),
            *(self._library.folder, sampling(self.settings, self.seed), reading_settings(self.settings), on_text),
        )

    async def close(self) -> None:
        """End what is under way; what was written so far is kept."""
        for one in tuple(self._under_way):
            await one.close()

    def _answer(
        self,
        question: Message,
        message: Message,
        removed: Removed | None,
        how: ReadingSettings,
        *,
        only_read: bool = False,
    ) -> Answer:
        conversation_id = question.conversation
        began = self._conversations.get(conversation_id).began
        before = [one for one in self._conversations.messages(conversation_id) if one.id != message.id]
        what = self._prompt(before, ())
        places = Places(what.items, self._library.spans, self._library.headings)
        writing = sampling(self.settings, self.seed)
        notes = ("only_read",) * only_read + ("forgotten_document",) * bool(what.forgotten)
        by: Loaded | None = None

        async def open_stream() -> Stream:
            nonlocal by
            if only_read and (reading := self._readings.get(conversation_id)) is not None:
                reading.cancel()
                await reading.wait()
            await self._chosen.ready()
            await self._count_new(what)
            by = self._chosen.loaded
            request = Generate(new_id(), self._talk(what, began), writing, only_read, how)
            return self._chosen.send(request)

        def write_ledger(done: Done, usage: Usage, first_token: float | None) -> Ledger:
            loaded = self._chosen.loaded if by is None or by.host is None else by
            if loaded is None:
                raise RuntimeError("an answer without a loaded model")
            estimated = ("remote_estimated",) * bool(loaded.host is not None and what.items)
            items = tuple(self._counted(item) for item in what.items)
            return ledger(
                *(done, usage, loaded, items, places),
                temperature=writing.temperature,
                first_token=first_token,
                notes=notes + estimated,
            )

        answer = Answer(
            open_stream,
            question=question,
            message=message,
            removed=removed,
            conversations=self._conversations,
            whole=how.mode == "whole",
            found=places.found,
            evidence=places.evidence,
            write_ledger=write_ledger,
            find_quotes=lambda text: self.quotes.find(text, what.items),
        )
        self._keep_watch(answer)
        return answer

    def _how(self, *, coverage: bool = False, part_question: str | None = None) -> ReadingSettings:
        if self._chosen.is_remote(self.settings):
            return reading_elsewhere(coverage=coverage, part_question=part_question)
        return reading_settings(self.settings, coverage=coverage, part_question=part_question)

    def _prompt(self, messages: Sequence[Message], pending: tuple[str, ...]) -> Prompt:
        return prompt(messages, pending, self._library.get, self._library.spans)

    def _talk(self, what: Prompt, began: str) -> Conversation:
        """For the model that is loaded, or is on its way back."""
        return Conversation(asked_to_quote(what.turns, self._chosen.loaded), began)

    async def _count_new(self, what: Prompt) -> None:
        """The ledger names the tokens of each document; counting makes the ids that reading needs anyway."""
        new = [item for item in what.items if self._counted(item).tokens is None]
        if new:
            await self.count(new)

    def _counted(self, item: Item) -> Item:
        try:
            return self._library.get(item.id)
        except KeyError:  # forgotten while it was being answered about
            return item

    def _keep_watch(self, one: UnderWay) -> None:
        self._under_way.add(one)
        one.on_end(lambda: self._ended(one))

    def _ended(self, one: UnderWay) -> None:
        self._under_way.discard(one)
        for conversation_id, reading in tuple(self._readings.items()):
            if reading is one:
                del self._readings[conversation_id]


def _asked(conversation_id: str, text: str, documents: tuple[str, ...]) -> Message:
    return Message(uuid.uuid4().hex, conversation_id, "user", text, time.time(), documents)


def _waiting(conversation_id: str) -> Message:
    return Message(uuid.uuid4().hex, conversation_id, "assistant", "", time.time(), state="waiting")
