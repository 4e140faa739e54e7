"""What is looked at before a request is begun: whether it can be done, what it needs, and what its answer must be."""

import json
from collections.abc import Callable

from engine import call_forms
from engine.answer import Answer
from engine.call_forms import Form, Schemas
from engine.calls import Calls
from engine.grammar import BadFormat, Grammar
from engine.in_use import InUse
from engine.look import documents_of
from engine.protocol import Expect, Failed, Format, Generate, Read
from engine.reading.eviction import guard

Stop = Callable[[], bool]


def refused(model: InUse, request: Read | Generate) -> Failed | None:
    """What cannot be done of what the request asks for."""
    if (failed := no_tools(model, request)) is not None:
        return failed
    reading = request.reading
    if isinstance(request, Generate) and request.sampling.format is not None and reading.coverage:
        reason = "an answer that goes over every part of a text is a list"
        return Failed(request.id, "bad_format", reason, reason)
    selects = reading.selection.kind != "none"
    if selects and not model.selectable:
        return Failed(request.id, "no_selection", "the model's layers are not all dense")
    if reading.eviction is None:
        return None
    if selects:
        return Failed(request.id, "evict_selection", "rows that a selection may look at are not forgotten")
    if reading.mode == "parallel" or reading.coverage:
        return Failed(request.id, "evict_segments", "rows of segments are chosen by other means")
    found = guard.obstacle(reading.eviction, model.model.config, model.chains.window)
    if found is None:
        return None
    code, needed, available = found
    counts = (needed, available) if needed else (None, None)
    return Failed(request.id, code, "not with this model or these settings", reading.eviction.policy, *counts)


def in_segments(request: Read | Generate) -> Failed | None:
    """What of the request cannot be done with a text that is read in segments."""
    if request.reading.selection.kind == "none":
        return None
    return Failed(request.id, "selection_whole", "a selection is of rows of a text that is read whole")


def prepare(model: InUse, request: Read | Generate, stopped: Stop) -> None:
    """What is needed of the model before its first text is read."""
    if request.reading.evidence and not request.reading.coverage and documents_of(request.conversation):
        model.reader.watches.prepare(stopped)
    if request.reading.eviction is not None and request.reading.eviction.policy == "triattention":
        model.means(stopped)


def no_tools(model: InUse, request: Read | Generate | Expect) -> Failed | None:
    """Where the conversation has tools, or calls of some, and no place for them."""
    talk = request.conversation
    named = talk.tools or any(turn.calls or turn.role == "tool" for turn in talk.turns)
    if not named or (model.call_form is not None and not talk.plain):
        return None
    return Failed(request.id, "no_tools", "there is no place for tools in the model's chat template, or none is used")


def answer(model: InUse, request: Generate) -> Answer:
    """To be written. Raises BadFormat and BadTool."""
    talk, form = request.conversation, model.call_form
    grammar, calls = None, None
    tools = call_forms.schemas(talk.tools) if form is not None and talk.tools else None
    if request.sampling.format is not None:
        grammar = _grammar(model, request.sampling.format, tools, form)
    if form is not None and tools is not None:
        calls = Calls(form, tools)
    return Answer(model.tokenizer, request.sampling, grammar, calls)


def _grammar(model: InUse, format: Format, tools: Schemas | None, form: Form | None) -> Grammar:
    match format.kind:
        case "json":
            return model.grammars.of_schema({"type": "object"})
        case "schema":
            try:
                return model.grammars.of_schema(json.loads(format.schema))
            except (ValueError, RecursionError):
                raise BadFormat("the schema is not JSON") from None
        case "calls":
            if form is None or tools is None:
                raise BadFormat("there are no tools to be called")
            return call_forms.held(form, model.grammars, tools, format.tool)
