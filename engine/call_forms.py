"""The forms in which models write calls of tools: what begins one, how it is read, and a grammar that it is held to.

Which one a model has is told by its chat template: a made-up call is rendered, and looked at.
"""

import ast
import html
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from engine.grammar import BadFormat, Grammar, Grammars, spaced
from engine.protocol import Call, Text, Tool, Turn
from engine.template import ANY_DAY, Template, parameters
from engine.weights.checkpoint import BadModel

MOST = 8
"""Calls of one answer that is held to them."""

Asked = tuple[str, str]
"""A function's name, and its arguments as JSON text."""
Schemas = Mapping[str, dict[str, Any]]
"""Of parameters, by the names of tools."""


class Form(Struct, frozen=True):
    """`opens` begins a call and `closes` ends it; a form without either has the whole answer for its calls. `read`:
    what stands between, or None where that is no call. `grammar`: of so many calls at most."""

    opens: str
    closes: str
    read: Callable[[str, Schemas], list[Asked] | None]
    grammar: Callable[[Grammars, Schemas, int], str]


def form_of(template: Template) -> Form | None:
    """None: the template has no place for tools, or writes their calls in a form that is not known."""
    tool = Tool("name_of_it", "What it does.", '{"type": "object", "properties": {"key_of_it": {"type": "string"}}}')
    asks = Turn("user", (Text("…"),))
    calls = Turn("assistant", (), (Call("123456789", tool.name, '{"key_of_it": "value_of_it"}'),))
    gave = Turn("tool", (Text("…"),), call="123456789")
    try:
        plain = _shown(template, [asks], (), answer=True)
        told = _shown(template, [asks], (tool,), answer=True)
        whole = _shown(template, [asks, calls, gave], (tool,), answer=False)
    except BadModel:
        return None
    if tool.name in plain or tool.name not in told:
        return None
    rest = whole.removeprefix(told)
    if not all(part in rest for part in (tool.name, "key_of_it", "value_of_it")):
        return None
    for form in (TAGGED, PYTHON, XML, LISTED):
        if form.opens in rest:
            return form
    for form, key in ((BARE, "parameters"), (BARE_ARGUMENTS, "arguments")):
        if whole.startswith(f'{told}{{"name": "{tool.name}", "{key}": '):
            return form
    return None


def schemas(tools: Sequence[Tool]) -> Schemas:
    """Arguments that nothing is said of are no help to a function. Raises BadTool."""
    return {tool.name: {"additionalProperties": False} | parameters(tool) for tool in tools}


def held(form: Form, grammars: Grammars, known: Schemas, name: str) -> Grammar:
    """Calls and nothing else; `name`: one of this tool. Raises BadFormat."""
    if name and name not in known:
        raise BadFormat(f"there is no tool {name}")
    if not known:
        raise BadFormat("there are no tools to be called")
    chosen = {name: known[name]} if name else known
    return grammars.of_lark(form.grammar(grammars, chosen, 1 if name else MOST))


def _shown(template: Template, turns: Sequence[Turn], tools: Sequence[Tool], *, answer: bool) -> str:
    pieces = template.render(turns, ANY_DAY, answer=answer, tools=tools)
    return "".join(piece if isinstance(piece, str) else getattr(piece, "text", "…") for piece in pieces)


# One JSON object a call


def _object(value: Any) -> Asked | None:
    """Models take one word for the arguments or the other, whichever they were shown."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str) or not value["name"]:
        return None
    given = value.get("arguments", value.get("parameters", {}))
    if isinstance(given, str):  # written twice over, by some
        return value["name"], given
    return (value["name"], json.dumps(given, ensure_ascii=False)) if isinstance(given, dict) else None


def _all(asked: Sequence[Asked | None]) -> list[Asked] | None:
    known = [one for one in asked if one is not None]
    return known if known and len(known) == len(asked) else None


def _read_object(text: str, known: Schemas) -> list[Asked] | None:
    try:
        return _all([_object(json.loads(text))])
    except ValueError:
        return None


def _schema(key: str, known: Schemas) -> dict[str, Any]:
    """Of an object that is a call of one of these."""
    names = list(known)
    within = {f"tool{number}": _moved(known[name], f"tool{number}") for number, name in enumerate(names)}
    calls = [
        {
            "type": "object",
            "properties": {"name": {"const": name}, key: {"$ref": f"#/$defs/tool{number}"}},
            "required": ["name", key],
            "additionalProperties": False,
        }
        for number, name in enumerate(names)
    ]
    return spaced({"$defs": within, "anyOf": calls})


def _moved(value: Any, place: str) -> Any:
    """A schema that is now a part of another: what it says of its own parts is said of them there."""
    match value:
        case dict():
            return {
                key: f"#/$defs/{place}{one[1:]}"
                if key == "$ref" and isinstance(one, str) and one.startswith("#")
                else _moved(one, place)
                for key, one in value.items()
            }
        case list():
            return [_moved(one, place) for one in value]
        case _:
            return value


def _several(most: int) -> str:
    return f'call ("\\n" call){{0,{most - 1}}}' if most > 1 else "call"


def _tagged(grammars: Grammars, known: Schemas, most: int) -> str:
    first, last = grammars.mark("<tool_call>"), grammars.mark("</tool_call>")
    return (
        f"start: {_several(most)}\n"
        f'call: {first} "\\n" object "\\n" {last}\n'
        f"object: %json {json.dumps(_schema('arguments', known))}\n"
    )


TAGGED = Form("<tool_call>", "</tool_call>", _read_object, _tagged)
"""Hermes' and Qwen's."""


# One object or several, which are all of the answer


def _bare(key: str) -> Form:
    def read(text: str, known: Schemas) -> list[Asked] | None:
        decoder, at, asked = json.JSONDecoder(), 0, []
        while at < len(text):
            try:
                value, at = decoder.raw_decode(text, at)
            except ValueError:
                return None
            asked.append(_object(value))
            at += len(text[at:]) - len(text[at:].lstrip(" \n;"))
        found = _all(asked)
        # An answer may be JSON without being a call
        return found if found and all(name in known for name, _ in found) else None

    def grammar(grammars: Grammars, known: Schemas, most: int) -> str:
        return f"start: object\nobject: %json {json.dumps(_schema(key, known))}\n"

    return Form("", "", read, grammar)


BARE, BARE_ARGUMENTS = _bare("parameters"), _bare("arguments")
"""Llama's, and the same with the other word."""


# A list of objects


def _read_list(text: str, known: Schemas) -> list[Asked] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return _all([_object(one) for one in value]) if isinstance(value, list) else None


def _list(grammars: Grammars, known: Schemas, most: int) -> str:
    one = _schema("arguments", known)
    shared, own = one["$defs"], {"anyOf": one["anyOf"]}
    schema = spaced({"$defs": shared, "type": "array", "items": own, "minItems": 1, "maxItems": most})
    return f"start: {grammars.mark('[TOOL_CALLS]')} list\nlist: %json {json.dumps(schema)}\n"


LISTED = Form("[TOOL_CALLS]", "", _read_list, _list)
"""Mistral's."""


# MiniCPM's later one

_FUNCTION = re.compile(r'\s*["\']([^"\']+)["\']\s*>(.*)', re.DOTALL)
_PARAM = re.compile(r'\s*<param name=["\']([^"\']+)["\']\s*>(.*?)</param>', re.DOTALL)
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*)\]\]>\s*", re.DOTALL)


def _read_xml(text: str, known: Schemas) -> list[Asked] | None:
    found = _FUNCTION.fullmatch(text)
    if found is None:
        return None
    name, rest = found.groups()
    properties = known.get(name, {}).get("properties", {})
    given: dict[str, Any] = {}
    while param := _PARAM.match(rest):
        key, value = param.groups()
        own = _CDATA.fullmatch(value)
        given[key] = _typed(own[1] if own else html.unescape(value), properties.get(key, {}))
        rest = rest[param.end() :]
    return None if rest.strip() else [(name, json.dumps(given, ensure_ascii=False))]


def _typed(text: str, schema: Any) -> Any:
    """Strings stand there as they are, and all else as JSON."""
    kind = schema.get("type") if isinstance(schema, dict) else None
    if kind == "string":
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def _xml(grammars: Grammars, known: Schemas, most: int) -> str:
    rules = [f"start: {_several(most)}", "call: " + " | ".join(f"call{n}" for n in range(len(known)))]
    for number, (name, schema) in enumerate(known.items()):
        needed, parts = schema.get("required") or (), []
        for at, (key, own) in enumerate(dict(schema.get("properties") or {}).items()):
            rule = f"value{number}x{at}"
            opens, closes = json.dumps(f'<param name="{key}">'), json.dumps("</param>")
            parts.append(f"({opens} {rule} {closes})" + ("" if key in needed else "?"))
            said = isinstance(own, dict) and own.get("type") == "string" and "enum" not in own
            whole = own if isinstance(own, dict) else {}
            moved = spaced({"$defs": {"tool": schema}} | _moved(whole, "tool"))
            rules.append(f"{rule}: /[^<&]*/" if said else f"{rule}: %json {json.dumps(moved)}")
        opens = json.dumps(f'<function name="{name}">')
        rules.append(f'call{number}: {opens} {" ".join(parts)} "</function>"')
    return "\n".join(rules) + "\n"


XML = Form("<function name=", "</function>", _read_xml, _xml)


# MiniCPM's earlier one: calls as Python writes them

_CODE = re.compile(r"\s*(?:```python)?\s*(.*?)\s*(?:```)?\s*", re.DOTALL)
_WORDS = {"true": True, "false": False, "null": None}


def _read_python(text: str, known: Schemas) -> list[Asked] | None:
    code = _CODE.fullmatch(text)
    try:
        body = ast.parse(code[1] if code else text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _all([_python_call(line) for line in body])


def _python_call(line: ast.stmt) -> Asked | None:
    call = line.value if isinstance(line, ast.Expr) else None
    if not isinstance(call, ast.Call) or call.args or not isinstance(call.func, ast.Name | ast.Attribute):
        return None
    try:
        given = {str(one.arg): _value(one.value) for one in call.keywords if one.arg is not None}
        return ast.unparse(call.func), json.dumps(given, ensure_ascii=False)
    except (ValueError, TypeError):
        return None


def _value(node: ast.expr) -> Any:
    """A literal, in which JSON's own words may stand."""
    match node:
        case ast.Name(id=name) if name in _WORDS:
            return _WORDS[name]
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [_value(part) for part in parts]
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {str(_value(key)): _value(value) for key, value in zip(keys, values, strict=True) if key}
        case _:
            return ast.literal_eval(node)


def _python(grammars: Grammars, known: Schemas, most: int) -> str:
    first, last = grammars.mark("<|tool_call_start|>"), grammars.mark("<|tool_call_end|>")
    rules = [
        f'start: {first} "\\n```python\\n" {_several(most)} "\\n```\\n" {last}',
        "call: " + " | ".join(f"call{n}" for n in range(len(known))),
    ]
    for number, (name, schema) in enumerate(known.items()):
        own = dict(schema.get("properties") or {})
        needed = [key for key in own if key in (schema.get("required") or ())]
        given = []
        for at, key in enumerate(needed + [key for key in own if key not in needed]):
            rule = f"value{number}x{at}"
            whole = own[key] if isinstance(own[key], dict) else {}
            rules.append(f"{rule}: %json {json.dumps(spaced({'$defs': {'tool': schema}} | _moved(whole, 'tool')))}")
            given.append(f"{json.dumps(f'{key}=')} {rule}")
        rules.append(f'call{number}: {json.dumps(name + "(")} {_listed(given, len(needed))} ")"')
    return "\n".join(rules) + "\n"


def _listed(given: Sequence[str], needed: int) -> str:
    """With commas between them: the first of them all, and of those behind each one or not."""
    later = [f'(", " {one})?' for one in given]
    if needed:
        return " ".join(f'", " {one}' if at else one for at, one in enumerate(given[:needed])) + "".join(later[needed:])
    firsts = [one + "".join(later[at + 1 :]) for at, one in enumerate(given)]
    return f"({' | '.join(firsts)})?" if firsts else ""


PYTHON = Form("<|tool_call_start|>", "<|tool_call_end|>", _read_python, _python)
