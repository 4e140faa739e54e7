"""Chat templates with a place for tools, written after the forms that families of models have them in."""
# ruff: noqa: E501 - a line of a template is a line

_TURNS = "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"

QWEN = (
    """{%- if tools %}{{- '<|im_start|>system\n' }}
{%- if messages[0].role == 'system' %}{{- messages[0].content + '\n\n' }}{%- endif %}
{{- 'Functions that may be called:\n<tools>' }}
{%- for tool in tools %}{{- '\n' }}{{- tool | tojson }}{%- endfor %}
{{- '\n</tools>\nCalls are written so:\n<tool_call>\n{"name": <name>, "arguments": <object>}\n</tool_call><|im_end|>\n' }}
{%- elif messages[0].role == 'system' %}{{- '<|im_start|>system\n' + messages[0].content + '<|im_end|>\n' }}{%- endif %}
{%- for message in messages %}
{%- if message.role == 'user' or (message.role == 'system' and not loop.first) %}
{{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}
{%- elif message.role == 'assistant' %}
{{- '<|im_start|>assistant\n' + message.content }}
{%- for tool_call in message.tool_calls or [] %}
{%- if (loop.first and message.content) or not loop.first %}{{- '\n' }}{%- endif %}
{%- if tool_call.function %}{%- set tool_call = tool_call.function %}{%- endif %}
{{- '<tool_call>\n{"name": "' + tool_call.name + '", "arguments": ' }}
{%- if tool_call.arguments is string %}{{- tool_call.arguments }}{%- else %}{{- tool_call.arguments | tojson }}{%- endif %}
{{- '}\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\n' }}
{%- elif message.role == 'tool' %}
{%- if loop.first or messages[loop.index0 - 1].role != 'tool' %}{{- '<|im_start|>user' }}{%- endif %}
{{- '\n<tool_response>\n' + message.content + '\n</tool_response>' }}
{%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{- '<|im_end|>\n' }}{%- endif %}
{%- endif %}
{%- endfor %}
"""
    + _TURNS
)

LLAMA = (
    """{%- for message in messages %}
{%- if message.role == 'user' and loop.first and tools is not none %}
{{- '<|im_start|>user\nAnswer with {"name": name, "parameters": object} to call one of these.\n\n' }}
{%- for t in tools %}{{- t | tojson(indent=4) }}{{- '\n\n' }}{%- endfor %}
{{- message['content'] | trim + '<|im_end|>\n' }}
{%- elif 'tool_calls' in message %}
{%- if not message.tool_calls | length == 1 %}{{- raise_exception('one call at once') }}{%- endif %}
{%- set tool_call = message.tool_calls[0].function %}
{{- '<|im_start|>assistant\n{"name": "' + tool_call.name + '", "parameters": ' }}{{- tool_call.arguments | tojson }}
{{- '}<|im_end|>\n' }}
{%- elif message.role == 'tool' %}
{{- '<|im_start|>tool\n' }}
{%- if message.content is mapping or message.content is iterable %}{{- message.content | tojson }}
{%- else %}{{- message.content }}{%- endif %}
{{- '<|im_end|>\n' }}
{%- else %}{{- '<|im_start|>' + message['role'] + '\n' + message['content'] | trim + '<|im_end|>\n' }}
{%- endif %}
{%- endfor %}
"""
    + _TURNS
)

MISTRAL = """{%- for message in messages %}
{%- if message.role == 'user' %}
{%- if tools and loop.first %}{{- '[AVAILABLE_TOOLS] [' }}
{%- for tool in tools %}{%- set tool = tool.function %}{{- '{"type": "function", "function": {' }}
{%- for key, value in tool.items() if key != 'return' %}
{%- if value is string %}{{- '"' + key + '": "' + value + '"' }}{%- else %}{{- '"' + key + '": ' + value | tojson }}{%- endif %}
{%- if not loop.last %}{{- ', ' }}{%- endif %}
{%- endfor %}{{- '}}' }}{%- if not loop.last %}{{- ', ' }}{%- endif %}
{%- endfor %}{{- '][/AVAILABLE_TOOLS]' }}{%- endif %}
{{- '[INST] ' + message.content + '[/INST]' }}
{%- elif message.tool_calls is defined %}{{- '[TOOL_CALLS] [' }}
{%- for call in message.tool_calls %}{%- set out = call.function | tojson %}{{- out[:-1] }}
{%- if call.id | length != 9 %}{{- raise_exception('ids of nine letters') }}{%- endif %}
{{- ', "id": "' + call.id + '"}' }}{%- if not loop.last %}{{- ', ' }}{%- endif %}
{%- endfor %}{{- ']<|im_end|>' }}
{%- elif message.role == 'tool' %}{{- '[TOOL_RESULTS] {"content": ' + message.content | string + ', "call_id": "' + message.tool_call_id + '"}[/TOOL_RESULTS]' }}
{%- else %}{{- ' ' + message.content + '<|im_end|>' }}
{%- endif %}
{%- endfor %}"""

XML = (
    """{%- if tools %}{{- '<|im_start|>system\n' }}{%- for tool in tools %}{{- tool | tojson }}{{- '\n' }}{%- endfor %}
{{- '<|im_end|>\n' }}{%- endif %}
{%- for message in messages %}
{{- '<|im_start|>' + message.role + '\n' + message.content }}
{%- for call in message.tool_calls or [] %}
{{- '<function name="' + call.function.name + '">' }}
{%- for key, value in call.function.arguments.items() %}
{{- '<param name="' + key + '">' }}{{- value if value is string else value | tojson }}{{- '</param>' }}
{%- endfor %}{{- '</function>' }}
{%- endfor %}
{{- '<|im_end|>\n' }}
{%- endfor %}
"""
    + _TURNS
)

PYTHON = (
    """{%- macro kind(param) %}{%- if param.type == 'string' %}str{%- elif param.type == 'integer' %}int
{%- else %}Any{%- endif %}{%- endmacro %}
{%- if tools %}{{- '<|im_start|>system\n# Functions\n' }}
{%- for tool in tools %}{%- set tool = tool.function %}
{{- 'def ' + tool.name + '(' }}
{%- for name, param in tool.parameters.properties.items() %}
{{- name + ': ' + kind(param) }}{%- if name not in (tool.parameters.required or []) %}{{- ' = None' }}{%- endif %}
{%- if not loop.last %}{{- ', ' }}{%- endif %}
{%- endfor %}
{{- '):\n    \"\"\"' + (tool.description or '') + '\"\"\"\n' }}
{%- endfor %}{{- '<|im_end|>\n' }}{%- endif %}
{%- for message in messages %}
{{- '<|im_start|>' + message.role + '\n' + message.content }}
{%- if message.tool_calls %}{{- '<|tool_call_start|>\n```python\n' }}
{%- for call in message.tool_calls %}{{- call.function.name + '(' }}
{%- for key, value in call.function.arguments.items() %}{{- key + '=' }}{{- value | tojson }}
{%- if not loop.last %}{{- ', ' }}{%- endif %}{%- endfor %}{{- ')\n' }}{%- endfor %}
{{- '```\n<|tool_call_end|>' }}{%- endif %}
{{- '<|im_end|>\n' }}
{%- endfor %}
"""
    + _TURNS
)

ALL = {"qwen": QWEN, "llama": LLAMA, "mistral": MISTRAL, "xml": XML, "python": PYTHON}
