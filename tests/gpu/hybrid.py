"""Small random models, a hybrid in the released form and one of MoBA and NSA layers: their logits here beside those of
the CPU in fp32."""

import tempfile
from pathlib import Path

import torch
from torch import Tensor

from engine.weights import load
from kernels import dispatch
from tests.engine.hybrid.conftest import Checkpoint
from tests.engine.mixers.conftest import Checkpoint as Mixed
from tests.gpu.report import Report
from tests.gpu.shapes import Shapes

OPERATION = "hybrid model"
ALLOWED = {"fp32": 1e-3, "bf16": 0.1}
"""As between the CPU and the twin of the tests: bf16 is some 0.04 away, blocks being chosen by scores that differ."""
PIECE = 256
WRITTEN = 4


def check(report: Report, shapes: Shapes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        models = {
            "": Checkpoint(Path(folder) / "model", 0),
            "MoBA and NSA, ": Mixed(Path(folder) / "mixed", ("full", "moba", "nsa", "sparse")),
        }
        for name, model in models.items():
            for prompt in shapes.prompts:
                case = f"{name}{prompt} tokens and {WRITTEN} written"
                run = lambda model=model, prompt=prompt, case=case: _one(report, model, prompt, case)  # noqa: E731
                report.attempt(OPERATION, case, "", run)


def _one(report: Report, model: Checkpoint | Mixed, prompt: int, case: str) -> None:
    expected = logits(model, "fp32", "cpu", prompt)
    for precision, dtype in (("fp32", torch.float32), ("bf16", torch.bfloat16)):
        if dtype not in report.dtypes:
            report.skip(OPERATION, f"{case}, {precision}", "", "This card's tensor cores have no bf16.")
            continue
        ours = logits(model, precision, report.place.type, prompt)
        for part, own, right in zip(("read", "written"), ours, expected, strict=True):
            error = dispatch.relative(own, right)
            report.judge(OPERATION, f"{case}, {part}, {precision}", "", error, ALLOWED[precision])


def logits(model: Checkpoint | Mixed, precision: str, place: str, prompt: int) -> tuple[Tensor, Tensor]:
    """Of every token that is read, and of those written one by one."""
    decoder = load(model.path, precision, place).decoder
    ids = torch.tensor([model.ids(prompt + WRITTEN)], device=decoder.device)
    caches = decoder.make_caches(prompt + WRITTEN)
    pieces = ids[:, :prompt].split(PIECE, 1)
    read = [decoder.read(piece, caches, logits="all", prompt=prompt) for piece in pieces]
    written = [decoder.write(ids[:, at], caches) for at in range(prompt, prompt + WRITTEN)]
    return torch.cat([part[0] for part in read if part is not None]), torch.cat(written)
