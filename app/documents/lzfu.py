"""Compressed RTF, as Outlook keeps a message's words (MS-OXRTFCP): an LZ77 whose dictionary is begun already."""

import struct

from app.documents.errors import Unreadable

HEADER = struct.Struct("<IIII")
COMPRESSED, PLAIN = 0x75465A4C, 0x414C454D
WRITTEN = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans "
    rb"SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0" + b"\r\n" + rb"\par "
    rb"\pard\plain\f0\fs20\b\i\u\tab\tx"
)
"""What the dictionary begins with."""
SIZE = 4096


def expanded(data: bytes) -> bytes:
    """The RTF. Raises `Unreadable("damaged")`; what is cut short is given as far as it goes."""
    if len(data) < HEADER.size:
        raise Unreadable("damaged", "MSG")
    _, size, kind, _ = HEADER.unpack_from(data)
    body = data[HEADER.size :]
    if kind == PLAIN:
        return body[:size]
    if kind != COMPRESSED:
        raise Unreadable("damaged", "MSG")
    # The dictionary is the last 4,096 bytes of what it begins with and all that was written since.
    out = bytearray(WRITTEN)
    place = 0
    while place < len(body):
        flags = body[place]
        place += 1
        for bit in range(8):
            if place >= len(body):
                break
            if not flags >> bit & 1:
                out.append(body[place])
                place += 1
                continue
            pair = int.from_bytes(body[place : place + 2], "big")
            place += 2
            offset, count = pair >> 4, (pair & 15) + 2
            back = (len(out) - offset) % SIZE
            if not back:
                return bytes(out[len(WRITTEN) :])
            start = len(out) - back
            if start < 0:
                raise Unreadable("damaged", "MSG")
            for step in range(count):
                out.append(out[start + step])
    return bytes(out[len(WRITTEN) :])
