"""Each character of the text stands on the page where the runs say: pdfium itself is asked what is there."""

import pytest
from make_book import make_book
from make_documents import pdf
from make_pdf import commented, in_chinese_letters, old_tex, turned, with_map
from pypdfium2 import raw as pdfium

from app.data.document import Run
from app.documents.pdf_page import open_page, open_pdf, open_text
from app.documents.pdf_words import LIGATURES

pytestmark = pytest.mark.usefixtures("without_ocr")

HEADED = [
    ["The Long Book", "it is an exam-", "ple of self-", f"test number {i}, ﬁrst", "and last", str(i)]
    for i in range(1, 8)
]  # fmt: skip


def two_columns(canvas):
    for x, words in ((72, ["left one-", "half two"]), (320, ["right one", "right two"])):
        for place, line in enumerate(words):
            canvas.drawString(x, 700 - 14 * place, line)


def form(canvas):
    canvas.drawString(72, 700, "The price:")
    canvas.acroForm.textfield(name="price", value="4,711 euros", x=150, y=690, width=200, height=20)
    canvas.drawString(72, 600, "is fair.")


DOCUMENTS = {
    "heads, hyphens, page numbers": lambda: pdf(HEADED),
    "characters beyond U+FFFF": lambda: with_map(["a1b2c", "d1e"], {"1": "\U0001d400", "2": "\U00020b9f"}),
    "characters that pdfium leaves out": lambda: with_map(
        ["xaxbx of the contract and the price", "xcx of the lease"], {"x": "\x02"}
    ),
    "control and unknown characters": lambda: with_map(
        ["1a2b3c of the contract and its price", "d is the price that was paid"],
        {"1": "\x07", "2": "\x00", "3": "\ufb03"},
    ),
    "no map": lambda: with_map(["The price of the contract"], None),
    "ligatures of old papers": lambda: old_tex(b"an e\x0ecient o\x0ber", b"\x0crst"),
    "soft hyphens and fixed spaces": lambda: with_map(["so1ft2space", "and1"], {"1": "\u00ad", "2": "\u00a0"}),
    "turned": lambda: turned(90, "one line", "and an-", "other one"),
    "down the page": lambda: pdf([in_chinese_letters("契約書の第一条", down=True)]),
    "two columns": lambda: pdf([two_columns]),
    "a form": lambda: pdf([form]),
    "comments": lambda: commented(b"/Subtype /Text /Contents (too high)"),
    "an empty page between two": lambda: pdf([["one"], None, ["two"]]),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_character_is_found_where_its_run_says(read_bytes, name):
    check(DOCUMENTS[name](), read_bytes)


def test_so_it_is_in_a_book(read_bytes, tmp_path):
    data = make_book(tmp_path / "BOOK.pdf").read_bytes()
    runs = check(data, read_bytes)
    assert len(runs) > 100


def check(data, read_bytes) -> tuple[Run, ...]:
    content = read_bytes(data, "a.pdf")
    text = content.pages.text()
    assert list(content.runs) == sorted(set(content.runs), key=lambda run: run.start)
    document = open_pdf(data)
    agreed = 0
    for span in content.pages.spans:
        mine = [run for run in content.runs if span.start <= run.start < span.end]
        assert mine[0].start == span.start
        with open_page(document, span.index) as page, open_text(page) as (textpage, _):
            for run, end in zip(mine, [*(run.start for run in mine[1:]), span.end], strict=True):
                if run.raw >= 0:
                    agreed += agrees(text[run.start : end], run.raw, textpage)
    written = sum(not c.isspace() for c in text.partition("[Comment")[0])
    assert agreed >= written > 0
    return content.runs


def agrees(text: str, raw: int, textpage) -> int:
    """How many characters that are not spaces stand on the page from `raw` on; fails at one that does not."""
    seen = 0
    for place, character in enumerate(text):
        there = pdfium.FPDFText_GetUnicode(textpage, raw + place)
        if 0xD800 <= there < 0xDC00:
            low = pdfium.FPDFText_GetUnicode(textpage, raw + place + 1)
            there = 0x10000 + ((there - 0xD800) << 10) + (low - 0xDC00)
        if character == "\ufffd":
            assert there in (0, 0xFFFD)
        elif character == "-" and pdfium.FPDFText_IsHyphen(textpage, raw + place):
            pass
        elif there in OLD_TEX:
            assert character in OLD_TEX[there]
        elif chr(there) in LIGATURES:
            assert character in LIGATURES[chr(there)]
        elif character.isspace():
            assert chr(there).isspace()
        else:
            assert chr(there) == character
        seen += not character.isspace()
    return seen


OLD_TEX = {0x0B: "ff", 0x0C: "fi", 0x0E: "ffi", 0x0F: "ffl"}
