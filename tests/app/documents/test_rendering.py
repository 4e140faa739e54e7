"""Pages as they are drawn, and words where they are drawn: each box is compared with the ink on the picture."""

import pytest
from make_documents import pdf
from make_pdf import commented, in_chinese_letters, old_tex, turned, with_map

from app.documents import drawing
from app.documents.drawing import draw, lines
from app.documents.messages import GENEROUS, Draw, Picture, Wanted
from app.documents.pdf_page import open_pdf
from app.documents.reading import read
from app.documents.rendering import wanted
from app.documents.source import Source


def ink(picture: Picture) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of all that is not white."""
    width, dark = picture.width, []
    assert len(picture.pixels) == 4 * width * picture.height
    for row in range(picture.height):
        line = picture.pixels[4 * width * row : 4 * width * (row + 1) : 4]
        if line.count(255) != width:
            columns = [column for column, blue in enumerate(line) if blue != 255]
            dark.append((columns[0], row, columns[-1] + 1, row + 1))
    left, top, right, bottom = zip(*dark, strict=True)
    return min(left), min(top), max(right), max(bottom)


def around(box, dark) -> bool:
    """Whether the box is around the ink, and not much larger: letters have room above and below."""
    left, top, right, bottom = box
    room = 0.9 * max(min(dark[2] - dark[0], dark[3] - dark[1]), 6)
    holds = left <= dark[0] + 2 and top <= dark[1] + 2 and right >= dark[2] - 2 and bottom >= dark[3] - 2
    return holds and right - left < dark[2] - dark[0] + room and bottom - top < dark[3] - dark[1] + room


def read_and_draw(data: bytes, quote: str, width: int = 400, page: int = 0) -> Picture:
    """Read a PDF, find a quote in its text, and draw its page with it."""
    content = read(Source(data, "a.pdf", GENEROUS, lambda done, total: None))
    text = content.pages.text()
    start = text.index(quote)
    span = content.pages.spans[page]
    found = wanted(content.runs, span, text, start, start + len(quote))
    assert found.text == quote
    return draw(open_pdf(data), Draw(0, span.index, width, (found,)))


@pytest.mark.parametrize("crop", [None, (10, 300, 210, 390)])
@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_words_are_found_where_they_are_drawn(angle, crop):
    picture = read_and_draw(turned(angle, "Everything", crop=crop), "Everything")
    ((box,),) = picture.boxes
    assert around(box, ink(picture))
    sides = (200, 90) if crop else (400, 400)
    across, down = sides if angle % 180 == 0 else sides[::-1]
    assert (picture.width, picture.height) == (400, round(400 * down / across))


@pytest.mark.parametrize(
    ("data", "quote", "drawn"),
    [
        (lambda: turned(0, "one exam-", "ple of it"), "example", 2),
        (lambda: turned(0, "one line", "and another"), "line\nand", 2),
        (lambda: turned(0, "words with  wide   spaces"), "words with wide spaces", 1),
        (lambda: with_map(["so e1cient"], {"1": "ffi"}), "efficient", 1),
        (lambda: with_map(["a1b2c"], {"1": "\U0001d400", "2": "\U00020b9f"}), "\U0001d400b\U00020b9fc", 1),
        (lambda: with_map(["xaxbx and of the contract the price"], {"x": "\x02"}), "ab and of the contract", 1),
        (lambda: old_tex(b"an e\x0ecient contract and the price"), "efficient contract", 1),
    ],
)
def test_what_was_cleaned_is_found(data, quote, drawn):
    picture = read_and_draw(data(), quote)
    (boxes,) = picture.boxes
    assert len(boxes) == drawn
    assert all(0 <= left < right <= 400 and 0 <= top < bottom <= 400 for left, top, right, bottom in boxes)


def test_a_quote_is_found_on_its_own_page_and_in_its_own_column():
    def columns(canvas):
        for x, word in ((72, "left"), (320, "right")):
            for place in range(3):
                canvas.drawString(x, 700 - 14 * place, f"{word} {place}")

    picture = read_and_draw(pdf([["first"], columns]), "right 1\nright 2", 595, page=1)
    (boxes,) = picture.boxes
    assert [(round(left), right < 360) for left, _, right, _ in boxes] == [(320, True)] * 2
    assert (picture.index, picture.label) == (1, "2")


def test_columns_are_found_one_by_one():
    data = pdf([in_chinese_letters("契約書の第一条", "賃料を支払う", down=True)])
    picture = read_and_draw(data, "第一条賃料を", 595)
    ((right, left),) = picture.boxes
    # Three characters each: the last of the first column, and the first of the second one, which stands 20 to its left.
    assert [round(box[3] - box[1]) for box in (right, left)] == [36, 36]
    assert right[1] == pytest.approx(left[1] + 4 * 12, abs=2)
    assert right[0] == pytest.approx(left[0] + 20, abs=1)


def test_what_was_typed_into_a_form_is_drawn_and_found():
    def form(canvas):
        canvas.acroForm.textfield(name="price", value="4711", x=150, y=690, width=200, height=20, borderWidth=0)

    picture = read_and_draw(pdf([form]), "4711", 595)
    ((box,),) = picture.boxes
    assert 149 <= box[0] < box[2] <= 200


def test_a_comment_has_no_place_on_the_page():
    picture = read_and_draw(commented(b"/Subtype /Text /Contents (high)"), "fair.")
    assert len(picture.boxes[0]) == 1
    content = read(Source(commented(b"/Subtype /Text /Contents (high)"), "a.pdf", GENEROUS, lambda done, total: None))
    text = content.pages.text()
    assert wanted(content.runs, content.pages.spans[0], text, text.index("high]"), len(text)) == Wanted(())


def test_other_words_than_those_that_are_wanted_have_no_box():
    pieces = ((4, 5),)
    asked = (Wanted(pieces, "price"), Wanted(pieces, "lease"), Wanted(pieces), Wanted(((900, 5),), "x"))
    picture = draw(open_pdf(turned(0, "The price is 4711 euros")), Draw(0, 0, 400, asked))
    assert [len(boxes) for boxes in picture.boxes] == [1, 0, 1, 0]


def test_no_picture_is_larger_than_it_may_be(monkeypatch):
    monkeypatch.setattr(drawing, "PIXELS", 90_000)
    document = open_pdf(turned(0, "words", crop=(0, 0, 400, 100)))
    picture = draw(document, Draw(0, 0, 1_000_000))
    assert (picture.width, picture.height) == (600, 150)
    assert draw(document, Draw(0, 0, -5)).width == 1


def test_a_font_that_is_nowhere_to_be_had_is_told_of():
    document = open_pdf(pdf([["words"], in_chinese_letters("契約書")]))
    there, perhaps = [draw(document, Draw(0, index, 100)) for index in (0, 1)]
    assert not there.fontless
    assert perhaps.fontless == (set(perhaps.pixels) == {255})


def test_boxes_of_one_line_are_joined():
    line = [(0, 10, 5, 20), (5, 12, 9, 20), (12, 10, 15, 20)]
    below = [(0, 30, 5, 40), (5, 30, 9, 40)]
    far = [(300, 30, 305, 40)]
    assert lines([*line, *below, *far]) == [(0, 10, 15, 20), (0, 30, 9, 40), (300, 30, 305, 40)]
    assert lines([(0, 0, 10, 10), (0, 10, 10, 20), (-20, 0, -10, 10)]) == [(0, 0, 10, 20), (-20, 0, -10, 10)]
    assert lines([]) == []


def test_whole_pages_are_quoted_page_by_page():
    content = read(Source(pdf([["one"], ["two"]]), "a.pdf", GENEROUS, lambda done, total: None))
    text, spans = content.pages.text(), content.pages.spans
    assert [wanted(content.runs, span, text, 0, len(text)).text for span in spans] == ["one", "two"]
    assert wanted((), spans[0], text, 0, 3) == Wanted(())
