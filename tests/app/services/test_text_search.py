"""Words are found in the texts of all items, with the place where they stand, and are gone when a text is forgotten."""

from pathlib import Path

import pytest

from app.data.document import Extracted, Heading, Span
from app.services import text_index, text_search
from app.services.library import Library
from app.services.problem import DatabaseProblem
from app.services.spots import excerpt, query, spots
from app.services.text_index import OVERLAP, Piece, TextIndex, folded, pieces
from app.services.text_search import TextSearch

FILLER = "Nothing of note is said on this page of the lease, and the next one says no more. "


@pytest.fixture
def index(home):
    made = TextIndex(home / "search.db")
    yield made
    made.close()


@pytest.fixture
def library(database, home, documents, index) -> Library:
    return Library(database, home / "texts", index)


@pytest.fixture
def search(library, index) -> TextSearch:
    return TextSearch(library, index)


@pytest.fixture
def book(library, documents):
    """A document of pages, with headings where a page begins with "# "."""

    async def added(*pages: str, name: str = "book.pdf"):
        text, spans, headings = "", [], []
        for place, page in enumerate(pages):
            start = len(text) + 2 * bool(text)
            title = page.partition("\n")[0].removeprefix("# ")
            page = page.removeprefix("# ")
            if page != pages[place]:
                headings.append(Heading(start, 1, title))
            text = f"{text}\n\n{page}" if text else page
            spans.append(Span(start, len(text), place, f"p{place + 1}"))
        documents[name] = Extracted(text, "pdf", name, "page", tuple(spans), headings=tuple(headings))
        return await library.add(Path("/somewhere") / name)

    return added


async def found(search: TextSearch, asked: str, **how) -> list[tuple[str, list[str]]]:
    """Names of the texts, and labels of their places."""
    return [(one.name, [place.at.label for place in one.places]) for one in (await search.search(asked, **how)).texts]


async def test_a_word_is_found_with_its_page_its_heading_and_what_stands_around_it(search, book):
    item = await book(FILLER * 3, "# 9. Limits\nThe Seller's total LIABILITY is\ncapped at 400.", FILLER)
    await search.bring_up_to_date()
    (text,) = (await search.search("total liability capped")).texts
    (place,) = text.places
    assert (text.item, text.name, text.count) == (item.id, "book.pdf", 1)
    assert (place.at.label, place.at.index, place.at.path) == ("p2", 1, ("9. Limits",))
    kept = search._library.text(item.id)
    assert kept[place.at.start : place.at.end] == "total"
    assert "9. Limits The Seller's total LIABILITY is capped at 400." in place.snippet
    assert [place.snippet[start:end] for start, end in place.marks] == ["total", "LIABILITY", "capped"]


@pytest.mark.parametrize(
    ("asked", "pages"),
    [
        ("保密义务", ["p2"]),
        ("合同", ["p1", "p2"]),  # two letters, as most words of Chinese
        ("税", ["p3"]),  # one letter, the last of its page
        ("合同 义务", ["p2"]),
        ("ＡＢＣ公司", ["p3"]),  # wide letters stand for narrow ones
        ("签订 ABC", ["p1"]),  # on different pages: that of the first of the rarest
        ("没有", []),
    ],
)
async def test_chinese_is_found_whatever_the_length_of_the_word(search, book, asked, pages):
    await book("甲方签订合同。" + "一" * 200, "本合同规定了保密义务。" + "一" * 200, "ABC公司应缴税")
    await search.bring_up_to_date()
    places = [label for _, labels in await found(search, asked) for label in labels]
    assert sorted(places) == pages


async def test_what_stands_between_quotation_marks_is_one_word_across_lines_and_pages(search, book):
    await book("in case\nof fraud", "of fraud in case", FILLER + "the last words are gross", "negligence and more")
    await search.bring_up_to_date()
    assert await found(search, '"in case of"') == [("book.pdf", ["p1"])]
    assert await found(search, "“gross negligence”") == [("book.pdf", ["p3"])]
    assert await found(search, "") == await found(search, '""') == []


async def test_the_best_comes_first_and_what_is_left_is_counted(search, book):
    await book(*("It names the rent. " + FILLER for _ in range(9)), name="often.pdf")
    await book(FILLER + "rent" + FILLER, "# The rent\nThe rent is paid; rent is due.", name="heading.pdf")
    await search.bring_up_to_date()
    told = await search.search("rent", places=2)
    assert [(one.name, len(one.places), one.count) for one in told.texts] == [
        ("heading.pdf", 2, 2),
        ("often.pdf", 2, 9),
    ]
    assert told.texts[0].places[0].at.label == "p2"
    assert not told.more
    assert (await search.search("rent", texts=1)).more


async def test_more_than_can_be_looked_through_is_said(search, book, monkeypatch):
    monkeypatch.setattr(text_search, "PIECES_LOOKED", 3)
    await book(*["the rent"] * 5, name="a.pdf")
    await book("the rent", name="b.pdf")
    await search.bring_up_to_date()
    told = await search.search("rent")
    assert told.more
    assert [(one.name, one.count, one.more) for one in told.texts] == [("a.pdf", 3, True)]


async def test_words_that_stand_apart_come_after_those_that_stand_together(search, book):
    await book("The rent is due.", FILLER * 2, "A zebra may be kept.", name="apart.pdf")
    await book(FILLER * 40 + "The rent of a zebra" + FILLER * 40, name="together.pdf")
    await book(*["The rent is due." + FILLER] * 4, name="other.pdf")
    await search.bring_up_to_date()
    told = (await search.search("rent zebra")).texts
    assert [(one.name, one.apart, one.places[0].at.label) for one in told] == [
        ("together.pdf", False, "p1"),
        ("apart.pdf", True, "p3"),
    ]


async def test_only_items_of_the_library_or_those_asked_for_are_searched(search, book, library):
    one, two = await book("the rent", name="a.pdf"), await book("the rent is due", name="b.pdf")
    await search.bring_up_to_date()
    assert await found(search, "rent", within={two.id}) == [("b.pdf", ["p1"])]
    library.remove(two.id)
    assert await found(search, "rent") == [("a.pdf", ["p1"])]
    library.restore(two.id)
    assert [name for name, _ in await found(search, "rent")] == ["b.pdf", "a.pdf"], "the newest first"
    Path(one.path).unlink()
    assert await found(search, "rent") == [("b.pdf", ["p1"])]


async def test_bringing_up_to_date_tells_how_far_and_goes_on_where_it_was(search, book, index, monkeypatch):
    monkeypatch.setattr(text_index, "AT_ONCE", 2)
    await book(*(f"page {n} of five" for n in range(5)), name="a.pdf")
    await book("another text", name="b.pdf")
    heard: list[tuple[int, int]] = []

    def told(done: int, total: int) -> None:
        heard.append((done, total))
        if len(heard) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        await search.bring_up_to_date(told)
    assert [item.name for item in await search.waiting()] == ["a.pdf"]
    assert (await search.search("page")).waiting == 1
    assert await found(search, "page") == [("a.pdf", ["p1", "p2"])]
    heard.clear()
    await search.bring_up_to_date(lambda done, total: heard.append((done, total)))
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)
    assert heard[-1][0] == heard[-1][1]
    assert (await search.search("page")).waiting == 0
    assert [one.count for one in (await search.search("page five")).texts] == [5]


async def test_a_text_forgotten_while_it_is_taken_in_is_not_kept(search, book, library, index, monkeypatch):
    monkeypatch.setattr(text_index, "AT_ONCE", 1)
    item = await book("one", "two", "three")
    await search.bring_up_to_date(lambda done, total: library.forget(item.id) if done else None)
    assert index.known() == set()


async def test_nothing_of_a_forgotten_text_is_left_in_any_file(search, book, library, database, index, home):
    """Rare letters, so that their bytes can come from nowhere else."""
    words = ["ᏣᎳᎩ", "ᎦᏬᏂ", "ᎯᏍᏗ"]
    kept = await book("What stays is about the rent.", name="kept.pdf")
    item = await book(*(f"# {word}\n{word} {FILLER}" for word in words), name="ᏣᎳᎩ.pdf")
    await search.bring_up_to_date()
    assert database.empty_log()
    assert index._database.empty_log()

    def holding() -> set[str]:
        files = [path for path in home.rglob("*") if path.is_file()]
        parts = [part.encode() for word in words for part in (word, word[1:])]
        return {path.name for path in files if any(part in path.read_bytes() for part in parts)}

    assert {"longread.db", "search.db", f"{item.id}.txt"} <= holding()
    library.forget(item.id)
    await library.purge()
    assert holding() == set()
    assert index.known() == {kept.id}
    assert [name for name, _ in await found(search, "rent")] == ["kept.pdf"]


async def test_what_was_still_owed_is_done_at_the_next_start(search, book, library, index, home):
    item = await book("ᏣᎳᎩ")
    await search.bring_up_to_date()
    library.forget(item.id)  # and the program ends here
    index.close()
    again = TextIndex(home / "search.db")
    await TextSearch(Library(library._database, home / "texts", again), again).bring_up_to_date()
    again.close()
    assert "ᏣᎳᎩ".encode() not in (home / "search.db").read_bytes()


def test_a_damaged_index_is_made_anew(home):
    (home / "search.db").write_bytes(b"no database " * 999)
    made = TextIndex(home / "search.db")
    assert made.take_in("a", "some words") == 10
    assert made.whole() == {"a"}
    made.close()


async def test_damage_that_shows_later_is_told_and_mended(search, book, index, home):
    await book(*(f"page {n} of the lease" for n in range(300)))
    await search.bring_up_to_date()
    index._database.rows("UPDATE grams_data SET block = zeroblob(9) WHERE id > 10")
    with pytest.raises(DatabaseProblem, match="index_anew"):
        await search.search("lease")
    await search.bring_up_to_date()
    assert (await search.search("lease")).texts[0].count == 300


def test_pieces_begin_where_pages_do_and_cover_everything():
    assert pieces(10, [4, 0, 99]) == [Piece(0, 4), Piece(4, 10)]
    cut = pieces(10_000, [500])
    assert [one.start for one in cut[1:]] == [one.end for one in cut[:-1]]
    assert (cut[0].start, cut[-1].end) == (0, 10_000)
    assert max(one.end - one.start for one in cut) <= text_index.LONGEST
    assert pieces(0, []) == []


@pytest.mark.parametrize(
    ("text", "word", "held"),
    [
        ("The STRASSE", "strasse", ["STRASSE"]),
        ("The Straße", "strasse", ["Straße"]),
        ("of ﬁnal  ofﬁce", "final", ["ﬁnal"]),
        ("a\n\n b", "a b", ["a\n\n b"]),
        ("(a+b)", "(a+b)", ["(a+b)"]),
        ("none", "no ne", []),
    ],
)
def test_a_word_is_found_in_every_form_of_its_letters(text, word, held):
    assert [text[start:end] for start, end in spots(text, Piece(0, len(text)), folded(word))] == held


async def test_what_a_border_cuts_belongs_to_the_piece_in_which_it_begins(search, book):
    await book("x" * 95 + " gross", "negligence" + " y" * 99 + " late", "z")
    await search.bring_up_to_date()
    assert (
        await found(search, '"gross negligence"') == await found(search, "negligence gross") == [("book.pdf", ["p1"])]
    )
    assert await found(search, "negligence") == await found(search, "late") == [("book.pdf", ["p2"])]
    assert spots("x" * (100 + OVERLAP) + "late", Piece(0, 100), "late") == []


def test_a_query_is_its_words_folded_and_each_once():
    assert query('  Rent "gross   Negligence" RENT 「保密 义务」 "open') == (
        "rent",
        "gross negligence",
        "保密 义务",
        "open",
    )


def test_an_excerpt_is_one_line_and_says_where_text_was_left_away():
    text = "begin " * 40 + "here\n\nis  it" + " end" * 60
    start = text.index("here")
    shown, marks = excerpt(text, [(start, start + 4), (start + 10, start + 12), (0, 5)])
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert [shown[first:last] for first, last in marks] == ["here", "it"]
    assert "here is it end" in shown
    assert excerpt("all of it", [(0, 3)]) == ("all of it", ((0, 3),))
