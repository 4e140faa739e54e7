"""What an export says is checked against the documents; every lie is found."""

import msgspec
import pytest

from app.data.export import Record
from app.services.export import export
from app.services.export.verify import opened, verify
from app.services.problem import Problem

from .conftest import TEXT


@pytest.fixture
async def exported(made, tmp_path):
    await export(made(), tmp_path / "out.md")
    return tmp_path / "out.md"


def found(record, folder, text=TEXT, at_hand=True):
    checks = verify(record, folder, lambda id: text, lambda digest: at_hand)
    return {(check.what, check.subject): check.found for check in checks}


def changed(record: Record, **quote: object) -> Record:
    """The first quote with other values."""
    first = record.exchanges[0]
    quotes = (msgspec.structs.replace(first.quotes[0], **quote), *first.quotes[1:])
    return msgspec.structs.replace(record, exchanges=(msgspec.structs.replace(first, quotes=quotes),))


def test_an_honest_export(exported, made):
    checks = found(opened(exported), exported.parent)
    assert set(checks.values()) == {"right"}
    assert {
        ("file", "out.md"),
        ("text", "lease.pdf"),
        ("original", "lease.pdf"),
        ("quote", "1"),
        ("quote", "2"),
    } <= set(checks)


def test_the_twin_opens_as_well(exported):
    assert opened(exported.with_name("out.longread.json")) == opened(exported)


def test_a_changed_file(exported):
    exported.write_text(exported.read_text().replace("2031", "2032"))
    assert found(opened(exported), exported.parent)["file", "out.md"] == "wrong"


def test_a_changed_passage(exported):
    record = changed(opened(exported), passage="The lease ends on 3 May 2041.")
    assert found(record, exported.parent)["quote", "1"] == "wrong"


def test_changed_words_of_the_answer(exported):
    record = changed(opened(exported), words="“The lease never ends.”")
    assert found(record, exported.parent)["quote", "1"] == "wrong"


def test_a_changed_text(exported):
    checks = found(opened(exported), exported.parent, TEXT.replace("2031", "2032"))
    assert checks["text", "lease.pdf"] == "wrong"
    assert checks["quote", "1"] == "wrong"


def test_what_is_not_here_is_said_so(exported):
    record = opened(exported)
    exported.unlink()
    checks = found(record, exported.parent, None, at_hand=False)
    assert set(checks.values()) == {"missing"}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (None, "no_twin"),
        (b"{", "damaged"),
        (b"{}", "damaged"),
        (b'{"format": 1}', "damaged"),
        (b'{"format": 99}', "newer"),
    ],
)
def test_what_is_no_twin(content, code, tmp_path):
    if content is not None:
        (tmp_path / "x.longread.json").write_bytes(content)
    with pytest.raises(Problem, match=f"export_{code}"):
        opened(tmp_path / "x.pdf")
