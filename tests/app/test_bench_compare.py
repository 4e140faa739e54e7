"""Two reports side by side, whatever measurement they are of."""

import json

import pytest

from app.commands.bench_compare import numbers

ROW = {"name": "read 400 tokens", "unit": "tokens/s", "ours": 900.0, "theirs": None}


def test_rows_go_by_what_they_are_about():
    one = dict(numbers({"threads": 2, "fast": True, "rows": [ROW, {"length": 9, "hard": True, "found": 3}]}))
    assert one == {
        "threads": 2.0,
        "rows read 400 tokens ours": 900.0,
        "rows 9, True length": 9.0,
        "rows 9, True found": 3.0,
    }


def test_two_files_are_compared(run, tmp_path):
    (tmp_path / "old.json").write_text(json.dumps({"rows": [ROW, ROW | {"name": "gone"}]}))
    (tmp_path / "new.json").write_text(json.dumps({"rows": [ROW | {"ours": 1800.0}]}))
    code, out, error = run("bench", "compare", str(tmp_path / "old.json"), str(tmp_path / "new.json"), model=None)
    assert code == 0
    assert out.split()[-3:] == ["900.00", "1,800.00", "2.00"]
    assert "1 numbers stand in one" in error


@pytest.mark.parametrize(("content", "code"), [("no json", 2), ('{"other": 1}', 1)])
def test_what_cannot_be_compared_is_refused(run, tmp_path, content, code):
    (tmp_path / "a.json").write_text(content)
    (tmp_path / "b.json").write_text(json.dumps({"rows": [ROW]}))
    assert run("bench", "compare", str(tmp_path / "a.json"), str(tmp_path / "b.json"), model=None)[0] == code
