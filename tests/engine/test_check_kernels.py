"""`check-kernels` says what runs where, and fails when a form is wrong."""

import json

from engine import check_kernels
from kernels import dispatch
from kernels.row_wise import cpu


def test_every_operation_is_listed_with_one_chosen_form(capsys):
    assert check_kernels.main(["--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["failures"] == []
    chosen = [row["operation"] for row in report["forms"] if row["device"] == "cpu" and row["chosen"]]
    assert sorted(chosen) == sorted(dispatch.FORMS)


def test_a_wrong_form_is_shown_and_fails(monkeypatch, capsys):
    monkeypatch.setattr(cpu, "gate", lambda x: x[..., : x.shape[-1] // 2])
    monkeypatch.setattr(dispatch, "_chosen", {})
    assert check_kernels.main([]) == 1
    assert "gate, torch.float32: differs by" in capsys.readouterr().out
