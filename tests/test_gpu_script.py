"""The script for machines with a card, in the small form that it has without one; and whole on the card, if there is
one."""

import importlib
import json

import pytest
import torch

from kernels import dispatch
from tests.gpu import check

QUICK = ["--device", "cpu", "--quick"]


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_every_operation_is_checked_and_timed(capsys, tmp_path):
    file = tmp_path / "rows.json"
    assert check.main([*QUICK, "--json", str(file)]) == 0
    rows = json.loads(file.read_text())["rows"]
    by = {result: {row["operation"] for row in rows if row["result"] == result} for result in ("equal", "measured")}
    assert by["equal"] >= {*dispatch.FORMS, "hybrid model", "a step in a CUDA graph", "a token in a CUDA graph"}
    attention = {"full_attention", "lightning_attention", "block_scores", "block_sparse_attention", "moba", "nsa"}
    assert by["measured"] >= {*attention, "all layers", "row_wise", "row_bytes", "low_bit_linear", "group_linear"}
    for operation in dispatch.FORMS:
        cases = [row["case"] for row in rows if row["operation"] == operation and row["form"] == "cpu"]
        assert all(any(case.endswith(kind) for case in cases) for kind in ("fp32", "bf16"))
        assert any("elements apart" in case for case in cases) == (operation in attention)
    assert all(row["ms"] > 0 and row["roofline"] >= 0 for row in rows if row["result"] == "measured")
    assert all(row["said"] for row in rows if row["result"] == "skipped")
    assert any(row["operation"] == "times" and "only CUDA" in row["said"] for row in rows)
    said = capsys.readouterr().out
    assert "(no card)" in said
    assert "| operation | case | form | result |" in said
    assert "nothing differs" in said


def test_a_wrong_kernel_is_found(monkeypatch, capsys):
    form = importlib.import_module(f"kernels.lightning_attention.{dispatch.PLAIN}")
    right = form.read
    monkeypatch.setattr(form, "read", lambda *given: right(*given) * 1.02)
    assert check.main(QUICK) == 1
    said = capsys.readouterr().out
    wrong = said.partition("are WRONG")[2].splitlines()[1:]
    # The compiled form leaves fp32 to this one, and so does the model
    assert {line.split()[0] for line in wrong} <= {"lightning_attention", "hybrid"}
    assert any("read 65, bf16" in line and " cpu " in line for line in wrong)
    assert "| differs |" in said


def test_one_that_does_not_run_is_found_and_the_others_still_checked(monkeypatch):
    def broken(*given):
        raise ValueError("no such instruction")

    monkeypatch.setattr(importlib.import_module("kernels.row_wise.cpu"), "gate", broken)
    monkeypatch.setattr(dispatch, "FORMS", {"row_wise": {"cpu": (dispatch.PLAIN,)}})
    report = check.Report(torch.device("cpu"), 60.0)
    check.operations.check(report, check.SMALL)
    assert {row.result for row in report.wrong} == {"fails"}
    assert all(row.case.startswith("gate") and "no such instruction" in row.said for row in report.wrong)
    assert sum(row.operation == "row_wise" and row.result == "equal" for row in report.rows) == 8


def test_what_there_is_no_time_for_is_skipped(monkeypatch):
    report = check.Report(torch.device("cpu"), 0.0)
    check.graphs.check(report, check.SMALL)
    check.hybrid.check(report, check.SMALL)
    assert len(report.rows) == 7
    assert {row.result for row in report.rows} == {"skipped"}
    assert all("were over" in row.said for row in report.rows)


@pytest.mark.full
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no NVIDIA card here")
def test_the_card_in_this_computer():
    assert check.main(["--quick"]) == 0
