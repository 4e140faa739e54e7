"""/metrics, in the text form that Prometheus reads."""

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response

from app.gateway.desk import Desk

KIND = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counters since the gateway was started."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def tell(self, request: Request) -> Response:
        tally = self._desk.tally
        counts = tuple(tally.counts.values())
        lines = [
            *_series("requests_under_way", "gauge", "Requests that are being answered.", [("", tally.under_way)]),
            *_series(
                "requests_total",
                "counter",
                "Requests that have ended.",
                [(_labels(key=one.name), one.requests) for one in counts],
            ),
            *_series(
                "requests_failed_total",
                "counter",
                "Those of them that ended with an error, by its code.",
                [(_labels(key=one.name, code=code), times) for one in counts for code, times in one.failed.items()],
            ),
            *_series(
                "requests_remote_total",
                "counter",
                "Requests that left this computer, by where they were sent.",
                [(_labels(key=one.name, host=host), times) for one in counts for host, times in one.left.items()],
            ),
            *_series(
                "tokens_total",
                "counter",
                "Tokens of prompts, those of them that had been read before, and tokens of answers.",
                [
                    (_labels(key=one.name, kind=kind), count)
                    for one in counts
                    for kind, count in (("prompt", one.prompt), ("reused", one.reused), ("written", one.written))
                ],
            ),
        ]
        return Response("\n".join(lines) + "\n", headers={"content-type": KIND})


def _series(name: str, kind: str, about: str, values: Iterable[tuple[str, int]]) -> list[str]:
    name = f"longread_{name}"
    samples = [f"{name}{labels} {value}" for labels, value in values]
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}", *samples]


def _labels(**values: str) -> str:
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in values.items()) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
