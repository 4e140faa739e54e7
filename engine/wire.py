"""Bytes to messages and back: one JSON object a line.

A line that is no message is not an exception but a `Garbage` in its place, so that whoever listens can name it, answer
it and go on. Nothing of a garbage line's content is kept: it may be a person's text.
"""

import re
from collections.abc import Iterator
from typing import IO, Generic, TypeVar

import msgspec
from msgspec import Struct

from engine.protocol import Command, Event

LIMIT = 64 << 20
"""Bytes of the longest line that is read or written. Documents travel as paths, so a message is small."""

T = TypeVar("T")


class Garbage(Struct, frozen=True):
    """A line that is no message: its number from 1, its size in bytes, why, and a request's id if one was seen."""

    line: int
    size: int
    why: str
    id: str | None = None


class Unsendable(ValueError):
    """The message cannot be written as a line: longer than the limit, or holding half a character."""


class _Named(Struct):
    id: str


_encoder = msgspec.json.Encoder()
_named = msgspec.json.Decoder(_Named)
_quoted = re.compile(r"'[^']*'|`[^`$][^`]*`")


def encode(message: Struct) -> bytes:
    """The message as one line with its newline. Raises `Unsendable`."""
    try:
        line = _encoder.encode(message)
    except UnicodeEncodeError as error:  # a lone surrogate; its own text is left out of the error on purpose
        raise Unsendable("a text holds half of a surrogate pair") from error
    if len(line) >= LIMIT:
        raise Unsendable(f"the message has {len(line)} bytes, over the limit of {LIMIT}")
    return line + b"\n"


class Messages(Generic[T]):
    """Iterates over the messages of a byte stream until its end, garbage included, each in its place."""

    def __init__(self, stream: IO[bytes], decoder: "msgspec.json.Decoder[T]", limit: int = LIMIT) -> None:
        self._stream = stream
        self._decoder = decoder
        self._limit = limit

    def __iter__(self) -> Iterator[T | Garbage]:
        number = 0
        while line := self._stream.readline(self._limit):
            number += 1
            size = len(line)
            if not line.endswith(b"\n"):
                while rest := self._stream.readline(self._limit):
                    size += len(rest)
                    if rest.endswith(b"\n"):
                        break
                why = "longer than the limit" if size >= self._limit else "cut short by the end of the stream"
                yield Garbage(number, size, why)
            elif line.strip():
                yield self._message(line, number)

    def _message(self, line: bytes, number: int) -> T | Garbage:
        try:
            return self._decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return Garbage(number, len(line), _quoted.sub("…", str(error)), _id(line))


def _id(line: bytes) -> str | None:
    try:
        return _named.decode(line).id
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def commands(stream: IO[bytes]) -> Messages[Command]:
    return Messages(stream, msgspec.json.Decoder(Command))


def events(stream: IO[bytes]) -> Messages[Event]:
    return Messages(stream, msgspec.json.Decoder(Event))
