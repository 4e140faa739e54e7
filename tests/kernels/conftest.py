"""Forms of kernels by name, since the compiled ones need a C compiler and cannot be imported without."""

import importlib

import pytest


@pytest.fixture
def form(request):
    """The module named by the parameter; skipped where it cannot be had."""
    try:
        return importlib.import_module(f"kernels.{request.param}")
    except RuntimeError as problem:
        pytest.skip(f"kernels.{request.param}: {problem}")
