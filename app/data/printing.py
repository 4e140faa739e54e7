"""What the printing process is given."""

from msgspec import Struct


class PrintJob(Struct, frozen=True):
    html: str
    title: str
