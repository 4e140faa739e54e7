"""A model's chat template: run in jinja's sandbox, offline, with the few names that transformers gives to templates.

transformers' own renderer is the same sandbox behind an import of half a second and more.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

import jinja2
from jinja2.ext import Extension
from jinja2.sandbox import ImmutableSandboxedEnvironment

from engine.marks import Marks, Said
from engine.protocol import Text, Tool, Turn
from engine.weights.checkpoint import BadModel

ANY_DAY = "2026-01-01T00:00:00"

Piece = str | int | Said
"""What the template wrote, a turn whose words stand there, or other words."""


class BadTool(Exception):
    """A tool's parameters are no JSON schema. The message names the tool."""


class _Generation(Extension):
    """`{% generation %}` marks what the model wrote, for training. Here it is as if it were not there."""

    tags = {"generation"}  # noqa: RUF012 - jinja's own way of declaring them

    def parse(self, parser: Any) -> Any:
        parser.stream.skip()
        return parser.parse_statements(["name:endgeneration"], drop_needle=True)


class Template:
    """Renders turns to pieces of control text with a turn's number wherever that turn's words belong."""

    def __init__(self, source: str, special: dict[str, str]) -> None:
        """Raises BadModel."""
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, "jinja2.ext.loopcontrols"]
        )
        environment.filters["tojson"] = lambda *values, **options: self._marks.tojson(*values, **options)
        environment.globals["raise_exception"] = _refuse
        try:
            self._compiled = environment.from_string(source)
        except (jinja2.TemplateError, SyntaxError, RecursionError) as error:
            raise BadModel(f"its chat template cannot be used: {error}", "chat_template") from None
        self._special = special
        self._marks = Marks()
        self.drops_thinking = "</think>" in source
        """Whether the template leaves out of earlier answers what came before this mark. It sees no words, so
        `engine.prompt` does it."""

    @cached_property
    def takes_system(self) -> bool:
        """Whether a system turn may stand at the head of a conversation and stays there as it grows: some templates
        refuse one, and some move its words into the last question, so that every question would read all anew."""
        try:
            short = self.render(["system", "user"], ANY_DAY, answer=False)
            long = self.render(["system", "user", "assistant", "user"], ANY_DAY, answer=False)
        except BadModel:
            return False
        first = long.index(1) + 1
        return long.index(0) < first and short[:first] == long[:first]

    def render(
        self, turns: Sequence[Turn | str], began: str, *, answer: bool, tools: Sequence[Tool] = ()
    ) -> list[Piece]:
        """Alternately template text and turns' numbers or other words, text first and last. A turn is told by its role
        where it has words alone. `answer`: with the start of an answer.

        The words themselves never pass through the template, which could trim, repeat or run them: it is given marks
        that no text can hold. Raises BadModel for conversations that the template refuses or leaves turns out of, and
        BadTool.
        """
        self._marks = marks = Marks()
        turns = [Turn(turn, (Text("…"),)) if isinstance(turn, str) else turn for turn in turns]
        names = {call.id: call.name for turn in turns for call in turn.calls}
        messages = [_message(marks, number, turn, names) for number, turn in enumerate(turns)]
        date = datetime.fromisoformat(began)
        functions = [_function(marks, tool) for tool in tools] or None
        try:
            text = self._compiled.render(
                messages=messages,
                tools=functions,
                documents=None,
                add_generation_prompt=answer,
                strftime_now=date.strftime,
                **self._special,
            )
        except Exception as error:  # noqa: BLE001 - a template is a program of somebody else's and may fail in any way
            raise BadModel(f"its chat template refuses this conversation: {error}", "chat_template") from None
        parts = marks.taken_apart(text)
        missing = [
            turn.role
            for number, turn in enumerate(turns)
            if parts is None or (_has_words(turn) and _left_out(marks, text, parts, number, turn))
        ]
        if missing or parts is None:
            raise BadModel(
                f"its chat template has no place for a {missing[0] if missing else 'part'} turn", "chat_template"
            )
        return parts


def _message(marks: Marks, number: int, turn: Turn, names: dict[str, str]) -> dict[str, Any]:
    content = marks.turn(number) if _has_words(turn) else ""
    if turn.role == "tool" and (words := _said(turn)) is not None:
        content = marks.words(words)
    message: dict[str, Any] = {"role": turn.role, "content": content}
    if turn.calls:
        message["tool_calls"] = [
            {
                "type": "function",
                "id": marks.hidden(call.id),
                "function": {"name": marks.hidden(call.name), "arguments": marks.hidden(_arguments(call.arguments))},
            }
            for call in turn.calls
        ]
    if turn.call is not None:
        message["tool_call_id"] = marks.hidden(turn.call)
        message["name"] = marks.hidden(names.get(turn.call, ""))
    return message


def _function(marks: Marks, tool: Tool) -> dict[str, Any]:
    """As transformers gives a tool to a template."""
    function: dict[str, Any] = {"name": tool.name}
    if tool.description:
        function["description"] = tool.description
    function["parameters"] = parameters(tool) or {"type": "object", "properties": {}}
    return {"type": "function", "function": marks.hidden(function)}


def parameters(tool: Tool) -> dict[str, Any]:
    """A tool's JSON schema. Raises BadTool."""
    try:
        value = json.loads(tool.parameters)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise BadTool(f"the parameters of the tool {tool.name} are no JSON object")
    return value


def _arguments(text: str) -> Any:
    """Of a call: what it was written as, where it is JSON; templates write it themselves."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, dict) else text


def _has_words(turn: Turn) -> bool:
    """A turn of calls may have none."""
    return not turn.calls or any(not isinstance(part, Text) or part.text for part in turn.parts)


def _said(turn: Turn) -> str | None:
    """The words of a turn that has nothing else."""
    words = [part.text for part in turn.parts if isinstance(part, Text)]
    return "".join(words) if len(words) == len(turn.parts) else None


def _left_out(marks: Marks, text: str, parts: Sequence[Piece], number: int, turn: Turn) -> bool:
    if turn.role == "tool" and (words := _said(turn)) is not None:
        return bool(words) and marks.left_out(text, words)
    return sum(type(part) is int and part == number for part in parts) != 1


def _refuse(message: str) -> None:
    raise jinja2.TemplateError(message)
