"""What a verification is given out as."""

from msgspec import Struct

from engine.verify_results import Report


class Certificate(Struct, frozen=True):
    """`machine`: what is known of it, by its name. `version`: the program's."""

    report: Report
    version: str
    machine: dict[str, str]
    program: str = "Longread"


class Replayed(Struct, frozen=True):
    """A test asked again with the seed of a certificate. `same`: it came to the same verdict, with as many right."""

    test: str
    was: str
    now: str
    right: tuple[int, int]
    same: bool
