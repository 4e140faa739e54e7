import pytest
from make_documents import pdf, raw_pdf
from make_pdf import (
    going_around,
    in_chinese_letters,
    old_tex,
    with_attachments,
    with_map,
    with_wrong_table,
    without_pages,
)

from app.data.document import LeftOut, Warning
from app.documents.errors import Unreadable
from app.documents.messages import Options
from app.documents.pdf_words import Hyphens, ranges, running_heads
from app.documents.placed import Placed

pytestmark = pytest.mark.usefixtures("without_ocr")

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


@pytest.mark.parametrize(
    ("divided", "whole"),
    [
        ("well|known un|known neo|logism", "well-known unknown neologism"),
        ("Well|Known", "Well-Known"),
        ("x| y", "x y"),
        ("--long|option |", "--longoption "),
        # numbers and names are divided at a hyphen of their own
        ("A|4711 UTF|8 Müller|Lüdenscheidt X|Ray", "A-4711 UTF-8 Müller-Lüdenscheidt X-Ray"),
        ("CON|TRACT", "CONTRACT"),
        ("Java|Script", "JavaScript"),
        ("state-of|the|art", "state-of-the-art"),
    ],
)
def test_hyphens_follow_the_words_of_the_whole_document(divided, whole):
    hyphens = Hyphens(["well-known and unknown", "the well\ufffeknown JavaScript state-of-the-art"])
    text = divided.replace("|", "\ufffe")
    joined = hyphens.join(Placed(text, [0], [0]))
    assert joined.text == whole
    assert all(text[joined.raw(i)] in (c, "\ufffe") for i, c in enumerate(whole))


def test_a_page_number_is_no_end_of_a_word_that_goes_on_overleaf(read_bytes, labelled):
    pages = [
        [f"{word} one", f"{word} two", f"{word} three", f"{word} divi-", str(i)] for i, word in enumerate(WORDS, 1)
    ]
    assert labelled(read_bytes(pdf(pages), "a.pdf"))[3] == ("4", "delta one\ndelta two\ndelta three\ndelta divi-")


def test_ligatures_are_letters(read_bytes):
    meanings = {"1": "\ufb03", "2": "\ufb01", "4": "\u00a0", "5": "\u00ad", "6": "ffi"}
    text = read_bytes(with_map(["e1cient e6cient 2sh4and5soft"], meanings), "a.pdf").pages.text()
    assert text == "efficient efficient fish andsoft"


def test_ligatures_of_old_papers_are_letters(read_bytes):
    lines = [b"an e\x0ecient o\x0ber on the \x0crst \roor", b"is a contract, and the", b"price is 12 and 14."]
    text = read_bytes(old_tex(*lines), "a.pdf").pages.text()
    assert text == "an efficient offer on the first floor\nis a contract, and the\nprice is 12 and 14."


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
    heads = running_heads(texts, [str(i) for i in range(1, 11)])
    assert heads == {index: [0] for index in range(2, 10)}


def test_lines_that_only_look_alike_are_kept():
    texts = ["\n".join([word, "b", "c", "d", f"Total {i * 37}"]) for i, word in enumerate(WORDS, 1)]
    heads = running_heads(texts, [str(i) for i in range(1, 11)])
    assert not any(4 in lines for lines in heads.values())


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


@pytest.mark.parametrize(("password", "code"), [(None, "encrypted"), ("wrong", "encrypted"), ("open sesame", None)])
def test_a_password_opens_what_it_locks(read_bytes, password, code):
    data = pdf([["secret"]], password="open sesame")
    options = Options() if password is None else Options(passwords={"": password})
    if code is None:
        assert read_bytes(data, "a.pdf", options=options).pages.text() == "secret"
        return
    with pytest.raises(Unreadable) as refused:
        read_bytes(data, "a.pdf", options=options)
    assert refused.value.code == code


def test_a_password_that_only_forbids_printing_locks_nothing(read_bytes):
    assert read_bytes(pdf([["open"]], password=""), "a.pdf").pages.text() == "open"


@pytest.mark.parametrize("fault", ["cut", "header only", "no pages", "junk"])
def test_damaged(read_bytes, fault):
    whole = pdf([["alpha"]])
    data = {
        "cut": whole[: len(whole) // 5],
        "header only": b"%PDF-1.7\n",
        "no pages": without_pages(),
        "junk": b"%PDF-1.4\n" + bytes(range(256)) * 20,
    }[fault]
    with pytest.raises(Unreadable) as refused:
        read_bytes(data, "a.pdf")
    assert refused.value.code == "damaged"


def test_a_wrong_cross_reference_table_is_mended(read_bytes):
    assert read_bytes(with_wrong_table(), "a.pdf").pages.text() == "alpha"


def test_objects_that_refer_to_themselves_end(read_bytes):
    content = read_bytes(going_around(), "a.pdf")
    assert content.pages.text() == "around"
    assert content.warnings == (Warning("damaged_pages", {"pages": "2"}),)


@pytest.mark.parametrize("meaning", ["\ue061", "\x00", "\ufffd"])
def test_letters_without_a_meaning_are_told_of(read_bytes, meaning):
    meanings = dict.fromkeys("garbled", meaning)
    content = read_bytes(with_map(["garbled text"], meanings), "a.pdf")
    assert content.warnings == (Warning("garbled_pages", {"pages": "1"}),)


def test_letters_without_a_meaning_are_no_hyphens(read_bytes):
    text = read_bytes(with_map(["The amount is 1x00 and 20x, with words enough around it."], {"x": "\x00"}), "a.pdf")
    assert text.pages.text().startswith("The amount is 1\ufffd00 and 20\ufffd,")


@pytest.mark.parametrize("labels", [b"/Nums [0 << /P (\\330\\000) >>]", b"/Nums [0 << /P <feffd800> >>]"])
def test_a_page_label_that_is_half_a_character_harms_nothing(read_bytes, labelled, labels):
    data = raw_pdf(
        b"<< /Type /Catalog /Pages 2 0 R /PageLabels << %s >> >>" % labels,
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources "
        b"<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length 35 >>\nstream\nBT /F 12 Tf 10 10 Td (words) Tj ET \nendstream",
    )
    ((label, text),) = labelled(read_bytes(data, "a.pdf"))
    assert text == "words"
    label.encode()


def test_attached_files_are_named(read_bytes):
    content = read_bytes(with_attachments("Anlage 1.xlsx", "契約.txt"), "a.pdf")
    assert content.pages.text() == "cover"
    assert content.warnings == (Warning("attached_files", {"count": "2", "names": "Anlage 1.xlsx, 契約.txt"}),)


def test_of_very_many_attached_files_the_first_are_named(read_bytes):
    content = read_bytes(with_attachments(*(f"{number}.txt" for number in range(60))), "a.pdf")
    (warning,) = content.warnings
    assert warning.values["count"] == "60"
    assert warning.values["names"].split(", ") == [*(f"{number}.txt" for number in range(50)), "…"]


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


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize(
    ("font", "columns"), [("HeiseiMin-W3", "契約書の|第一条"), ("STSong-Light", "合同第一条|的价格")]
)
def test_chinese_and_japanese_across_and_down(read_bytes, font, columns, down):
    content = read_bytes(pdf([in_chinese_letters(*columns.split("|"), font=font, down=down)]), "a.pdf")
    assert content.pages.text().replace("\n", "") == columns.replace("|", "")
    # Neither the file nor the computer has the font; with one that has it, no column is left out.
    assert {warning.code for warning in content.warnings} <= ({"missing_fonts"} if down else set())


def test_a_column_beside_a_line(read_bytes):
    def page(canvas):
        in_chinese_letters("第一条の価格", down=True)(canvas)
        canvas.setFont("Helvetica", 12)
        canvas.drawString(72, 30, "17")

    words = read_bytes(pdf([page]), "a.pdf").pages.text().split()
    assert sorted(words) == ["17", "第一条の価格"]
