"""Two reports side by side, whatever measurement they are of."""

import json

import pytest

from app.commands.bench_compare import numbers

ROW = {"name": "read 400 tokens", "unit": "tokens/s", "ours": 900.0, "theirs": None}
MACHINE = {"cpu": "A chip", "cores": 2, "features": ["avx2"], "memory": 8 << 30}
FORM = {
    "format": 1,
    "kind": "speed",
    "program": "0.1.0",
    "versions": {"torch": "2.13.0"},
    "machine": MACHINE,
    "model": {"name": "small", "fingerprint": "ab" * 32},
    "options": {"precision": "bf16"},
    "began": "2026-01-01T00:00:00+00:00",
    "seconds": 9.5,
    "results": {"rows": [ROW]},
}


@pytest.fixture
def compare(run, tmp_path):
    def compare(first, second, *words):
        for name, form in (("old", first), ("new", second)):
            (tmp_path / f"{name}.json").write_text(form if isinstance(form, str) else json.dumps(FORM | form))
        return run("bench", "compare", *(str(tmp_path / f"{name}.json") for name in ("old", "new")), *words, model=None)

    return compare


def test_rows_go_by_what_they_are_about():
    one = dict(numbers({"threads": 2, "fast": True, "rows": [ROW, {"length": 9, "hard": True, "found": 3}]}))
    assert one == {
        "threads": 2.0,
        "rows read 400 tokens ours": 900.0,
        "rows 9, True length": 9.0,
        "rows 9, True found": 3.0,
    }


def test_two_files_are_compared(compare):
    new = {"results": {"rows": [ROW | {"ours": 1800.0}]}}
    code, out, error = compare({"results": {"rows": [ROW, ROW | {"name": "gone"}]}}, new)
    assert code == 0
    assert out.split()[-3:] == ["900.00", "1,800.00", "2.00"]
    assert error == "1 numbers stand in one of the files alone; --json names them.\n"


def test_what_else_is_not_the_same_is_said(compare):
    new = {
        "machine": MACHINE | {"features": ["amx_tile", "avx2"], "cores": 4},
        "model": {"name": "other", "fingerprint": "cd" * 32},
        "program": "0.2.0",
        "versions": {"torch": "2.14.0"},
        "options": {},
    }
    code, _, error = compare({}, new)
    assert code == 0
    assert error.splitlines() == [
        "Not the same machine: A chip, 2 cores, 8.0 GB, then A chip with AMX, 4 cores, 8.0 GB.",
        "Not the same model: small (abababababab), then other (cdcdcdcdcdcd).",
        "Not the same version of Longread: 0.1.0, then 0.2.0.",
        "Not the same version of torch: 2.13.0, then 2.14.0.",
        "Not the same option precision: bf16, then none.",
    ]
    assert json.loads(compare({}, new, "--json")[1])["differences"] == error.splitlines()


def test_measurements_of_two_kinds_are_refused(compare):
    code, out, error = compare({}, {"kind": "peers"})
    assert (code, out) == (1, "")
    assert "is of `speed`" in error
    assert "of `peers`: only two measurements of one kind can be compared." in error


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("no json", 2),
        ('{"rows": []}', 2),
        (json.dumps(FORM | {"format": 9}), 2),
        (json.dumps(FORM | {"results": {"other": 1}}), 1),
    ],
)
def test_what_cannot_be_compared_is_refused(compare, content, code):
    assert compare(content, {})[0] == code
