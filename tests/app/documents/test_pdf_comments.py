import pytest
from make_pdf import commented

from app.data.document import Warning

ON_PRICE = b"/QuadPoints [42 372 68 372 42 357 68 357]"


@pytest.mark.parametrize(
    ("annotation", "line"),
    [
        (b"/Subtype /Text /Contents (too high)", "[Comment: too high]"),
        (b"/Subtype /Text /T (A. Smith) /Contents (too\rhigh)", "[Comment by A. Smith: too high]"),
        (b"/Subtype /Highlight /Contents (why?) " + ON_PRICE, "[Comment on “price”: why?]"),
        (b"/Subtype /StrikeOut /T (B) " + ON_PRICE, "[Comment by B on “price”: struck out]"),
        (b"/Subtype /StrikeOut /Contents (no) " + ON_PRICE, "[Comment on “price”: struck out; no]"),
        (b"/Subtype /Caret /Contents (insert: not)", "[Comment: insert: not]"),
        (b"/Subtype /FreeText /DA (/Helv 9 Tf) /Contents (typed on it)", "[Comment: typed on it]"),
        (b"/Contents (of no kind)", "[Comment: of no kind]"),
        (b"/Subtype /Text /Contents <feff5951d8005834>", "[Comment: 契\ufffd場]"),
    ],
)
def test_what_readers_wrote_follows_the_page(read_bytes, annotation, line):
    assert read_bytes(commented(annotation), "a.pdf").pages.text() == f"The price is high.\nIt is fair.\n{line}"


@pytest.mark.parametrize(
    "annotation",
    [
        b"/Subtype /Link /Contents (a link)",
        b"/Subtype /Popup /Contents (shows another)",
        b"/Subtype /Highlight " + ON_PRICE,
        b"/Subtype /Text /Contents ( )",
        b"/Subtype /Widget /Contents (a field)",
    ],
)
def test_what_says_nothing_adds_nothing(read_bytes, annotation):
    assert read_bytes(commented(annotation), "a.pdf").pages.text() == "The price is high.\nIt is fair."


def test_what_is_typed_on_a_page_and_read_with_it_is_read_once(read_bytes):
    annotation = b"/Subtype /FreeText /DA (/Helv 9 Tf) /Contents (It is  fair.)"
    assert read_bytes(commented(annotation), "a.pdf").pages.text() == "The price is high.\nIt is fair."


def test_comments_are_read_before_a_form_becomes_part_of_the_page(read_bytes):
    text = read_bytes(commented(b"/Subtype /Text /Contents (too high)", forms=True), "a.pdf").pages.text()
    assert text.endswith("[Comment: too high]")


def test_a_file_attached_to_a_place_is_named(read_bytes):
    file = b"/Subtype /FileAttachment /FS << /Type /Filespec /F (f) /UF (prices.xlsx) >>"
    content = read_bytes(commented(file), "a.pdf")
    assert content.warnings == (Warning("attached_files", {"count": "1", "names": "prices.xlsx"}),)
