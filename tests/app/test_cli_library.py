"""The command line's library: what is kept, matters, search, files that changed, export and deleting for good."""

import asyncio
import hashlib
import io
import json
import os
import re
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from app.data.document import Extracted, Refused, Span
from app.services.database import Database
from app.services.library import Library
from engine.lock import Lock


def listed(run, *options: str) -> list[dict]:
    return json.loads(run("library", "list", "--json", *options)[1])["documents"]


@pytest.fixture
def quick(monkeypatch):
    """Text files are read here, by paragraphs, and not in a process of their own."""

    async def extract(source: Path, on_progress, options=None) -> Extracted | Refused:
        if source.is_dir():
            text = "".join(file.read_text() for file in sorted(source.iterdir()))
            return Extracted(text, "folder", source.name, "file", (Span(0, len(text), 0, "a"),))
        content = source.read_bytes()
        if not content:
            return Refused("empty", source.name)
        text = content.decode()
        starts = [0, *(match.end() for match in re.finditer("\n\n", text))]
        spans = (Span(*place, n, str(n + 1)) for n, place in enumerate(pairwise([*starts, len(text)])))
        digest = hashlib.sha256(content).hexdigest()
        return Extracted(text, "pdf", source.name, "page", tuple(spans), file_sha256=digest, file_size=len(content))

    monkeypatch.setattr("app.services.library.extract", extract)


@pytest.fixture
def kept(quick, home, document):
    """Put documents into the library; their paths."""

    def made(**texts: str) -> list[str]:
        files = [document(text, f"{name}.txt") for name, text in texts.items()]
        database = Database(home / "longread.db")
        for file in files:
            asyncio.run(Library(database, home / "texts").add(Path(file)))
        database.close()
        return files

    return made


def test_read_keeps_what_it_read_only_when_asked_to(run, document, home):
    run("read", document("The rent."))
    assert not (home / "longread.db").exists()
    assert run("library", "list")[:2] == (0, "")
    assert not (home / "longread.db").exists(), "looking makes no library"
    run("read", "--into-library", document("The rent."))
    code, out, _ = run("library", "list")
    (item,) = listed(run)
    assert code == 0
    assert out.startswith(f"{item['sha256'][:12]}  lease.txt · 1 section, 9 characters")
    assert (item["matters"], item["original"]) == ([], "same")


def test_matters_are_made_filled_renamed_and_deleted(run, kept, document):
    lease, _ = kept(lease="The rent.", plan="The plan.")
    assert run("library", "matters")[1] == ""
    house = document("The house.", "house.txt")
    code, out, error = run("library", "matter", "Smith", "add", "PLAN.txt", lease, house)
    assert (code, out) == (0, "Smith · 3 documents\n")
    assert "There is a new matter Smith." in error
    assert {item["name"] for item in listed(run, "--matter", "smith")} == {"lease.txt", "plan.txt", "house.txt"}
    ids = {item["name"]: item["sha256"] for item in listed(run)}
    assert run("library", "matter", "smith", "remove", ids["lease.txt"][:8], "house.txt")[1] == "Smith · 1 document\n"
    assert run("library", "matter", "Smith", "rename", "Smith v. Jones")[1] == "Smith v. Jones · 1 document\n"
    told = json.loads(run("library", "matters", "--json")[1])
    assert told == {"matters": [{"name": "Smith v. Jones", "documents": [ids["plan.txt"]]}]}
    assert " · Smith v. Jones" in run("library", "list")[1]
    assert run("library", "matter", "Smith v. Jones", "delete")[0] == 0
    assert len(listed(run)) == 3


def test_what_is_not_meant_is_told(run, kept, document, tmp_path):
    kept(lease="The rent.")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "lease.txt").write_text("Another rent.")
    run("library", "matter", "Other", "add", str(tmp_path / "b" / "lease.txt"))
    for words, said in (
        (("matter", "Smith", "remove", "lease.txt"), "There is no matter Smith."),
        (("matter", "Smith", "add", "nothing.txt"), "Nothing in the library is called nothing.txt"),
        (("matter", "Smith", "add", "lease.txt"), "2 documents of the library are meant by lease.txt."),
        (("list", "--matter", "Smith"), "There is no matter Smith."),
        (("delete", "--yes", "abcdef"), "Nothing in the library is called abcdef"),
    ):
        code, out, error = run("library", *words)
        assert (code, out) == (1, "")
        assert said in error
    (tmp_path / "empty.txt").touch()
    code, out, error = run("library", "matter", "Smith", "add", str(tmp_path / "empty.txt"), str(tmp_path / "b"))
    assert (code, out) == (1, "Smith · 1 document\n")
    assert "empty.txt" in error


def test_a_question_about_a_matter_reads_its_documents_and_keeps_nothing_more(run, kept, home):
    kept(lease="The rent.", plan="The plan.", other="Other.")
    run("library", "matter", "Smith", "add", "lease.txt", "plan.txt")
    run("library", "matter", "Empty", "add", "other.txt")
    run("library", "matter", "Empty", "remove", "other.txt")
    for options in ((), ("--into-library",)):
        code, out, error = run("ask", "--matter", "Smith", "--json", *options, "Who?")
        assert code == 0
        assert {one["name"] for one in json.loads(out)["documents"]} == {"lease.txt", "plan.txt"}
        assert "Read in full" not in error
    assert not list(home.glob(".passing-*"))
    code, out, error = run("ask", "--matter", "Empty", "Who?")
    assert (code, out) == (1, "")
    assert "holds no documents" in error


def test_words_are_found_with_their_place(run, kept):
    kept(lease="Rent\n\nThe rent is\n400.\n\nDogs\n\nNo dogs.", plan="Nothing of it. Dogs play here.")
    code, out, _ = run("library", "list", "--search", "rent 400")
    (item,) = [one for one in listed(run) if one["name"] == "lease.txt"]
    assert code == 0
    assert out.startswith(f"{item['sha256'][:12]}  lease.txt · 1 place\n    page 2: Rent The rent is 400.")
    assert out.endswith("The rent is 400. Dogs No dogs.\n")
    told = json.loads(run("library", "list", "--search", "dogs", "--json")[1])
    assert {one["name"] for one in told["texts"]} == {"lease.txt", "plan.txt"}
    assert run("library", "list", "--search", "zebra")[1] == ""
    run("library", "matter", "Smith", "add", "plan.txt")
    told = json.loads(run("library", "list", "--search", "dogs", "--matter", "Smith", "--json")[1])
    assert [one["name"] for one in told["texts"]] == ["plan.txt"]


def test_a_changed_file_is_told_of_and_read_anew(run, kept):
    lease, plan = kept(lease="The rent is 400.\n\nNo dogs.", plan="The plan.")
    code, out, error = run("library", "refresh")
    assert (code, out) == (0, "")
    assert "2 documents looked at; none has changed." in error
    run("library", "matter", "Smith", "add", "lease.txt")
    Path(lease).write_text("The rent is 5,000.\n\nNo dogs.")
    os.unlink(plan)
    code, out, _ = run("library", "refresh", "--check")
    assert code == 0
    assert "lease.txt: changed on disk\n" in out
    assert "plan.txt: original not found\n" in out
    assert "changed on disk" in run("library", "list")[1]
    code, out, _ = run("library", "refresh", lease)
    assert code == 0
    assert "1 passage changed; 1 are the same\n" in out
    assert "- The rent is 400." in out
    assert "+ The rent is 5,000." in out
    states = {item["sha256"]: item["original"] for item in listed(run)}
    (new,) = listed(run, "--matter", "Smith")
    assert states[new["sha256"]] == "same"
    assert states[new["succeeds"]] == "older"


def test_text_and_originals_are_exported_and_what_cannot_be_is_told(run, kept, tmp_path):
    lease, _ = kept(lease="The rent.", plan="The plan.")
    out_folder = tmp_path / "out"
    code, out, _ = run("library", "export", str(out_folder), "lease.txt")
    assert (code, out) == (0, f"{out_folder / 'lease.txt.txt'}\n{out_folder / 'lease.txt.json'}\n")
    os.unlink(lease)
    code, out, error = run("library", "export", str(out_folder), "--original", "--json")
    assert code == 1
    assert "lease.txt was not copied: the original is not where it was" in error
    done = {one["name"]: one for one in json.loads(out)["documents"]}
    assert done["lease.txt"]["refused"] == "original_missing"
    assert Path(done["plan.txt"]["files"][0]).read_text() == "The plan."


def test_deleting_for_good_asks_and_leaves_nothing(run, kept, home, monkeypatch):
    kept(lease="Zebras pay rent.", plan="The plan.")
    run("library", "list", "--search", "zebras")
    run("ask", "--into-library", "--doc", str(home.parent / "lease.txt"), "Who?")
    code, out, error = run("library", "delete", "lease.txt")
    assert (code, out) == (1, "")
    assert "This cannot be undone." in error
    assert "Nothing was deleted." in error
    answers = io.StringIO("y\n")
    answers.isatty = lambda: True
    monkeypatch.setattr(sys, "stdin", answers)
    assert run("library", "delete", "lease.txt")[:2] == (0, "lease.txt deleted for good\n")
    assert [item["name"] for item in listed(run)] == ["plan.txt"]
    assert json.loads(run("readings", "--json")[1])["readings"] == []
    assert len(list((home / "texts").iterdir())) == 1


def test_beside_a_running_window_the_text_goes_and_what_is_left_is_told(run, kept, home):
    kept(lease="The rent.")
    (item,) = listed(run)
    held = Lock(home)
    held.take()
    try:
        code, out, error = run("library", "delete", "--yes", item["sha256"][:6])
    finally:
        held.release()
    assert (code, out) == (0, "lease.txt deleted for good\n")
    assert f"Later: longread readings forget {item['sha256'][:12]}" in error
    assert not list((home / "texts").iterdir())
