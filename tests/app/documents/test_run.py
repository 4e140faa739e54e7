"""Through the real process: what it gives, and every way in which it can end."""

import asyncio
import hashlib
import os
import sys
from pathlib import Path

import make_office
import psutil
import pytest
import qasync
from make_archives import gzip_quine, zip_aes
from make_book import ANSWER, FACT, make_book
from make_documents import docx, epub, paragraph, pdf, picture, xhtml, zipped
from make_mail import eml, mbox
from make_notebook import notebook
from make_ole2 import xls

from app import document_words, words
from app.data.document import Extracted, LeftOut, Refused
from app.documents import process
from app.documents.messages import Limits, Options
from app.documents.run import extract, isolation
from app.documents.worker import longest_path

BOOK, CONTRACT = "契約 📖.txt", "契約"
HOSTILE = Path(__file__).parents[2] / "data" / "hostile_reader.py"


@pytest.fixture
def hostile(monkeypatch):
    """From now on some file names are deadly."""
    monkeypatch.setattr(process.processes, "command", lambda name: [sys.executable, "-P", "-X", "utf8", str(HOSTILE)])


@pytest.fixture(autouse=True)
def _nothing_stays_behind():
    yield
    assert psutil.Process().children() == []


def checked(extracted) -> list[tuple[str, str]]:
    """Each span's label and words."""
    assert isinstance(extracted, Extracted)
    ends = 0
    for span in extracted.spans:
        assert ends <= span.start < span.end <= len(extracted.text)
        ends = span.end
    return [(span.label, extracted.text[span.start : span.end]) for span in extracted.spans]


@pytest.mark.parametrize(
    ("name", "data", "kind", "unit", "spans"),
    [
        ("a.pdf", pdf([["One"], ["Two"]]), "pdf", "page", [("1", "One"), ("2", "Two")]),
        ("a.docx", docx(paragraph("Words.")), "docx", "section", [("a.docx", "Words.")]),
        ("a.epub", epub({"a": xhtml("<h1>One</h1>x")}), "epub", "section", [("One", "One\n\nx")]),
        ("a.html", b"<html><h1>One</h1><p>x", "html", "section", [("One", "One\n\nx")]),
        ("a.pptx", make_office.pptx([make_office.Slide(make_office.shape("x"))]), "pptx", "slide", [("1", "x")]),
        ("a.xlsx", make_office.xlsx([make_office.Sheet("A", make_office.row(1, 2))]), "sheet", "sheet", [("A", "2")]),
        ("a.xls", xls(password="VelvetSweatshop"), "sheet", "sheet", [("Old", "Item | Net\n\n | 12.5")]),
        ("a.csv", b"a,b\n1,2\n", "sheet", "sheet", [("a.csv", "a | b\n1 | 2")]),
        ("a.odt", make_office.odt("<text:p>x</text:p>"), "odt", "section", [("a.odt", "x")]),
        ("a.odp", make_office.odp(make_office.page(make_office.box("x"))), "odp", "slide", [("1", "x")]),
        ("a.rtf", make_office.rtf("x"), "rtf", "section", [("a.rtf", "x")]),
        ("a.md", b"# One\r\nx", "markdown", "section", [("One", "# One\nx")]),
        (BOOK, CONTRACT.encode("utf-16"), "text", "section", [(BOOK, CONTRACT)]),
        ("a.py", b"x = 1\n", "code", "file", [("a.py", "x = 1")]),
    ],
)
async def test_every_format(tmp_path, name, data, kind, unit, spans):
    path = tmp_path / name
    path.write_bytes(data)
    seen: list[tuple[int, int]] = []
    extracted = await extract(path, lambda done, total: seen.append((done, total)))
    assert checked(extracted) == spans
    assert (extracted.kind, extracted.unit, extracted.name) == (kind, unit, name)
    assert seen[-1][0] == seen[-1][1] > 0
    assert seen == sorted(seen)


async def test_a_folder(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"alpha")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.py").write_bytes(b"beta")
    extracted = await extract(tmp_path)
    assert checked(extracted) == [("a.txt", "alpha"), ("b/c.py", "beta")]
    assert (extracted.kind, extracted.unit, extracted.name) == ("folder", "file", tmp_path.name)


async def test_the_book_of_the_readme_holds_its_fact_on_one_page(tmp_path):
    extracted = await extract(make_book(tmp_path / "BOOK.pdf"))
    assert [label for label, _ in checked(extracted)] == ["i", "1", "2", "3", "4", "5", "6", "7", "8"]
    (page,) = [page for _, page in checked(extracted) if ANSWER in page]
    assert FACT in page.replace("\n", " ")
    assert 0.3 < extracted.text.index(ANSWER) / len(extracted.text) < 0.7


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("empty.txt", b"", "empty"),
        ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(99), "damaged"),
        ("blank.txt", b" \n", "no_text"),
        ("a.pdf", b"%PDF-1.4", "damaged"),
        ("b.pdf", pdf([["x"]], password="p"), "encrypted"),
        ("none.pdf", None, "missing"),
    ],
)
async def test_refusals_have_a_sentence(tmp_path, name, data, code):
    if data is not None:
        (tmp_path / name).write_bytes(data)
    refused = await extract(tmp_path / name)
    assert isinstance(refused, Refused)
    assert (refused.code, refused.name) == (code, name)
    assert name in words.sentence(document_words.REFUSALS, code, {"name": refused.name, "detail": refused.detail})


async def test_a_process_that_says_nothing_at_all(tmp_path, monkeypatch):
    monkeypatch.setattr(process.processes, "command", lambda name: [sys.executable, "-c", ""])
    (tmp_path / "a.txt").write_bytes(b"a")
    assert await extract(tmp_path / "a.txt") == Refused("crashed", "a.txt")


@pytest.mark.parametrize("fault", ["kills", "crashes", "babbles"])
async def test_a_process_that_dies_is_a_refusal(tmp_path, hostile, fault):
    (tmp_path / f"{fault}.txt").write_bytes(b"x")
    assert await extract(tmp_path / f"{fault}.txt") == Refused("crashed", f"{fault}.txt")


async def test_silence_ends_it(tmp_path, hostile):
    (tmp_path / "hangs.txt").write_bytes(b"x")
    refused = await extract(tmp_path / "hangs.txt", limits=Limits(silence=0.5))
    assert refused == Refused("too_slow", "hangs.txt")


async def test_so_does_the_time_for_the_whole(tmp_path, hostile):
    (tmp_path / "hangs.txt").write_bytes(b"x")
    refused = await extract(tmp_path / "hangs.txt", limits=Limits(seconds=0.5))
    assert refused == Refused("too_slow", "hangs.txt")


async def test_files_of_a_folder_that_kill_the_process_are_left_out_by_name(tmp_path, hostile):
    for name in ("a.txt", "b kills.txt", "c.txt", "d hangs.txt", "e crashes.txt", "f.txt"):
        (tmp_path / name).write_bytes(name.encode())
    seen: list[int] = []
    extracted = await extract(tmp_path, lambda done, total: seen.append(done), Limits(silence=5.0))
    assert [label for label, _ in checked(extracted)] == ["a.txt", "c.txt", "f.txt"]
    assert extracted.left_out == (
        LeftOut("b kills.txt", "crashed"),
        LeftOut("d hangs.txt", "too_slow"),
        LeftOut("e crashes.txt", "crashed"),
    )
    assert seen == sorted(seen)


@pytest.mark.parametrize(
    ("name", "make", "place"),
    [("a.zip", lambda files: zipped(dict(files)), ""), ("a.mbox", lambda files: mbox(eml("x"), eml("y", files)), "2/")],
)
async def test_files_of_an_archive_or_a_mail_that_kill_the_process_are_left_out_by_name(
    tmp_path, hostile, name, make, place
):
    files = [(f"{file}.txt", file.encode()) for file in ("a", "b kills", "c")]
    files.append(("e.zip", zipped({"crashes.txt": "x", "fine.txt": "fine"})))
    (tmp_path / name).write_bytes(make(files))
    extracted = await extract(tmp_path / name)
    assert [words for _, words in checked(extracted)][-3:] == ["a", "c", "fine"]
    assert extracted.left_out == (
        LeftOut(f"{place}b kills.txt", "crashed"),
        LeftOut(f"{place}e.zip/crashes.txt", "crashed"),
    )


async def test_a_file_that_kills_the_process_in_an_archive_in_a_folder(tmp_path, hostile):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.zip").write_bytes(zipped({"in/kills.txt": "x", "in/fine.txt": "fine"}))
    extracted = await extract(tmp_path)
    assert checked(extracted) == [("sub/a.zip/in/fine.txt", "fine")]
    assert extracted.left_out == (LeftOut("sub/a.zip/in/kills.txt", "crashed"),)


async def test_originals_are_named_by_their_own_bytes(tmp_path):
    files = {"b/two.txt": b"two", "one.txt": b"one", "empty.txt": b"", "a.bin": b"\x7fELF" + bytes(90)}
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    one, two = (hashlib.sha256(data).hexdigest() for data in (b"one", b"two"))
    extracted = await extract(tmp_path / "one.txt")
    assert (extracted.file_sha256, extracted.file_size) == (one, 3)
    extracted = await extract(tmp_path)
    lines = f"b/two.txt\0{two}\none.txt\0{one}\n"
    assert (extracted.file_sha256, extracted.file_size) == (hashlib.sha256(lines.encode()).hexdigest(), 6)
    (tmp_path / "a.bin").unlink()
    assert (await extract(tmp_path)).file_sha256 == extracted.file_sha256


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.zip", zip_aes({"a.txt": b"x", "b.txt": b"y"}, b"p"), "encrypted"),
        ("self.gz", gzip_quine(), "nested"),
        ("a.7z", b"7z\xbc\xaf\x27\x1c" + bytes(90), "packed"),
        ("deep.ipynb", notebook("[" * 100_000 + "]" * 100_000), "damaged"),
        ("parts.epub", epub({"a": xhtml("x")}, ["gone"]), "damaged"),
    ],
)
async def test_containers_without_text_are_refused_for_what_their_files_are(tmp_path, name, data, code):
    (tmp_path / name).write_bytes(data)
    refused = await extract(tmp_path / name)
    assert isinstance(refused, Refused)
    assert refused.code == code
    assert name in words.sentence(document_words.REFUSALS, code, {"name": name, "detail": refused.detail})


async def test_text_is_recognised_within_the_limits_of_the_process(tmp_path):
    (tmp_path / "page.png").write_bytes(picture((900, 200), ["The rent is due in March."]))
    extracted = await extract(tmp_path / "page.png")
    assert checked(extracted) == [("1", "The rent is due in March.")]
    assert (extracted.kind, extracted.unit) == ("image", "page")
    refused = await extract(tmp_path / "page.png", options=Options(ocr=False))
    assert refused == Refused("ocr_off", "page.png")


async def test_a_folder_of_nothing_but_killers_is_refused(tmp_path, hostile):
    for i in range(4):
        (tmp_path / f"{i} kills.txt").write_bytes(b"x")
    assert await extract(tmp_path, limits=Limits(restarts=2)) == Refused("crashed", tmp_path.name)


@pytest.mark.skipif(process.WATCHED, reason="the system has no limit on address space")
async def test_memory_is_limited_by_the_system(tmp_path, hostile):
    (tmp_path / "eats.txt").write_bytes(b"x")
    refused = await extract(tmp_path / "eats.txt", limits=Limits(memory=400 << 20))
    assert refused == Refused("too_big", "eats.txt")


async def test_memory_is_watched_from_outside(tmp_path, hostile, monkeypatch):
    monkeypatch.setattr(process, "WATCHED", True)
    monkeypatch.setattr(process.DocumentProcess, "_resident", lambda self: 500 << 20)
    (tmp_path / "hangs.txt").write_bytes(b"x")
    refused = await extract(tmp_path / "hangs.txt", limits=Limits(memory=400 << 20))
    assert refused == Refused("too_big", "hangs.txt")


async def test_a_text_that_needs_more_memory_than_there_is(tmp_path):
    (tmp_path / "long.txt").touch()
    os.truncate(tmp_path / "long.txt", 300 << 20)
    assert await extract(tmp_path / "long.txt", limits=Limits(memory=300 << 20)) == Refused("too_big", "long.txt")


async def test_cancelling_kills_the_process(tmp_path, hostile):
    (tmp_path / "a.txt").write_bytes(b"a")
    (tmp_path / "b hangs.txt").write_bytes(b"b")
    reached = asyncio.Event()
    task = asyncio.create_task(extract(tmp_path, lambda done, total: reached.set() if done == 1 else None))
    await reached.wait()
    (child,) = psutil.Process().children()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not child.is_running()


async def test_the_process_has_no_network_and_says_how():
    probe = await isolation()
    assert probe is not None
    assert probe.reached is None
    assert probe.network in words.ISOLATION
    if sys.platform == "linux":
        assert (probe.network, probe.memory) == ("seccomp", "rlimit")


async def test_nothing_of_the_folder_that_one_stands_in_is_imported(tmp_path, monkeypatch):
    for name in ("app", "msgspec", "lxml"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert isinstance(await extract(Path("lxml.py")), Extracted)


async def test_several_at_once(tmp_path):
    paths = [make_book(tmp_path / f"{i}.pdf", f"Fact {i}.") for i in range(3)]
    extracted = await asyncio.gather(*(extract(path) for path in paths))
    assert [f"Fact {i}." in one.text for i, one in enumerate(extracted)] == [True] * 3


def test_it_works_under_the_loop_of_the_window(tmp_path, qapp):
    loop = qasync.QEventLoop(qapp)
    with loop:
        extracted = loop.run_until_complete(extract(make_book(tmp_path / "BOOK.pdf")))
        assert len(checked(extracted)) == 9


def test_long_paths_on_windows():
    assert longest_path("C:\\a", windows=True) == "\\\\?\\C:\\a"
    assert longest_path("\\\\server\\share\\a", windows=True) == "\\\\?\\UNC\\server\\share\\a"
    assert longest_path("\\\\?\\C:\\a", windows=True) == "\\\\?\\C:\\a"
    assert longest_path("/a", windows=False) == "/a"
