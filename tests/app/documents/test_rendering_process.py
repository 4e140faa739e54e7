"""Pages drawn through the real process: what it gives, and every way in which it can end."""

import asyncio
import hashlib
import sys
from pathlib import Path
from typing import get_args

import psutil
import pytest
import qasync
from make_documents import pdf
from make_pdf import turned

from app import document_words
from app.data.document import Extracted
from app.documents import process
from app.documents.messages import NotShownCode
from app.documents.rendering import NotShown, PdfPages, wanted
from app.documents.run import extract

HOSTILE = Path(__file__).parents[2] / "data" / "hostile_drawer.py"


@pytest.fixture(autouse=True)
def _nothing_stays_behind():
    yield
    assert psutil.Process().children() == []


@pytest.fixture
def hostile(monkeypatch):
    monkeypatch.setattr(process.processes, "command", lambda name: [sys.executable, "-P", "-X", "utf8", str(HOSTILE)])


@pytest.fixture
def file(tmp_path):
    def write(data: bytes, name: str = "a.pdf") -> Path:
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return write


async def turn() -> None:
    """Let a task that was just made come to where it waits for the process."""
    for _ in range(3):
        await asyncio.sleep(0)


async def test_a_quote_is_drawn_where_it_was_read(file):
    path = file(pdf([["first"], ["The price", "is 4711 euros."]], labels=[(0, "ROMAN_LOWER", 4)]))
    extracted = await extract(path)
    assert isinstance(extracted, Extracted)
    start = extracted.text.index("price")
    found = wanted(extracted.runs, extracted.spans[1], extracted.text, start, start + len("price\nis 4711"))
    async with await PdfPages.open(path, hashlib.sha256(path.read_bytes()).hexdigest()) as pages:
        assert pages.labels == ("iv", "v")
        assert [(round(width), round(height)) for width, height in pages.sizes] == [(595, 842)] * 2
        picture = await pages.draw(1, 595, [found])
        assert (picture.index, picture.label, picture.width, picture.height) == (1, "v", 595, 842)
        assert len(picture.pixels) == 4 * 595 * 842
        ((first, second),) = picture.boxes
        assert first[0] > second[0] == pytest.approx(72, abs=1)


@pytest.mark.parametrize("fault", ["changed", "missing", "denied", "encrypted", "damaged"])
async def test_a_file_that_cannot_be_shown_says_why(file, tmp_path, fault):
    path = file(b"%PDF-1.4 nothing" if fault == "damaged" else pdf([["a"]], "secret" if fault == "encrypted" else None))
    if fault == "missing":
        path = path.with_name("b.pdf")
    if fault == "denied":
        path = tmp_path  # no file at all
    with pytest.raises(NotShown) as refused:
        await PdfPages.open(path, sha256="0" * 64 if fault == "changed" else "")
    assert refused.value.code == fault
    assert "{name}" in document_words.NOT_SHOWN[fault]


def test_every_reason_has_its_sentence():
    assert set(get_args(NotShownCode)) == set(document_words.NOT_SHOWN)


async def test_a_password_opens_it(file):
    path = file(pdf([["a"]], password="secret"))
    async with await PdfPages.open(path, password="secret") as pages:
        assert (await pages.draw(0, 50)).width == 50
    with pytest.raises(NotShown):
        await PdfPages.open(path, password="wrong")


async def test_a_file_of_a_folder_is_shown_and_one_of_an_archive_is_not(file, tmp_path):
    (tmp_path / "in").mkdir()
    file(pdf([["a"]]), "in/b.pdf")
    async with await PdfPages.open(tmp_path, inner="in/b.pdf") as pages:
        assert (await pages.draw(0, 50)).label == "1"
    with pytest.raises(NotShown) as refused:
        await PdfPages.open(file(b"PK", "a.zip"), inner="in/b.pdf")
    assert refused.value.code == "packed"


async def test_a_page_that_is_not_there_or_damaged_is_refused_alone(file):
    async with await PdfPages.open(file(turned(0, "words"))) as pages:
        with pytest.raises(NotShown) as refused:
            await pages.draw(7, 50)
        assert refused.value.code == "damaged"
        assert (await pages.draw(0, 50)).width == 50


async def test_a_deadly_page_is_refused_and_the_next_one_drawn(file, hostile):
    async with await PdfPages.open(file(pdf([["a"]] * 7))) as pages:
        for index, code in ((1, "crashed"), (2, "too_slow"), (3, "too_big"), (4, "crashed")):
            pages._patience = 5.0 if code == "too_slow" else 20.0
            with pytest.raises(NotShown) as refused:
                await pages.draw(index, 50)
            assert refused.value.code == code
        assert (await pages.draw(6, 50)).label == "7"


async def test_a_process_that_died_between_two_pages_is_replaced(file):
    async with await PdfPages.open(file(pdf([["a"]] * 2))) as pages:
        psutil.Process(pages._process.pid).kill()
        await pages._process.over.wait()
        assert (await pages.draw(1, 50)).label == "2"


async def test_memory_is_watched_where_the_system_does_not(file, hostile, monkeypatch):
    monkeypatch.setattr(process, "WATCHED", True)
    async with await PdfPages.open(file(pdf([["a"]] * 7))) as pages:
        monkeypatch.setattr(process.DocumentProcess, "_resident", lambda self: 99 << 30)
        with pytest.raises(NotShown) as refused:
            await pages.draw(2, 50)
        assert refused.value.code == "too_big"


async def test_a_drawing_that_nobody_waits_for_any_more_harms_no_other(file):
    async with await PdfPages.open(file(pdf([[word] for word in "abcdefgh"]))) as pages:
        process_ = pages._process
        for index in range(3):
            task = asyncio.create_task(pages.draw(index, 300))
            await turn()
            assert pages._owed is not None
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        drawn = await asyncio.gather(*(pages.draw(index, 60) for index in (7, 6, 5)))
        assert [picture.index for picture in drawn] == [7, 6, 5]
        assert pages._process is process_


async def test_a_cancelled_drawing_that_hangs_costs_the_next_one_a_process_and_no_more(file, hostile):
    async with await PdfPages.open(file(pdf([["a"]] * 7))) as pages:
        task = asyncio.create_task(pages.draw(2, 50))
        await turn()
        assert pages._owed is not None
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        pages._patience = 5.0
        assert (await pages.draw(6, 50)).label == "7"


async def test_cancelling_while_it_is_opened_leaves_nothing(file):
    task = asyncio.create_task(PdfPages.open(file(pdf([["a"]]))))
    await turn()
    assert psutil.Process().children()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_the_process_ends_with_the_program_that_asked(file):
    async with await PdfPages.open(file(pdf([["a"]]))) as pages:
        pages._process._process.stdin.close()
        await asyncio.wait_for(pages._process.over.wait(), 20)
        with pytest.raises(psutil.NoSuchProcess):
            psutil.Process(pages._process.pid)


def test_it_works_under_the_loop_of_the_window(file, qapp):
    async def first():
        async with await PdfPages.open(file(pdf([["a"]]))) as pages:
            return await pages.draw(0, 50)

    loop = qasync.QEventLoop(qapp)
    with loop:
        assert loop.run_until_complete(first()).width == 50
