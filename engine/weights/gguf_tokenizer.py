"""A GGUF file's tokenizer as a tokenizer.json.

transformers can do this too, but takes every byte-level tokenizer for GPT-2's and so splits numbers and line ends of
newer models otherwise than they were trained. The file names its way of splitting; one that is not known is refused.
"""

import json
import mmap
from pathlib import Path
from typing import Any

from engine.weights import gguf_header
from engine.weights.checkpoint import BadModel

UNKNOWN, CONTROL, USER_DEFINED, BYTE = 2, 3, 4, 6
"""Kinds of tokens, gguf's `TokenType`."""

CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
LLAMA_3 = CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN_2 = LLAMA_3.replace(r"\p{N}{1,3}", r"\p{N}")
TEKKEN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|"
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|"
    r"\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
GPT_2 = None
"""Built into the byte level."""

SPLITS: dict[str, tuple[str | None, bool]] = {
    # `tokenizer.ggml.pre`: the pattern, and whether each digit stands alone before it
    "gpt-2": (GPT_2, False),
    "smollm": (GPT_2, True),
    "starcoder": (GPT_2, True),
    "refact": (GPT_2, True),
    "llama-bpe": (LLAMA_3, False),
    "llama3": (LLAMA_3, False),
    "llama-v3": (LLAMA_3, False),
    "qwen2": (QWEN_2, False),
    "deepseek-r1-qwen": (QWEN_2, False),
    "tekken": (TEKKEN, False),
}


BEGINS = ("llama-bpe", "llama3", "llama-v3", "tekken")
"""Splits of byte-level models whose texts begin with a token of their own where the file does not say; those of
SentencePiece's do all."""


def convert(path: Path) -> tuple[str, str | None, dict[str, str], tuple[int | str, ...], tuple[int, ...]]:
    """The text of a tokenizer.json, the chat template, special tokens by name, ids that end an answer, and those that
    every text begins with. Raises BadModel for kinds of tokenizers that are not known."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        header = gguf_header.read(data, path, arrays="tokenizer.")
    known = header.metadata | header.arrays

    def get(key: str) -> Any:
        return known.get(f"tokenizer.{key}")

    words, kinds = get("ggml.tokens"), get("ggml.token_type")
    if not words:
        raise BadModel("the file has no tokenizer (tokenizer.ggml.tokens is missing)", path.name)
    kinds = kinds or [1] * len(words)
    match get("ggml.model"):
        case "gpt2":
            parts = _byte_level(words, get("ggml.merges"), get("ggml.pre"), path)
        case "llama":
            parts = _sentencepiece(words, kinds, get("ggml.scores"), get("ggml.add_space_prefix"), path)
        case other:
            raise BadModel(f"its kind of tokenizer is not supported (tokenizer.ggml.model is {other})", path.name)
    added = [
        {
            "id": id,
            "content": word,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": kind != USER_DEFINED,
        }
        for id, (word, kind) in enumerate(zip(words, kinds, strict=True))
        if kind in (CONTROL, USER_DEFINED) or (kind == UNKNOWN and get("ggml.model") == "llama")
    ]
    whole = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "post_processor": None}
    named = {"bos_token": "bos", "eos_token": "eos", "unk_token": "unknown", "pad_token": "padding"}
    special = {}
    for name, key in named.items():
        id = get(f"ggml.{key}_token_id")
        if isinstance(id, int) and 0 <= id < len(words):
            special[name] = words[id]
    ends = [get(f"ggml.{key}_token_id") for key in ("eos", "eot", "eom")]
    template = get("chat_template")
    begins, first = get("ggml.add_bos_token"), get("ggml.bos_token_id")
    if begins is None:
        begins = get("ggml.model") == "llama" or get("ggml.pre") in BEGINS
    return (
        json.dumps(whole | parts, ensure_ascii=False),
        template if isinstance(template, str) else None,
        special,
        tuple(dict.fromkeys(id for id in ends if isinstance(id, int))),
        (first,) if begins and isinstance(first, int) else (),
    )


def _byte_level(words: list[str], merges: list[str] | None, split: str | None, path: Path) -> dict[str, Any]:
    if merges is None:
        raise BadModel("the file's tokenizer is not whole (tokenizer.ggml.merges is missing)", path.name)
    if split not in SPLITS:
        raise BadModel(
            f"its way of splitting text is not known (tokenizer.ggml.pre is {split or 'missing'})", path.name
        )
    pattern, digits = SPLITS[split]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": pattern is None}
    steps: list[dict[str, Any]] = [byte_level]
    if pattern is not None:
        steps.insert(0, {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False})
    if digits:
        steps.insert(0, {"type": "Digits", "individual_digits": True})
    return {
        "normalizer": {"type": "NFC"} if split in ("qwen2", "deepseek-r1-qwen") else None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps},
        "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "model": _bpe(
            words, [merge.split(" ", 1) for merge in merges], None, ignore_merges=pattern in (LLAMA_3, TEKKEN)
        ),
    }


def _sentencepiece(
    words: list[str], kinds: list[int], scores: list[float] | None, prefix: bool | None, path: Path
) -> dict[str, Any]:
    """SentencePiece's BPE keeps no merges: two words merge if their sum is a word, the highest score first."""
    if scores is None:
        raise BadModel("the file's tokenizer is not whole (tokenizer.ggml.scores is missing)", path.name)
    ids = {word: id for id, word in enumerate(words) if kinds[id] not in (UNKNOWN, CONTROL, BYTE)}
    merges = [
        (-scores[id], ids[word[:at]], ids[word[at:]], word[:at], word[at:])
        for word, id in ids.items()
        for at in range(1, len(word))
        if word[:at] in ids and word[at:] in ids
    ]
    space: list[dict[str, Any]] = [{"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]
    start = [] if prefix is False else [{"type": "Prepend", "prepend": "▁"}]
    strip = [] if prefix is False else [{"type": "Strip", "content": " ", "start": 1, "stop": 0}]
    unknown = next((word for word, kind in zip(words, kinds, strict=True) if kind == UNKNOWN), None)
    back: list[dict[str, Any]] = [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "}]
    back += [{"type": "ByteFallback"}, {"type": "Fuse"}, *strip]
    return {
        "normalizer": {"type": "Sequence", "normalizers": start + space},
        "pre_tokenizer": None,
        "decoder": {"type": "Sequence", "decoders": back},
        "model": _bpe(words, [[left, right] for *_, left, right in sorted(merges)], unknown, bytes_known=True),
    }


def _bpe(
    words: list[str],
    merges: list[list[str]],
    unknown: str | None,
    *,
    ignore_merges: bool = False,
    bytes_known: bool = False,
) -> dict[str, Any]:
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": unknown,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": bytes_known,
        "byte_fallback": bytes_known,
        "ignore_merges": ignore_merges,
        "vocab": {word: id for id, word in enumerate(words)},
        "merges": merges,
    }
