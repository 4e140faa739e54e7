"""Places in the library's texts that a search found."""

from msgspec import Struct

from app.data.quote import QuotePlace


class TextPlace(Struct, frozen=True):
    """`at`: the first of the words. `snippet`: what stands around it, on one line; `marks`: the words in it, from first
    to last character."""

    at: QuotePlace
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()


class FoundText(Struct, frozen=True):
    """An item's text that holds the words: its best `places` first, out of `count`. `more`: there may be further ones
    that were not counted. `apart`: all words are in the text, and nowhere together; the place holds some of them."""

    item: str
    name: str
    places: tuple[TextPlace, ...]
    count: int
    more: bool = False
    apart: bool = False


class FoundTexts(Struct, frozen=True):
    """The best first. `more`: there are further texts. `waiting`: items whose text cannot be searched yet."""

    texts: tuple[FoundText, ...] = ()
    more: bool = False
    waiting: int = 0
