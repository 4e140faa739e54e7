"""A device on which a form is wrong falls back to the plain form, with a failure that names it."""

from types import ModuleType

import pytest
import torch

from kernels import dispatch, full_attention
from kernels.full_attention import cpu

CPU = torch.device("cpu")


@pytest.fixture
def broken(monkeypatch):
    """A form of attention for the CPU whose functions a test replaces."""
    module = ModuleType("kernels.full_attention.broken")
    for name in ("rows", "read", "write", "step", "step_bytes", "beside", "beside_bytes"):
        setattr(module, name, getattr(cpu, name))
    monkeypatch.setattr(dispatch, "_chosen", {("full_attention", "cpu"): module})
    return module


def test_every_form_chosen_for_this_machine_is_right():
    assert dispatch.check(CPU) == []


def test_a_wrong_form_is_named_and_replaced(broken):
    broken.write = lambda q, *given: q
    failures = dispatch.check(CPU)
    assert {(failure.operation, failure.form) for failure in failures} == {("full_attention", "broken")}
    assert all("one query" in failure.case and failure.error > 0.1 for failure in failures)
    assert dispatch.implementation(full_attention.NAME, CPU) is cpu


def test_a_form_that_does_not_run_is_named_and_replaced(broken):
    def raises(q, k, v, scale):
        raise RuntimeError("no kernel image")

    broken.read = raises
    failures = dispatch.check(CPU)
    assert {failure.reason for failure in failures} == {"does not run: no kernel image"}
    assert dispatch.implementation(full_attention.NAME, CPU) is cpu


def test_nan_is_a_failure(broken):
    broken.write = lambda q, *given: torch.full_like(q, torch.nan)
    assert dispatch.check(CPU)


@pytest.fixture
def preferred():
    yield lambda **forms: dispatch.prefer(forms, CPU)
    dispatch.prefer({}, CPU)


def test_a_form_of_choice_is_used_until_another_is_chosen(preferred):
    fastest = dispatch.implementation("full_attention", CPU)
    preferred(full_attention="cpu")
    assert dispatch.implementation("full_attention", CPU) is cpu
    with pytest.raises(dispatch.Unavailable) as refused:
        preferred(full_attention="gpu")
    assert refused.value.known[-1] == "cpu"
    assert dispatch.implementation("full_attention", CPU) is cpu, "what cannot be had changes nothing"
    preferred()
    assert dispatch.implementation("full_attention", CPU) is fastest


def test_a_form_of_choice_that_is_wrong_is_replaced(preferred, broken, monkeypatch):
    monkeypatch.setitem(dispatch._preferred, ("full_attention", "cpu"), broken)
    broken.write = lambda q, *given: torch.full_like(q, torch.nan)
    for _ in range(2):  # chosen again, it fails again
        assert {failure.form for failure in dispatch.checked(CPU)} == {"broken"}
        assert dispatch.implementation("full_attention", CPU) is cpu
        dispatch._preferred["full_attention", "cpu"] = broken
