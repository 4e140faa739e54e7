"""What a client asks in Anthropic's protocol, as `Asked`.

Nothing is passed over in silence: what changes no answer here is named in `app.gateway.anthropic_request`, everything
else is honoured or refused.
"""

import re
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from app.gateway import anthropic_request as wire
from app.gateway.anthropic_turns import as_json, not_honoured, turns, wrong
from app.gateway.asked import Asked
from app.gateway.errors import ApiError, listed
from app.gateway.extras import NAMES, Extras, taken
from app.gateway.passing import Keep
from engine.protocol import Format, Sampling, Tool

NO_EFFECT = "clear_thinking"
"""Begins the names of the edits of a context that change nothing: earlier thinking is read in no case."""

_UNKNOWN = re.compile(r"Object contains unknown field `(?P<field>[^`]+)`(?: - at `\$\.?(?P<place>[^`]*)`)?")
_WRONG = re.compile(r"(?P<what>.*?) - at `\$\.?(?P<place>[^`]*)`", re.DOTALL)


class Wanted(Struct, frozen=True):
    body: wire.Body
    extra: Extras


def wanted(raw: dict[str, Any]) -> Wanted:
    """Raises `ApiError`, which names every parameter that is not known."""
    known = (*wire.Body.__struct_fields__, *NAMES)
    if unknown := [name for name in raw if name not in known]:
        raise ApiError("unknown_parameter", param=", ".join(unknown), known=", ".join(known))
    rest, extra = taken({name: value for name, value in raw.items() if value is not None})
    try:
        return Wanted(msgspec.convert(rest, wire.Body), extra)
    except msgspec.ValidationError as error:
        raise _refusal(str(error)) from None


def asked(wanted: Wanted, keep: Keep, usual: Sampling) -> Asked:
    """`usual`: how is written where the request does not say. Raises `ApiError`."""
    what = wanted.body
    _refuse_what_changes_answers(what)
    tools = tuple(_tool(tool, f"tools[{number}]") for number, tool in enumerate(what.tools))
    return Asked(
        model=what.model,
        turns=turns(what, keep),
        sampling=_sampling(what, usual),
        documents=wanted.extra.documents,
        tools=tools,
        tool=_choice(what.tool_choice, tools),
        stream=what.stream,
    )


def _refuse_what_changes_answers(what: wire.Body) -> None:
    if what.thinking is not None and what.thinking.type == "enabled":
        raise not_honoured(
            "thinking",
            "a local model thinks or does not as it was made, and no tokens are set aside for it. Claude Code asks for "
            "none with MAX_THINKING_TOKENS=0",
        )
    if what.output_config is not None and what.output_config.effort not in (None, "high"):
        raise not_honoured("output_config.effort", "a local model has one effort alone")
    if what.output_config is not None and what.output_config.format is not None and what.tools:
        raise not_honoured("output_config.format", "an answer has one form: it may call tools, or follow a schema")
    edits = what.context_management.edits if what.context_management is not None else ()
    for edit in edits:
        if not edit.type.startswith(NO_EFFECT):
            raise not_honoured("context_management", f"{edit.type} would leave out parts of what was said")


def _sampling(what: wire.Body, usual: Sampling) -> Sampling:
    form = what.output_config.format if what.output_config is not None else None
    said = {"temperature": what.temperature, "top_p": what.top_p, "top_k": what.top_k, "max_tokens": what.max_tokens}
    return replace(
        usual,
        stop=what.stop_sequences or (),
        format=None if form is None else Format("schema", as_json(form.schema)),
        **{name: value for name, value in said.items() if value is not None},
    )


def _tool(tool: wire.Tool, at: str) -> Tool:
    if tool.type not in (None, "custom"):
        raise wrong(
            f"{at}.type",
            f"{tool.type} is a program that Anthropic runs, and this computer has none. Give tools of your own, with a "
            "name and an input_schema",
        )
    return Tool(tool.name, tool.description, as_json(tool.input_schema))


def _choice(choice: wire.ToolChoice | None, tools: tuple[Tool, ...]) -> str:
    if choice is None:
        return "auto"
    if choice.disable_parallel_tool_use and choice.type in ("auto", "any"):
        raise not_honoured(
            "tool_choice.disable_parallel_tool_use", "how many tools are called at once is the model's own choice"
        )
    if choice.type in ("any", "tool") and not tools:
        raise wrong("tool_choice", "there are no tools to be called")
    if choice.type != "tool":
        return {"auto": "auto", "any": "required", "none": "none"}[choice.type]
    names = [tool.name for tool in tools]
    if choice.name not in names:
        raise wrong("tool_choice.name", f"{choice.name} is none of the tools: {listed(names)}")
    return choice.name


def _refusal(said: str) -> ApiError:
    """For what msgspec says of a body."""
    if (unknown := _UNKNOWN.match(said)) is not None:
        place, field = unknown["place"] or "", unknown["field"]
        return not_honoured(f"{place}.{field}" if place else field, "it is not known")
    if (at_fault := _WRONG.match(said)) is not None:
        return wrong(at_fault["place"], at_fault["what"])
    return wrong("the body", said)
