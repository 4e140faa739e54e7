"""Calls of tools: taken out of answers in every form, however their text is cut, and held to by grammars."""

import json
from itertools import pairwise

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from engine import call_forms
from engine.call_forms import BARE, LISTED, PYTHON, TAGGED, XML
from engine.calls import Calls
from engine.grammar import BadFormat, Grammars
from engine.protocol import Tool
from engine.tokenizer import Tokenizer
from engine.weights import tokenizer_files

WEATHER = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer"},
        "unit": {"$ref": "#/$defs/unit"},
    },
    "required": ["city"],
    "additionalProperties": False,
    "$defs": {"unit": {"enum": ["c", "f"]}},
}
TOOLS = (Tool("weather", "Tells it.", json.dumps(WEATHER)), Tool("now"))
KNOWN = call_forms.schemas(TOOLS)
ONE = '{"city": "Oslo \\"N\\" <é>", "days": 3}'
TWO = "{}"

ANSWERS = [
    (TAGGED, f'<tool_call>\n{{"name": "weather", "arguments": {ONE}}}\n</tool_call>\n<tool_call>\n{{"name": "now", "arguments": {TWO}}}\n</tool_call>'),  # noqa: E501
    (BARE, f'{{"name": "weather", "parameters": {ONE}}}; {{"name": "now", "parameters": {TWO}}}'),
    (LISTED, f'[TOOL_CALLS][{{"name": "weather", "arguments": {ONE}}}, {{"name": "now", "arguments": {TWO}}}]'),
    (XML, '<function name="weather"><param name="city"><![CDATA[Oslo "N" <é>]]></param><param name="days">3</param></function>\n<function name="now"></function>'),  # noqa: E501
    (PYTHON, '<|tool_call_start|>\n```python\nweather(city="Oslo \\"N\\" <é>", days=3)\nnow()\n```\n<|tool_call_end|>'),
]  # fmt: skip
NAMES = ["tagged", "bare", "listed", "xml", "python"]


def told(form, pieces):
    """Words as they were given out, and the calls."""
    calls = Calls(form, KNOWN)
    given = [calls.add(piece) for piece in pieces]
    return [*given, calls.rest()], calls.found


@pytest.mark.parametrize(("form", "text"), ANSWERS, ids=NAMES)
@given(data=st.data())
def test_calls_are_taken_out_wherever_the_text_is_cut(form, text, data):
    before = "Let me look.\n" if form.opens else ""
    whole = before + text
    cuts = sorted(data.draw(st.sets(st.integers(1, len(whole) - 1), max_size=8)))
    given, found = told(form, [whole[a:b] for a, b in pairwise([0, *cuts, len(whole)])])
    assert "".join(given) == before.rstrip()
    assert [(call.name, json.loads(call.arguments)) for call in found] == [
        ("weather", json.loads(ONE)),
        ("now", json.loads(TWO)),
    ]
    assert len({call.id for call in found}) == 2


@pytest.mark.parametrize("form", [TAGGED, BARE, LISTED, XML, PYTHON], ids=NAMES)
@given(pieces=st.lists(st.text("<tol_ca>{}[ \nTOLCAS/|", max_size=6)))
def test_words_that_are_no_call_come_whole(form, pieces):
    given, found = told(form, pieces)
    assert not found
    assert "".join(given) == "".join(pieces)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (TAGGED, "A <tool_call>\nno JSON\n</tool_call> b"),
        (TAGGED, '<tool_call>\n{"name": "weather", "argum'),
        (TAGGED, '<tool_call>{"name": 3}</tool_call>'),
        (BARE, '{"name": "unknown", "parameters": {}}'),
        (BARE, '{"a": 1}'),
        (BARE, "Words"),
        (LISTED, "[TOOL_CALLS]{}"),
        (XML, '<function name="weather"><param name="city">Oslo</function>'),
        (PYTHON, "<|tool_call_start|>\n```python\nimport os\n```\n<|tool_call_end|>"),
        (PYTHON, "<|tool_call_start|>\nweather(city=open('x'))\n<|tool_call_end|>"),
    ],
)
def test_what_is_no_call_is_words(form, text):
    given, found = told(form, text)
    assert not found
    assert "".join(given) == text


def test_words_are_given_out_as_soon_as_they_are_none(monkeypatch):
    given, _ = told(TAGGED, ["One", " two <", "b> ", "three"])
    assert given == ["One", " two", " <b>", " three", ""]
    given, _ = told(BARE, ["One", " two"])
    assert given == ["One", " two", ""]


# Held to by a grammar


@pytest.fixture(scope="module")
def tokenizer(tiny_model):
    return Tokenizer(tokenizer_files.read(tiny_model, tiny_model / "kept"))


@pytest.fixture(scope="module")
def grammars(tokenizer):
    return Grammars(tokenizer)


def follows(grammar, tokenizer, text):
    """How many of the text's bytes may be written, in the longest tokens, and whether it may end there."""
    count, logits, whole = 0, torch.zeros(640), text.encode()
    while count < len(whole):
        may = (grammar.allowed(logits) > -torch.inf).nonzero()[:, 0].tolist()
        fit = [id for id in may if tokenizer.bytes(id) and whole.startswith(tokenizer.bytes(id), count)]
        if not fit:
            return count, False
        grammar.take(best := max(fit, key=lambda id: len(tokenizer.bytes(id))))
        count += len(tokenizer.bytes(best))
    ends = grammar.allowed(logits)[sorted(tokenizer.ends)]
    return count, bool((ends > -torch.inf).all())


FORCED = [
    (TAGGED, ANSWERS[0][1]),
    (BARE, f'{{"name": "weather", "parameters": {ONE}}}'),
    (LISTED, ANSWERS[2][1]),
    (XML, '<function name="weather"><param name="city">Oslo</param><param name="unit">"c"</param></function>'),
    (PYTHON, '<|tool_call_start|>\n```python\nweather(city="Oslo", unit="c")\nnow()\n```\n<|tool_call_end|>'),
]


@pytest.mark.parametrize(("form", "text"), FORCED, ids=NAMES)
def test_calls_can_be_written_and_nothing_else(grammars, tokenizer, form, text):
    grammar = call_forms.held(form, grammars, KNOWN, "")
    assert follows(grammar, tokenizer, text) == (len(text.encode()), True)
    assert follows(call_forms.held(form, grammars, KNOWN, ""), tokenizer, "Words")[0] == 0
    given, found = told(form, text)
    assert "".join(given) == ""
    for call in found:
        assert json.loads(call.arguments).keys() <= {"city", "days", "unit"}
    for wrong in (text.replace("weather", "whether"), text.replace("city", "town"), text[:-3]):
        assert not follows(call_forms.held(form, grammars, KNOWN, ""), tokenizer, wrong)[1]
    only = call_forms.held(form, grammars, KNOWN, "now")
    assert not follows(only, tokenizer, text)[1]


def test_tools_that_are_not_there_are_said(grammars):
    with pytest.raises(BadFormat, match="no tool then"):
        call_forms.held(TAGGED, grammars, KNOWN, "then")
    with pytest.raises(BadFormat, match="no tools"):
        call_forms.held(TAGGED, grammars, {}, "")
    with pytest.raises(BadFormat, match="Unimplemented"):
        call_forms.held(TAGGED, grammars, {"f": {"not": {}}}, "")
