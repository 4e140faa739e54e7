"""What a checkpoint says about its tokenizer, whatever its format: read as data, nothing is run.

A GGUF file keeps words and merges in arrays that take seconds to read, so they are turned into a tokenizer.json once
and kept in the data folder under the hash of the file's header.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from engine.weights import gguf_tokenizer, open_checkpoint
from engine.weights.checkpoint import BadModel
from engine.weights.gguf import GgufCheckpoint

FORMAT = 2
"""Of the kept files; another number is converted again."""
NAMED = ("bos_token", "eos_token", "unk_token", "pad_token", "sep_token", "cls_token")


class TokenizerFiles(Struct, frozen=True):
    """`json`: a tokenizer.json's text. `special`: bos_token, eos_token, ... as templates know them, by their text.
    `ends`: ids and texts of tokens that end an answer, by every file of the checkpoint that names some. `opening`: of
    those that stand before every text; None: as the tokenizer.json says itself."""

    json: str
    template: str | None
    special: dict[str, str]
    ends: tuple[int | str, ...]
    format: int = FORMAT
    opening: tuple[int | str, ...] | None = None


def read(path: Path, kept: Path) -> TokenizerFiles:
    """`path` as in `engine.weights.load`; conversions are kept in folder `kept`. Raises BadModel."""
    checkpoint = open_checkpoint(path)
    headers = checkpoint.headers
    checkpoint.close()
    if not isinstance(checkpoint, GgufCheckpoint):
        return _folder(path)
    ((file, head),) = headers.items()
    return _gguf(file, head, kept)


def _folder(folder: Path) -> TokenizerFiles:
    file = folder / "tokenizer.json"
    if not file.is_file():
        raise BadModel("tokenizer.json is missing; other forms of tokenizers are not supported", folder.name)
    config = _json(folder / "tokenizer_config.json")
    special = {name: text for name in NAMED if (text := _text(config.get(name)))}
    for name, token in _json(folder / "special_tokens_map.json").items():
        if name in NAMED and (text := _text(token)):
            special.setdefault(name, text)
    ends: list[int | str] = []
    for name in ("generation_config.json", "config.json"):
        found = _json(folder / name).get("eos_token_id")
        ends += [found] if isinstance(found, int) else [id for id in found or () if isinstance(id, int)]
    if "eos_token" in special:
        ends.append(special["eos_token"])
    return TokenizerFiles(_read(file), _template(folder, config), special, tuple(dict.fromkeys(ends)))


def _template(folder: Path, config: dict[str, Any]) -> str | None:
    if (folder / "chat_template.jinja").is_file():
        return _read(folder / "chat_template.jinja")
    template = config.get("chat_template") or _json(folder / "chat_template.json").get("chat_template")
    if isinstance(template, list):  # several by name, in older checkpoints
        named = {entry.get("name"): entry.get("template") for entry in template if isinstance(entry, dict)}
        template = named.get("default")
    return template if isinstance(template, str) else None


def _text(token: Any) -> str | None:
    if isinstance(token, dict):
        token = token.get("content")
    return token if isinstance(token, str) else None


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadModel(f"{file.name} cannot be read ({type(error).__name__})", file.name) from None


def _json(file: Path) -> dict[str, Any]:
    if not file.is_file():
        return {}
    try:
        value = json.loads(_read(file))
    except ValueError:
        raise BadModel(f"{file.name} is not JSON", file.name) from None
    return value if isinstance(value, dict) else {}


def _gguf(path: Path, head: bytes, kept: Path) -> TokenizerFiles:
    place = kept / f"{hashlib.sha256(head).hexdigest()}.json"
    try:
        known = msgspec.json.decode(place.read_bytes(), type=TokenizerFiles)
        if known.format == FORMAT:
            return known
    except (OSError, msgspec.DecodeError):
        pass  # not there yet, or damaged: made anew
    tokenizer, template, special, ends, opening = gguf_tokenizer.convert(path)
    files = TokenizerFiles(tokenizer, template, special, ends, opening=opening)
    kept.mkdir(parents=True, exist_ok=True)
    fresh = place.with_suffix(".new")
    fresh.write_bytes(msgspec.json.encode(files))
    fresh.replace(place)
    return files
