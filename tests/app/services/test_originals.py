"""A file that was read before is known again, a changed one is seen and read anew, and both versions stay."""

import hashlib
import os
from pathlib import Path

import pytest

from app.data.document import Extracted, Refused, Span
from app.documents.messages import Options
from app.services import library as library_module
from app.services import origin, originals
from app.services.collections import Collections
from app.services.library import Library
from app.services.originals import Originals


@pytest.fixture
def collections(database) -> Collections:
    return Collections(database)


@pytest.fixture
def watched(library, collections) -> Originals:
    return Originals(library, collections)


@pytest.fixture
def extracted(monkeypatch) -> list[Path]:
    """Text files and folders of such, read as the document process reads them; which were read, in order."""
    read: list[Path] = []

    async def extract(source: Path, on_progress, options=None) -> Extracted | Refused:
        read.append(source)
        if not source.exists():
            return Refused("missing", source.name)
        if source.is_dir():
            text = "\n\n".join(file.read_text() for file in sorted(source.iterdir()))
            return Extracted(text, "folder", source.name, "file", (Span(0, len(text), 0, "a"),))
        content = source.read_bytes()
        text = content.decode().strip()
        digest = hashlib.sha256(content).hexdigest()
        spans = (Span(0, len(text), 0, "1"),)
        return Extracted(text, "pdf", source.name, "page", spans, file_sha256=digest, file_size=len(content))

    monkeypatch.setattr(library_module, "extract", extract)
    return read


LEFT_OUT = '[{"what": "3", "reason": "no_text_layer"}]'


def write(path: Path, text: str, age: int = 0) -> Path:
    """`age`: seconds by which it looks older, since a file system may not tell two writings in a row apart."""
    path.write_text(text)
    moment = 2_000_000_000 - age
    os.utime(path, (moment, moment))
    return path


async def test_the_same_file_is_known_before_it_is_read(library, extracted, tmp_path):
    item = await library.add(write(tmp_path / "a.pdf", "The rent."))
    copy = write(tmp_path / "copy.pdf", "The rent.")
    heard: list[tuple[int, int]] = []
    assert await library.add(copy, lambda done, total: heard.append((done, total))) == item
    assert heard == [(1, 1)]
    assert len(extracted) == 1
    await library.add(write(tmp_path / "other.pdf", "The Rent."))  # as long, and not the same
    assert len(extracted) == 2


@pytest.mark.parametrize("why", ["options", "password", "version", "copy", "left out"])
async def test_it_is_read_when_the_text_might_come_out_otherwise(
    library, extracted, tmp_path, monkeypatch, database, why
):
    file = write(tmp_path / "a.pdf", "The rent.")
    options = Options(passwords={"": "secret"}) if why == "password" else Options()
    item = await library.add(file, options=options)
    if why == "left out":
        database.changed("UPDATE items SET about = json_set(about, '$.left_out', json(?))", (LEFT_OUT,))
    elif why == "options":
        options = Options(changes="marked")
    elif why == "version":
        monkeypatch.setattr(origin, "_version", lambda: "99")
    elif why == "copy":
        Path(item.path).write_text("The rant.")
    await library.add(file, options=options)
    assert len(extracted) == 2
    assert library.text(item.id) == "The rent."


async def test_passwords_are_not_kept(library, extracted, tmp_path, home):
    await library.add(write(tmp_path / "a.pdf", "The rent."), options=Options(passwords={"": "mellon"}))
    assert not [path for path in home.rglob("*") if path.is_file() and b"mellon" in path.read_bytes()]


async def test_a_known_file_that_was_removed_or_has_moved_is_as_it_is_dropped_now(library, extracted, tmp_path):
    old = write(tmp_path / "a.pdf", "The rent.")
    item = await library.add(old)
    library.remove(item.id)
    again = await library.add(write(tmp_path / "b.pdf", "The rent."))
    assert (again.id, again.name) == (item.id, "b.pdf")
    (tmp_path / "b.pdf").rename(tmp_path / "c.pdf")
    moved = await library.add(tmp_path / "c.pdf")
    assert (moved.name, moved.source) == ("c.pdf", str(tmp_path / "c.pdf"))
    assert library.items() == [moved]
    assert len(extracted) == 1


async def test_a_changed_file_is_seen_by_size_by_content_and_by_its_absence(watched, library, extracted, tmp_path):
    file = write(tmp_path / "a.pdf", "The rent is 400.", age=9)
    item = await library.add(file)

    async def state() -> str:
        return (await watched.check([item]))[item.id]

    assert await state() == "same"
    write(file, "The rent is 500.", age=8)
    assert await state() == await state() == "changed"
    write(file, "The rent is 400, monthly.", age=7)
    assert await state() == "changed"
    file.unlink()
    assert await state() == "missing"
    write(file, "The rent is 400.", age=6)
    assert await state() == "same"


async def test_a_file_that_was_only_touched_is_read_through_once(watched, library, extracted, tmp_path, monkeypatch):
    file = write(tmp_path / "a.pdf", "The rent.", age=9)
    item = await library.add(file)
    looked: list[Path] = []
    monkeypatch.setattr(originals, "digest", lambda path: looked.append(path) or origin.digest(path))
    write(file, "The rent.", age=8)
    for _ in range(2):
        assert await watched.check() == {item.id: "same"}
    assert looked == [file]
    assert library.origin(item.id).stamp == origin.stamp(file)


async def test_of_a_folder_it_is_said_that_it_may_have_changed(watched, library, extracted, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    write(folder / "a.txt", "one", age=9)
    item = await library.add(folder)
    assert await watched.check() == {item.id: "same"}
    (folder / "node_modules").mkdir()
    write(folder / "node_modules" / "b.txt", "not ours")
    assert await watched.check() == {item.id: "same"}
    (folder / "node_modules" / "b.txt").unlink()
    (folder / "node_modules").rmdir()
    write(folder / "c.txt", "two", age=8)
    assert await watched.check() == {item.id: "maybe"}
    (folder / "c.txt").unlink()
    folder.joinpath("a.txt").unlink()
    folder.rmdir()
    write(tmp_path / "notes", "a file now")
    assert await watched.check() == {item.id: "changed"}


async def test_what_an_older_longread_added_is_unknown_until_its_bytes_say(
    watched, library, extracted, tmp_path, database
):
    item = await library.add(write(tmp_path / "a.pdf", "The rent.", age=9))
    database.changed("UPDATE items SET origin = NULL")
    assert await watched.check() == {item.id: "same"}
    database.changed("UPDATE items SET about = json_set(about, '$.file_sha256', '')")
    write(tmp_path / "a.pdf", "The rent.", age=8)
    assert await watched.check() == {item.id: "unknown"}


async def test_the_new_version_is_another_item_and_takes_the_place_in_matters(
    watched, library, collections, extracted, tmp_path
):
    file = write(tmp_path / "a.pdf", "The rent is 400. It is paid monthly. No dogs.", age=9)
    old = await library.add(file)
    matter = collections.new("Smith")
    collections.put(matter.id, [old.id])
    write(file, "The rent is 500. It is paid monthly. Cats may stay. No dogs.", age=8)
    renewed = await watched.renew(old.id)
    assert renewed.new.succeeds == old.id
    assert renewed.matters == (matter.id,)
    assert collections.get(matter.id).items == (renewed.new.id,)
    assert [(one.kind, one.before, one.after) for one in renewed.changes.changes] == [
        ("changed", "The rent is 400.", "The rent is 500."),
        ("added", "", "Cats may stay."),
    ]
    assert renewed.changes.same == 2
    change = renewed.changes.changes[0]
    assert (change.old.item, change.new.item, change.new.label) == (old.id, renewed.new.id, "1")
    assert library.text(renewed.new.id)[change.new.start : change.new.end] == "The rent is 500."
    assert library.text(old.id).startswith("The rent is 400.")
    assert await watched.check() == {old.id: "older", renewed.new.id: "same"}
    assert (await watched.changes(old.id, renewed.new.id)) == renewed.changes


async def test_a_file_saved_anew_with_the_same_words_is_the_same_item(watched, library, extracted, tmp_path):
    file = write(tmp_path / "a.pdf", "The rent.", age=9)
    item = await library.add(file)
    write(file, "The rent. \n", age=8)
    assert await watched.check() == {item.id: "changed"}
    renewed = await watched.renew(item.id)
    assert (renewed.new.id, renewed.changes.changes) == (item.id, ())
    assert await watched.check() == {item.id: "same"}
    file.unlink()
    assert await watched.renew(item.id) == Refused("missing", "a.pdf")


async def test_a_file_that_goes_back_to_what_it_was_has_its_first_text_as_the_newest(
    watched, library, extracted, tmp_path
):
    file = tmp_path / "a.pdf"
    first = await library.add(write(file, "one", age=9))
    second = await library.add(write(file, "two 2", age=8))
    third = await library.add(write(file, "three 3", age=7))
    assert [second.succeeds, third.succeeds] == [first.id, second.id]
    again = await library.add(write(file, "one", age=6))
    assert (again.id, again.succeeds) == (first.id, third.id)
    assert await watched.check() == {first.id: "same", second.id: "older", third.id: "older"}
    library.forget(third.id)
    assert library.get(first.id).succeeds == second.id
    library.remove(first.id)
    assert (await watched.check())[second.id] == "changed"


async def test_an_item_is_taken_over_from_another_library(library, extracted, tmp_path, database):
    item = await library.add(write(tmp_path / "a.pdf", "The rent."))
    other = Library(database.__class__(":memory:"), tmp_path / "texts")
    taken = other.take(library, item.id)
    assert (taken.id, taken.name, taken.file_sha256) == (item.id, "a.pdf", item.file_sha256)
    assert (other.text(item.id), other.spans(item.id)) == ("The rent.", library.spans(item.id))
    assert Path(taken.path).parent == tmp_path / "texts"
