"""What was found when the local API was called as a program would call it."""

from typing import Literal

from msgspec import Struct


class Check(Struct, frozen=True):
    """`step`: "proxies", "reached", "key" or "model". `code`: of `app.gateway_words.CHECKS`, or of a failure of an
    engine elsewhere, with `values` for its sentence."""

    step: str
    verdict: Literal["good", "warn", "bad"]
    code: str
    values: dict[str, str] = {}
