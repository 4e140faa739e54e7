"""Markdown as a model writes it, piece by piece: blocks that can no longer change, and a tail that still can.

Raw HTML is text. Pictures are never fetched: their words stand in their place. Links have one of `SCHEMES` or are text.
Link definitions further down ("[1]: address") are left as text, since they would change blocks that are long closed.
"""

from collections.abc import Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, String
from pygments.token import Token as Any
from pygments.util import ClassNotFound

SCHEMES = ("http:", "https:", "mailto:")
LONGEST_HIGHLIGHTED = 100_000
"""Characters of a code block; longer ones are shown without colours."""

# From the particular to the general: the first that holds the token's type wins.
KINDS = (
    (Comment, "comment"),
    (String, "string"),
    (Number, "number"),
    (Literal, "string"),
    (Keyword, "keyword"),
    (Operator.Word, "keyword"),
    (Name.Function, "name"),
    (Name.Class, "name"),
    (Name.Decorator, "name"),
    (Name.Tag, "keyword"),
    (Name.Attribute, "name"),
    (Name.Builtin, "name"),
    (Any, ""),
)


class Run(NamedTuple):
    """Letters of a program text, and their kind: keyword, string, comment, number, name, or "" for all others."""

    kind: str
    text: str


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:
        return url.strip().lower().startswith(SCHEMES)


_PARSER = _Parser("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("reference")


def parse(text: str) -> list[Token]:
    return _PARSER.parse(text)


def html(text: str) -> str:
    return str(_PARSER.render(text))


def _picture(_: object, tokens: Sequence[Token], place: int, *more: object) -> str:
    return escapeHtml(tokens[place].content)


_PARSER.add_render_rule("image", _picture)


def highlight(code: str, language: str) -> list[Run]:
    """The code in runs; together they are exactly the code. An unknown language is one run."""
    lexer = _lexer(language)
    if lexer is None or len(code) > LONGEST_HIGHLIGHTED:
        return [Run("", code)] if code else []
    runs: list[Run] = []
    for kind, text in lexer.get_tokens(code):
        name = next(name for family, name in KINDS if kind in family)
        if runs and runs[-1].kind == name:
            runs[-1] = Run(name, runs[-1].text + text)
        elif text:
            runs.append(Run(name, text))
    return runs


def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False) if language else None
    except ClassNotFound:
        return None


def language_of(info: str) -> str:
    """The language that a fence names: its first word."""
    return info.split()[0].lower() if info.split() else ""


class Stream:
    """A text that grows at its end. What `feed` returns is final; `tail` is everything after it, as it stands now.

    A block is closed when a later one has begun on a line that is whole: half a line may still turn out to belong
    to the block before ("#" begins a heading, "#1" goes on with a paragraph).
    """

    def __init__(self) -> None:
        self._open = ""
        self._carriage = False

    def feed(self, text: str) -> list[Token]:
        """Take more text; the tokens of the blocks that it closed."""
        text = ("\r" if self._carriage else "") + text
        self._carriage = text.endswith("\r")
        added = (text[:-1] if self._carriage else text).replace("\r\n", "\n").replace("\r", "\n")
        self._open += added
        return self._close() if "\n" in added else []

    def tail(self) -> list[Token]:
        return parse(self._open)

    def _close(self) -> list[Token]:
        whole = self._open[: self._open.rindex("\n") + 1]
        tokens = parse(whole)
        starts = [place for place, token in enumerate(tokens) if token.level == 0 and token.nesting >= 0]
        if len(starts) < 2:
            return []
        line = _first_line(tokens[starts[-1]])
        lines = self._open.split("\n")
        self._open = "\n".join(lines[line:])
        return tokens[: starts[-1]]


def _first_line(token: Token) -> int:
    if token.map is None:
        raise ValueError(f"a block without lines: {token.type}")
    return token.map[0]


def plain(tokens: Sequence[Token]) -> str:
    """The words of inline tokens, without marks: what stands in a picture's place."""
    return "".join(token.content for token in tokens)
