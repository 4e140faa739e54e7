"""Pictures of text, read by Tesseract; and what is said where it is not installed."""

import io
import shutil
import sys

import pytest
from make_documents import drawn, picture
from PIL import Image

from app.data.document import LeftOut
from app.documents import ocr
from app.documents.errors import PassedOver, Unreadable
from app.documents.messages import Limits, Options

LINES = ["The tenant shall pay 1,250 euros each month.", "Payment is due on the third working day."]
TEXT = "\n".join(LINES)
SIZE = (900, 220)


def saved(first: Image.Image, form: str, **options) -> bytes:
    out = io.BytesIO()
    first.save(out, form, **options)
    return out.getvalue()


@pytest.mark.parametrize("form", ["PNG", "JPEG", "TIFF", "BMP", "GIF", "WEBP"])
def test_formats(read_bytes, labelled, form):
    content = read_bytes(picture((900, 120), LINES[:1], form), "picture.epub")
    assert (content.kind, content.unit) == ("image", "page")
    assert labelled(content) == [("1", LINES[0])]
    (warning,) = content.warnings
    assert (warning.code, warning.values) == ("recognised", {"pages": "1", "languages": "eng"})


@pytest.mark.parametrize("angle", [-7, 93, 180])
def test_a_page_may_lie_askew_on_its_side_or_on_its_head(read_bytes, angle):
    assert read_bytes(picture(SIZE, LINES, angle=angle), "a.png").pages.text() == TEXT


@pytest.mark.parametrize("angle", [4, 90])
def test_words_know_where_they_stand_on_the_picture(angle):
    paper = drawn(SIZE, LINES, angle)
    found = ocr.read_picture(paper, ("eng",))
    assert (found.text, found.uncertain, found.languages) == (TEXT, 0, ("eng",))
    for word in found.words:
        assert found.text[word.start :].startswith(word.text)
        assert 0 <= word.left < word.right <= paper.width
        assert 0 <= word.top < word.bottom <= paper.height
    (word,) = [word for word in found.words if word.text == "working"]
    # Nothing but the word is in its box, and all of it: read alone it is the same.
    part = paper.crop((word.left - 6, word.top - 6, word.right + 6, word.bottom + 6))
    wide = Image.new("L", (part.width + 300, part.height + 300), 255)
    wide.paste(part, (150, 150))
    assert "working" in ocr.read_picture(wide, ("eng",)).text


def test_what_is_transparent_is_paper(read_bytes):
    paper = Image.new("RGBA", SIZE, (0, 0, 0, 0))
    paper.paste((0, 0, 0, 255), mask=drawn(SIZE, LINES).point(lambda value: 255 - value))
    assert read_bytes(saved(paper, "PNG"), "a.png").pages.text() == TEXT


def test_pages_of_a_tiff(read_bytes, labelled):
    pages = [drawn(SIZE, [line]) for line in (LINES[0], "", LINES[1])]
    content = read_bytes(saved(pages[0], "TIFF", save_all=True, append_images=pages[1:]), "a.tif")
    assert labelled(content) == [("1", LINES[0]), ("3", LINES[1])]
    assert [span.index for span in content.pages.spans] == [0, 2]
    assert content.left_out == (LeftOut("2", "no_text"),)


def test_of_an_animation_the_first_picture_is_read(read_bytes):
    frames = [drawn(SIZE, [line]) for line in LINES]
    content = read_bytes(saved(frames[0], "GIF", save_all=True, append_images=frames[1:]), "a.gif")
    assert content.pages.text() == LINES[0]
    assert ("animation", {"count": "2"}) in [(warning.code, warning.values) for warning in content.warnings]


def test_words_that_may_be_others_are_counted(read_bytes):
    paper = drawn(SIZE, LINES).resize((230, 56)).resize(SIZE)
    warnings = {warning.code: warning.values for warning in read_bytes(saved(paper, "PNG"), "a.png").warnings}
    assert int(warnings["uncertain_words"]["count"]) > 0
    assert warnings["uncertain_words"]["pages"] == "1"


def test_nothing_to_read(read_bytes):
    assert read_bytes(picture((400, 300)), "a.png").pages.text() == ""
    with pytest.raises(PassedOver) as passed:
        read_bytes(picture((32, 32), ["x"]), "icon.png")
    assert passed.value.detail == "binary"
    with pytest.raises(Unreadable, match="damaged"):
        read_bytes(picture(SIZE, LINES)[:400], "a.png")


def test_a_picture_without_measure_is_refused_before_it_is_decoded(read_bytes, monkeypatch):
    data = picture(SIZE, LINES)
    monkeypatch.setattr(ocr, "LARGEST", 100_000)
    monkeypatch.setattr(Image.Image, "load", lambda self: pytest.fail("it was decoded"))
    with pytest.raises(Unreadable, match="too_big"):
        read_bytes(data, "a.png")


def test_a_person_may_not_want_it(read_bytes):
    with pytest.raises(Unreadable, match="ocr_off"):
        read_bytes(picture(SIZE, LINES), "a.png", options=Options(ocr=False))


def test_without_tesseract_the_sentence_says_how_to_get_it(read_bytes, monkeypatch):
    monkeypatch.setitem(sys.modules, "tesserocr", None)
    assert ocr.available() == ()
    with pytest.raises(Unreadable, match="no_ocr"):
        read_bytes(picture(SIZE, LINES), "a.png")
    with pytest.raises(Unreadable, match="no_ocr"):
        ocr.read_picture(drawn(SIZE, LINES), ())


def test_more_pictures_than_are_recognised_at_once(read_bytes):
    pages = [drawn(SIZE, [line]) for line in LINES]
    data = saved(pages[0], "TIFF", save_all=True, append_images=pages[1:])
    content = read_bytes(data, "a.tif", Limits(pictures=1))
    assert content.pages.text() == LINES[0]
    assert content.left_out == (LeftOut("2", "many_pictures"),)


def test_languages_may_lie_in_several_folders(monkeypatch, tmp_path):
    (installed,) = [path for name, path in ocr._data().items() if name == "eng"]
    shutil.copy(installed, tmp_path / "xyz.traineddata")
    monkeypatch.setenv("LONGREAD_TESSDATA", str(tmp_path))
    assert set(ocr.available()) >= {"eng", "xyz"}
    found = ocr.read_picture(drawn((600, 120), ["Rent."]), ("xyz", "none"))
    assert (found.text, found.languages) == ("Rent.", ("xyz",))
