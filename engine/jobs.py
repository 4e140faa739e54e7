"""The longer jobs by name. Each is a module of its own, imported when it is asked for."""

import importlib
from collections.abc import Callable, Mapping

from engine import bench_report

JOBS = {
    "attention": "bench_attention",
    "bench": "bench",
    "eviction": "bench_eviction",
    "joins": "joins",
    "peers": "bench_peers",
    "reading": "bench_reading",
    "selection": "bench_selection",
    "quantize": "quantize",
}
"""Modules with a `work`."""


def work(
    job: str, options: Mapping[str, str], progress: Callable[[int, int], None], stopped: Callable[[], bool]
) -> str:
    """The job's report, as JSON text: a measurement's is a `protocol.Measured`. Raises what its module does."""

    def done() -> str:
        report: str = importlib.import_module(f"engine.{JOBS[job]}").work(options, progress, stopped)
        return report

    return done() if job == "quantize" else bench_report.made(job, options, done)
