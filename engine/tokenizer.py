"""Texts to token ids and back, read from tokenizer.json by `tokenizers` alone.

Text is never control. Two kinds of strings are encoded by two methods: `encode` for words of people and documents,
which never gives a control token whatever they say, and `encode_template` for what the chat template wrote.
"""

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
from msgspec import Raw, Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from tokenizers import AddedToken
from tokenizers import Tokenizer as Backend

from engine.token_bytes import token_bytes
from engine.weights.checkpoint import BadModel
from engine.weights.tokenizer_files import TokenizerFiles

Ids = NDArray[np.int32]

CHUNK = 1 << 16
"""Characters encoded between two looks at whether to stop: some 30 ms."""
LONGEST = 8
"""Tokens that are waited for before bytes that make no character are given out as such."""
ENDS = (
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|end|>",
    "<end_of_turn>",
    "</s>",
)
"""Texts of control tokens that end an answer whether or not a checkpoint's configuration says so; many forget some."""
SHOWN = frozenset(("<tool_call>", "</tool_call>", "<|tool_call_start|>", "<|tool_call_end|>", "[TOOL_CALLS]"))
"""Of control tokens, those that are a part of what is written: calls of tools are told by them."""
_MARKED = re.compile(r"<\|.*\|>", re.DOTALL)


class Spec(Struct):
    """A tokenizer.json. `model`: words and merges, nearly all of the file, are taken apart by `tokenizers` alone."""

    model: Raw
    version: str = "1.0"
    added_tokens: list[dict[str, Any]] = []
    normalizer: Any = None
    pre_tokenizer: Any = None
    post_processor: Any = None
    decoder: Any = None


class Tokenizer:
    """`control`: ids that text may never become. `ends`: those of them that end an answer. `files.special` and the
    template are for `engine.prompt`."""

    def __init__(self, files: TokenizerFiles) -> None:
        """Raises BadModel."""
        try:
            spec = msgspec.json.decode(files.json, type=Spec)
            added = spec.added_tokens
            hidden = frozenset(token["id"] for token in added if token["special"] and token["content"] not in SHOWN)
            # Not every tokenizer marks all its control tokens: what the template writes is control as well.
            marks = {
                token["content"]: token
                for token in added
                if token["special"] or _MARKED.fullmatch(token["content"]) or _written(files, token["content"])
            }
            for token in marks.values():
                token["special"] = True
            parts = {part: getattr(spec, part) for part in ("normalizer", "pre_tokenizer")}
            bare = {part: _without_prefix(value) for part, value in parts.items()}
            self._plain = _backend(replace(spec, **bare))
            opening = _opening(self._plain) if files.opening is None else files.opening
            self._plain.post_processor = None
            self._prefixed = self._plain if bare == parts else _with_words_of(self._plain, spec)
        except Exception as error:  # noqa: BLE001 - the library raises bare Exception for a file it cannot read
            raise BadModel(f"tokenizer.json cannot be used: {error}", "tokenizer.json") from None
        self.template = files.template
        self.special = files.special
        self._marks = {text: token["id"] for text, token in marks.items()}
        self._strips = {text: (token["lstrip"], token["rstrip"]) for text, token in marks.items()}
        unknown = self._marks.get(files.special.get("unk_token", ""))
        self.ends = frozenset(self._ends(files))
        self.control = frozenset(self._marks.values()) | self.ends
        self._forbidden = np.array(sorted(self.control - ({unknown} - self.ends)), np.int32)
        self._hidden = hidden
        self._added = frozenset(token["content"] for token in added)
        self._decoder = spec.decoder
        ids = (self._plain.token_to_id(one) if isinstance(one, str) else one for one in opening)
        self.opening = np.array([id for id in ids if id is not None], np.int32)
        """What a text begins with that no template is used for."""
        by_length = sorted(self._marks, key=len, reverse=True)
        self._split = re.compile(f"({'|'.join(map(re.escape, by_length))})") if by_length else None

    @property
    def vocab(self) -> int:
        return self._plain.get_vocab_size()

    @cached_property
    def token_bytes(self) -> list[bytes]:
        """What each token stands for, by id; control tokens for their own text."""
        return token_bytes(self._plain.get_vocab(), self._added, self._decoder)

    def bytes(self, id: int) -> bytes:
        """Models may have more ids than there are tokens: nothing for those."""
        return self.token_bytes[id] if id < len(self.token_bytes) else b""

    def hides(self, id: int) -> bool:
        """Whether it is left out of texts."""
        return id in self._hidden

    def encode(
        self,
        text: str,
        *,
        opens: bool = False,
        look: Callable[[int, int], None] = lambda done, total: None,
    ) -> Ids:
        """Ids of a text, none of them control. `opens`: nothing but control stands before it, so a tokenizer that
        begins texts with a space does so. `look(characters done, of)` is called between chunks and may raise."""
        return self.encode_placed(text, opens=opens, look=look)[0]

    def encode_placed(
        self,
        text: str,
        *,
        opens: bool = False,
        look: Callable[[int, int], None] = lambda done, total: None,
    ) -> tuple[Ids, Ids]:
        """`encode`, and for each id the character that it begins at. Bytes of one character all begin at it."""
        parts, places = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
        for start, chunk in _chunks(text):
            look(start, len(text))
            backend = self._prefixed if opens and not start else self._plain
            ids, starts = self._encode(backend, chunk)
            parts.append(ids)
            places.append(starts + np.int32(start))
        return np.concatenate(parts), np.concatenate(places)

    def encode_template(self, text: str, *, opens: bool) -> Ids:
        """Ids of what the template wrote, its control tokens included."""
        ids: list[int] = []
        pieces = self._split.split(text) if self._split else [text]
        for number, piece in enumerate(pieces):
            if number % 2:
                ids.append(self._marks[piece])
                continue
            before = pieces[number - 1] if number else None
            after = pieces[number + 1] if number + 1 < len(pieces) else None
            if before is not None and self._strips[before][1]:
                piece = piece.lstrip()
            if after is not None and self._strips[after][0]:
                piece = piece.rstrip()
            if piece:
                backend = self._prefixed if before is not None or opens else self._plain
                ids.extend(self._encode(backend, piece)[0].tolist())
        return np.array(ids, np.int32)

    def mark(self, text: str) -> int | None:
        """The control token that is written so."""
        return self._marks.get(text)

    def ends_with_control(self, text: str) -> bool:
        return any(text.endswith(mark) for mark in self._marks)

    def decode(self, ids: list[int]) -> str:
        """Text of ids; control tokens are left out, incomplete characters are U+FFFD."""
        return self._plain.decode([id for id in ids if id not in self._hidden], skip_special_tokens=False)

    def _encode(self, backend: Backend, text: str) -> tuple[Ids, Ids]:
        encoding = backend.encode(text, add_special_tokens=False)
        ids = np.array(encoding.ids, np.int32)
        if self._forbidden.size and np.isin(ids, self._forbidden).any():
            return self._encode_apart(backend, text)
        return ids, _starts(encoding)

    def _encode_apart(self, backend: Backend, text: str) -> tuple[Ids, Ids]:
        """Some vocabularies hold control tokens as ordinary words. Where one came out, its text is cut in two."""
        waiting, done, places = [(0, text)], [], []
        while waiting:
            base, piece = waiting.pop()
            encoding = backend.encode(piece, add_special_tokens=False)
            ids, starts = np.array(encoding.ids, np.int32), _starts(encoding)
            found = np.flatnonzero(np.isin(ids, self._forbidden))
            cuts = sorted({encoding.offsets[i][0] + 1 for i in found} - {len(piece)})
            if cuts:
                edges = [0, *cuts, len(piece)]
                waiting += [(base + a, piece[a:b]) for a, b in pairwise(edges)][::-1]
            else:
                done.append(np.delete(ids, found))  # a lone character that is control cannot be said otherwise
                places.append(np.delete(starts, found) + np.int32(base))
        return np.concatenate(done), np.concatenate(places)

    def _ends(self, files: TokenizerFiles) -> Iterator[int]:
        for end in files.ends:
            id = self._plain.token_to_id(end) if isinstance(end, str) else end
            if id is not None:
                yield id
        for text in ENDS:
            if text in self._marks:
                yield self._marks[text]


class Characters:
    """Ids that come one by one to text in whole characters: what may still become part of one is held back."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._ids: list[int] = []
        self._given = 0
        """So many of the ids have been given out. They are kept because words are decoded with those before them,
        which say whether a space stands between."""

    def add(self, id: int) -> str:
        """The characters that are whole now and were not before."""
        self._ids.append(id)
        text = self._new()
        if not text or (text.endswith("\ufffd") and len(self._ids) - self._given < LONGEST):
            return ""
        del self._ids[: self._given]
        self._given = len(self._ids)
        return text

    def rest(self) -> str:
        """What was held back: bytes that are no character are shown as U+FFFD."""
        return self._new()

    def _new(self) -> str:
        return self._tokenizer.decode(self._ids)[len(self._tokenizer.decode(self._ids[: self._given])) :]


def _chunks(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    while start < len(text):
        end = start + CHUNK
        if end < len(text):
            end = _border(text, start + CHUNK // 2, end)
        yield start, text[start:end]
        start = end


def _border(text: str, low: int, high: int) -> int:
    """A place where no tokenizer merges over: before a line's first letter or, in a long line, before a space."""
    at = high
    while (at := text.rfind("\n", low, at)) != -1:
        if text[at + 1].isalpha() and not text[at - 1].isspace():
            return at + 1
    at = high
    while (at := text.rfind(" ", low, at)) != -1:
        if text[at - 1].isalpha() and text[at + 1].isalpha():
            return at
    return high


def _opening(backend: Backend) -> list[int]:
    """Control tokens that a tokenizer.json puts before a text."""
    encoding = backend.encode("a", add_special_tokens=True)
    marked = encoding.special_tokens_mask
    return encoding.ids[: marked.index(0)] if 0 in marked else []


def _written(files: TokenizerFiles, token: str) -> bool:
    return bool(token.strip()) and files.template is not None and token in files.template


def _backend(spec: Spec) -> Backend:
    backend = Backend.from_buffer(msgspec.json.encode(spec))
    backend.encode_special_tokens = True
    return backend


def _with_words_of(backend: Backend, spec: Spec) -> Backend:
    """Another over the same words in memory, with what else `spec` says but its post-processor."""
    nothing = Raw(b'{"type": "BPE", "vocab": {}, "merges": []}')
    made = _backend(replace(spec, model=nothing, added_tokens=[], post_processor=None))
    made.model = backend.model
    made.add_tokens([AddedToken(**{k: v for k, v in token.items() if k != "id"}) for token in spec.added_tokens])
    return made


def _starts(encoding: Any) -> Ids:
    return np.fromiter((start for start, _ in encoding.offsets), np.int32, len(encoding.ids))


def _without_prefix(part: Any) -> Any:
    """A normalizer or pre-tokenizer of tokenizer.json that puts no space before a text."""
    match part:
        case {"type": "Prepend"}:
            return None
        case {"type": "Metaspace"}:
            return part | {"prepend_scheme": "never", "add_prefix_space": False}
        case {"type": "ByteLevel"}:
            return part | {"add_prefix_space": False}
        case {"type": "Sequence"}:
            name = "normalizers" if "normalizers" in part else "pretokenizers"
            return part | {name: [kept for step in part[name] if (kept := _without_prefix(step)) is not None]}
        case _:
            return part
