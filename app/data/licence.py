"""A library that travels with the program, and under which licence."""

from msgspec import Struct


class Licence(Struct, frozen=True):
    """`texts`: the licence's own words, as the library brings them."""

    name: str
    version: str
    licence: str
    home: str = ""
    texts: tuple[str, ...] = ()
