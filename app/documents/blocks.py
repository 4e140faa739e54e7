"""HTML to headings, paragraphs, list items and table rows, in the order in which they stand in the source."""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from app.documents.names import listed
from app.documents.takers import Taker

SKIPPED = listed(
    "script style template noscript head svg iframe object embed audio video canvas select datalist annotation "
    "annotation-xml rp -comment !doctype"
)
BLOCKS = listed(
    "p div section article header footer main nav aside ul ol dl dt dd table thead tbody tfoot caption blockquote "
    "figure figcaption hr form fieldset legend address details summary center body html li tr pre"
)
HEADINGS = listed("h1 h2 h3 h4 h5 h6")
# A row that holds one of these lays a page out; any other row holds a line of data.
LAYOUT = "table, h1, h2, h3, h4, h5, h6, ul, ol, pre, p + p, div + div"
SPACES = re.compile(r"[ \t\n\r\f\u00a0]+")


class Walker:
    """One walk over a tree, without recursion: pages nest as deeply as they like."""

    def __init__(self, taker: Taker) -> None:
        self.taker = taker
        self._words: list[str] = []
        self._lines: list[str] = []
        self._cells: list[str] | None = None
        self._pre = 0
        self._lists: list[int | None] = []
        self._mark = ""
        self._heading = False

    def walk(self, root: LexborNode) -> None:
        end = root.mem_id  # nodes are compared by their HTML, which takes as long as the page is deep
        node: LexborNode | None = root
        while node is not None:
            down = self._enter(node)
            if down and node.child is not None:
                node = node.child
                continue
            if down:
                self._leave(node)
            while node is not None and node.mem_id != end and node.next is None:
                node = node.parent
                if node is not None:
                    self._leave(node)
            if node is None or node.mem_id == end:
                break
            node = node.next
        self._flush()
        self._close_lines()

    def _enter(self, node: LexborNode) -> bool:
        """Take the node in, and say whether its children are to be walked."""
        tag = node.tag or ""
        if tag == "-text":
            self._words.append(node.text_content or "")
            return False
        if tag in SKIPPED:
            return False
        if tag == "br":
            self._words.append("\0")
        elif tag == "img":
            if alternative := (node.attributes.get("alt") or "").strip():
                self._words.append(f" [{alternative}] ")
        elif tag == "rt":
            self._words.append("(")
        elif tag in ("td", "th"):
            self._flush() if self._cells is None else self._words.append(" ")
        elif tag in HEADINGS and self._cells is None:
            self._flush()
            self._close_lines()
            self._heading = True
        elif tag in BLOCKS:
            self._begin(tag, node)
        return True

    def _begin(self, tag: str, node: LexborNode) -> None:
        if self._cells is not None:
            self._words.append(" ")
            return
        self._flush()
        if tag == "tr" and node.css_first(LAYOUT) is None:
            self._cells = []
        elif tag == "li":
            self._mark = self._next_mark()
        elif tag in ("ul", "ol"):
            first = node.attributes.get("start") or "1"
            self._lists.append(int(first) if tag == "ol" and first.isascii() and first.isdecimal() else None)
        elif tag == "pre":
            self._pre += 1
        if tag not in ("li", "tr", "ul", "ol", "dt", "dd", "tbody", "thead", "tfoot", "p", "div"):
            self._close_lines()

    def _next_mark(self) -> str:
        indent = "  " * (len(self._lists) - 1)
        if not self._lists or self._lists[-1] is None:
            return f"{indent}- "
        self._lists[-1] += 1
        return f"{indent}{self._lists[-1] - 1}. "

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag == "rt":
            self._words.append(")")
        elif tag in HEADINGS and self._cells is None:
            text = self._taken()
            self._heading = False
            self.taker.heading(text, int(tag[1]))
        elif tag in ("td", "th") and self._cells is not None:
            self._cells.append(self._taken().replace("\n", " ").strip())
        elif tag == "tr" and self._cells is not None:
            cells, self._cells = self._cells, None
            if any(cells):
                self._lines.append(" | ".join(cells))
        elif tag in BLOCKS and self._cells is None:
            self._flush()
            if tag == "pre":
                self._pre -= 1
            elif tag in ("ul", "ol"):
                self._lists.pop()
                if not self._lists:
                    self._close_lines()
            elif tag == "table":
                self._close_lines()

    def _taken(self) -> str:
        """The words so far, spaces folded as a browser folds them."""
        text = "".join(self._words).replace("\u00ad", "")
        self._words = []
        if self._pre:
            return text.replace("\0", "\n").strip("\n")
        return "\n".join(SPACES.sub(" ", line).strip() for line in text.split("\0")).strip()

    def _flush(self) -> None:
        """End the paragraph that is being gathered."""
        text = self._taken()
        if not text.strip():
            return
        if self._heading:
            self._words.append(text + " ")
        elif self._lists or self._mark:
            # A further paragraph of an item stands under the item's first.
            self._lines.append((self._mark or "  " * len(self._lists)) + text)
            self._mark = ""
        else:
            self._close_lines()
            self.taker.block(text)

    def _close_lines(self) -> None:
        """End the list or table that is being gathered."""
        if self._lines:
            self.taker.block("\n".join(self._lines))
            self._lines = []


def walk(html: str, taker: Taker) -> None:
    """Give the page's blocks to `taker`."""
    root = LexborHTMLParser(html).root
    if root is not None:
        Walker(taker).walk(root)
