"""Pages as they are printed: of a PDF that was added itself, and of one in a folder."""

import asyncio

import pytest
from make_documents import pdf

from app.data.document import Item
from app.documents.run import extract
from app.services import library as library_module

FACT = "The tenant pays the rent in advance."


@pytest.fixture
def papers(tmp_path, program, monkeypatch):
    """Read by the real loaders."""
    monkeypatch.setattr(library_module, "extract", extract)
    folder = tmp_path / "papers"
    (folder / "old").mkdir(parents=True)
    (folder / "notes.txt").write_text("Some notes.")
    (folder / "old" / "lease.pdf").write_bytes(pdf([["A first page."], [], [FACT]]))
    return folder


@pytest.mark.parametrize("inner", ["old/lease.pdf", ""])
async def test_a_page_is_drawn_and_the_passage_marked_on_it(program, papers, inner, monkeypatch):
    library, source = program.services.library, program.window.source
    item = await library.add(papers if inner else papers / "old" / "lease.pdf")
    assert isinstance(item, Item)
    start = library.text(item.id).index(FACT)
    drawn, shown = asyncio.get_running_loop().create_future(), source.show_drawing
    monkeypatch.setattr(source, "show_drawing", lambda *picture: (shown(*picture), drawn.set_result(picture)))
    monkeypatch.setattr(source, "drawing_failed", lambda item, said: drawn.set_exception(AssertionError(said)))
    source.show_item(item, library.text(item.id), library.spans(item.id), start, start + len(FACT))
    assert source.document.can_draw()
    id, place, picture = await asyncio.wait_for(drawn, 60)
    span = library.spans(item.id)[place]
    assert (id, span.index, span.file) == (item.id, 2, inner)
    assert len(picture.marks) == 1, "the words of the page that was not empty"
    assert source.document._drawn.marks() >= 1
    assert source.document._pages.currentWidget() is source.document._drawn


async def test_other_files_of_a_folder_are_text(program, papers):
    library, source = program.services.library, program.window.source
    item = await library.add(papers)
    text = library.text(item.id)
    source.show_item(item, text, library.spans(item.id), text.index("Some notes."))
    assert not source.document.can_draw()
    assert source.page_text() == "Some notes."
