"""config.toml as it is written: TOML to `ServeConfig`, and every fault in it with its key and its line."""

import difflib
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, inspect

from app.data.fault import Fault, NotHonoured
from app.data.serve_config import ModelSection, ProviderSection, ServeConfig

SECTIONS = ("server", "attention", "quantization", "long_context")
NAMED: dict[str, type[Struct]] = {"providers": ProviderSection, "models": ModelSection}
"""Sections of which there are several, each with a name: [models.small-128k]."""
TEXT = 'text in quotation marks ("...")'
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

HEADER = re.compile(r"\s*\[([^\[\]]+)\]")
WRITTEN = re.compile(r"""\s*["']?([\w.-]+)["']?\s*=""")

Section = TypeVar("Section", bound=Struct)


def read(path: Path) -> ServeConfig:
    """Raises `NotHonoured` with every fault that can be seen in the file alone."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise NotHonoured(Fault("", "unreadable", {"message": error.strerror or "?"})) from None
    try:
        return parse(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise NotHonoured(Fault("", "not_text")) from None


def parse(text: str) -> ServeConfig:
    """As `read`."""
    try:
        raw = tomllib.loads(text.replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotHonoured(Fault("", "not_toml", {"message": str(error)})) from None
    return _Reading(_lines(text)).all(raw)


class _Reading:
    """`lines`: of the keys that stand on a line of their own."""

    def __init__(self, lines: dict[str, int]) -> None:
        self._lines = lines
        self._given: dict[str, int] = {}
        self._faults: list[Fault] = []

    def all(self, raw: dict[str, Any]) -> ServeConfig:
        values: dict[str, Any] = {}
        kinds = {field.name: field.type for field in msgspec.structs.fields(ServeConfig) if field.name in SECTIONS}
        for name, content in raw.items():
            if name in kinds:
                values[name] = self._section(name, content, kinds[name])
            elif name in NAMED:
                values[name] = self._sections(name, content, NAMED[name])
            else:
                self._unknown("unknown_section", name, name, (*SECTIONS, *NAMED))
        if self._faults:
            raise NotHonoured(*self._faults)
        return ServeConfig(**values, given=self._given)

    def _sections(self, name: str, content: object, kind: type[Section]) -> dict[str, Section]:
        if not isinstance(content, dict):
            self._fault(name, "unnamed_section")
            return {}
        found: dict[str, Section] = {}
        for called, inner in content.items():
            key = f"{name}.{called}"
            if not isinstance(inner, dict):
                self._fault(name, "unnamed_section")
            elif NAME.fullmatch(called) is None:
                self._fault(key, "bad_name")
            else:
                found[called] = self._section(key, inner, kind)
        return found

    def _section(self, name: str, content: object, kind: type[Section]) -> Section:
        if not isinstance(content, dict):
            self._fault(name, "not_a_section")
            return kind()
        fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
        values: dict[str, Any] = {}
        for field, value in content.items():
            key = f"{name}.{field}"
            if field not in fields:
                self._unknown("unknown_key", key, field, fields)
                continue
            self._given[key] = self._lines.get(key, 0)
            try:
                values[field] = msgspec.convert(value, fields[field])
            except msgspec.ValidationError:
                self._fault(key, "wrong_type", expected=expected(fields[field]), found=_found(key, value))
        return kind(**values)

    def _unknown(self, code: str, key: str, written: str, known: Iterable[str]) -> None:
        near = difflib.get_close_matches(written, known, 1)
        self._fault(key, code, nearest=f"; did you mean {near[0]}?" if near else "", known=", ".join(known))

    def _fault(self, key: str, code: str, **values: str) -> None:
        self._faults.append(Fault(key, code, values, self._lines.get(key)))


def expected(kind: Any) -> str:
    """What a value of such a type is, in words: "a whole number from 0 to 65,535"."""
    return _words(inspect.type_info(kind))


def _words(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata(type=inner):
            return _words(inner)
        case inspect.UnionType(types=types):
            return " or ".join(_words(one) for one in types if not isinstance(one, inspect.NoneType))
        case inspect.BoolType():
            return "true or false"
        case inspect.StrType():
            return TEXT
        case inspect.LiteralType(values=values):
            *some, last = (str(value) for value in values)
            return f"{', '.join(some)} or {last}" if some else last
        case inspect.VarTupleType(item_type=item):
            return f"a list, each of it {_words(item)}"
        case inspect.IntType() | inspect.FloatType():
            return ("a whole number" if isinstance(kind, inspect.IntType) else "a number") + _limits(kind)
    raise TypeError(kind)


def _limits(kind: inspect.IntType | inspect.FloatType) -> str:
    if kind.gt is not None:
        return f" above {kind.gt:g}" + (f" and at most {kind.le:g}" if kind.le is not None else "")
    if kind.ge is not None:
        return f" from {kind.ge:,} to {kind.le:,}" if kind.le is not None else f" of {kind.ge:,} or more"
    return ""


def _found(key: str, value: object) -> str:
    """What was written instead; never a key."""
    if "key" in key.rpartition(".")[2]:
        return "something else"
    match value:
        case bool():
            return "true" if value else "false"
        case str() if len(value) <= 40:
            return f'"{value}"'
        case int() | float():
            return str(value)
        case dict():
            return "a section"
        case list():
            return "a list"
    return "a longer text" if isinstance(value, str) else "something else"


def _lines(text: str) -> dict[str, int]:
    """By section and key, where each stands on a line of its own; also of sections. Not in inline tables."""
    section = ""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if (header := HEADER.match(line)) is not None:
            section = ".".join(part.strip().strip("\"'") for part in header[1].split("."))
            lines.setdefault(section, number)
        elif (written := WRITTEN.match(line)) is not None:
            lines.setdefault(f"{section}.{written[1]}" if section else written[1], number)
    return lines
