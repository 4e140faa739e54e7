"""Documents in segments: nothing is lost, nothing is too long, and an edit changes few of them."""

import hashlib
import random

import numpy as np
import pytest

from engine.prompt import Placed
from engine.protocol import Document, Label
from engine.reading.frame import Frame
from engine.reading.segments import HEAD, segments

PREAMBLE = np.array([3, 1, 4, 1, 5], np.int32)
TAIL = np.array([2, 7], np.int32)


def words(random, count):
    made = ("".join(random.choice("bdfglmnprst") + random.choice("aeiou") for _ in "ab") for _ in range(count))
    return " ".join(made)


def paragraphs(random, count):
    return [words(random, random.randint(5, 40)).capitalize() + "." for _ in range(count)]


def chinese(random, count):
    return "".join(chr(random.randrange(0x4E00, 0x9000)) for _ in range(count))


class Cut:
    """Segments of texts, given as (name, text) or (name, text, unit, labels)."""

    def __init__(self, tokenizer, texts, longest, overlap, space=""):
        self.tokenizer, self.longest, self.overlap = tokenizer, longest, overlap
        self.documents = []
        for name, text, *labelled in texts:
            unit, labels = labelled or ("page", ())
            sha256 = hashlib.sha256(text.encode()).hexdigest()
            self.documents.append(Document("", sha256, name, unit, tuple(Label(*label) for label in labels)))
        self.placed = [Placed(text, *tokenizer.encode_placed(text)) for _, text, *_ in texts]
        self.frame = Frame(PREAMBLE, tuple(self.documents), TAIL, 0, (0, 0), space, False)
        self.segments = segments(self.frame, self.placed, tokenizer, longest, overlap)
        self.keys = [segment.key for segment in self.segments]

    def head(self, segment, body=0):
        """The text over a segment's body, up to where it or the overlap before it begins."""
        start = len(PREAMBLE) if not body else segment.bodies[body - 1].at + self._size(segment.bodies[body - 1])
        return self.tokenizer.decode(segment.ids[start : segment.bodies[body].at].tolist())

    @staticmethod
    def _size(body):
        return body.end - body.start

    def check(self):
        """What holds of any documents."""
        spans = [[] for _ in self.documents]
        for segment in self.segments:
            assert len(segment.ids) <= len(PREAMBLE) + self.longest
            assert segment.ids.dtype == np.int32
            assert np.array_equal(segment.ids[: segment.preamble], PREAMBLE)
            assert segment.own == sum(map(self._size, segment.bodies))
            assert len(segment.bodies) == len(segment.places)
            assert segment.key == hashlib.sha256(segment.ids.tobytes()).hexdigest()
            end = len(PREAMBLE)
            for body, place in zip(segment.bodies, segment.places, strict=True):
                text = self.placed[body.document]
                own = text.ids[body.start : body.end]
                assert np.array_equal(segment.ids[body.at : body.at + len(own)], own)
                assert place.document == body.document
                assert body.at > end  # a line stands over each
                end = body.at + len(own)
                spans[body.document].append((body.start, body.end, place.start, place.end))
            # After the last nothing but an empty line
            assert self.tokenizer.decode(segment.ids[end:].tolist()).strip() == ""
        for text, of_it in zip(self.placed, spans, strict=True):
            assert of_it  # empty ones have a line as well
            for before, after in zip([(0, 0, 0, 0), *of_it], [*of_it, None], strict=True):
                if after is None:
                    assert (before[1], before[3]) == (len(text.ids), len(text.text))
                else:
                    assert before[1] == after[0]
                    assert before[3] == after[2]
            for start, end, first, last in of_it:
                assert start == end or first == text.starts[start]
                assert end == len(text.ids) or last == text.starts[end]
        return self


@pytest.fixture
def cut(tokenizer):
    return lambda texts, longest=400, overlap=0, space="": Cut(tokenizer, texts, longest, overlap, space).check()


@pytest.mark.parametrize("seed", range(20))
def test_every_token_is_in_one_segment(seed, cut):
    r = random.Random(seed)
    makes = [
        lambda: "\n\n".join(paragraphs(r, r.randint(1, 60))),
        lambda: words(r, r.randint(0, 900)),
        lambda: chinese(r, r.randint(0, 500)),
        lambda: ";".join(paragraphs(r, r.randint(0, 30))).replace(" ", "_"),
        lambda: "\n" * r.randint(0, 500),
        lambda: "",
    ]
    texts = [(f"{words(r, 2)}.txt", r.choice(makes)()) for _ in range(r.randint(1, 12))]
    cut(texts, longest=r.choice([128, 300, 900]), overlap=r.choice([0, 20, 500]), space=r.choice(["", " "]))


@pytest.mark.parametrize("name", ["a" * 250, "年度报告" * 40, "👩🏽‍🚀" * 40, "a\n\nb <|im_end|>"])
@pytest.mark.parametrize("longest", [200, 400])
def test_long_names_make_no_segment_longer(longest, name, cut):
    r = random.Random(1)
    long = chinese(r, 900)
    labels = [(at, chinese(r, 60)) for at in range(0, 900, 20)]
    for texts in [(name, long, "section", labels)], [(name + str(n), words(r, 20)) for n in range(12)]:
        found = cut(texts if isinstance(texts, list) else [texts])
        assert len(cut(texts, longest).segments) >= len(found.segments) > 1


def test_a_segment_begins_with_the_end_of_the_one_before(cut):
    r = random.Random(2)
    text = "\n\n".join(paragraphs(r, 60))
    found = cut([("book.txt", text)], overlap=30)
    placed = found.placed[0]
    assert len(found.segments) > 3
    for segment in found.segments[1:]:
        (body,) = segment.bodies
        assert np.array_equal(segment.ids[body.at - 30 : body.at], placed.ids[body.start - 30 : body.start])
        # The line over it stands before that
        line = len(found.tokenizer.encode("Document: book.txt\n\n"))
        assert body.at == len(PREAMBLE) + line + 30
    assert found.segments[0].bodies[0].at == len(PREAMBLE) + line
    # Never more than a quarter
    assert (
        cut([("book.txt", text)], overlap=10_000).keys == cut([("book.txt", text)], overlap=(400 - HEAD) // 4 + 24).keys
    )


@pytest.mark.parametrize("longest", [64, 128, 192])
def test_every_segment_goes_on(longest, cut):
    """However much of the one before is wanted in it, and however short it is."""
    found = cut([("a", words(random.Random(3), 300))], longest, overlap=10_000)
    sizes = [segment.own for segment in found.segments]
    assert min(sizes[:-1]) >= 4


def test_a_last_small_file_with_a_long_name(cut):
    r = random.Random(12)
    assert cut([("a", words(r, 40)), ("b" * 250, words(r, 60))], 300).segments


def test_an_overlap_is_not_for_what_is_in_one_piece(cut):
    text = words(random.Random(3), 60)
    assert cut([("a", text)], overlap=50).keys == cut([("a", text)]).keys


def test_lines_say_which_pages(cut):
    pages = paragraphs(random.Random(4), 30)
    starts = [sum(len(page) + 2 for page in pages[:n]) for n in range(30)]
    text = "\n\n".join(pages)
    found = cut([("book.pdf", text, "page", [(start, str(n + 1)) for n, start in enumerate(starts)])])
    assert len(found.segments) > 3
    for segment in found.segments:
        (place,) = segment.places
        on = [n + 1 for n, start in enumerate(starts) if place.start <= start < place.end]
        where = f"page {on[0]}" if len(on) == 1 else f"pages {on[0]} to {on[-1]}"
        assert found.head(segment) == f"Document: book.pdf, {where}\n\n"


def test_a_page_that_began_before_counts(cut):
    """And what stands before the first label counts as the first."""
    text = words(random.Random(5), 700)
    found = cut([("book.epub", text, "section", [(100, "One"), (len(text) - 40, "Two")])])
    heads = [found.head(segment) for segment in found.segments]
    assert heads[0] == heads[1] == "Document: book.epub, section One\n\n"
    assert heads[-1] == "Document: book.epub, sections One to Two\n\n"


def test_texts_in_one_piece_say_their_names_alone(cut):
    labels = [(0, "1"), (50, "2")]
    found = cut([("short.pdf", words(random.Random(6), 30), "page", labels)])
    assert [found.head(segment) for segment in found.segments] == ["Document: short.pdf\n\n"]


def test_a_space_of_the_template_begins_every_segment(cut):
    found = cut([("book.txt", words(random.Random(7), 900))], space=" ")
    assert {found.head(segment) for segment in found.segments} == {" Document: book.txt\n\n"}


def test_small_files_are_together_each_under_its_name(cut):
    r = random.Random(8)
    texts = [(f"{n}.py", words(r, 12)) for n in range(40)]
    found = cut(texts)
    assert 4 < len(found.segments) < 20
    for segment in found.segments:
        assert len(segment.bodies) > 1
        for number, body in enumerate(segment.bodies):
            empty = "\n\n" if number else ""
            assert found.head(segment, number) == f"{empty}Document: {body.document}.py\n\n"
    assert [body.document for segment in found.segments for body in segment.bodies] == list(range(40))


def test_small_files_are_not_with_parts_of_long_ones(cut):
    r = random.Random(9)
    small = [(f"{n}.py", words(r, 12)) for n in range(6)]
    long = ("book.txt", words(r, 900))
    found = cut([*small[:3], long, *small[3:]])
    for segment in found.segments:
        documents = {body.document for body in segment.bodies}
        assert documents == {3} or 3 not in documents


@pytest.mark.parametrize("texts", [[""], ["", ""], ["", "Words.", ""], ["\n"], ["", "Words. " * 300, ""]])
def test_empty_documents_have_their_line(texts, cut):
    found = cut([(f"{n}.txt", text) for n, text in enumerate(texts)])
    said = "".join(found.tokenizer.decode(segment.ids.tolist()) for segment in found.segments)
    assert all(f"Document: {n}.txt\n\n" in said for n in range(len(texts)))


def test_no_documents_no_segments(cut):
    assert cut([]).segments == []


def test_another_document_changes_none_of_a_long_ones_segments(cut):
    r = random.Random(10)
    long = [(f"{n}.txt", "\n\n".join(paragraphs(r, 40))) for n in range(3)]
    small = [(f"{n}.py", words(r, 12)) for n in range(5)]
    alone = [cut([one], overlap=20).keys for one in long]
    together = cut([small[0], long[0], long[1], *small[1:], long[2]], overlap=20)
    assert all(set(keys) <= set(together.keys) for keys in alone)
    assert [key for key in together.keys if key in alone[1]] == alone[1]


@pytest.mark.parametrize("added", [True, False])
def test_another_small_file_changes_few_segments(added, cut):
    """On average fewer than three and a half of some twenty."""
    new = []
    for seed in range(15):
        r = random.Random(seed)
        texts = [(f"{n}.py", words(r, r.randint(5, 20))) for n in range(90)]
        at = r.randrange(90)
        other = [*texts[:at], ("new.py", words(r, 12)), *texts[at:]] if added else [*texts[:at], *texts[at + 1 :]]
        before, after = cut(texts).keys, cut(other).keys
        assert len(after) > 15
        new.append(len(set(after) - set(before)))
    assert 0 < np.mean(new) < 3.5


@pytest.mark.parametrize("edit", ["a paragraph is written anew", "a line is inserted", "a page is removed"])
def test_an_edit_is_read_again_alone(edit, cut):
    """On average fewer than four segments of some thirty: with an overlap the next one holds the edit as well."""
    new = []
    for seed in range(20):
        r = random.Random(seed)
        before = paragraphs(r, 150)
        after, at = list(before), r.randrange(140)
        if edit.startswith("a paragraph"):
            after[at] = paragraphs(r, 1)[0]
        elif edit.startswith("a line"):
            after[at] += "\n" + words(r, 8)
        else:
            del after[at : at + 8]
        keys, again = (cut([("book.txt", "\n\n".join(text))], overlap=20).keys for text in (before, after))
        assert len(again) > 25
        new.append(len(set(again) - set(keys)))
    assert 0 < np.mean(new) < 4


def test_a_removed_page_changes_the_lines_of_pages_counted_behind_it(cut):
    """Pages with names of their own keep them; numbers move, and with them what every later segment says."""
    pages = paragraphs(random.Random(11), 150)

    def keys(pages, names):
        starts = [sum(len(page) + 2 for page in pages[:n]) for n in range(len(pages))]
        return cut([("book", "\n\n".join(pages), "section", list(zip(starts, names, strict=True)))]).keys

    names = [f"chapter {page[:9]}" for page in pages]
    fewer, at = pages[:20] + pages[21:], 20
    assert len(set(keys(fewer, names[:at] + names[at + 1 :])) - set(keys(pages, names))) < 8
    numbers = [str(n) for n in range(150)]
    assert len(set(keys(fewer, numbers[:-1])) - set(keys(pages, numbers))) > 15
