"""Equations of Word and PowerPoint on one line: a half is "1/2" and never "12"."""

import re
from collections.abc import Callable

from lxml import etree

from app.documents.xml import attribute, local

Keeps = Callable[[etree._Element], bool]

PARTS = {
    "f": "{num}/{den}",
    "sSup": "{e}^{sup}",
    "sSub": "{e}_{sub}",
    "sSubSup": "{e}_{sub}^{sup}",
    "sPre": "_{sub}^{sup}{e}",
    "limLow": "{e}_{lim}",
    "limUpp": "{e}^{lim}",
}
"""What an element's parts are written as; every part of more than one sign stands in brackets."""


def equation(element: etree._Element, keeps: Keeps) -> str:
    """The words of an `m:oMath`. `keeps` says of a tracked change whether it is read."""
    tag = local(element)
    if tag == "t":
        return element.text or ""
    if tag.endswith("Pr") or (tag in ("ins", "del") and not keeps(element)):
        return ""
    if tag == "f" and _property(element, "type", "") == "noBar":
        return f"({_part(element, 'num', keeps)} over {_part(element, 'den', keeps)})"
    if pattern := PARTS.get(tag):
        return pattern.format_map(_Parts(element, keeps))
    match tag:
        case "rad":
            degree = _part(element, "deg", keeps)
            return f"root({degree}, {_part(element, 'e', keeps)})" if degree else f"√{_single(element, 'e', keeps)}"
        case "nary":
            bounds = "".join(
                sign + bound for sign, part in (("_", "sub"), ("^", "sup")) if (bound := _single(element, part, keeps))
            )
            return f"{_property(element, 'chr', '∫')}{bounds} {_part(element, 'e', keeps)}"
        case "d":
            inside = [equation(child, keeps) for child in element if local(child) == "e"]
            between = _property(element, "sepChr", "|")
            return _property(element, "begChr", "(") + between.join(inside) + _property(element, "endChr", ")")
        case "m" | "eqArr":
            return "; ".join(_row(child, keeps) for child in element if local(child) in ("mr", "e"))
        case _:
            return "".join(equation(child, keeps) for child in element)


class _Parts(dict[str, str]):
    def __init__(self, element: etree._Element, keeps: Keeps) -> None:
        super().__init__()
        self._element = element
        self._keeps = keeps

    def __missing__(self, name: str) -> str:
        return _single(self._element, name, self._keeps)


def _row(element: etree._Element, keeps: Keeps) -> str:
    if local(element) == "e":
        return equation(element, keeps)
    return ", ".join(equation(child, keeps) for child in element if local(child) == "e")


def _part(element: etree._Element, name: str, keeps: Keeps) -> str:
    return "".join(equation(child, keeps) for child in element if local(child) == name).strip()


def _single(element: etree._Element, name: str, keeps: Keeps) -> str:
    """A part as one sign, one word or one number, or in brackets."""
    text = _part(element, name, keeps)
    return text if re.fullmatch(r"\w*[.,]?\w*|.", text) else f"({text})"


def _property(element: etree._Element, name: str, otherwise: str) -> str:
    for properties in element:
        if local(properties).endswith("Pr"):
            for child in properties:
                if local(child) == name:
                    return attribute(child, "val")
    return otherwise
