import pytest
from make_documents import pdf, raw_pdf
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont

from app.data.document import LeftOut, Warning
from app.documents.errors import Unreadable
from app.documents.pdf_words import Hyphens, ranges, unfold, without_running_heads

WORDS = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet"]


def picture(canvas):
    canvas.rect(100, 100, 300, 300, fill=1)


def test_a_page_has_the_number_that_is_printed_on_it(read_bytes, labelled):
    labels = [(0, "ROMAN_LOWER", 3), (2, "ARABIC", 1), (4, "ARABIC", 1)]
    content = read_bytes(pdf([[word] for word in WORDS[:5]], labels=labels), "a.pdf")
    assert labelled(content) == list(zip(["iii", "iv", "1", "2", "1"], WORDS[:5], strict=True))
    assert [span.index for span in content.pages.spans] == [0, 1, 2, 3, 4]


def test_divided_words_are_joined_and_compounds_keep_their_hyphen(read_bytes):
    lines = [
        "This is an exam-",
        "ple of two-dimen-",
        "sional space, and of self-",
        "test. Two-dimensional, self-test, example.",
    ]
    text = read_bytes(pdf([lines]), "a.pdf").pages.text()
    assert text == "This is an example of two-dimensional space, and of self-test. Two-dimensional, self-test, example."


def test_hyphens_follow_the_words_of_the_whole_document():
    hyphens = Hyphens(["well-known and unknown", "the well\ufffeknown un\ufffeknown neo\ufffelogism x\ufffe"])
    assert hyphens.join("well\ufffeknown un\ufffeknown neo\ufffelogism") == "well-known unknown neologism"
    assert hyphens.join("Well\ufffeKnown") == "Well-Known"
    assert hyphens.join("x\ufffe y") == "x y"


def test_ligatures_are_letters():
    assert unfold("e\ufb03cient \ufb01sh\u00a0and\u00adsoft \ufb05") == "efficient fish andsoft st"


def test_running_heads_stand_once_and_page_numbers_never(read_bytes, labelled):
    pages = [
        ["The Long Book", f"{word} one", f"{word} two", f"{word} three", str(i)] for i, word in enumerate(WORDS, 1)
    ]
    content = read_bytes(pdf(pages), "a.pdf")
    found = labelled(content)
    assert found[0] == ("1", "The Long Book\nalpha one\nalpha two\nalpha three")
    assert found[4] == ("5", "echo one\necho two\necho three")
    assert content.warnings == (Warning("running_heads", {"count": "19"}),)


def test_heads_of_left_and_right_pages_and_of_chapters_are_heads():
    texts = [
        "\n".join([f"{i} Calls" if i % 2 else f"The Book {i}", *(f"{word} {n}" for n in "abcd")])
        for i, word in enumerate(WORDS, 30)
    ]
    kept, dropped = without_running_heads(texts, [str(i) for i in range(1, 11)])
    assert dropped == 8
    assert kept[0].startswith("The Book 30\n")
    assert kept[9] == "juliet a\njuliet b\njuliet c\njuliet d"


def test_lines_that_only_look_alike_are_kept():
    texts = ["\n".join([word, "b", "c", "d", f"Total {i * 37}"]) for i, word in enumerate(WORDS, 1)]
    kept, _ = without_running_heads(texts, [str(i) for i in range(1, 11)])
    assert [text.split("\n")[-1] for text in kept] == [f"Total {i * 37}" for i in range(1, 11)]


def test_pages_without_a_text_layer_are_named(read_bytes, labelled):
    pages = [["alpha"], ["bravo"], *([picture] * 7), ["charlie"], None, picture]
    content = read_bytes(pdf(pages), "a.pdf")
    assert content.warnings == (Warning("no_text_layer", {"pages": "3-9, 12"}),)
    assert content.left_out == (LeftOut("3-9", "no_text_layer"), LeftOut("12", "no_text_layer"))
    assert labelled(content) == [("1", "alpha"), ("2", "bravo"), ("10", "charlie")]
    assert [span.index for span in content.pages.spans] == [0, 1, 9]


def test_what_was_typed_into_a_form_is_read(read_bytes):
    def form(canvas):
        canvas.drawString(72, 700, "The price:")
        canvas.acroForm.textfield(name="price", value="4,711 euros", x=150, y=690, width=200, height=20)

    assert "4,711 euros" in read_bytes(pdf([form]), "a.pdf").pages.text()


def test_a_user_password_is_refused_and_an_empty_one_is_not(read_bytes):
    with pytest.raises(Unreadable) as refused:
        read_bytes(pdf([["secret"]], password="open sesame"), "a.pdf")
    assert refused.value.code == "encrypted"
    assert read_bytes(pdf([["open"]], password=""), "a.pdf").pages.text() == "open"


@pytest.mark.parametrize("fault", ["cut", "header only", "no pages", "junk"])
def test_damaged(read_bytes, fault):
    whole = pdf([["alpha"]])
    data = {
        "cut": whole[: len(whole) // 5],
        "header only": b"%PDF-1.7\n",
        "no pages": raw_pdf(b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"),
        "junk": b"%PDF-1.4\n" + bytes(range(256)) * 20,
    }[fault]
    with pytest.raises(Unreadable) as refused:
        read_bytes(data, "a.pdf")
    assert refused.value.code == "damaged"


def test_a_wrong_cross_reference_table_is_mended(read_bytes):
    whole = pdf([["alpha"]])
    place = whole.rindex(b"startxref")
    assert read_bytes(whole[:place] + b"startxref\n99\n%%EOF", "a.pdf").pages.text() == "alpha"


def test_objects_that_refer_to_themselves_end(read_bytes):
    stream = b"BT /F 12 Tf 10 10 Td (around) Tj ET /X Do"
    data = raw_pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 2 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources "
        b"<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /X 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Length 5 >>"
        b"\nstream\n/X Do\nendstream",
    )
    content = read_bytes(data, "a.pdf")
    assert content.pages.text() == "around"
    assert content.warnings == (Warning("damaged_pages", {"pages": "2"}),)


def test_letters_without_a_meaning_are_told_of(read_bytes):
    to_private = b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <61> <7a> <e061> endbfrange"
    stream = b"BT /F 12 Tf 10 10 Td (garbled) Tj ET"
    data = raw_pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources "
        b"<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 5 0 R >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(to_private), to_private),
    )
    assert read_bytes(data, "a.pdf").warnings == (Warning("garbled_pages", {"pages": "1"}),)


def test_attached_files_are_told_of(read_bytes):
    data = raw_pdf(
        b"<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a.txt) 5 0 R] >> >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources "
        b"<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length 35 >>\nstream\nBT /F 12 Tf 10 10 Td (cover) Tj ET \nendstream",
        b"<< /Type /Filespec /F (a.txt) /EF << /F 6 0 R >> >>",
        b"<< /Type /EmbeddedFile /Length 2 >>\nstream\nhi\nendstream",
    )
    content = read_bytes(data, "a.pdf")
    assert content.pages.text() == "cover"
    assert content.warnings == (Warning("attachments", {"count": "1"}),)


def test_ranges():
    assert ranges([]) == []
    assert ranges([2, 3, 4, 8, 10, 11]) == ["3-5", "9", "11-12"]


def test_columns_and_turned_lines_are_read_in_order(read_bytes):
    def columns(canvas):
        for x, words in ((72, ["left one", "left two"]), (320, ["right one", "right two"])):
            for place, line in enumerate(words):
                canvas.drawString(x, 700 - 14 * place, line)
        canvas.rotate(90)
        canvas.drawString(100, -500, "turned")

    assert read_bytes(pdf([columns]), "a.pdf").pages.text().split("\n") == [
        "left one", "left two", "right one", "right two", "turned",
    ]  # fmt: skip


@pytest.mark.parametrize("font", ["HeiseiMin-W3", "STSong-Light"])
def test_chinese_and_japanese_across_and_down(read_bytes, font):
    words = "契約書の第一条" if font == "HeiseiMin-W3" else "合同第一条"

    def across_and_down(canvas):
        for vertical in (False, True):
            face = UnicodeCIDFont(font, isVertical=vertical)
            pdfmetrics.registerFont(face)
            canvas.setFont(face.fontName, 12)
            canvas.drawString(100, 700 - 100 * vertical, words)

    assert read_bytes(pdf([across_and_down]), "a.pdf").pages.text().replace("\n", "") == words * 2
