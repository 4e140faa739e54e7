"""What was dropped is opened as the person says: with a password, with its changes; and its text can be looked at."""

import asyncio

from app.data.document import Extracted, Refused, Span
from app.documents.messages import AS_USUAL
from app.services import library as library_module


def opens(monkeypatch, outcome):
    """What extraction gives, by its options; those that it was given."""
    asked = []

    async def extract(source, on_progress, options=AS_USUAL):
        asked.append(options)
        await asyncio.sleep(0)
        return outcome(source, options)

    monkeypatch.setattr(library_module, "extract", extract)
    return asked


def read(text, name="a.docx"):
    return Extracted(text, "docx", name, "section", (Span(0, len(text), 0, "1"),))


async def test_a_password_opens_what_was_refused(program, until, monkeypatch, tmp_path):
    def outcome(source, options):
        return read("Opened.") if options.passwords.get("") == "secret" else Refused("encrypted", source.name)

    asked = opens(monkeypatch, outcome)
    preflight = program.controller.preflight
    program.window.dropped.emit([tmp_path / "a.docx"])
    await until(lambda: [row.state for row in preflight.rows()] == ["refused"], "the refusal")
    (row,) = preflight.rows()
    preflight.password_given.emit(row.key, "wrong")
    await until(lambda: len(asked) == 2 and preflight.rows()[0].state == "refused", "the second refusal")
    preflight.password_given.emit(row.key, "secret")
    await until(lambda: preflight.rows()[0].state == "ready", "the opened item")
    assert [options.passwords for options in asked] == [{}, {"": "wrong"}, {"": "secret"}]


async def test_changes_are_read_anew_and_the_first_reading_goes(program, until, monkeypatch, tmp_path):
    asked = opens(monkeypatch, lambda source, options: read(f"As {options.changes}."))
    preflight, library = program.controller.preflight, program.services.library
    program.window.dropped.emit([tmp_path / "a.docx"])
    await until(lambda: [row.state for row in preflight.rows()] == ["ready"], "the item")
    (row,) = preflight.rows()
    preflight.changes_chosen.emit(row.key, "original")
    await until(lambda: len(asked) == 2 and preflight.rows()[0].state == "ready", "the other reading")
    (item,) = library.items()
    assert (library.text(item.id), item.changes) == ("As original.", "original")
    preflight.preview_asked.emit(row.key)
    assert preflight.preview.document.page_text() == "As original."


async def test_what_is_cancelled_leaves_nothing_and_what_was_removed_is_removed_again(
    program, until, monkeypatch, tmp_path
):
    opens(monkeypatch, lambda source, options: read(f"Text of {source.name}.", source.name))
    preflight, library = program.controller.preflight, program.services.library
    old = await library.add(tmp_path / "old.docx")
    library.remove(old.id)
    program.window.dropped.emit([tmp_path / "old.docx", tmp_path / "new.docx"])
    await until(lambda: [row.state for row in preflight.rows()] == ["ready"] * 2, "both")
    assert len(library.items()) == 2
    (new,) = (item.id for item in library.items() if item.id != old.id)
    preflight.cancel_button.click()
    await until(lambda: not library.items(), "neither")
    assert [item.id for item in library.removed()] == [old.id]
    assert not library.holds(new)


async def test_many_files_are_opened_side_by_side(program, until, monkeypatch, tmp_path):
    monkeypatch.setattr(library_module, "extract", None)
    running, most, gate = [0], [0], asyncio.Event()

    async def extract(source, on_progress, options=AS_USUAL):
        running[0] += 1
        most[0] = max(most[0], running[0])
        await gate.wait()
        running[0] -= 1
        return read(f"Text of {source.name}.", source.name)

    monkeypatch.setattr(library_module, "extract", extract)
    preflight = program.controller.preflight
    program.window.dropped.emit([tmp_path / f"{n}.docx" for n in range(40)])
    await until(lambda: running[0] > 1, "two at once")
    assert preflight.progress.isVisible()
    gate.set()
    await until(lambda: all(row.state == "ready" for row in preflight.rows()), "all forty")
    assert len(preflight.rows()) == 40
    assert 2 <= most[0] <= 8
    assert not preflight.progress.isVisible()
