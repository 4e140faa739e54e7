"""Exported files say the same in every form, and nothing of this computer."""

import io

import msgspec
import pypdfium2
import pytest
from docx import Document

from app.data.export import Record
from app.data.ledger import LedgerForgotten, LedgerPlace, LedgerPruned
from app.data.quote import Quote, QuotePlace
from app.services.export import export, printing
from app.services.export.labels import Labels
from app.services.export.markdown import markdown
from app.services.export.record import _noted
from app.services.export.web import page
from app.services.problem import Problem

from .conftest import ANSWER, TEXT, digest, ledger


def test_notes_number_the_quotes_and_a_fact_within_one_has_none(made):
    first, second = made().exchanges
    assert [quote.number for quote in first.quotes] == [1, 2, 0, 3]
    assert first.quotes[0].passage == "The lease ends on 3 May 2031."
    assert first.quotes[1].passage == TEXT[TEXT.index("The tenant") :]
    assert [quote.passage for quote in first.quotes[3:]] == [""]
    assert (second.question, second.answer, second.state) == ("And | the rent?", "It is", "stopped")


def test_one_answer_alone(made):
    (exchange,) = made("a2").exchanges
    assert exchange.question == "And | the rent?"
    with pytest.raises(KeyError):
        made("q1")


def test_markdown_has_footnotes(made):
    text = markdown(made(), Labels())
    assert "“The lease ends on 3 May 2031.”[^1] says so" in text
    assert "“The tenant pays 2,400 euros”[^2] a month" in text
    assert "[^1]: ✓ exact: lease.pdf, page i, 1. Term\n" in text
    assert (
        "[^2]: ≈ close: lease.pdf, page 2, 2. Rent. In the document: “The tenant pays 2,400 euros | a month.”" in text
    )
    assert "[^3]: ✗ not found in the documents" in text
    assert "Quotes and figures checked: 2 ✓ exact, 1 ≈ close, 1 ✗ not found, 0 unclear" in text
    assert "*The answer was stopped before its end.*" in text
    assert f"| SHA-256 of the file | {'a' * 64} |" in text
    assert "Test model (int8), fingerprint " + "f" * 16 in text
    assert "Exported by Longread 1.2" in text


def test_words_are_translated(made):
    assert "# ?" in markdown(made(), Labels(lambda words: "?"))


def test_a_page_fetches_nothing_and_takes_html_for_text(made):
    record = made()
    hostile = msgspec.structs.replace(record.exchanges[0], question="<script>x</script>", answer=ANSWER + "\n<b>y</b>")
    text = page(msgspec.structs.replace(record, exchanges=(hostile,)), Labels())
    assert "<script>" not in text
    assert "<img" not in text
    assert "seen" in text
    assert "&lt;b&gt;y" in text
    assert "says so" in text
    assert "“The lease ends on 3 May 2031.”<sup>[1]</sup>" in text


async def test_word(made, tmp_path):
    await export(made(), tmp_path / "out.docx")
    document = Document(io.BytesIO((tmp_path / "out.docx").read_bytes()))
    said = [paragraph.text for paragraph in document.paragraphs]
    assert "It ends when “The lease ends on 3 May 2031.”[1] says so." in said
    assert "1. ✓ exact: lease.pdf, page i, 1. Term" in said
    styles = {paragraph.text: paragraph.style.name for paragraph in document.paragraphs}
    assert styles["“The tenant pays 2,400 euros”[2] a month"] == "List Bullet"
    (note,) = (run for p in document.paragraphs for run in p.runs if run.text == "[1]")
    assert note.font.superscript
    assert [[cell.text for cell in row.cells] for row in document.tables[0].rows] == [["a", "b"], ["seen", "2"]]
    assert any("a" * 64 in cell.text for table in document.tables for row in table.rows for cell in row.cells)


async def test_pdf(made, tmp_path):
    await export(made(), tmp_path / "out.pdf")
    document = pypdfium2.PdfDocument(tmp_path / "out.pdf")
    text = " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())
    assert "It ends when “The lease ends on 3 May 2031.”" in text
    assert "[1]" in text
    assert "✓ exact: lease.pdf, page i, 1. Term" in text
    assert document.get_metadata_dict()["Creator"] == "Longread"


async def test_the_twin_names_its_file(made, tmp_path):
    beside = await export(made(), tmp_path / "out.md")
    assert beside == tmp_path / "out.longread.json"
    twin = msgspec.json.decode(beside.read_bytes(), type=Record)
    assert (twin.file, twin.file_sha256) == ("out.md", digest((tmp_path / "out.md").read_bytes()))
    assert twin.exchanges == made().exchanges
    assert str(tmp_path) not in beside.read_text(), "where the original lies is nobody's business"


async def test_another_ending_is_refused_and_writes_nothing(made, tmp_path):
    with pytest.raises(Problem, match="export_format"):
        await export(made(), tmp_path / "out.odt")
    assert not list(tmp_path.glob("out*"))


async def test_a_printing_process_that_fails_leaves_nothing(made, tmp_path, monkeypatch):
    monkeypatch.setattr(printing.processes, "command", lambda name: ["/bin/false"])
    with pytest.raises(Problem, match="export_failed"):
        await export(made(), tmp_path / "out.pdf")
    assert not list(tmp_path.glob("out*"))


async def test_a_folder_that_cannot_be_written_is_said(made, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Problem, match="cannot_write"):
        await export(made(), tmp_path / "file" / "out.md")


def test_a_document_that_is_gone_is_named_by_its_ledger(made, library, database):
    library.forget(library.items()[0].id)
    (document,) = made().documents
    assert (document.name, document.file_sha256, document.characters) == ("lease.pdf", "", 0)
    assert "lease.pdf" in markdown(made(), Labels())


def test_a_fact_has_a_note_where_it_stands_in_one_place():
    here, there = QuotePlace("i", 0, 4), QuotePlace("i", 50, 54)
    quote = Quote(0, 30, "exact", "quote", (here,))
    within, alone, often = (
        Quote(at, at + 4, "exact", "fact", places)
        for at, places in zip((10, 40, 60), ((here,), (there,), (here, there)), strict=True)
    )
    assert [_noted(one, (quote, within, alone, often)) for one in (quote, within, alone, often)] == [
        True,
        False,
        True,
        False,
    ]


def test_what_a_policy_forgot_is_printed_with_the_ledger():
    def gone(page, share, last=""):
        return LedgerForgotten(LedgerPlace("i", 0, 9, page, last or page), 100, share)

    plain = ledger("i")
    parts = (gone("2", 0.4), gone("3", 0.8), gone("4", 0.95, "5"))
    kept = msgspec.structs.replace(plain, evicted=700, pruned=LedgerPruned("h2o", "auto", 300, 300, 700, parts))
    labels = Labels()
    assert dict(labels.ledger(kept))["Forgotten"] == "700 of 1,000 tokens, by H2O; most of page 4–5, page 3"
    nothing = msgspec.structs.replace(plain, pruned=LedgerPruned("h2o", "auto", 300, 300, 0))
    assert dict(labels.ledger(nothing))["Forgotten"] == "nothing, by H2O"
    assert "Forgotten" not in dict(labels.ledger(plain))
