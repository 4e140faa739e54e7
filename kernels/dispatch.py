"""Which implementation of an operation runs on a device: the only place that decides.

Every operation has a form for each kind of device, named here, and a plain form, `cpu`, that runs on any. When a model
is loaded each is compared with its reference (`check`); one that is wrong or does not run there falls back to the plain
form on that kind of device, with a failure that names it: a broken driver becomes slow, never wrong.
"""

import importlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

import torch

log = logging.getLogger(__name__)

PLAIN = "cpu"

FORMS: dict[str, dict[str, tuple[str, ...]]] = {
    "row_bytes": {"cpu": ("native", PLAIN), "cuda": (PLAIN,)},
    "full_attention": {"cpu": ("native", PLAIN), "cuda": ("gpu", "sdpa", PLAIN)},
    "lightning_attention": {"cpu": ("native", PLAIN), "cuda": ("gpu", PLAIN)},
    "low_bit_linear": {"cpu": ("native", PLAIN), "cuda": ("gpu", PLAIN)},
    "group_linear": {"cpu": ("native", PLAIN), "cuda": ("gpu", PLAIN)},
    "block_scores": {"cpu": ("native", PLAIN), "cuda": ("gpu", PLAIN)},
    "block_sparse_attention": {"cpu": ("native", PLAIN), "cuda": ("gpu", PLAIN)},
    "moba": {"cpu": (PLAIN,), "cuda": ("gpu", PLAIN)},
    "nsa": {"cpu": (PLAIN,), "cuda": ("gpu", PLAIN)},
    "block_choice": {"cpu": (PLAIN,), "cuda": (PLAIN,)},
    "page_scores": {"cpu": ("native", PLAIN), "cuda": ("gpu", PLAIN)},
    "row_wise": {"cpu": ("native", PLAIN), "cuda": (PLAIN,)},
}
"""By operation and kind of device: modules in the operation's folder, the fastest first. One that raises RuntimeError
or ImportError when it is imported cannot be had on this computer, and the next is taken."""

_chosen: dict[tuple[str, str], ModuleType] = {}
_preferred: dict[tuple[str, str], ModuleType] = {}
"""Of operations for which a person chose: in place of what is in `_chosen`."""
_checked: "dict[tuple[str, tuple[ModuleType, ...]], list[Failure]]" = {}


@dataclass(frozen=True)
class Failure:
    """`error` is the relative difference found, or None when the form did not run and `reason` says why."""

    operation: str
    device: str
    form: str
    case: str
    error: float | None
    reason: str

    def __str__(self) -> str:
        return f"{self.operation} ({self.form}) on {self.device}, {self.case}: {self.reason}"


class Unavailable(Exception):
    """`known`: forms of the operation that can be had on the device, the fastest first."""

    def __init__(self, operation: str, form: str, known: Sequence[str]) -> None:
        super().__init__(f"{operation} has no form {form} here")
        self.operation, self.form, self.known = operation, form, tuple(known)


def implementation(operation: str, device: torch.device) -> ModuleType:
    """The module that computes the operation on this device."""
    key = operation, device.type
    if key in _preferred:
        return _preferred[key]
    if key not in _chosen:
        _choose(operation, device.type, FORMS[operation].get(device.type, (PLAIN,)))
    return _chosen[key]


def _choose(operation: str, kind: str, forms: Sequence[str]) -> None:
    """Take the first of these forms that can be had; the last always can."""
    for form in forms:
        try:
            _chosen[operation, kind] = importlib.import_module(_name(operation, form))
        except (RuntimeError, ImportError) as problem:
            log.info("%s has no form %s here: %s", operation, form, problem)
        else:
            return


def prefer(forms: Mapping[str, str], device: torch.device) -> None:
    """Compute these operations, and no others, by the form named rather than by the fastest. Raises Unavailable, and
    then nothing is changed."""
    found = {}
    for operation, form in forms.items():
        known = [one for one in FORMS[operation].get(device.type, (PLAIN,)) if _available(operation, one)]
        if form not in known:
            raise Unavailable(operation, form, known)
        found[operation, device.type] = importlib.import_module(_name(operation, form))
    _preferred.clear()
    _preferred.update(found)


def _available(operation: str, form: str) -> bool:
    try:
        importlib.import_module(_name(operation, form))
    except (RuntimeError, ImportError):
        return False
    return True


def check(device: torch.device) -> list[Failure]:
    """Compare every operation with its reference on small inputs; on a difference its plain form is chosen.

    Returns the failures of every form that was tried. A plain form that fails stays chosen: there is nothing below it.
    """
    failures = []
    for operation in FORMS:
        form = implementation(operation, device)
        found = compare(operation, form, device)
        failures += found
        if found and form.__name__ != _name(operation, PLAIN):
            _preferred.pop((operation, device.type), None)
            _choose(operation, device.type, (PLAIN,))
            failures += compare(operation, _chosen[operation, device.type], device)
    return failures


def checked(device: torch.device) -> list[Failure]:
    """`check`, once in a process for the forms that are chosen now, unless one failed: chosen again, it is replaced
    again."""
    chosen = str(device), tuple(implementation(operation, device) for operation in FORMS)
    if chosen not in _checked or _checked[chosen]:
        _checked[chosen] = check(device)
    return _checked[chosen]


def compare(operation: str, form: ModuleType, device: torch.device) -> list[Failure]:
    """Run the operation's examples through one of its forms and through its reference."""
    examples = importlib.import_module(_name(operation, "examples"))
    name = form.__name__.rpartition(".")[2]
    failures = []
    for case in examples.cases(device):
        try:
            error = relative(case.run(form), case.expected())
        except Exception as problem:  # noqa: BLE001 - compilers raise what they like
            failures.append(Failure(operation, str(device), name, case.name, None, f"does not run: {problem}"))
            continue
        if not error <= case.tolerance:  # NaN is a failure too
            reason = f"differs by {error:.2g}, allowed are {case.tolerance:.2g}"
            failures.append(Failure(operation, str(device), name, case.name, error, reason))
    return failures


def relative(result: torch.Tensor, expected: torch.Tensor) -> float:
    """Norm of the difference over norm of the expected."""
    result, expected = result.double().cpu(), expected.double().cpu()
    return ((result - expected).norm() / expected.norm()).item()


def _name(operation: str, form: str) -> str:
    return f"kernels.{operation}.{form}"
