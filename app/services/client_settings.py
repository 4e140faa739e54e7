"""A client's settings.json to a provider of ours, and one for a client that points at our own local API.

{"api_base": "https://host/v1", "api_key": "${env:NAME}", "default_model": "...", "models": ["..."],
 "request_timeout": 600, "stream": true}
"""

import difflib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from app.data.client_settings import ClientSettings
from app.data.fault import Fault, NotHonoured
from app.data.provider import Provider
from app.services.variables import VARIABLE, expanded
from engine.remote import BadAddress, address, key_fault

KEY_VARIABLE = "LONGREAD_API_KEY"
"""What a written file names instead of holding a key."""
TIMEOUT = 3600
"""Seconds that a client of ours should wait: a book is read before its first word is answered."""
NAME = re.compile(r"[^a-z0-9]+")


class _Written(Struct):
    api_base: str = ""
    api_key: str = ""
    default_model: str = ""
    models: list[str | dict[str, Any]] = []
    request_timeout: float = Provider("", "").timeout_seconds
    stream: bool = True


EXPECTED = {field.name: field.type for field in msgspec.structs.fields(_Written)}
"""The type of each key."""
IN_WORDS = {
    "models": "a list of names",
    "request_timeout": "a number of seconds",
    "stream": "true or false",
}
"""What it must be, if not text."""


def read(path: Path, environment: Mapping[str, str], name: str = "") -> ClientSettings:
    """`name`: of the provider; else the host's. Raises `NotHonoured` with every fault."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise NotHonoured(Fault("", "unreadable", {"message": error.strerror or "?"})) from None
    try:
        raw = msgspec.json.decode(content.removeprefix(b"\xef\xbb\xbf"), type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise NotHonoured(Fault("", "not_json", {"message": str(error)})) from None
    return _meant(raw, environment, name)


def _meant(raw: dict[str, Any], environment: Mapping[str, str], name: str) -> ClientSettings:
    faults: list[Fault] = []
    values: dict[str, Any] = {}
    for key, value in raw.items():
        if key not in EXPECTED:
            near = difflib.get_close_matches(key, EXPECTED, 1)
            nearest = f"; did you mean {near[0]}?" if near else ""
            faults.append(Fault(key, "unknown_key", {"nearest": nearest, "known": ", ".join(EXPECTED)}))
            continue
        try:
            values[key] = msgspec.convert(value, EXPECTED[key])
        except msgspec.ValidationError:
            words = IN_WORDS.get(key, "text")
            faults.append(Fault(key, "wrong_type", {"expected": words, "found": "something else"}))
    written = _Written(**values)
    # A whole value that is one variable is kept as its name, so that the secret stays where it is
    variable = VARIABLE.fullmatch(written.api_key.strip())
    base, secret = written.api_base, "" if variable else written.api_key
    try:
        expanded("api_key", written.api_key, environment)
        secret = expanded("api_key", secret, environment)
        base = expanded("api_base", base, environment)
    except NotHonoured as refused:
        faults += refused.faults
    host = ""
    if not base:
        faults.append(Fault("api_base", "no_api_base"))
    elif not faults:
        try:
            host = address(base).host
        except BadAddress as error:
            faults.append(Fault("api_base", "address_form", {"value": str(error)}))
    if key_fault(secret) is not None:
        faults.append(Fault("api_key", "key_characters"))
    if written.request_timeout <= 0:
        faults.append(Fault("request_timeout", "wrong_type", {"expected": "above 0", "found": "less"}))
    if not written.stream:
        faults.append(Fault("stream", "not_streamed"))
    models = tuple(dict.fromkeys(filter(None, map(_model_name, written.models))))
    if models and written.default_model and written.default_model not in models:
        known = ", ".join(models)
        faults.append(Fault("default_model", "unknown_model", {"value": written.default_model, "known": known}))
    if faults:
        raise NotHonoured(*faults)
    provider = Provider(
        name=name or NAME.sub("-", host.lower()).strip("-"),
        base_url=base,
        api_key=secret,
        api_key_env=variable[1] if variable else "",
        timeout_seconds=written.request_timeout,
        models=models or ((written.default_model,) if written.default_model else ()),
    )
    default = f"{provider.name}/{written.default_model}" if written.default_model else ""
    return ClientSettings(provider, default)


def _model_name(model: str | dict[str, Any]) -> str:
    """Some programs write an object with more about each."""
    if isinstance(model, str):
        return model
    return next((str(model[key]) for key in ("id", "name", "model") if model.get(key)), "")


def written(base: str, models: Iterable[str], default: str, key: str = "") -> str:
    """For a client of the local API at `base`. Without `key` the file names a variable that holds it."""
    content = {
        "api_base": base.rstrip("/").removesuffix("/v1") + "/v1",
        "api_key": key or f"${{env:{KEY_VARIABLE}}}",
        "default_model": default,
        "models": list(models),
        "request_timeout": TIMEOUT,
        "stream": True,
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
