"""The longer jobs by name. Each is a module of its own, imported when it is asked for."""

import importlib
from collections.abc import Callable, Mapping

JOBS = {
    "attention": "bench_attention",
    "bench": "bench",
    "eviction": "bench_eviction",
    "joins": "joins",
    "reading": "bench_reading",
    "selection": "bench_selection",
    "quantize": "quantize",
}
"""Modules with a `work`."""


def work(
    job: str, options: Mapping[str, str], progress: Callable[[int, int], None], stopped: Callable[[], bool]
) -> str:
    """The job's report, as JSON text. Raises what its module does."""
    report: str = importlib.import_module(f"engine.{JOBS[job]}").work(options, progress, stopped)
    return report
