"""Mails with known words and known faults: as they are sent, and as Outlook keeps them."""

import datetime
import struct
import zlib
from collections.abc import Sequence
from email.message import EmailMessage

from make_ole import Tree, ole

from app.documents.lzfu import SIZE, WRITTEN

DATE = datetime.datetime(2026, 3, 12, 9, 30, tzinfo=datetime.UTC)
EPOCH = datetime.datetime(1601, 1, 1, tzinfo=datetime.UTC)
RECIPIENTS = {"To": 1, "Cc": 2, "Bcc": 3}


def eml(
    body: str = "Words.",
    attachments: Sequence[tuple[str, bytes]] = (),
    subject: str = "Offer",
    html: str | None = None,
) -> bytes:
    """A mail by the book."""
    mail = EmailMessage()
    mail["From"] = "Ann Lee <ann@example.org>"
    mail["To"] = "Bo Li <bo@example.org>"
    mail["Date"] = DATE
    mail["Subject"] = subject
    mail.set_content(body)
    if html is not None:
        mail.add_alternative(html, subtype="html")
    for name, data in attachments:
        mail.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return bytes(mail)


def mbox(*mails: bytes) -> bytes:
    border = b"From ann@example.org Thu Mar 12 09:30:00 2026\n"
    return b"".join(border + mail.replace(b"\nFrom ", b"\n>From ") + b"\n" for mail in mails)


def msg(
    subject: str = "Offer",
    body: str | None = "Words.",
    attachments: Sequence["tuple[str, bytes] | Tree"] = (),
    *,
    encoding: str | None = None,
    code_page: int | None = None,
    html: bytes | None = None,
    rtf: bytes | None = None,
    recipients: Sequence[tuple[str, str, str]] = (("To", "Bo Li", "bo@example.org"),),
    sender: tuple[str, str] = ("Ann Lee", "ann@example.org"),
) -> bytes:
    """A message of Outlook: its texts in Unicode, or in `encoding`, which `code_page` tells if it is given."""
    made = message(subject, body, attachments, encoding, code_page, html, rtf, recipients, sender, 32)
    return ole(made | {"__nameid_version1.0": {f"__substg1.0_000{n}0102": b"" for n in (2, 3, 4)}})


def message(
    subject: str = "Offer",
    body: str | None = "Words.",
    attachments: Sequence["tuple[str, bytes] | Tree"] = (),
    encoding: str | None = None,
    code_page: int | None = None,
    html: bytes | None = None,
    rtf: bytes | None = None,
    recipients: Sequence[tuple[str, str, str]] = (),
    sender: tuple[str, str] = ("Ann Lee", "ann@example.org"),
    start: int = 24,
) -> Tree:
    """The storage of a message; with the `start` of one that is attached to another."""
    texts = {0x0037: subject, 0x0C1A: sender[0], 0x5D01: sender[1], 0x001A: "IPM.Note"}
    if body is not None:
        texts[0x1000] = body
    binary = {number: data for number, data in ((0x1013, html), (0x1009, rtf)) if data is not None}
    moment = int((DATE - EPOCH).total_seconds()) * 10_000_000
    fixed = {(0x0039, 0x0040): struct.pack("<Q", moment)}
    if code_page is not None:
        fixed[0x3FFD, 3] = struct.pack("<II", code_page, 0)
    counts = struct.pack("<8xIIII", len(recipients), len(attachments), len(recipients), len(attachments))
    storage = properties(counts.ljust(start, b"\0"), texts, binary, fixed, encoding)
    for place, (kind, name, address) in enumerate(recipients):
        storage[f"__recip_version1.0_#{place:08X}"] = properties(
            bytes(8),
            {0x3001: name, 0x39FE: address},
            {},
            {(0x0C15, 3): struct.pack("<II", RECIPIENTS[kind], 0)},
            encoding,
        )
    for place, one in enumerate(attachments):
        held = attachment(*one, encoding=encoding) if isinstance(one, tuple) else one
        storage[f"__attach_version1.0_#{place:08X}"] = held
    return storage


def attachment(
    name: str,
    data: bytes | Tree,
    *,
    encoding: str | None = None,
    method: int = 1,
    content_id: str = "",
    hidden: int = 0,
) -> Tree:
    texts = {0x3707: name} | ({0x3712: content_id} if content_id else {})
    fixed = {(0x3705, 3): struct.pack("<II", method, 0), (0x7FFE, 0x000B): struct.pack("<II", hidden, 0)}
    if isinstance(data, bytes):
        return properties(bytes(8), texts, {0x3701: data}, fixed, encoding)
    return properties(bytes(8), texts, {}, fixed, encoding) | {"__substg1.0_3701000D": data}


def properties(
    head: bytes,
    texts: dict[int, str],
    binary: dict[int, bytes],
    fixed: dict[tuple[int, int], bytes],
    encoding: str | None,
) -> Tree:
    kind, codec, end = (0x001F, "utf-16-le", b"\0\0") if encoding is None else (0x001E, encoding, b"\0")
    streams = {(number, kind): text.encode(codec) for number, text in texts.items()}
    streams |= {(number, 0x0102): data for number, data in binary.items()}
    listed = head
    for (number, type_), data in streams.items():
        size = len(data) + (len(end) if type_ == kind else 0)
        listed += struct.pack("<HHIII", type_, number, 6, size, 0)
    for (number, type_), value in fixed.items():
        listed += struct.pack("<HHI8s", type_, number, 6, value)
    made: Tree = {f"__substg1.0_{number:04X}{type_:04X}": data for (number, type_), data in streams.items()}
    return made | {"__properties_version1.0": listed}


def compressed_rtf(rtf: bytes) -> bytes:
    """As Outlook keeps the words of a message: of runs that are known the place, the rest as it is."""
    window, place, steps = bytearray(WRITTEN), 0, []
    while place < len(rtf):
        step = bytes(rtf[place : place + 1])
        for size in range(min(17, len(rtf) - place), 1, -1):
            found = window.rfind(rtf[place : place + size], max(0, len(window) - SIZE + 32))
            if found >= 0:
                step = struct.pack(">H", (found % SIZE) << 4 | size - 2)
                break
        count = 1 if len(step) == 1 else size
        steps.append(step)
        window += rtf[place : place + count]
        place += count
    steps.append(struct.pack(">H", (len(window) % SIZE) << 4))
    body = b""
    for start in range(0, len(steps), 8):
        eight = steps[start : start + 8]
        body += bytes([sum((len(step) == 2) << bit for bit, step in enumerate(eight))]) + b"".join(eight)
    return struct.pack("<IIII", len(body) + 12, len(rtf), 0x75465A4C, zlib.crc32(body)) + body
