"""Pages that look like nonsense by their letters, in fonts that have given the words of a language on other pages."""

import pytest
from make_documents import pdf
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from app.data.document import Warning
from app.documents.legible import illegible

pytestmark = pytest.mark.usefixtures("without_ocr")

PROSE = [
    "The tenant shall keep the premises in good repair and pay the rent on the first day of every month.",
    "Nothing in this agreement limits what either party may claim where the other has acted in bad faith.",
    "Whoever wants to end it gives notice in writing, three months before the last day of a quarter.",
] * 3
CIPHER = [line.translate(str.maketrans("abcdefghijklmnoprstuvwy", "qjxzvkbgwpmfhcdlrnystoe")) for line in PROSE]
GARBLED = (Warning("garbled_pages", {"pages": "2"}),)


def written(lines, font):
    def draw(canvas):
        canvas.setFont(font, 8)
        for place, line in enumerate(lines):
            canvas.drawString(40, 780 - 14 * place, line)

    return draw


@pytest.fixture(scope="module", autouse=True)
def fonts():
    for name in ("Vera", "VeraIt"):
        pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))


def test_a_cipher_looks_like_nonsense():
    assert illegible("\n".join(CIPHER))


def test_a_cipher_in_the_font_of_legible_pages_is_believed(read_bytes):
    content = read_bytes(pdf([written(PROSE, "Vera"), written(CIPHER, "Vera")]), "a.pdf")
    assert content.warnings == ()
    assert CIPHER[0] in content.pages.text()


@pytest.mark.parametrize("font", ["VeraIt", "Helvetica"])
def test_one_in_another_font_is_not(read_bytes, font):
    assert read_bytes(pdf([written(PROSE, "Vera"), written(CIPHER, font)]), "a.pdf").warnings == GARBLED


def test_a_font_that_is_not_in_the_file_proves_nothing(read_bytes):
    assert read_bytes(pdf([written(PROSE, "Helvetica"), written(CIPHER, "Helvetica")]), "a.pdf").warnings == GARBLED


def test_a_few_legible_words_prove_nothing(read_bytes):
    assert read_bytes(pdf([written(PROSE[:1], "Vera"), written(CIPHER, "Vera")]), "a.pdf").warnings == GARBLED
