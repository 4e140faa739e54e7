"""PDF: each page's words, with the number printed on it and the place of each character on the page."""

import pypdfium2
from msgspec import Struct
from pypdfium2 import PdfiumError

from app.data.document import LeftOut, Run, Warning
from app.documents.legible import illegible
from app.documents.names import shown
from app.documents.pages import Pages, clean
from app.documents.pdf_comments import Remarks, attached_files
from app.documents.pdf_fonts import Fonts
from app.documents.pdf_outline import headings
from app.documents.pdf_page import FEW, label, open_page, open_pdf, open_text, unmapped, words
from app.documents.pdf_scans import Recognition, agree, is_drawn, is_picture
from app.documents.pdf_words import Hyphens, apart, ranges, running_heads, without_lines
from app.documents.placed import Placed
from app.documents.source import Content, Source

NOTHING = Placed("", [], [])

LEFT_OUT = {"no_text_layer": "no_text_layer", "damaged_pages": "damaged", "no_words": "no_text", "ocr_late": "ocr_late"}
"""Of pages that give no text: the reason."""
TOLD = ("no_text_layer", "damaged_pages", "garbled_pages", "mostly_pictures", "ocr_late")
"""Warnings with page numbers."""
MORE = 1.5
"""Times the words that a page's text has: so many are recognised, for a picture on it to be of words."""
PROVING = 6
"""Legible pages, spread over those read so far, whose fonts a page of nonsense is compared with."""
NAMED = 50
"""Attached files that are told by name; all are counted."""


class _Page(Struct):
    text: Placed
    comments: str = ""
    state: str = ""
    """What is wrong with it: the code of a warning; "recognised" once its text is what was recognised."""
    uncertain: int = 0
    """Recognised words that may well be others."""
    fontless: bool = False
    """A font of it is nowhere to be had."""


def read(source: Source) -> Content:
    document = open_pdf(source.data, source.options.passwords.get("", ""))
    reading = _Reading(document, source)
    total = len(document)
    for index in range(total):
        source.report(index, total)
        reading.page(index)
    source.report(total, total)
    return reading.content()


class _Reading:
    """The pages as they are read, one after another."""

    def __init__(self, document: pypdfium2.PdfDocument, source: Source) -> None:
        self._document = document
        self._limit = source.limits.characters
        self._labels: list[str] = []
        self._pages: list[_Page] = []
        self._recognition = Recognition(source)
        self._languages: set[str] = set()
        self._attached: list[str] = []
        self._fonts = Fonts()
        self._legible: list[int] = []
        """Pages whose fonts have not been learned."""

    def page(self, index: int) -> None:
        """Read the next page."""
        self._labels.append(shown(label(self._document, index)) or str(index + 1))
        remarks = Remarks()
        try:
            with open_page(self._document, index, remarks.look) as page:
                self._pages.append(self._read(page, remarks))
        except PdfiumError:
            self._pages.append(_Page(NOTHING, state="damaged_pages"))
        self._attached += remarks.attached

    def content(self) -> Content:
        numbers = [(name, str(index)) for index, name in enumerate(self._labels, start=1)]
        texts = [apart(page.text, own) for page, own in zip(self._pages, numbers, strict=True)]
        heads = running_heads([text.text for text in texts], self._labels)
        texts = [without_lines(text, heads.get(index, ())) for index, text in enumerate(texts)]
        hyphens = Hyphens(text.text for text in texts)
        pages = Pages(self._limit)
        runs: list[Run] = []
        for index, (text, page) in enumerate(zip(texts, self._pages, strict=True)):
            text = hyphens.join(text).stripped("\n")
            text = text.followed_by("\n" + page.comments if text.text and page.comments else page.comments)
            if not text.text.strip():
                continue
            pages.add(self._labels[index], text.text, index=index)
            start = pages.spans[-1].start
            runs += (Run(start + at, raw) for at, raw in zip(text.starts, text.raws, strict=True))
        pages.headings += headings(self._document, pages)
        warnings = self._warnings(sum(map(len, heads.values())))
        return Content("pdf", pages, tuple(self._left_out()), tuple(warnings), tuple(runs))

    def _read(self, page: pypdfium2.PdfPage, remarks: Remarks) -> _Page:
        with open_text(page) as (textpage, columns):
            text, unshown = words(textpage)
            read = _Page(text, remarks.lines(textpage, text.text), fontless=bool(columns))
            if illegible(text.text, unmapped(textpage), unshown):
                read.state = "" if self._vouched(textpage) else "garbled_pages"
            elif not text.text.strip():
                read.state = "no_text_layer" if is_drawn(page) else ""
            elif is_picture(page, text.text):
                read.state = "mostly_pictures"
            elif len(text.text) > FEW:
                self._legible.append(len(self._pages))
        if read.state and self._recognition.here:
            self._recognise(page, read)
        return read

    def _vouched(self, textpage: pypdfium2.PdfTextPage) -> bool:
        """Whether legible pages are written in the page's fonts. They are opened again: few documents come here."""
        for index in self._legible[:: max(1, len(self._legible) // PROVING)]:
            with open_page(self._document, index) as page, open_text(page) as (legible, _):
                self._fonts.learn(legible)
        self._legible.clear()
        return self._fonts.vouch(textpage)

    def _recognise(self, page: pypdfium2.PdfPage, read: _Page) -> None:
        """Read the page as it is drawn, where its text is none, or much less than that."""
        layer = read.text.text
        if self._recognition.late:
            read.state = read.state if layer.strip() else "ocr_late"
            return
        found = self._recognition.read(page)
        if found is None:
            return
        text = clean(found.text).strip()
        match read.state:
            case "no_text_layer" if not text:
                read.state = "no_words"
            case "garbled_pages" if not text:
                pass
            case "garbled_pages" if agree(layer, text):
                read.state = ""
            case "mostly_pictures" if len(text.split()) < MORE * len(layer.split()):
                read.state = ""
            case _:
                read.text, read.state, read.uncertain = Placed(text, [], []), "recognised", found.uncertain
                self._languages.update(found.languages)

    def _where(self, state: str) -> list[int]:
        return [index for index, page in enumerate(self._pages) if page.state == state]

    def _left_out(self) -> list[LeftOut]:
        return [
            LeftOut(pages, reason)
            for state, reason in LEFT_OUT.items()
            for pages in ranges([index for index in self._where(state) if not self._pages[index].text.text.strip()])
        ]

    def _warnings(self, heads: int) -> list[Warning]:
        warnings = [
            Warning(state, {"pages": ", ".join(ranges(where))}) for state in TOLD if (where := self._where(state))
        ]
        if recognised := self._where("recognised"):
            languages = ", ".join(sorted(self._languages))
            warnings.append(Warning("recognised", {"pages": ", ".join(ranges(recognised)), "languages": languages}))
        if uncertain := {index: self._pages[index].uncertain for index in recognised if self._pages[index].uncertain}:
            count = str(sum(uncertain.values()))
            warnings.append(Warning("uncertain_words", {"count": count, "pages": ", ".join(ranges([*uncertain]))}))
        if fontless := [index for index, page in enumerate(self._pages) if page.fontless]:
            warnings.append(Warning("missing_fonts", {"pages": ", ".join(ranges(fontless))}))
        if heads:
            warnings.append(Warning("running_heads", {"count": str(heads)}))
        if attached := [*attached_files(self._document), *self._attached]:
            names = ", ".join([*attached[:NAMED], *["…"][: len(attached) > NAMED]])
            warnings.append(Warning("attached_files", {"count": str(len(attached)), "names": names}))
        return warnings
