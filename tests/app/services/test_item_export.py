"""What is exported says which page is which, is exact to the letter for programs, and overwrites nothing."""

import errno
import hashlib
import json
from pathlib import Path

import pytest

from app import document_words
from app.data.document import Extracted, Heading, LeftOut, Span
from app.services import item_export
from app.services.item_export import export, safe_name
from app.services.problem import Problem

TEXT = "Ⅰ One\n\n=== b ===\nTwo 二"


@pytest.fixture
async def item(library, documents, tmp_path):
    original = tmp_path / "a.pdf"
    original.write_bytes(b"%PDF-original")
    spans = (Span(0, 5, 0, "iv"), Span(17, 22, 4, "5", "b/c.docx", "section"))
    documents["a.pdf"] = Extracted(
        *(TEXT, "folder", "a.pdf", "page", spans),
        left_out=(LeftOut("3", "scan"),),
        headings=(Heading(17, 1, "Two"),),
        file_sha256=hashlib.sha256(b"%PDF-original").hexdigest(),
        file_size=13,
    )
    return await library.add(original)


async def test_text_has_page_marks_and_its_twin_every_letter(library, item, tmp_path):
    (done,) = await export(library, [item], tmp_path / "new" / "out", "text")
    assert [Path(file).name for file in done.files] == ["a.pdf.txt", "a.pdf.json"]
    said = Path(done.files[0]).read_text(encoding="utf-8")
    assert said == "[page 1, “iv”]\nⅠ One\n\n=== b ===\n[b/c.docx: section 5]\nTwo 二\n"
    told = json.loads(Path(done.files[1]).read_bytes())
    whole = "".join(page["between"] + page["text"] for page in told["pages"]) + told["after"]
    assert hashlib.sha256(whole.encode()).hexdigest() == told["text_sha256"] == item.id
    assert [whole[page["start"] : page["end"]] == page["text"] for page in told["pages"]] == [True, True]
    assert [page["unit"] for page in told["pages"]] == ["page", "section"]
    assert told["headings"] == [{"start": 17, "level": 1, "title": "Two"}]
    assert (told["file_sha256"], told["left_out"]) == (item.file_sha256, [{"what": "3", "reason": "scan"}])
    assert str(tmp_path) not in Path(done.files[1]).read_text(encoding="utf-8")


async def test_nothing_is_overwritten(library, item, tmp_path):
    (tmp_path / "a.pdf.json").write_text("mine")
    heard = []
    done = await export(library, [item, item], tmp_path, "text", lambda *told: heard.append(told))
    assert [[Path(file).name for file in one.files] for one in done] == [
        ["a.pdf (2).txt", "a.pdf (2).json"],
        ["a.pdf (3).txt", "a.pdf (3).json"],
    ]
    assert (tmp_path / "a.pdf.json").read_text() == "mine"
    assert heard == [(0, 2), (1, 2), (2, 2)]


async def test_an_original_is_copied_when_it_is_what_was_read(library, item, tmp_path):
    (done,) = await export(library, [item], tmp_path, "original")
    assert [Path(file).name for file in done.files] == ["a (2).pdf"]
    assert Path(done.files[0]).read_bytes() == b"%PDF-original"


@pytest.mark.parametrize(
    ("happened", "code"),
    [("changed", "original_changed"), ("gone", "original_missing"), ("folder", "original_folder")],
)
async def test_an_original_that_is_something_else_now_is_not_copied(library, item, tmp_path, happened, code):
    source = Path(item.source)
    source.unlink()
    if happened == "changed":
        source.write_bytes(b"%PDF-replaced")
    elif happened == "folder":
        source.mkdir()
    (done,) = await export(library, [item], tmp_path / "out", "original")
    assert (done.files, done.refused) == ((), code)
    assert "a.pdf" in document_words.EXPORTS[code].format(name=done.name)
    assert not list((tmp_path / "out").iterdir())


async def test_a_damaged_text_is_told_and_the_others_are_written(library, item, add, tmp_path):
    other = await add("fine", "b.pdf")
    Path(item.path).write_text("tampered")
    done = await export(library, [item, other], tmp_path / "out", "text")
    assert [(one.refused, len(one.files)) for one in done] == [("text_missing", 0), (None, 2)]


async def test_a_full_disk_leaves_no_half(library, item, tmp_path, monkeypatch):
    monkeypatch.setattr(item_export, "_checked", lambda source, expected: _half())
    with pytest.raises(Problem, match="disk_full"):
        await export(library, [item], tmp_path / "out", "original")
    assert not list((tmp_path / "out").iterdir())
    (tmp_path / "file").write_text("")
    with pytest.raises(Problem, match="cannot_write"):
        await export(library, [item], tmp_path / "file", "text")


def _half():
    yield b"half"
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../a/b", ".._.._a_b"),
        ("CON.txt", "_CON.txt"),
        ('a<b>:"c|?*', "a_b___c___"),
        ("name. ", "name"),
        ("...", "_"),
        ("合" * 100, "合" * 60),
    ],
)
def test_names_are_made_so_that_every_system_takes_them(name, safe):
    assert safe_name(name) == safe
