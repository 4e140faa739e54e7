"""A matter: a named collection of the library's items."""

from msgspec import Struct


class Matter(Struct, frozen=True):
    """`items`: ids of those that it holds and that were not removed from the library, the one put in last first. An
    item may be in several matters."""

    id: str
    name: str
    items: tuple[str, ...] = ()
