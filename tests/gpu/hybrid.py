"""Small random models, a hybrid in the released form and one of MoBA and NSA layers: their logits here beside those of
the CPU in fp32."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from engine.weights import load
from kernels import dispatch
from tests.engine.hybrid.conftest import Checkpoint
from tests.engine.mixers.conftest import MOBA, NSA, SPARSE
from tests.engine.mixers.conftest import Checkpoint as Mixed
from tests.gpu.report import Report
from tests.gpu.shapes import Shapes

OPERATION = "hybrid model"
ALLOWED = {"fp32": 1e-3, "bf16": 0.1}
"""As between the CPU and the twin of the tests: bf16 is some 0.04 away, blocks being chosen by scores that differ."""
KINDS = {"fp32": torch.float32, "bf16": torch.bfloat16}
MIXED = "full", "moba", "nsa", "sparse"
ALL = {
    "moba": MOBA | {"topk": 99},
    "nsa": NSA | {"topk": 99},
    "sparse_config": SPARSE | {"topk": 99},
}
"""Every block is chosen: rounded to bf16, four layers that choose differ from fp32 by the blocks that take the place of
others, 0.1 and more of the logits on any device, where these are 0.03 away."""
PIECE = 256
WRITTEN = 4


def check(report: Report, shapes: Shapes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        models: list[tuple[str, Checkpoint | Mixed, tuple[str, ...]]] = [
            ("", Checkpoint(place / "model", 0), ("fp32", "bf16")),
            ("MoBA and NSA, ", Mixed(place / "mixed", MIXED), ("fp32",)),
            ("MoBA and NSA of all blocks, ", Mixed(place / "all", MIXED, **ALL), ("bf16",)),
        ]
        for name, *about in models:
            for prompt in shapes.prompts:
                case = f"{name}{prompt} tokens and {WRITTEN} written"
                run = lambda about=about, prompt=prompt, case=case: _one(report, *about, prompt, case)  # noqa: E731
                report.attempt(OPERATION, case, "", run)


def _one(report: Report, model: Checkpoint | Mixed, precisions: Sequence[str], prompt: int, case: str) -> None:
    expected = logits(model, "fp32", "cpu", prompt)
    for precision in precisions:
        if KINDS[precision] not in report.dtypes:
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
