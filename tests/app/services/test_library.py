"""Documents are kept once, as their text, and leave only when they are told to."""

import errno
import os
from pathlib import Path

import pytest

from app.data.document import Extracted, LeftOut, Refused, Span, Warning
from app.services.library import Library
from app.services.problem import Problem


async def test_an_item_knows_its_document(library, documents, fake, home):
    documents["a.pdf"] = Extracted(
        *("One. Two. 三", "pdf", "a.pdf", "page", (Span(0, 5, 0, "iii"), Span(5, 11, 1, "iv"))),
        left_out=(LeftOut("3", "scan"),),
        warnings=(Warning("scans", {"count": "1"}),),
    )
    heard: list[tuple[int, int]] = []
    item = await library.add(Path("/books/a.pdf"), lambda done, total: heard.append((done, total)))
    assert heard == [(1, 1)]
    assert item.id == fake.digest("One. Two. 三")
    assert (item.name, item.source, item.units, item.characters) == ("a.pdf", os.path.abspath("/books/a.pdf"), 2, 11)
    assert (item.first_label, item.last_label, item.tokens) == ("iii", "iv", None)
    assert item.left_out == (LeftOut("3", "scan"),)
    assert item.warnings[0].values == {"count": "1"}
    assert library.items() == [item]
    assert library.text(item.id) == "One. Two. 三"
    assert library.spans(item.id)[1] == Span(5, 11, 1, "iv")
    assert Path(item.path) == home / "texts" / f"{item.id}.txt"
    assert Path(item.path).read_bytes() == "One. Two. 三".encode()


async def test_files_with_pages_of_their_own_are_counted_as_files(library, documents):
    pages = (Span(0, 3, 0, "i", "in/b.pdf", "page"), Span(4, 7, 1, "ii", "in/b.pdf", "page"), Span(8, 11, 2, "c.py"))
    documents["folder"] = Extracted("One Two end", "folder", "folder", "file", pages)
    item = await library.add(Path("/folder"))
    assert (item.units, item.first_label, item.last_label) == (2, "in/b.pdf", "c.py")


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")
async def test_a_text_is_for_its_owner_alone(library, add):
    item = await add("private")
    assert Path(item.path).stat().st_mode & 0o777 == 0o600


async def test_line_ends_and_lone_surrogates_keep_their_places(library, add):
    item = await add("a\r\nb\rc\ud800d")
    assert library.text(item.id) == "a\r\nb\rc?d"
    assert item.characters == 8


async def test_the_same_text_twice_is_one_item(library, add):
    first, second = await add("same", "a.pdf"), await add("same", "copy.pdf")
    assert first == second
    assert len(library.items()) == 1


async def test_a_removed_item_stays_readable_and_comes_back(library, add):
    item = await add("text", "a.pdf")
    library.remove(item.id)
    assert not library.items()
    assert library.text(item.id) == "text"
    library.restore(item.id)
    assert library.items() == [item]
    library.remove(item.id)
    assert (await add("text", "new name.pdf")).name == "new name.pdf"
    assert len(library.items()) == 1


async def test_a_forgotten_item_is_gone_for_good(library, add, database):
    item = await add("secret words")
    library.set_tokens(item.id, 3)
    library.forget(item.id)
    assert not Path(item.path).exists()
    assert not database.rows("SELECT 1 FROM counts")
    with pytest.raises(KeyError):
        library.get(item.id)


async def test_what_is_refused_or_empty_is_not_kept(library, documents, fake, home):
    documents["a.bin"] = Refused("unknown_format", "a.bin")
    documents["b.pdf"] = fake.page(" \n ", "b.pdf")
    assert await library.add(Path("a.bin")) == Refused("unknown_format", "a.bin")
    assert await library.add(Path("b.pdf")) == Refused("no_text", "b.pdf")
    assert not library.items()
    assert not list((home / "texts").iterdir())


async def test_a_full_disk_is_a_problem_that_leaves_nothing(library, add, home, monkeypatch):
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Problem, match="disk_full") as problem:
        await add("text")
    assert problem.value.values["subject"] == str(home / "texts")
    assert not library.items()
    assert not list((home / "texts").iterdir())


async def test_tokens_are_those_of_the_model_in_use(library, add):
    item = await add("text")
    library.counting_by("one")
    library.set_tokens(item.id, 5)
    library.counting_by("two")
    assert library.get(item.id).tokens is None
    library.counting_by("one")
    assert library.get(item.id).tokens == 5


async def test_a_changed_copy_is_told_and_mended_by_adding_it_again(library, add):
    item = await add("text")
    Path(item.path).write_text("tixt")
    with pytest.raises(Problem, match="text_missing"):
        library.text(item.id)
    await add("text")
    assert library.text(item.id) == "text"
    Path(item.path).unlink()
    with pytest.raises(Problem, match="text_missing"):
        library.text(item.id)


async def test_it_is_the_same_after_a_restart(library, add, database, home):
    item = await add("text")
    assert Library(database, home / "texts").items() == [item]
