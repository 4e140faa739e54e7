"""The settings of one program for the local API, ready to be copied."""

from msgspec import Struct


class Snippet(Struct, frozen=True):
    """`tool`: a code of `app.gateway_words.TOOLS`. `title`: the program's own name. `text`: what it takes."""

    tool: str
    title: str
    text: str
