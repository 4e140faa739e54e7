"""Every kernel on this computer's NVIDIA card: right, captured in CUDA graphs, timed.

    python tests/gpu/check.py [--quick] [--json FILE] [--device cuda|cpu]

Prints a table, then the same in Markdown, where all that is equal of one form is one row. Exits with 0: all is equal;
1: something differs or does not run; 2: there is no card.
The whole takes less than eight minutes: what is left then is skipped, as is what does not fit into the card's memory.
With `--device cpu --quick` small shapes show that the script itself works.
"""

import argparse
import importlib.util
import json
import platform
import sys
import time
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.gpu import graphs, hybrid, operations
from tests.gpu.clock import Clock, Rates, measure
from tests.gpu.report import Report, as_json, condensed, markdown, plain
from tests.gpu.shapes import CARD, RELEASED, SMALL
from tests.gpu.speed import Speed

SECONDS = 420.0
"""After which nothing new is begun."""
CHECKS = 300.0
"""Of these for what comes before the times."""


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer and shorter ones")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there too")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    args = parser.parse_args(argv)
    if args.device == "cuda" and not torch.cuda.is_available():
        parser.error("there is no CUDA device here; --device cpu --quick shows that the script works")
    if args.device == "cpu" and not args.quick:
        parser.error("the released shapes are for cards: on a CPU only with --quick")
    place = torch.device(args.device)
    about, began = card(place), time.monotonic()
    print(", ".join(f"{name} {value}" for name, value in about.items()))
    print(plain())
    report = Report(place, CHECKS)
    rates = run(report, args.quick)
    if rates is not None:
        about |= {"copies": f"{rates.moved / 1e9:.0f} GB/s", "products": f"{rates.operations / 1e12:.2f} TFLOP/s"}
    wrong, seconds = len(report.wrong), time.monotonic() - began
    print("\n" + title(about) + "\n\n" + markdown(condensed(report.rows)))
    print(f"\n{len(report.rows)} rows in {seconds:.0f} s: " + (f"{wrong} are WRONG" if wrong else "nothing differs"))
    for row in report.wrong:
        print(plain(row))
    if args.json is not None:
        args.json.write_text(json.dumps({**about, "seconds": seconds, "rows": as_json(report.rows)}, indent=1))
    return 1 if wrong else 0


@torch.inference_mode()
def run(report: Report, quick: bool) -> Rates | None:
    """All checks, then the times; the rates of the device, unless they could not be measured."""
    cuda = report.place.type == "cuda"
    shapes = (CARD if quick else RELEASED) if cuda else SMALL
    if cuda:  # or drivers for Windows lend the computer's own memory, and all becomes slow instead
        free, total = torch.cuda.mem_get_info(report.place)
        torch.cuda.set_per_process_memory_fraction(0.95 * free / total)
    operations.check(report, shapes)
    graphs.check(report, shapes)
    hybrid.check(report, shapes)
    report.seconds = SECONDS
    found: list[Rates] = []

    def times() -> None:
        clock = Clock(report.place, quick)
        found.append(measure(clock, report.dtypes[-1], report.place))
        Speed(report, shapes, clock, found[0]).run()

    report.attempt("times", "rates", "", times)
    if not cuda:
        report.skip("times", "CUDA events", "", "Timed by the computer's clock: only CUDA has events.")
    return found[0] if found else None


def card(place: torch.device) -> dict[str, str]:
    """Of the device and what drives it."""
    about = {"card": f"{platform.processor() or platform.machine()} (no card)"}
    if place.type == "cuda":
        properties = torch.cuda.get_device_properties(place)
        about = {
            "card": properties.name,
            "capability": f"{properties.major}.{properties.minor}",
            "memory": f"{properties.total_memory / 2**30:.0f} GiB",
            "CUDA": str(torch.version.cuda),
        }
    triton = importlib.import_module("triton").__version__ if importlib.util.find_spec("triton") else "none"
    return {**about, "torch": torch.__version__, "triton": triton}


def title(about: dict[str, str]) -> str:
    return (
        f"**{about['card']}** (" + ", ".join(f"{name} {value}" for name, value in about.items() if name != "card") + ")"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
