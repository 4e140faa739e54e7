"""`python -m engine check-kernels`: every form of every kernel against its reference, on every device here."""

import argparse
import importlib
import json
from collections.abc import Sequence
from dataclasses import asdict

import torch

from engine import device
from kernels import dispatch


def run() -> dict[str, object]:
    """What runs where, and every failure: also of forms that are not the chosen ones."""
    rows: list[dict[str, str]] = []
    failures: list[dict[str, object]] = []
    for info in device.devices():
        place = torch.device(info.kind)
        failures += [asdict(failure) for failure in dispatch.check(place)]
        for operation, forms in dispatch.FORMS.items():
            chosen = dispatch.implementation(operation, place).__name__.rpartition(".")[2]
            for form in forms.get(info.kind, (dispatch.PLAIN,)):
                state = _state(operation, form, place)
                rows.append(
                    {
                        "operation": operation,
                        "device": info.kind,
                        "form": form,
                        "state": state,
                        "chosen": "yes" if form == chosen else "",
                    }
                )
    return {"forms": rows, "failures": failures}


def _state(operation: str, form: str, place: torch.device) -> str:
    try:
        module = importlib.import_module(f"kernels.{operation}.{form}")
    except (RuntimeError, ImportError) as problem:
        return f"not here: {problem}"
    found = dispatch.compare(operation, module, place)
    return "right" if not found else "; ".join(f"{failure.case}: {failure.reason}" for failure in found)


def main(argv: Sequence[str]) -> int:
    """0 when every form that can be had is right, 1 otherwise."""
    parser = argparse.ArgumentParser(prog="python -m engine check-kernels", description=__doc__)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(argv)
    report = run()
    rows: list[dict[str, str]] = report["forms"]  # type: ignore[assignment]
    wrong = [row for row in rows if row["state"] != "right" and not row["state"].startswith("not here")]
    if arguments.json:
        print(json.dumps(report, indent=2))
    else:
        for row in rows:
            print(f"{row['operation']:18}{row['device']:6}{row['form']:8}{row['chosen']:5}{row['state']}")
    return 1 if wrong else 0
