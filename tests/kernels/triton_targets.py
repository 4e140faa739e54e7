"""Triton kernels on a computer without a card: compiled for the cards they are meant for, and interpreted.

triton_targets.available()  # skips the test where there is no triton
gpu = importlib.import_module("kernels.lightning_attention.gpu")
used = compiled(gpu.kernel, {"q_at": "*bf16", "tokens": "i32"}, {"BLOCK": 64}, cc, divisible=("q_at",))
assert_fits(used)
assert_like_reference("lightning_attention", "example((1, 2, 65, 32), torch.bfloat16, CPU)")
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

ROOT = Path(__file__).resolve().parents[2]

TARGETS = (80, 89, 90, 120)
"""Compute capabilities: A100, RTX 4090, H100 and H200, RTX 5090."""

DTYPES = {"bf16": torch.bfloat16, "fp32": torch.float32}
"""Of rows; fp32 is for tests and small models."""

CARDS = [*(("bf16", cc) for cc in TARGETS), *(pytest.param("fp32", cc, marks=pytest.mark.full) for cc in TARGETS)]
"""What is compiled: a name of `DTYPES`, and a target."""

KINDS = [DTYPES["bf16"], pytest.param(DTYPES["fp32"], marks=pytest.mark.full)]
"""What is interpreted of a kernel that is the same in both but for its rounding."""

LENGTHS = (1, 63, 64, 65, 257, 1000)

SHARED = 99 * 1024
"""Bytes of shared memory that one block may use on every one of these: the RTX cards have the least."""

INTERPRETED = """
import importlib, json, sys, torch
from kernels import dispatch
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True, warn_only=True)  # with it, memory that nobody wrote is NaN
operation, *expressions = json.loads(sys.stdin.read())
names = {**vars(importlib.import_module(f"kernels.{operation}.examples")), "torch": torch, "CPU": torch.device("cpu")}
form = importlib.import_module(f"kernels.{operation}.gpu")
found = []
for expression in expressions:
    case = eval(expression, names)
    found.append((expression, dispatch.relative(case.run(form), case.expected()), case.tolerance))
print(json.dumps(found))
"""


@dataclass(frozen=True)
class Resources:
    """What a block of a compiled kernel uses: bytes of shared memory, registers a thread, and bytes a thread of local
    memory, where registers go that do not fit."""

    shared: int
    registers: int
    spilled: int


def available() -> None:
    """Skip the test where triton cannot be had."""
    pytest.importorskip("triton")


def compiled(
    kernel: Any,
    signature: Mapping[str, str],
    constants: Mapping[str, object],
    cc: int,
    *,
    divisible: tuple[str, ...] = (),
    warps: int = 4,
    stages: int = 1,
) -> Resources:
    """Compile ahead of time for compute capability `cc`, without a card.

    kernel: what `triton.jit` made. `signature`: the type of every argument that is no constant, as triton writes it
    ("*fp32", "i32", "fp32"); `constants`: the value of every `tl.constexpr`. `divisible`: arguments that are multiples
    of 16, of which triton at run time convinces itself (addresses, mostly strides). Raises what triton does when the
    kernel cannot be compiled.
    """
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    assert set(signature) | set(constants) == set(kernel.arg_names), "an argument is missing, or none of the kernel's"
    types = {name: "constexpr" if name in constants else signature[name] for name in kernel.arg_names}
    multiples = {(kernel.arg_names.index(name),): [["tt.divisibility", 16]] for name in divisible}
    made = triton.compile(
        ASTSource(kernel, types, dict(constants), multiples),
        target=GPUTarget("cuda", cc, 32),
        options={"num_warps": warps, "num_stages": stages, "enable_fp_fusion": True},
    )
    usage = _usage(made.asm["cubin"])
    return Resources(made.metadata.shared, int(usage["REG"]), int(usage["STACK"]))


def _usage(cubin: bytes) -> dict[str, str]:
    """What NVIDIA's own tool, which comes with triton, says that a compiled kernel uses."""
    from triton import knobs

    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:  # the tool takes no pipe
        file.write(cubin)
        file.flush()
        command = [knobs.nvidia.cuobjdump.path, "--dump-resource-usage", file.name]
        run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return dict(re.findall(r"(\w+):(\d+)", run.stdout))


def assert_fits(used: Resources) -> None:
    """Every target takes it, and no register went to memory."""
    assert used.shared <= SHARED, f"{used.shared} bytes of shared memory, {SHARED} are there"
    assert used.spilled == 0, f"{used.spilled} bytes of registers spilled"


def assert_like_reference(operation: str, *expressions: str) -> None:
    """Examples of the operation through its Triton form, interpreted by a process of its own, against the reference.

    An expression makes one `kernels.example.Example`; it sees what the operation's `examples` hold, `torch` and `CPU`.
    Many at once save the seconds that the process takes to start.
    """
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    run = subprocess.run(
        [sys.executable, "-c", INTERPRETED],
        cwd=ROOT,
        env=environment,
        input=json.dumps([operation, *expressions]),
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    wrong = [found for found in json.loads(run.stdout.splitlines()[-1]) if not found[1] <= found[2]]
    assert not wrong, f"expression, difference and what is allowed: {wrong}"
