"""What a client asks, whatever protocol it speaks."""

from msgspec import Struct

from engine.protocol import ReadingSettings, Sampling, Tool, Turn


class Asked(Struct, frozen=True):
    """`model`: as the client named it. `documents`: ids or titles of the library, read before the last question.

    `plain`: no chat template is used. `reading`: None: as the person's settings say. `tool`: whether tools may be
    called, must be, or one of that name must be.
    """

    model: str
    turns: tuple[Turn, ...]
    sampling: Sampling = Sampling()
    documents: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    tool: str = "auto"
    plain: bool = False
    reading: ReadingSettings | None = None
    stream: bool = False
