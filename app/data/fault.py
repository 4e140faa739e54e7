"""What somebody wrote that cannot be done as it stands."""

from msgspec import Struct


class Fault(Struct, frozen=True):
    """`key`: as it was written, with its section: attention.impl. `code`: of `app.serve_words.FAULTS`, with the values
    of its sentence. `line`: counted from 1; None where it is not known."""

    key: str
    code: str
    values: dict[str, str] = {}
    line: int | None = None


class NotHonoured(Exception):
    """`str()` is the codes alone: what was written may be a secret or a file's name."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(", ".join(fault.code for fault in faults))
        self.faults = faults
