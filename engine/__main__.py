"""`python -m engine [serve|logits|check-kernels|bench] ...`: the engine, and what it can be asked without a window."""

import argparse
import contextlib
import faulthandler
import importlib
import logging
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

# Read by OpenMP when torch is loaded. A thread that waits for the others spins for some 0.1 ms and then sleeps. By
# default it spins far longer: beside two busy programs on two cores a 135M model then read 106 tokens a second and
# wrote 2, and so it reads 1,500 and writes 40. Sleeping at once halves the writing on a computer that is idle.
os.environ.setdefault("GOMP_SPINCOUNT", "30000")
os.environ.setdefault("KMP_BLOCKTIME", "1")
# torch shares a product out among as many threads as were asked for, and leaves out the parts of those that a limit
# keeps from coming: it becomes the number that is asked for.
if (limit := os.environ.pop("OMP_THREAD_LIMIT", "")).isdecimal() and int(limit) < (os.cpu_count() or 1):
    os.environ.setdefault("OMP_NUM_THREADS", limit)

from engine import home, runtime, stdio
from engine.server import Server, Worker

ELSEWHERE = {"logits": "engine.logits", "check-kernels": "engine.check_kernels", "bench": "engine.bench"}
CHECK = "check-runtime"
ELSEWHERE["--self-test"] = "engine.self_test"
"""Commands with arguments of their own: `main(argv)` of these modules."""


def main(argv: Sequence[str]) -> int:
    command = argv[0] if argv else "serve"
    if command == CHECK:
        return check_runtime(argv[1:])
    if command in ELSEWHERE:
        runtime.activate(home.data())
        # Imported now and not above, here as for the worker: it is torch's import, and only who needs it pays it
        return importlib.import_module(ELSEWHERE[command]).main(argv[1:]) or 0
    parser = argparse.ArgumentParser(prog="python -m engine", description=__doc__)
    parser.add_argument("command", nargs="?", choices=("serve", *ELSEWHERE), default="serve")
    parser.add_argument("--data", type=Path, default=home.data(), help="the data folder")
    return serve(parser.parse_args(argv).data)


def serve(data: Path) -> int:
    source, sink = stdio.claim()
    # Ctrl+C in a terminal is the client's to understand; it says Quit, or its end says it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    with contextlib.suppress(OSError, ValueError, AttributeError):  # there may be no stderr at all
        faulthandler.enable(sys.stderr)

    runtime.activate(data)

    def make_worker() -> Worker:
        worker: Worker = _imported("engine.worker").ModelWorker(data)
        return worker

    Server(source, sink, make_worker).serve()
    logging.shutdown()
    # Not by return: the interpreter would take the model apart object by object, and somebody waits for us to be gone
    os._exit(0)


def _imported(name: str) -> ModuleType:
    """With torch. A runtime that cannot be loaded ends this process: half of it is in there, and the next one passes
    it over."""
    chosen = runtime.active()
    if chosen is not None:
        chosen.loading()
    try:
        importlib.import_module("torch")
    except (ImportError, OSError):
        if chosen is None or not chosen.tag or chosen.problem:
            raise
        logging.exception("the runtime %s cannot be loaded", chosen.tag)
        chosen.failed()
        os._exit(1)
    if chosen is not None:
        chosen.loaded()
    return importlib.import_module(name)  # what is wrong with this is no fault of the runtime's


def check_runtime(argv: Sequence[str]) -> int:
    """`check-runtime FOLDER`: whether this runtime can be loaded and computes right, as one line of JSON."""
    runtime.enter(Path(argv[0]), home.data())
    print(importlib.import_module("engine.runtime_check").report(Path(argv[0])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
