"""Fields of a DOCX: what they are told to show, and what old forms show without a word."""

import re

from lxml import etree
from msgspec import Struct

from app.documents.xml import attribute, child, integer, local, value

PAGE_NUMBER = re.compile(r"\s*(PAGE|NUMPAGES|SECTIONPAGES)\b", re.I)


class Field(Struct):
    told: str = ""
    """What it is to show, such as "PAGE"."""
    shown: bool = False
    """Whether what follows is what it shows."""

    @property
    def is_page_number(self) -> bool:
        return self.shown and PAGE_NUMBER.match(self.told) is not None


def chosen(field: etree._Element) -> str:
    """What an old form's box or list shows, which stands in no run of text."""
    if (box := child(field, "ffData", "checkBox")) is not None:
        state = child(box, "checked")
        state = child(box, "default") if state is None else state
        ticked = state is not None and attribute(state, "val") not in ("0", "false", "off")
        return "☒" if ticked else "☐"
    if (entries := child(field, "ffData", "ddList")) is not None:
        options = [attribute(entry, "val") for entry in entries if local(entry) == "listEntry"]
        place = integer(value(entries, "result") or value(entries, "default"), 0)
        return options[place] if 0 <= place < len(options) else ""
    return ""
