"""The bytes that each token of a vocabulary stands for, as its tokenizer.json's decoder would write them."""

import re
from collections.abc import Collection, Mapping
from typing import Any

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")


def token_bytes(vocabulary: Mapping[str, int], added: Collection[str], decoder: Any) -> list[bytes]:
    """By id; b"" where there is no token. `added`: tokens that are written as they are. `decoder`: of the file."""
    kinds = frozenset(_kinds(decoder))
    letters = _letters() if "ByteLevel" in kinds else {}
    spaced = bool({"Metaspace", "Replace"} & kinds)
    made = [b""] * (max(vocabulary.values(), default=-1) + 1)
    for token, id in vocabulary.items():
        if token in added:
            made[id] = token.encode()
        elif letters:
            made[id] = b"".join(letters.get(letter) or letter.encode() for letter in token)
        elif "ByteFallback" in kinds and (byte := _BYTE.fullmatch(token)):
            made[id] = bytes.fromhex(byte[1])
        else:
            made[id] = (token.replace("▁", " ") if spaced else token).encode()
    return made


def _kinds(decoder: Any) -> list[str]:
    if not isinstance(decoder, dict):
        return []
    inner = [kind for step in decoder.get("decoders") or () for kind in _kinds(step)]
    return [str(decoder.get("type")), *inner]


def _letters() -> dict[str, bytes]:
    """Byte-level vocabularies write a byte as the letter of its number where that can be seen, and the others as
    letters from 256 on, in order."""
    seen = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    unseen = [byte for byte in range(256) if byte not in seen]
    letters = {chr(byte): bytes([byte]) for byte in seen}
    return letters | {chr(256 + number): bytes([byte]) for number, byte in enumerate(unseen)}
