"""Answers held to a form: which tokens may come next, so that the whole can still become one.

llguidance follows the grammar byte by byte over the bytes of the model's tokens. What ends an answer is no part of it:
it is allowed where the grammar is complete, and nowhere else.
"""

import json
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from llguidance import LLMatcher, LLTokenizer, TokenizerWrapper
from torch import Tensor

from engine.tokenizer import Tokenizer

SPACE = r"[ \n]{0,4}"
"""Between the signs of JSON: as people write it, and never an endless line."""
KEPT = 16
"""Grammars that are kept ready."""


class BadFormat(Exception):
    """What is wrong with a schema; its own words may be quoted in it."""


class Grammar:
    """Of one answer."""

    def __init__(self, matcher: LLMatcher, ends: Iterable[int]) -> None:
        self._matcher = matcher
        self._ends = sorted(ends)

    @property
    def complete(self) -> bool:
        """Whether nothing may follow."""
        return self._matcher.is_stopped()

    def allowed(self, logits: Tensor) -> Tensor:
        """Logits [vocab] of the next token, minus infinity for those that may not be. Raises BadFormat."""
        bits = np.frombuffer(self._matcher.compute_bitmask(), np.uint8)
        self._check()
        flags = torch.from_numpy(np.unpackbits(bits, bitorder="little").astype(np.bool_))
        may = torch.zeros(len(logits), dtype=torch.bool)
        count = min(len(logits), len(flags) - 1)
        may[:count] = flags[:count]
        may[self._ends] = self._matcher.is_accepting()
        return logits.masked_fill(~may.to(logits.device), -torch.inf)

    def take(self, id: int) -> None:
        """A token was written, which is no end. Raises BadFormat."""
        self._matcher.consume_token(id)
        self._check()

    def _check(self) -> None:
        if self._matcher.is_error():
            raise BadFormat(_reason(self._matcher.get_error()))


class Grammars:
    """Of one model's tokenizer, which is made ready when it is first needed."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._bytes: LLTokenizer | None = None
        self._ready: OrderedDict[str, LLMatcher] = OrderedDict()

    def of_schema(self, schema: Any) -> Grammar:
        """JSON after a schema. Raises BadFormat."""
        if not isinstance(schema, dict):
            if schema is not True:
                raise BadFormat("a schema is a JSON object")
            schema = {}
        return self._grammar(LLMatcher.grammar_from_json_schema(spaced(schema)))

    def of_lark(self, source: str) -> Grammar:
        """A grammar in the library's own writing. Raises BadFormat."""
        return self._grammar(LLMatcher.grammar_from_lark(source))

    def mark(self, text: str) -> str:
        """In a grammar's own writing, a text that models may have as a token of its own."""
        id = self._tokenizer.mark(text)
        return json.dumps(text) if id is None else f"<[{id}]>"

    def _grammar(self, source: str) -> Grammar:
        matcher = self._ready.pop(source, None)
        if matcher is None:
            matcher = LLMatcher(self._trie(), source, log_level=0)
            if matcher.is_error():
                raise BadFormat(_reason(matcher.get_error()))
        self._ready[source] = matcher
        if len(self._ready) > KEPT:
            self._ready.popitem(last=False)
        ends = self._tokenizer.ends
        return Grammar(matcher.deep_copy(), ends)

    def _trie(self) -> LLTokenizer:
        if self._bytes is None:
            self._bytes = LLTokenizer(TokenizerWrapper(_Words(self._tokenizer)), slices=LLTokenizer.json_slices())
        return self._bytes


class _Words:
    """A tokenizer as the library wants it: its tokens' bytes, and behind them an end that no model has."""

    bos_token_id = None

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.tokens = [*tokenizer.token_bytes, b"<|end of a grammar|>"]
        self.eos_token_id = len(self.tokens) - 1
        self.special_token_ids = [*sorted(tokenizer.control), self.eos_token_id]

    def __call__(self, text: bytes) -> list[int]:
        return self._tokenizer.encode(text.decode("utf-8", "replace")).tolist()


def spaced(schema: dict[str, Any]) -> dict[str, Any]:
    """With a say in what stands between the signs, unless it has its own."""
    return {"x-guidance": {"whitespace_pattern": SPACE}} | schema


def _reason(error: str) -> str:
    return error.strip().partition("\n")[0][:300]
