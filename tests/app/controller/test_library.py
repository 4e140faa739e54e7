"""The window's library: matters, places found in texts, files that changed, export, and deleting for good."""

import asyncio
import hashlib
import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton

from app.data.document import Extracted, Refused, Span
from app.services import library as library_module
from app.views.delete_dialog import DeleteDialog
from engine.client import EngineDown
from engine.protocol import Forget


async def settled(program) -> None:
    """Until everything that was begun has ended, in other threads too."""
    while running := list(program.controller.tasks._running):
        await asyncio.gather(*running, return_exceptions=True)


@pytest.fixture
def files(program, tmp_path, monkeypatch):
    """Write text files, which are read here page by page (an empty line ends a page)."""

    async def extract(source: Path, on_progress, options=None) -> Extracted | Refused:
        if not source.exists():
            return Refused("missing", source.name)
        content = source.read_bytes()
        text, spans, at = content.decode(), [], 0
        for place, page in enumerate(text.split("\n\n")):
            spans.append(Span(at, at + len(page), place, str(place + 1)))
            at += len(page) + 2
        digest = hashlib.sha256(content).hexdigest()
        return Extracted(text, "pdf", source.name, "page", tuple(spans), file_sha256=digest, file_size=len(content))

    monkeypatch.setattr(library_module, "extract", extract)
    ages = iter(range(99, 0, -1))

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text)
        moment = 2_000_000_000 - next(ages)
        os.utime(path, (moment, moment))
        return path

    return write


@pytest.fixture
def add(program, files):
    async def added(name: str, text: str) -> str:
        item = await program.services.library.add(files(name, text))
        program.state.documents_changed.emit()
        return item.id

    return added


async def search(program, words: str) -> None:
    """Type the words, without the moment after the last key."""
    sidebar = program.window.sidebar
    sidebar.search.setText(words)
    sidebar._delay.stop()
    sidebar.searched.emit(words)
    await settled(program)


def tree(program) -> list[tuple[str, list[str]]]:
    """Groups with the names of their items; items without groups stand in one without a name."""
    view = program.window.sidebar.library
    model, root = view.model(), view.rootIndex()
    if root.isValid():
        return [("", [model.index(row, 0, root).data() for row in range(model.rowCount(root))])]
    groups = [model.index(row, 0) for row in range(model.rowCount())]
    return [(one.data(), [model.index(row, 0, one).data() for row in range(model.rowCount(one))]) for one in groups]


def buttons(program) -> dict[str, QPushButton]:
    return {button.text(): button for button in program.window.banner.findChildren(QPushButton) if button.isEnabled()}


async def test_a_matter_is_made_named_filled_attached_and_undone(program, add, qtbot):
    lease, plan = await add("lease.pdf", "The rent."), await add("plan.pdf", "The plan.")
    assert tree(program) == [("", ["plan.pdf", "lease.pdf"])]
    library = program.window.sidebar.library
    program.window.sidebar.select_item(lease)
    library.matters_menu().actions()[-1].trigger()
    assert tree(program) == [("New matter", ["lease.pdf"]), ("All documents", ["plan.pdf", "lease.pdf"])]
    editor = library.findChild(QLineEdit)
    editor.setText("Smith v. Jones")
    with qtbot.waitSignal(library.matter_renamed):
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    (matter,) = program.services.collections.all()
    assert matter.name == "Smith v. Jones"
    library.matter_filled.emit(matter.id, [plan, lease])
    assert program.window.banner.text() == "1 document put into “Smith v. Jones”."
    assert tree(program)[0] == ("Smith v. Jones", ["plan.pdf", "lease.pdf"])
    library.items_attached.emit(list(program.services.collections.get(matter.id).items))
    assert set(program.services.conversations.get(program.state.conversation).pending) == {lease, plan}
    library.matter_emptied.emit(matter.id, [lease, plan])
    library.matter_removed.emit(matter.id)
    assert tree(program) == [("", ["plan.pdf", "lease.pdf"])]
    for expected in (
        ("Smith v. Jones", []),
        ("Smith v. Jones", ["plan.pdf", "lease.pdf"]),
        ("Smith v. Jones", ["lease.pdf"]),
        ("New matter", ["lease.pdf"]),
        ("", ["plan.pdf", "lease.pdf"]),
    ):
        program.window.actions_by_name["undo"].trigger()
        assert (tree(program)[0][0], sorted(tree(program)[0][1])) == (expected[0], sorted(expected[1]))


async def test_a_name_that_is_taken_is_told(program, add):
    await add("lease.pdf", "The rent.")
    program.window.actions_by_name["new_matter"].trigger()
    program.window.actions_by_name["new_matter"].trigger()
    first, second = program.services.collections.all()
    assert [first.name, second.name] == ["New matter", "New matter 2"]
    program.window.sidebar.library.matter_renamed.emit(second.id, "new MATTER")
    assert "There is a matter New matter already." in program.window.banner.text()
    assert program.services.collections.get(second.id).name == "New matter 2"


async def test_removed_items_stand_in_a_group_of_their_own_and_come_back(program, add):
    lease = await add("lease.pdf", "The rent.")
    program.window.sidebar.library.items_removed.emit([lease])
    assert tree(program) == [("All documents", []), ("Removed", ["lease.pdf"])]
    program.window.sidebar.library.items_restored.emit([lease])
    assert tree(program) == [("", ["lease.pdf"])]


async def test_places_in_texts_are_found_and_opened(program, add):
    await add("lease.pdf", "One.\n\nThe rent is 400 a month.\n\nThree.")
    sidebar = program.window.sidebar
    await search(program, "rent 400")
    index = sidebar.found_texts.model().index(0, 0)
    assert sidebar.found_texts.isVisible()
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "lease.pdf, p. 2, One. The rent is 400 a month. Three."
    sidebar.found_texts.clicked.emit(index)
    assert program.window.source.page_text() == "The rent is 400 a month."
    assert program.window.source.page_label().startswith("2 ")
    await search(program, "a")
    assert sidebar.found_texts.model().rowCount() == 0
    await search(program, "zebra")
    assert sidebar._nothing.isVisible()


async def test_more_places_are_shown_when_they_are_wanted(program, add):
    await add("lease.pdf", "\n\n".join(f"The rent of month {n} and so on." * 9 for n in range(30)))
    sidebar = program.window.sidebar
    await search(program, "rent")
    assert sidebar.found_texts.model().rowCount() == 3
    sidebar.more.click()
    await settled(program)
    assert sidebar.found_texts.model().rowCount() == 12
    sidebar.more.click()
    await settled(program)
    assert sidebar.found_texts.model().rowCount() == 30
    assert not sidebar.more.isVisible()


async def test_a_text_that_cannot_be_opened_is_not_prepared_for_ever(program, add):
    item = await add("lease.pdf", "The rent.")
    Path(program.services.library.get(item).path).unlink()
    await search(program, "rent")
    assert program.window.sidebar._counted.text() == "1 document not searched yet"


async def test_a_changed_file_is_seen_read_anew_and_what_changed_is_shown(program, add, files):
    old = await add("lease.pdf", "The rent is 400. No dogs.\n\nThe end.")
    plan = await add("plan.pdf", "The plan.")
    library, sidebar = program.services.library, program.window.sidebar
    matter = program.services.collections.new("Smith")
    program.services.collections.put(matter.id, [old])
    program.controller.shelf.attach([old, plan])
    files("lease.pdf", "The rent is 500. No dogs.\n\nThe end. Signed.")
    program.controller.originals.watch()
    await settled(program)
    assert sidebar._items.original(old) == "changed"
    sidebar.select_item(old)
    assert "changed on disk" in sidebar.library.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
    program.window.actions_by_name["read_new_version"].trigger()
    await settled(program)
    assert program.window.banner.text() == (
        "lease.pdf was read anew: 1 passage changed, 1 passage added (p. 1; p. 2). Both versions are in the library."
    )
    (new,) = program.services.collections.get(matter.id).items
    assert program.services.conversations.get(program.state.conversation).pending == (new, plan)
    assert [sidebar._items.original(one) for one in (old, new)] == ["older", "same"]
    assert "Attach the new version" not in buttons(program)
    buttons(program)["Show what changed"].click()
    await settled(program)
    page = program.controller.originals.page
    assert "The rent is 500." in page.text()
    assert page.links() == ["new:0", "old:0", "new:1"]
    page.follow("old:0")
    assert program.window.source.page_text().startswith("The rent is 400.")
    page.follow("new:1")
    assert program.window.source.page_text() == "The end. Signed."
    page.close()
    program.window.actions_by_name["undo"].trigger()
    assert program.services.collections.get(matter.id).items == (old,)
    assert program.services.conversations.get(program.state.conversation).pending == (old, plan)
    assert [item.id for item in library.removed()] == [new]


async def test_what_was_asked_keeps_the_old_version_and_the_new_one_is_offered(program, add, files, until):
    old = await add("lease.pdf", "The rent is 400.")
    program.controller.shelf.attach([old])
    program.ask("How much?")
    await until(lambda: program.engine.streams)
    files("lease.pdf", "The rent is 5,000.")
    program.window.sidebar.library.version_wanted.emit(old)
    await until(lambda: "Attach the new version" in buttons(program), "the offer")
    assert program.last().role == "assistant"
    buttons(program)["Attach the new version"].click()
    (new,) = program.services.conversations.get(program.state.conversation).pending
    assert program.services.library.get(new).succeeds == old
    assert program.services.conversations.messages(program.state.conversation)[0].documents == (old,)


async def test_a_missing_original_is_said_and_its_text_stays(program, add, tmp_path):
    item = await add("lease.pdf", "The rent.")
    (tmp_path / "lease.pdf").unlink()
    sidebar = program.window.sidebar
    sidebar.library.item_clicked.emit(item)
    await settled(program)
    assert sidebar._items.original(item) == "missing"
    assert program.window.source.page_text() == "The rent."
    sidebar.library.version_wanted.emit(item)
    await settled(program)
    assert "lease.pdf is not there." in program.window.banner.text()
    assert "The version that was read before stays." in program.window.banner.text()
    sidebar.select_item(item)
    program.window.actions_by_name["show_changes"].trigger()
    await settled(program)
    assert "no older version" in program.window.banner.text()


async def test_a_file_saved_anew_with_the_same_words_is_said_to_be_the_same(program, add, files):
    item = await add("lease.pdf", "The rent.")
    files("lease.pdf", "The rent.")
    program.window.sidebar.library.version_wanted.emit(item)
    await settled(program)
    assert "is the same as before" in program.window.banner.text()


async def test_items_are_exported_as_the_person_chooses(program, add, tmp_path):
    lease, plan = await add("lease.pdf", "The rent."), await add("plan.pdf", "The plan.")
    (tmp_path / "plan.pdf").unlink()
    program.window.sidebar.library.items_exported.emit([lease, plan, "unknown"])
    dialog = program.controller.keeping.dialog
    dialog.original.setChecked(True)
    dialog.go_button.click()
    (asking,) = program.window.findChildren(QFileDialog)
    asking.fileSelected.emit(str(tmp_path / "out"))
    asking.reject()
    await settled(program)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["lease.pdf"]
    told = program.window.banner.text()
    assert f"1 document exported into {tmp_path / 'out'}." in told
    assert "plan.pdf was not copied: the original is not where it was." in told


async def test_deleting_for_good_asks_says_what_goes_and_leaves_nothing(program, add, home):
    lease, plan = await add("lease.pdf", "ᏣᎳᎩ pays rent."), await add("plan.pdf", "The plan.")
    matter = program.services.collections.new("Smith")
    program.services.collections.put(matter.id, [lease, plan])
    program.controller.shelf.attach([lease])
    await settled(program)
    program.controller.searching.prepare()
    await settled(program)
    program.window.sidebar.library.item_clicked.emit(lease)
    program.window.sidebar.library.items_forgotten.emit([lease])
    dialog = program.controller.keeping.dialog
    assert "(14 characters)" in dialog.text()
    assert "125 MB on the disk" in dialog.text()
    assert "Smith" in dialog.text()
    dialog.keep_button.click()
    assert program.services.library.holds(lease)
    program.window.sidebar.library.items_forgotten.emit([lease])
    program.controller.keeping.dialog.go_button.click()
    await settled(program)
    assert "Deleted for good: lease.pdf. 125 MB of readings are free again." in program.window.banner.text()
    assert [request.documents for request in program.engine.sent if isinstance(request, Forget)] == [(lease,)]
    assert tree(program)[0] == ("Smith", ["plan.pdf"])
    assert program.window.source.item() is None
    held = [path.name for path in home.rglob("*") if path.is_file() and "ᏣᎳᎩ".encode() in path.read_bytes()]
    assert held == []


async def test_when_the_engine_cannot_be_asked_the_readings_are_told_of(program, add, monkeypatch):
    lease = await add("lease.pdf", "The rent.")

    async def down(items) -> None:
        raise EngineDown(1, Path("log"))

    monkeypatch.setattr(program.services.assistant, "forget_readings", down)
    program.window.sidebar.library.items_forgotten.emit([lease])
    program.controller.keeping.dialog.agreed.emit()
    await settled(program)
    assert "What was read of it may still be on disk" in program.window.banner.text()
    assert not program.services.library.holds(lease)


def test_the_dialog_says_of_conversations_that_they_stay(qtbot):
    dialog = DeleteDialog(["a.pdf"] * 5, texts=1000, on_disk=0, matters=(), conversations=2)
    qtbot.addWidget(dialog)
    assert "2 conversations about it stay" in dialog.text()
    assert "on the disk" not in dialog.text()
    with qtbot.waitSignal(dialog.agreed):
        dialog.go_button.click()
