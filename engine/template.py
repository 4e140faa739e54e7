"""A model's chat template: run in jinja's sandbox, offline, with the few names that transformers gives to templates.

transformers' own renderer is the same sandbox behind an import of half a second and more.
"""

import json
import re
import secrets
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

import jinja2
from jinja2.ext import Extension
from jinja2.sandbox import ImmutableSandboxedEnvironment

from engine.weights.checkpoint import BadModel

_ANY_DAY = "2026-01-01T00:00:00"


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
        environment.filters["tojson"] = _tojson
        environment.globals["raise_exception"] = _refuse
        try:
            self._compiled = environment.from_string(source)
        except (jinja2.TemplateError, SyntaxError, RecursionError) as error:
            raise BadModel(f"its chat template cannot be used: {error}", "chat_template") from None
        self._special = special
        self.drops_thinking = "</think>" in source
        """Whether the template leaves out of earlier answers what came before this mark. It sees no words, so
        `engine.prompt` does it."""

    @cached_property
    def takes_system(self) -> bool:
        """Whether a system turn may stand at the head of a conversation and stays there as it grows: some templates
        refuse one, and some move its words into the last question, so that every question would read all anew."""
        try:
            short = self.render(["system", "user"], _ANY_DAY, answer=False)
            long = self.render(["system", "user", "assistant", "user"], _ANY_DAY, answer=False)
        except BadModel:
            return False
        first = long.index(1) + 1
        return long.index(0) < first and short[:first] == long[:first]

    def render(self, roles: Sequence[str], began: str, *, answer: bool) -> list[str | int]:
        """Alternately template text and turn numbers, text first and last. `answer`: with the start of an answer.

        The words themselves never pass through the template, which could trim, repeat or run them: it is given marks
        that no text can hold. Raises BadModel for conversations that the template refuses or leaves turns out of.
        """
        secret = secrets.token_hex(12)
        messages = [{"role": role, "content": f"words{number}of{secret}"} for number, role in enumerate(roles)]
        date = datetime.fromisoformat(began)
        try:
            text = self._compiled.render(
                messages=messages,
                tools=None,
                documents=None,
                add_generation_prompt=answer,
                strftime_now=date.strftime,
                **self._special,
            )
        except Exception as error:  # noqa: BLE001 - a template is a program of somebody else's and may fail in any way
            raise BadModel(f"its chat template refuses this conversation: {error}", "chat_template") from None
        parts: list[str | int] = list(re.split(rf"words(\d+)of{secret}", text))
        parts[1::2] = [int(part) for part in parts[1::2]]
        missing = [role for number, role in enumerate(roles) if parts.count(number) != 1]
        if missing or secret in "".join(map(str, parts)):
            raise BadModel(
                f"its chat template has no place for a {missing[0] if missing else 'part'} turn", "chat_template"
            )
        return parts


def _tojson(value: Any, ensure_ascii: bool = False, indent: int | None = None, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, **options)


def _refuse(message: str) -> None:
    raise jinja2.TemplateError(message)
