"""config.toml with every key, its meaning and its default, as `longread serve --print-config` writes it."""

import json
import textwrap
from typing import Any

import msgspec
from msgspec import Struct, inspect

from app.data.serve_config import ModelSection, ProviderSection, ServeConfig
from app.gateway.config_file import SECTIONS, TEXT, expected

HEAD = """\
What `longread serve --config config.toml` serves. Each key below has its default, which is also what it is without the
line; those behind a # say nothing by default. A key that is not known, or that this model or computer cannot
do, is refused with the reason: none is passed over."""
EXAMPLES: dict[str, dict[str, Any]] = {
    "providers.work": {
        "base_url": "https://engine.example.org/v1",
        "api_key_env": "WORK_API_KEY",
        "timeout_seconds": 600,
        "max_retries": 2,
        "models": ["openbmb/MiniCPM-SALA"],
    },
    "models.smollm2-135m-128k": {
        "model": "smollm2-135m-instruct",
        "window": 8192,
        "precision": "auto",
        "mode": "parallel",
        "policy": "none",
        "keep": 0.5,
        "chunk_size": 2048,
        "rope_scaling": "none",
    },
}
"""Sections of which there may be several; commented out."""
SUGGESTED = {
    "context_length": 8192,
    "request_timeout": 3600,
    "compress_ratio": 0.3,
    "score_window": 65536,
    "adaptive_weight": True,
    "trig_freq_base": 100000,
    "sparse_layers_ratio": 0.25,
    "linear_layers_ratio": 0.75,
    "chunk_size": 2048,
}
"""What stands, commented out, at keys that say nothing by default."""
WIDTH = 118


def written() -> str:
    blocks = [_comment(HEAD)]
    for field in msgspec.structs.fields(ServeConfig):
        if field.name in SECTIONS:
            blocks.append(f"[{field.name}]\n" + _keys(field.type, {}))
    kinds: dict[str, type[Struct]] = {"providers": ProviderSection, "models": ModelSection}
    for name, values in EXAMPLES.items():
        kind = kinds[name.partition(".")[0]]
        about = _comment(" ".join((kind.__doc__ or "").split()))
        blocks.append(f"{about}\n#[{name}]\n" + _keys(kind, values))
    return "\n\n".join(blocks) + "\n"


def meaning(kind: Any) -> str:
    """What is said of a key where it is declared."""
    match inspect.type_info(kind):
        case inspect.Metadata(extra_json_schema={"description": str(text)}):
            return text
    raise TypeError(kind)


def meanings() -> dict[str, str]:
    """Every key with its section and its meaning."""
    sections: dict[str, type[Struct]] = {
        **{field.name: field.type for field in msgspec.structs.fields(ServeConfig) if field.name in SECTIONS},
        "providers.NAME": ProviderSection,
        "models.NAME": ModelSection,
    }
    return {
        f"{section}.{field.name}": meaning(field.type)
        for section, kind in sections.items()
        for field in msgspec.structs.fields(kind)
    }


def _keys(kind: type[Struct], example: dict[str, Any]) -> str:
    lines = []
    for field in msgspec.structs.fields(kind):
        kind_of_value = expected(field.type).replace(TEXT, "text")
        lines.append(_comment(f"{meaning(field.type)} ({kind_of_value})"))
        if example:
            if field.name in example:
                lines.append(f"#{field.name} = {_value(example[field.name])}")
            else:
                lines.append(f"#{field.name} = {_value(field.default)}")
        elif field.default is None:
            lines.append(f"#{field.name} = {_value(SUGGESTED[field.name])}")
        else:
            lines.append(f"{field.name} = {_value(field.default)}")
    return "\n".join(lines)


def _value(value: Any) -> str:
    """JSON's form of texts, numbers, lists and truth is TOML's as well."""
    return json.dumps(value, ensure_ascii=False)


def _comment(text: str) -> str:
    return textwrap.indent(textwrap.fill(" ".join(text.split()), WIDTH), "# ")
