"""What the window asks of the engine."""

from typing import Literal

from msgspec import Struct

from engine.protocol.conversation import Conversation, Document
from engine.protocol.settings import Eviction, ModelSettings, ReadingSettings, Sampling


class Load(Struct, frozen=True, tag="load"):
    """Make this model the loaded one. Ends with `Loaded`. A model loaded before is released first."""

    id: str
    settings: ModelSettings


Whose = Literal["window", "client"]
"""The person's own request, or one that came through the local API. The first goes before the second, and takes over
from it at the next border of pieces or tokens; the second then goes on where it was."""


class Read(Struct, frozen=True, tag="read", omit_defaults=True):
    """`Generate` without an answer: reads the conversation, which may end in a user turn of documents alone."""

    id: str
    conversation: Conversation
    reading: ReadingSettings = ReadingSettings()
    ids: bool = False
    """Whether `Done.ids` shall say what was read, token by token."""
    whose: Whose = "window"
    client: str = ""
    """As in `Generate`."""


class Generate(Struct, frozen=True, tag="generate", omit_defaults=True):
    """Answer the last user turn. Streams `Delta`, ends with `Done` whose result is `Answered`.

    `client`: who of several asks through the local API; they are served in turn.

    `only_read`: answer from what is already in memory of the documents, reading no more of them; what was not read
    is counted in `Usage.unread`.
    """

    id: str
    conversation: Conversation
    sampling: Sampling = Sampling()
    only_read: bool = False
    reading: ReadingSettings = ReadingSettings()
    ids: bool = False
    """As in `Read`."""
    whose: Whose = "window"
    client: str = ""


class Expect(Struct, frozen=True, tag="expect", omit_defaults=True):
    """How much a `Generate` of this conversation would read. Nothing is run, and what is in memory and on disk stays as
    it is. Result: `Expected`.

    `reworded`: the last question will be put in other words, so nothing from its first word on counts as read.
    """

    id: str
    conversation: Conversation
    reading: ReadingSettings = ReadingSettings()
    reworded: bool = False
    whose: Whose = "window"
    client: str = ""
    """As in `Generate`."""


class Count(Struct, frozen=True, tag="count"):
    """How many tokens each document is, by the loaded model's tokenizer. Result: `Counted`."""

    id: str
    documents: tuple[Document, ...]


class Plan(Struct, frozen=True, tag="plan"):
    """What these settings would need, and what a policy would make of that. Nothing is loaded. Result: `Planned`."""

    id: str
    settings: ModelSettings
    eviction: Eviction | None = None


class Readings(Struct, frozen=True, tag="readings"):
    """What is saved on disk, of any model. `folder` as in `ReadingSettings`. Result: `Listed`."""

    id: str
    folder: str | None = None


class Forget(Struct, frozen=True, tag="forget"):
    """Give up what was read of these documents (sha256), in memory and on disk, for good. None: of all documents.
    A reading of several documents goes when one of them does. Result: `Forgotten`."""

    id: str
    documents: tuple[str, ...] | None = None
    folder: str | None = None


class Inspect(Struct, frozen=True, tag="inspect"):
    """Devices, memory, versions. Result: `Inspected`."""

    id: str


class Work(Struct, frozen=True, tag="work"):
    """A longer job, by name: `bench`, `attention` (no model's), `eviction` (what policies lose), `joins` (which suits
    the model), `peers` (other engines, beside this one), `reading` (long texts), `selection` (of rows, beside all),
    `quantize` (a smaller copy of a model). Reports `Progress`; result: `Worked`."""

    id: str
    job: Literal["attention", "bench", "eviction", "joins", "peers", "reading", "selection", "quantize"]
    options: dict[str, str] = {}


class Cancel(Struct, frozen=True, tag="cancel"):
    """End request `target` soon: looked at between layers; one that waits, or that another has taken over from, ends at
    once. Its ending says `cancelled`. Has no ending of its own."""

    target: str


class Quit(Struct, frozen=True, tag="quit"):
    """Finish now. End-of-file on the engine's input means the same."""


Request = Load | Read | Generate | Expect | Count | Plan | Readings | Forget | Inspect | Work
"""Commands that get an ending."""
Command = Request | Cancel | Quit
