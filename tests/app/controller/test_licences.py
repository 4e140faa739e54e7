"""About leads to every library and its licence."""

import json
import sys

from app.services import licences


async def test_the_list_opens_from_about_with_texts(program):
    await program.controller.pages.show_licences()
    page = program.controller.pages.licences_page
    names = [page.list.item(row).text() for row in range(page.list.count())]
    row = next(row for row, name in enumerate(names) if name.lower().startswith("qasync "))
    page.list.setCurrentRow(row)
    assert "BSD" in names[row]
    assert "Redistribution" in page.text.toPlainText()


def test_the_packaged_program_reads_its_own_list(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "longread"))
    assert licences.all_of_them() == ()
    (tmp_path / "licences").mkdir()
    one = {"name": "one", "version": "1.0", "licence": "MIT", "home": "", "texts": ["words"]}
    (tmp_path / licences.LIST).write_text(json.dumps([one]))
    (known,) = licences.all_of_them()
    assert (known.name, known.texts) == ("one", ("words",))
