"""The body of a request in Anthropic's protocol, as it comes over the wire.

Fields that are declared `Ignored` change no answer here and may be anything. A field that is not declared is refused by
name: see `app.gateway.anthropic_asked`.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Ignored = Any | UnsetType
"""`cache_control` above all: what was read is kept without being asked to."""
Effort = Literal["low", "medium", "high", "xhigh", "max"]


class TextBlock(Struct, frozen=True, tag="text", forbid_unknown_fields=True):
    text: str
    cache_control: Ignored = UNSET
    citations: Ignored = UNSET
    """Of an earlier answer."""


class TextSource(Struct, frozen=True, tag="text", forbid_unknown_fields=True):
    data: str
    media_type: Literal["text/plain"] = "text/plain"


class BlocksSource(Struct, frozen=True, tag="content", forbid_unknown_fields=True):
    content: "str | tuple[TextBlock | ImageBlock, ...]"


class Base64Source(Struct, frozen=True, tag="base64"):
    media_type: str = ""


class UrlSource(Struct, frozen=True, tag="url"):
    """Never fetched."""


class FileSource(Struct, frozen=True, tag="file"):
    file_id: str = ""


Source = TextSource | BlocksSource | Base64Source | UrlSource | FileSource


class Citations(Struct, frozen=True, forbid_unknown_fields=True):
    enabled: bool = False


class DocumentBlock(Struct, frozen=True, tag="document", forbid_unknown_fields=True):
    source: Source
    title: str | None = None
    context: str | None = None
    citations: Citations | None = None
    cache_control: Ignored = UNSET


class ImageBlock(Struct, frozen=True, tag="image"):
    """Models here see no pictures."""


class ToolUseBlock(Struct, frozen=True, tag="tool_use", forbid_unknown_fields=True):
    id: str
    name: str
    input: dict[str, Any]
    cache_control: Ignored = UNSET
    caller: Ignored = UNSET


class ToolResultBlock(Struct, frozen=True, tag="tool_result", forbid_unknown_fields=True):
    tool_use_id: str
    content: str | tuple[TextBlock | ImageBlock | DocumentBlock, ...] = ""
    is_error: bool | None = None
    cache_control: Ignored = UNSET


class ThinkingBlock(Struct, frozen=True, tag="thinking"):
    """Of an earlier answer, by another model. Chat templates leave it out of what a model is given."""


class RedactedThinkingBlock(Struct, frozen=True, tag="redacted_thinking"):
    """As `ThinkingBlock`."""


Block = TextBlock | DocumentBlock | ImageBlock | ToolUseBlock | ToolResultBlock | ThinkingBlock | RedactedThinkingBlock


class Message(Struct, frozen=True, forbid_unknown_fields=True):
    role: Literal["user", "assistant"]
    content: str | tuple[Block, ...]


class Tool(Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1)]
    input_schema: dict[str, Any]
    description: str = ""
    type: str | None = None
    """None or "custom": a function of the client's. All others are programs that Anthropic runs."""
    cache_control: Ignored = UNSET
    eager_input_streaming: Ignored = UNSET
    """A call comes in one piece in any case."""


class ToolChoice(Struct, frozen=True, forbid_unknown_fields=True):
    type: Literal["auto", "any", "tool", "none"]
    name: str | None = None
    disable_parallel_tool_use: bool = False


class Thinking(Struct, frozen=True):
    type: Literal["enabled", "adaptive", "disabled"]


class JsonFormat(Struct, frozen=True, forbid_unknown_fields=True):
    type: Literal["json_schema"]
    schema: dict[str, Any]


class OutputConfig(Struct, frozen=True, forbid_unknown_fields=True):
    format: JsonFormat | None = None
    effort: Effort | None = None


class Edit(Struct, frozen=True):
    type: str


class ContextManagement(Struct, frozen=True, forbid_unknown_fields=True):
    edits: tuple[Edit, ...] = ()


class Body(Struct, frozen=True):
    """What is counted and what is answered. The latter needs `max_tokens`."""

    model: Annotated[str, Meta(min_length=1)]
    messages: Annotated[tuple[Message, ...], Meta(min_length=1)]
    max_tokens: Annotated[int, Meta(ge=1)] | None = None
    system: str | tuple[TextBlock, ...] = ()
    stop_sequences: tuple[Annotated[str, Meta(min_length=1)], ...] | None = None
    stream: bool = False
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    top_p: Annotated[float, Meta(gt=0, le=1)] | None = None
    top_k: Annotated[int, Meta(ge=0)] | None = None
    tools: tuple[Tool, ...] = ()
    tool_choice: ToolChoice | None = None
    thinking: Thinking | None = None
    output_config: OutputConfig | None = None
    context_management: ContextManagement | None = None
    service_tier: Literal["auto", "standard_only"] | None = None
    speed: Literal["standard"] | None = None
    cache_control: Ignored = UNSET
    metadata: Ignored = UNSET
    diagnostics: Ignored = UNSET
