"""Pages that are pictures or nonsense, with text recognition, without it, and where it finds nothing."""

import sys
from types import SimpleNamespace

import pytest
from make_documents import pdf
from make_pdf import commented, scan, with_map

import app.documents
from app.data.document import LeftOut, Warning
from app.documents import ocr
from app.documents.errors import Unreadable
from app.documents.messages import Limits, Options
from app.documents.pages import Pages
from app.documents.pdf_scans import LARGEST, agree

CONTRACT = ["The lessor shall keep the house", "in good repair, and the lessee", "shall pay the rent of 4,711 euros."]
NO_LAYER = Warning("no_text_layer", {"pages": "2"})


class StandIn:
    """What `app.documents.ocr` offers. `says`: what it finds, page after page."""

    def __init__(self, *says: str, uncertain: int = 0) -> None:
        self.says = list(says)
        self.uncertain = uncertain
        self.asked: list[tuple[tuple[int, int], str, tuple[str, ...]]] = []

    def available(self) -> tuple[str, ...]:
        return ("eng", "deu")

    def read_picture(self, picture, languages):
        self.asked.append((picture.size, picture.mode, languages))
        said = self.says.pop(0)
        if said == "fails":
            raise Unreadable("no_text")
        if said == "breaks":
            raise RuntimeError("Failed to init API")
        return SimpleNamespace(text=said, words=(), uncertain=self.uncertain, languages=("eng",))


@pytest.fixture
def recognising(monkeypatch):
    """Put another in the place of `app.documents.ocr`; None: what it needs is not installed."""

    def put(stand_in: StandIn | None) -> StandIn | None:
        module = stand_in or SimpleNamespace(available=lambda: ())
        monkeypatch.setitem(sys.modules, "app.documents.ocr", module)
        monkeypatch.setattr(app.documents, "ocr", module, raising=False)
        return stand_in

    put(None)
    return put


def test_a_scanned_page_is_recognised(read_bytes, recognising, labelled):
    eyes = recognising(StandIn("\n".join(CONTRACT) + "\r\n", uncertain=2))
    data = pdf([["cover"], scan(CONTRACT), ["end"]], labels=[(0, "ROMAN_LOWER", 1)])
    content = read_bytes(data, "a.pdf", options=Options(languages=("deu",)))
    assert labelled(content) == [("i", "cover"), ("ii", "\n".join(CONTRACT)), ("iii", "end")]
    assert content.warnings == (
        Warning("recognised", {"pages": "2", "languages": "eng"}),
        Warning("uncertain_words", {"count": "2", "pages": "2"}),
    )
    assert content.left_out == ()
    ((size, mode, languages),) = eyes.asked
    assert (mode, languages) == ("L", ("deu",))
    assert 1650 <= size[0] <= 1660  # A4 at 200 dots an inch
    # What was recognised stands nowhere among the characters of the page, and so it says.
    (run,) = [run for run in content.runs if content.pages.spans[1].start <= run.start < content.pages.spans[1].end]
    assert run.raw == -1


@pytest.mark.parametrize(("installed", "wanted"), [(False, True), (True, False)])
def test_without_recognition_it_is_left_out_by_name(read_bytes, recognising, installed, wanted):
    eyes = recognising(StandIn("never") if installed else None)
    content = read_bytes(pdf([["cover"], scan(CONTRACT)]), "a.pdf", options=Options(ocr=wanted))
    assert content.pages.text() == "cover"
    assert content.warnings == (NO_LAYER,)
    assert content.left_out == (LeftOut("2", "no_text_layer"),)
    assert eyes is None or eyes.asked == []


@pytest.mark.parametrize("says", ["fails", "breaks"])
def test_where_recognition_fails_it_is_left_out_as_well(read_bytes, recognising, says):
    recognising(StandIn(says))
    content = read_bytes(pdf([["cover"], scan(CONTRACT)]), "a.pdf")
    assert content.warnings == (NO_LAYER,)
    assert content.left_out == (LeftOut("2", "no_text_layer"),)


def test_a_page_on_which_nothing_is_written(read_bytes, recognising):
    recognising(StandIn(" \n"))
    content = read_bytes(pdf([["cover"], scan([])]), "a.pdf")
    assert content.warnings == ()
    assert content.left_out == (LeftOut("2", "no_text"),)


def test_a_layer_under_a_scan_is_kept(read_bytes, recognising):
    layer = [*CONTRACT, *(f"and so on, number {i}, for as long as a page of a contract is" for i in range(5))]
    eyes = recognising(StandIn())
    content = read_bytes(pdf([scan(CONTRACT, layer=layer)]), "a.pdf")
    assert content.pages.text() == "\n".join(layer)
    assert content.warnings == ()
    assert eyes.asked == []


def test_a_stamp_on_a_scan_does_not_hide_that_it_is_one(read_bytes, recognising):
    data = pdf([scan(CONTRACT, stamp="Case 4711, filed 2 May")])
    content = read_bytes(data, "a.pdf")
    assert content.pages.text() == "Case 4711, filed 2 May"
    assert content.warnings == (Warning("mostly_pictures", {"pages": "1"}),)
    whole = "\n".join(["Case 4711, filed 2 May", *CONTRACT])
    recognising(StandIn(whole))
    content = read_bytes(data, "a.pdf")
    assert content.pages.text() == whole
    assert content.warnings == (Warning("recognised", {"pages": "1", "languages": "eng"}),)


def test_a_picture_of_no_words_leaves_its_caption(read_bytes, recognising):
    recognising(StandIn("Our hause, seen from the south"))
    content = read_bytes(pdf([scan([], stamp="Our house, seen from the south")]), "a.pdf")
    assert content.pages.text() == "Our house, seen from the south"
    assert content.warnings == ()


def test_nonsense_is_read_from_the_picture(read_bytes, recognising):
    recognising(StandIn("\n".join(CONTRACT)))
    content = read_bytes(with_map(CONTRACT, None), "a.pdf")
    assert content.pages.text() == "\n".join(CONTRACT)
    assert content.warnings == (Warning("recognised", {"pages": "1", "languages": "eng"}),)


def test_what_is_only_taken_for_nonsense_stays(read_bytes, recognising):
    strange = ["xqzvk jwqpx zzkvq wxjqk qvzxw kjqxz vwqzk"] * 3 + ["pqxzj vkwqx jzqkv xwzqj kqvxz jwkqz", *CONTRACT]
    data = with_map(strange * 3, {c: c for c in "xq"})
    assert [warning.code for warning in read_bytes(data, "a.pdf").warnings] == ["garbled_pages"]
    recognising(StandIn("\n".join(strange * 3).replace("z", "2")))
    content = read_bytes(data, "a.pdf")
    assert content.pages.text() == "\n".join(strange * 3)
    assert content.warnings == ()


def test_nonsense_on_which_nothing_is_recognised_is_told_of(read_bytes, recognising):
    recognising(StandIn(""))
    assert read_bytes(with_map(CONTRACT, None), "a.pdf").warnings == (Warning("garbled_pages", {"pages": "1"}),)


def test_when_time_runs_out_the_rest_is_left_out_by_name(read_bytes, recognising):
    eyes = recognising(StandIn())
    content = read_bytes(pdf([["cover"], scan(CONTRACT), scan(CONTRACT)]), "a.pdf", Limits(seconds=0.0))
    assert content.pages.text() == "cover"
    assert content.warnings == (Warning("ocr_late", {"pages": "2-3"}),)
    assert content.left_out == (LeftOut("2-3", "ocr_late"),)
    assert eyes.asked == []


def test_a_page_as_large_as_a_house_is_drawn_smaller(read_bytes, recognising):
    def poster(canvas):
        canvas.setPageSize((10_000, 8_000))
        canvas.rect(100, 100, 5_000, 5_000, fill=1)

    eyes = recognising(StandIn("poster"))
    assert read_bytes(pdf([poster]), "a.pdf").pages.text() == "poster"
    (((width, height), _, _),) = eyes.asked
    assert 0.9 * LARGEST < width * height < 1.1 * LARGEST


def test_comments_on_a_scan_are_kept(read_bytes):
    data = commented(b"/Subtype /Text /Contents (too high)", lines=())
    content = read_bytes(data, "a.pdf")
    assert content.pages.text() == "[Comment: too high]"
    assert isinstance(content.pages, Pages)


@pytest.mark.parametrize(
    ("text", "recognised", "verdict"),
    [
        ("the lessor shall keep the house", "the 1essor shall keep the house", True),
        ("契約書の第一条は次のとおり", "契約書の第一条は次のとおリ", True),
        ("wkh ohvvru vkdoo nhhs wkh krxvh", "the lessor shall keep the house", False),
        ("anything", "", False),
    ],
)
def test_agreement(text, recognised, verdict):
    assert agree(text, recognised) == verdict


def test_with_tesseract_itself(read_bytes):
    assert ocr.available(), "the extra `dev` brings it"
    content = read_bytes(pdf([["cover"], scan(CONTRACT)]), "a.pdf")
    assert "the rent of 4,711 euros" in " ".join(content.pages.text().split())
    assert content.warnings[0].code == "recognised"
