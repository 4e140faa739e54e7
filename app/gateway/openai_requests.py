"""OpenAI's requests for answers, as `Asked`."""

from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from app.gateway import extras
from app.gateway.asked import Asked
from app.gateway.desk import Desk
from app.gateway.errors import ApiError
from app.gateway.openai_messages import Choice, ResponseFormat, ToolGiven, answer_format, tool, tools, turns
from app.gateway.parameters import converted, honoured
from app.gateway.passing import Passing
from engine.protocol import Sampling, Text, Turn

STOPS = 4
"""Texts that may end an answer."""
LIKELIEST = 20
"""The most that `top_logprobs` may be."""


class StreamOptions(Struct, forbid_unknown_fields=True):
    include_usage: bool = False
    include_obfuscation: bool = False


class Writing(Struct):
    """What both kinds of requests say of how it is written. None: as the person's settings say."""

    model: str
    stream: bool = False
    stream_options: StreamOptions | None = None
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    top_p: Annotated[float, Meta(gt=0, le=1)] | None = None
    top_k: Annotated[int, Meta(ge=0)] | None = None
    repetition_penalty: Annotated[float, Meta(gt=0)] | None = None
    seed: Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)] | None = None
    stop: str | list[str] | None = None
    max_tokens: Annotated[int, Meta(ge=1)] | None = None


class ChatRequest(Writing, kw_only=True):
    messages: list[dict[str, Any]]
    max_completion_tokens: Annotated[int, Meta(ge=1)] | None = None
    logprobs: bool = False
    top_logprobs: Annotated[int, Meta(ge=0, le=LIKELIEST)] | None = None
    response_format: ResponseFormat | None = None
    tools: list[ToolGiven] = []
    tool_choice: str | Choice | None = None


class CompletionRequest(Writing, kw_only=True):
    prompt: str | list[str]
    logprobs: Annotated[int, Meta(ge=0, le=LIKELIEST)] | None = None


class Wanted(Struct, frozen=True):
    """`usage`: a stream's last chunk tells what it took."""

    asked: Asked
    usage: bool = False


async def chat(desk: Desk, body: dict[str, Any], kept: Passing) -> Wanted:
    """A request of /v1/chat/completions; its documents are `kept`. Raises `ApiError`."""
    given, extra = extras.taken(honoured(body, {*ChatRequest.__struct_fields__, *extras.NAMES}))
    request = converted(given, ChatRequest)
    if request.top_logprobs is not None and not request.logprobs:
        raise ApiError("invalid_value", param="top_logprobs", why="it asks for nothing without `logprobs`")
    if None not in (request.max_tokens, request.max_completion_tokens):
        raise ApiError("invalid_value", param="max_tokens", why="say it or `max_completion_tokens`, not both")
    callable_tools = tools(request.tools)
    usual = await desk.usual(request.model)
    sampling = _sampling(usual.sampling, request, request.max_completion_tokens or request.max_tokens)
    said, reading = turns(request.messages, kept.keep), await extras.reading(desk, usual, extra)
    asked = Asked(
        request.model,
        said,
        replace(
            sampling,
            format=answer_format(request.response_format),
            logprobs=(request.top_logprobs or 0) if request.logprobs else None,
        ),
        documents=extra.documents,
        tools=callable_tools,
        tool=tool(request.tool_choice, callable_tools),
        # what came in passing is to leave no reading on the disk either
        reading=replace(reading, save=False) if kept else reading,
        stream=request.stream,
        found=usual.model,
    )
    if asked.sampling.format is not None and asked.tools and asked.tool != "none":
        raise ApiError("unsupported_parameter", param="response_format", why="an answer is either JSON or calls")
    return Wanted(asked, _usage(request))


async def completion(desk: Desk, body: dict[str, Any]) -> Wanted:
    """A request of /v1/completions. Raises `ApiError`."""
    given, extra = extras.taken(honoured(body, {*CompletionRequest.__struct_fields__, *extras.NAMES}))
    request = converted(given, CompletionRequest)
    prompts = [request.prompt] if isinstance(request.prompt, str) else request.prompt
    if len(prompts) != 1 or not prompts[0]:
        raise ApiError("invalid_value", param="prompt", why="it is one text, and not an empty one")
    usual = await desk.usual(request.model)
    sampling = _sampling(usual.sampling, request, request.max_tokens)
    asked = Asked(
        request.model,
        (Turn("user", (Text(prompts[0]),)),),
        replace(sampling, logprobs=request.logprobs),
        documents=extra.documents,
        plain=True,
        reading=await extras.reading(desk, usual, extra),
        stream=request.stream,
        found=usual.model,
    )
    return Wanted(asked, _usage(request))


def _sampling(usual: Sampling, request: Writing, most: int | None) -> Sampling:
    said = {name: getattr(request, name) for name in ("temperature", "top_p", "top_k", "repetition_penalty", "seed")}
    stop = (request.stop,) if isinstance(request.stop, str) else tuple(request.stop or ())
    if len(stop) > STOPS or not all(stop):
        raise ApiError("invalid_value", param="stop", why=f"up to {STOPS} texts end an answer, none of them empty")
    said |= {"max_tokens": most, "stop": stop or None}
    return replace(usual, **{name: value for name, value in said.items() if value is not None})


def _usage(request: Writing) -> bool:
    if request.stream_options is None:
        return False
    if not request.stream:
        raise ApiError("invalid_value", param="stream_options", why="it asks for nothing without `stream`")
    return request.stream_options.include_usage
