"""A page of a document as it is printed."""

from msgspec import Struct


class Rectangle(Struct, frozen=True, array_like=True):
    """In pixels of the picture."""

    left: float
    top: float
    width: float
    height: float


class Drawing(Struct, frozen=True):
    """`pixels`: `width` x `height` of them, rows from the top, each blue, green, red and one byte of no meaning.
    `marks`: for each span that was asked for, its rectangles."""

    pixels: bytes
    width: int
    height: int
    marks: tuple[tuple[Rectangle, ...], ...] = ()
