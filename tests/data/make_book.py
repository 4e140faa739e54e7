"""Makes BOOK.pdf: a real PDF of some nine pages from licence texts, with a fact planted in the middle.

`python tests/data/make_book.py BOOK.pdf` makes the one that the README speaks of.
"""

import argparse
import textwrap
from pathlib import Path

from reportlab.lib.pagesizes import A5
from reportlab.pdfgen.canvas import Canvas

# no digit twice: whether a second 4 follows the first is nearly a tie for the small model, and its precision decides
FACT = "The key to the archive room hangs behind the clock, and its number is 7319."
QUESTION = "What is the number of the key to the archive room?"
ANSWER = "7319"

LICENCE = Path(__file__).resolve().parents[2] / "LICENSE"
FONT, SIZE, LEADING = "Times-Roman", 11, 16
MARGIN = 48
WIDTH = 60
"""Characters of a line."""
FRONT = 1
"""Pages with roman numbers before page 1."""


def make_book(path: Path, fact: str = FACT, *, heads: bool = True) -> Path:
    """Write the book to `path`: a title page "i", then the licence with `fact` as a paragraph of its own halfway.

    `heads`: with a running head and a printed page number on every page but the title's.
    """
    canvas = Canvas(str(path), pagesize=A5, invariant=1)
    canvas.setTitle("The Archive Book")
    canvas.addPageLabel(0, style="ROMAN_LOWER")
    canvas.addPageLabel(FRONT, style="ARABIC")
    _write(canvas, ["The Archive Book", "", "Rules of the house, with the licence in full"])
    for number, lines in enumerate(_pages(fact), start=1):
        _write(canvas, lines, head="The Archive Book" if heads else "", foot=str(number) if heads else "")
    canvas.save()
    return path


def _write(canvas: Canvas, lines: list[str], head: str = "", foot: str = "") -> None:
    height = A5[1]
    canvas.setFont(FONT, SIZE)
    if head:
        canvas.drawCentredString(A5[0] / 2, height - MARGIN / 2, head)
    if foot:
        canvas.drawCentredString(A5[0] / 2, MARGIN / 2, foot)
    for place, line in enumerate(lines):
        canvas.drawString(MARGIN, height - MARGIN - LEADING * (place + 1), line)
    canvas.showPage()


def _pages(fact: str) -> list[list[str]]:
    """The lines of each page after the title."""
    paragraphs = [" ".join(part.split()) for part in LICENCE.read_text(encoding="utf-8").split("\n\n") if part.strip()]
    paragraphs.insert(_middle(paragraphs), fact)
    lines = [line for paragraph in paragraphs for line in (*textwrap.wrap(paragraph, WIDTH), "")]
    room = int((A5[1] - 2 * MARGIN) / LEADING) - 1
    return [lines[start : start + room] for start in range(0, len(lines), room)]


def _middle(paragraphs: list[str]) -> int:
    """The place before which half of the words stand."""
    half = sum(map(len, paragraphs)) / 2
    place = 0
    while half > 0:
        half -= len(paragraphs[place])
        place += 1
    return place


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--fact", default=FACT)
    arguments = parser.parse_args()
    make_book(arguments.path, arguments.fact)
