"""What stands at the head and foot of a DOCX's pages: each line once, however many pages repeat it."""

from collections.abc import Iterable

from app.documents.docx_body import Body
from app.documents.package import Package, Part


def lines_of_margins(package: Package, parts: Iterable[Part], body: Body) -> list[str]:
    """The lines of all heads and feet; a page's number is no word of the document."""
    lines: dict[str, None] = {}
    body.inline.page_numbers = False
    for part in parts:
        if part.type in ("header", "footer"):
            found = body.lines(package.root(part.name))
            for line in (*found, *"\n".join(body.inline.after).split("\n")):
                if any(sign.isalnum() for sign in line):
                    lines[line] = None
            body.inline.after = []
    return list(lines)
