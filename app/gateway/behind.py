"""What answers behind the gateway's desk. All of it runs on the loop of the engine and the library."""

import asyncio
import datetime
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Protocol

from msgspec.structs import asdict, replace

from app.data.key import Key
from app.data.settings import Settings
from app.gateway import attached, names
from app.gateway.asked import Asked, Sent, Usual
from app.gateway.errors import ApiError, failed, listed
from app.gateway.names import Model
from app.services.assistant import Assistant
from app.services.collections import Collections
from app.services.library import Library
from app.services.methods import IN_BODY, Methods, changed
from app.services.models import Models
from app.services.problem import Problem
from app.services.requests import model_settings, reading_elsewhere, reading_settings, sampling
from app.words import PROBLEMS, sentence
from engine import catalogue
from engine.client import Engine, EngineBusy, EngineDown, RequestFailed, Stream, new_id
from engine.protocol import Conversation, Expect, Format, Generate, Loaded, ReadingSettings, Sampling

log = logging.getLogger(__name__)


class Sender(Protocol):
    """An engine, here or elsewhere."""

    def send(self, command: Generate | Expect) -> Stream: ...


class Elsewhere(Protocol):
    """Engines on other computers. Models are called `<provider>/<model>`."""

    def hosts(self, *, chosen: str = "") -> Mapping[str, str]:
        """Where each model runs: those that were told last, and `chosen` if it is one; nothing is asked over a network.
        Raises `Problem`."""
        ...

    def engine(self, model: str) -> Sender:
        """The one that has that model. Raises `Problem`."""
        ...


class Nowhere:
    """No engine is elsewhere."""

    def hosts(self, *, chosen: str = "") -> Mapping[str, str]:
        return {}

    def engine(self, model: str) -> Sender:
        raise KeyError(model)


class Behind:
    """`load` makes the settings' model the loaded one, and in the window shows it. `named`: models under names of their
    own, with the settings that they are loaded and read with. `switch`: whether clients may have another one loaded.
    `library_changed` hears when a client has put a document into the library or taken one out.
    """

    def __init__(
        self,
        engine: Engine,
        assistant: Assistant,
        library: Library,
        collections: Collections,
        models: Models,
        *,
        load: Callable[[Settings], Awaitable[Loaded]] | None = None,
        elsewhere: Elsewhere | None = None,
        named: Mapping[str, Settings] | None = None,
        switch: bool = False,
        library_changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.library = library
        self.collections = collections
        self.assistant = assistant
        self.library_changed = library_changed
        self._engine = engine
        self._models = models
        self._load = load or assistant.load
        self._elsewhere = elsewhere or Nowhere()
        self._named = named or {}
        self._switch = switch
        self._began = assistant.settings.model
        """It may be named by its path alone, and can be asked for when another was loaded in between."""
        self._turn = asyncio.Lock()
        """Held from the look at what is loaded until the request is sent."""

    @property
    def loaded(self) -> Loaded | None:
        return self._engine.loaded

    def models(self) -> list[Model]:
        """Local ones, then those under names of their own, then collections, then those elsewhere."""
        now = self.assistant.settings
        chosen = (self._began, now.model)
        entries = {entry.name: entry for name in chosen for entry in self._models.entries(chosen=name)}
        local = names.of_entries(entries.values(), lambda name: replace(now, model=name))
        mine = next((model for model in local if model.is_called(now.model)), Model(names.CHOSEN, "local", now))
        window, also = mine.window, (mine.name, *mine.also)
        if self._engine.loaded is not None:
            window = self._engine.loaded.window
        own = [Model(name, "local", settings, settings.window or 0) for name, settings in self._named.items()]
        hosts = self._hosts(now)
        far = [
            Model(name, name.partition("/")[0], None, also=(names.CHOSEN,) * (name == now.model), host=host)
            for name, host in hosts.items()
        ]
        if now.model in hosts:
            return [*local, *own, *far]
        ours = [Model(names.CHOSEN, "local", now, window, also)]
        ours += [
            Model(f"{names.COLLECTION}{matter.name}", "collection", now, window, also, matter.name, matter.items)
            for matter in self.collections.all()
        ]
        return [*local, *own, *ours, *far]

    def _hosts(self, settings: Settings) -> Mapping[str, str]:
        """Of models elsewhere, with the settings'. None where what is kept of them cannot be read, which the window
        tells."""
        try:
            return self._elsewhere.hosts(chosen=settings.model)
        except Problem as problem:
            log.warning("no model elsewhere can be asked: %s", problem.code)
            return {}

    def _is_far(self, settings: Settings) -> bool:
        """Whether their model is elsewhere."""
        return settings.model in self._hosts(settings)

    def _model(self, asked: Asked, key: Key) -> Model:
        """The one that is asked. Raises `ApiError`, with those that the key may ask."""
        name, found = asked.model, asked.found or self._known(asked.model)
        if found is not None and names.allowed(found, key):
            return found
        known = [model for model in self.models() if names.allowed(model, key)]
        if found is None and name.startswith(names.COLLECTION):
            matters = listed(model.collection for model in known if model.collection is not None)
            wanted = name.removeprefix(names.COLLECTION)
            raise ApiError("collection_not_found", param="model", collection=wanted, known=matters)
        if found is None and (entry := catalogue.find(name)) is not None:
            raise ApiError("model_missing", param="model", model=entry.title, name=entry.name)
        if found is None:
            raise ApiError("model_not_found", param="model", model=name, known=_called(known))
        far = found.settings is None and not key.remote
        code = "remote_not_allowed" if far else "model_not_allowed"
        raise ApiError(code, param="model", model=name, known=_called(known))

    def _known(self, name: str) -> Model | None:
        """None: nothing is called so. It is for the key that asks to say which are."""
        return next((model for model in self.models() if model.is_called(name)), None)

    def usual(self, name: str) -> Usual:
        """Of that model."""
        model = self._known(name)
        settings = (model and model.settings) or self.assistant.settings
        return Usual(model, sampling(settings, None), self._reading(model))

    def _reading(self, model: Model | None) -> ReadingSettings:
        settings = self.assistant.settings if model is None else model.settings
        return replace(reading_elsewhere() if settings is None else reading_settings(settings), evidence=0)

    async def reading_by(self, model: Model, methods: Methods) -> ReadingSettings:
        """How it reads with these methods. Raises `ApiError`, and `NotHonoured` for methods that cannot be."""
        settings = model.settings
        if settings is None:
            named = [IN_BODY[field] for field, value in asdict(methods).items() if value is not None]
            raise ApiError("unsupported_parameter", param=named[0], why="the model runs on another computer")
        layers = None if methods.impl is None else await self._layers(settings)
        return replace(reading_settings(changed(settings, methods, IN_BODY, layers)), evidence=0)

    async def _layers(self, settings: Settings) -> Mapping[str, int] | None:
        """Of the settings' model, by kind; one that is not loaded is looked into. None: it cannot be had, which loading
        it tells."""
        loaded = self._engine.loaded
        if loaded is not None and settings.model == self.assistant.settings.model:
            return loaded.layers
        try:
            if self._engine.state in ("stopped", "down"):
                await self._engine.start()
            return (await self.assistant.plan(settings)).layers or None
        except (Problem, RequestFailed, EngineBusy, EngineDown):
            return None

    async def send(self, asked: Asked, key: Key) -> tuple[Sent, Stream]:
        """Have it answered: its model is loaded if it may be. Raises `ApiError`."""

        def request(conversation: Conversation, reading: ReadingSettings) -> Generate:
            writing = _sampling(asked)
            return Generate(new_id(), conversation, writing, reading=reading, whose="client", client=key.id)

        return await self._sent(asked, key, request)

    async def expect(self, asked: Asked, key: Key) -> tuple[Sent, Stream]:
        """Have its tokens counted. Raises `ApiError`."""

        def request(conversation: Conversation, reading: ReadingSettings) -> Expect:
            return Expect(new_id(), conversation, reading, whose="client", client=key.id)

        return await self._sent(asked, key, request)

    async def _sent(
        self, asked: Asked, key: Key, request: Callable[[Conversation, ReadingSettings], Generate | Expect]
    ) -> tuple[Sent, Stream]:
        model = self._model(asked, key)
        reading = asked.reading or self._reading(model)
        conversation = self._conversation(asked, model, key)
        documents = attached.documents(conversation.turns)
        if model.settings is None:
            try:
                engine = self._elsewhere.engine(model.name)
            except Problem as problem:
                said = sentence(PROBLEMS, problem.code, problem.values)
                raise ApiError("cannot_load", model=model.name, said=said) from None
            return Sent(model.name, documents, host=model.host), engine.send(request(conversation, reading))
        async with self._turn:
            await self._ready(model, model.settings)
            loaded = self._engine.loaded
            if loaded is not None and not loaded.takes_system:
                conversation = replace(conversation, turns=attached.without_system(conversation.turns))
            sent = Sent(model.name, documents, loaded.fingerprint if loaded is not None else "")
            return sent, self._engine.send(request(conversation, reading))

    def _conversation(self, asked: Asked, model: Model, key: Key) -> Conversation:
        items = attached.named(self.library, asked.documents, key)
        if model.collection is not None:
            items += attached.held(self.library, model.collection, model.items)
        turns = attached.with_documents(asked.turns, self.library, items)
        tools = () if asked.tool == "none" else asked.tools
        # Templates are told the day, not the hour: what was read stays read until tomorrow
        return Conversation(turns, f"{datetime.date.today().isoformat()}T00:00:00", tools, asked.plain)

    async def _ready(self, model: Model, settings: Settings) -> None:
        now = self.assistant.settings
        try:
            if self._is_far(now) and not self._switch:
                raise ApiError("another_model", param="model", loaded=now.model, model=model.name)
            if self._same(settings, now):
                await self.assistant.ready()
            elif self._engine.loaded is None or self._switch:
                await self._load(settings)
            else:
                loaded = next((one.name for one in self.models() if one.is_called(now.model)), now.model)
                raise ApiError("another_model", param="model", loaded=loaded, model=model.name)
        except Problem as problem:
            said = sentence(PROBLEMS, problem.code, problem.values)
            raise ApiError("cannot_load", model=model.name, said=said) from None
        except EngineBusy:
            raise ApiError("engine_down", said=sentence(PROBLEMS, "engine_busy", {})) from None
        except EngineDown:
            why = "It stopped several times and stays down; Longread's window, its terminal or its log tells more."
            raise ApiError("engine_down", said=why) from None
        except RequestFailed as error:
            raise ApiError("cannot_load", model=model.name, said=failed(error.failed).message) from None

    def _same(self, one: Settings, other: Settings) -> bool:
        """Whether both load the same model in the same way, on this computer."""
        if self._is_far(other):
            return False
        paths = self._models.resolve(one.model), self._models.resolve(other.model)
        alike = [model_settings(each, path) for each, path in zip((one, other), paths, strict=True)]
        loaded = self._engine.loaded
        if loaded is not None and loaded.window == loaded.native_window and one.extension == "none":
            # More than the model was made for is brought down to that: longer texts are read in segments
            most = loaded.native_window
            alike = [each if each.window and each.window < most else replace(each, window=most) for each in alike]
        return alike[0] == alike[1]


def _called(models: Iterable[Model]) -> str:
    return listed(model.name for model in models)


def _sampling(asked: Asked) -> Sampling:
    """With the calls that must be made of tools, where some must."""
    if not asked.tools or asked.tool in ("auto", "none"):
        return asked.sampling
    return replace(asked.sampling, format=Format("calls", tool="" if asked.tool == "required" else asked.tool))
