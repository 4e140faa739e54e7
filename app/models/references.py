"""A passage with where it stands, as it is pasted into a text of one's own."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from PySide6.QtCore import QCoreApplication

Style = Literal["plain", "bluebook", "gbt7714"]
STYLES: tuple[Style, ...] = ("plain", "bluebook", "gbt7714")


class Cited(NamedTuple):
    """`label`: the printed number of the page, or the name of the section; `unit` says which. `path`: headings."""

    words: str
    document: str
    label: str = ""
    unit: str = "page"
    file: str = ""
    path: Sequence[str] = ()


def reference(cited: Cited, style: Style) -> str:
    """The words and their place. What is not known of a document, its author and year, stands in none of them."""
    words = " ".join(cited.words.split())
    match style:
        case "plain":
            where = ", ".join(part for part in (cited.document, cited.file, _located(cited)) if part)
            return f"“{words}” ({where})"
        case "bluebook":
            return f"“{words}” {_title(cited)}{_pinpoint(cited)}."
        case "gbt7714":
            page = f": {cited.label}" if cited.label and cited.unit == "page" else ""
            section = f": {cited.label}" if cited.label and cited.unit != "page" else ""
            return f"“{words}” {_title(cited)}[Z]{page or section}."


def _located(cited: Cited) -> str:
    if not cited.label:
        return ""
    return _tr("p. {label}").format(label=cited.label) if cited.unit == "page" else cited.label


def _title(cited: Cited) -> str:
    """The name without its ending; of a file in a folder or an archive, the file's."""
    name = (cited.file or cited.document).rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return stem if dot and stem and len(ending) <= 5 and " " not in ending else name


def _pinpoint(cited: Cited) -> str:
    """ ", § 3. Term, at 12": the innermost heading, and the page where there are pages."""
    heading = f", § {cited.path[-1]}" if cited.path else ""
    if not cited.label:
        return heading
    if cited.unit == "page":
        return f"{heading}, at {cited.label}"
    return heading or f", § {cited.label}"


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("references", sentence)
