import pytest

from engine.template import Template
from engine.weights import BadModel

BEGAN = "2026-03-04T05:06:07"
LLAMA = "{{ bos_token }}{% for m in messages %}{% if m.role == 'user' %}[INST] {{ m.content | trim }} [/INST]{% elif m.role == 'assistant' %} {{ m.content }}{{ eos_token }}{% else %}{{ raise_exception('only user and assistant') }}{% endif %}{% endfor %}"  # noqa: E501


def rendered(source, *roles, answer=False, special=None):
    return Template(source, special or {}).render(roles, BEGAN, answer=answer)


def test_words_have_their_places():
    special = {"bos_token": "<s>", "eos_token": "</s>"}
    parts = rendered(LLAMA, "user", "assistant", "user", special=special)
    assert parts == ["<s>[INST] ", 0, " [/INST] ", 1, "</s>[INST] ", 2, " [/INST]"]


def test_turns_may_be_put_together_in_another_order():
    source = "{{ messages[1].content }}\n{{ messages[0].content }}{% if add_generation_prompt %}>{% endif %}"
    assert rendered(source, "system", "user", answer=True) == ["", 1, "\n", 0, ">"]


def test_the_date_is_the_conversations():
    assert rendered("{{ strftime_now('%d %B %Y') }}{{ messages[0].content }}", "user")[0] == "04 March 2026"


@pytest.mark.parametrize(
    ("source", "roles", "said"),
    [
        (LLAMA, ("system", "user"), "only user and assistant"),
        ("{{ messages[-1].content }}", ("system", "user"), "no place for a system turn"),
        ("{{ messages[0].content * 2 }}", ("user",), "no place for a user turn"),
        ("{{ messages[0].content[:9] }}", ("user",), "no place for a user turn"),
        ("{{ messages[7].content.text }}", ("user",), "refuses this conversation"),
        ("{{ messages.append(1) }}{{ messages[0].content }}", ("user",), "refuses this conversation"),
        ("{{ ''.__class__.__mro__[1].__subclasses__() }}", ("user",), "refuses this conversation"),
        ("{% for i in range(10 ** 9) %}x{% endfor %}", ("user",), "refuses this conversation"),
        ("{% include '/etc/passwd' %}", ("user",), "refuses this conversation"),
    ],
)
def test_what_cannot_be_rendered_is_said(source, roles, said):
    with pytest.raises(BadModel, match=said):
        rendered(source, *roles)


def test_a_template_that_is_none():
    with pytest.raises(BadModel, match="cannot be used"):
        Template("{% for %}", {})


def test_what_transformers_templates_use():
    source = (
        "{%- set ns = namespace(n=0) %}{%- for m in messages %}{%- if loop.index > 9 %}{% break %}{% endif %}"
        "{%- set ns.n = ns.n + 1 %}{% generation %}{{ m.content }}{% endgeneration %}{%- endfor %}"
        "{{ {'ü': ns.n} | tojson }}{{ tools is none }}"
    )
    assert rendered(source, "user", "assistant") == ["", 0, "", 1, '{"ü": 2}True']


SYSTEM_IN_ITS_PLACE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
SYSTEM_IN_THE_LAST_QUESTION = (
    "{% for m in messages %}{% if m.role != 'system' %}<{{ m.role }}>{% if loop.last %}{{ messages[0].content }} "
    "{% endif %}{{ m.content }}{% endif %}{% endfor %}"
)
SYSTEM_AT_THE_END = "{% for m in messages[1:] %}<{{ m.role }}>{{ m.content }}{% endfor %}{{ messages[0].content }}"


@pytest.mark.parametrize(
    ("source", "takes"),
    [
        (SYSTEM_IN_ITS_PLACE, True),
        ("{{ messages[0].content }}{% for m in messages[1:] %}[{{ m.content }}]{% endfor %}", True),
        (LLAMA, False),
        (SYSTEM_IN_THE_LAST_QUESTION, False),
        (SYSTEM_AT_THE_END, False),
        ("{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}", False),
    ],
)
def test_a_system_turn_has_a_place_that_does_not_move(source, takes):
    assert Template(source, {}).takes_system is takes
