"""What Office keeps in parts of their own beside a page: charts and SmartArt, as lines."""

from lxml import etree

from app.documents.xml import attribute, child, every, integer


def chart(root: etree._Element) -> str:
    """The titles, and a line for each series with its values; the line before names what they stand for."""
    whole = child(root, "chart")
    titles = [_text(child(whole, "title")), *map(_text, every(child(whole, "plotArea"), "title"))]
    lines = [" | ".join(title for title in titles if title)] if any(titles) else []
    named: list[str] = []
    for series in every(root, "ser"):
        name = " ".join(_values(child(series, "tx")))
        categories = _values(child(series, "cat")) or _values(child(series, "xVal"))
        if categories != named and categories:
            lines.append(" | ".join(["", *categories]))
            named = categories
        values = _values(child(series, "val")) or _values(child(series, "yVal"))
        if name or values:
            lines.append(" | ".join([name, *values]))
    return "\n".join(lines)


def diagram(root: etree._Element) -> str:
    """The words of a SmartArt drawing, each point under the one that it belongs to."""
    points = {attribute(point, "modelId"): point for point in every(root, "pt")}
    below: dict[str, list[tuple[int, str]]] = {}
    inner = set()
    for link in every(root, "cxn"):
        if attribute(link, "type") in ("", "parOf"):
            place = (integer(attribute(link, "srcOrd"), 0), attribute(link, "destId"))
            below.setdefault(attribute(link, "srcId"), []).append(place)
            inner.add(attribute(link, "destId"))
    lines = []
    seen = set()
    waiting = [(0, identity) for identity in reversed(points) if identity not in inner]
    while waiting:
        depth, identity = waiting.pop()
        if identity in seen or identity not in points:
            continue
        seen.add(identity)
        text = _text(child(points[identity], "t"))
        if text:
            lines.append("  " * depth + "- " + text)
        waiting += [(depth + bool(text), at) for _, at in sorted(below.get(identity, ()), reverse=True)]
    # A point whose place in the tree is broken is still words that somebody wrote.
    lines += [f"- {text}" for at, point in points.items() if at not in seen and (text := _text(child(point, "t")))]
    return "\n".join(lines)


def _text(element: etree._Element | None) -> str:
    """The words of a DrawingML text, its paragraphs on one line."""
    paragraphs = ["".join(t.text or "" for t in every(p, "t")) for p in every(element, "p")]
    return " ".join(" ".join(paragraphs).split())


def _values(element: etree._Element | None) -> list[str]:
    """What a chart remembers of the cells that it was drawn from, in their order."""
    points: dict[int, str] = {}
    for point in every(element, "pt"):
        words = child(point, "v")
        if words is not None:
            points[integer(attribute(point, "idx"), len(points))] = " ".join((words.text or "").split())
    if not points:
        return [" ".join((e.text or "").split()) for e in every(element, "v")]
    if max(points) > 4 * len(points) + 100:  # places that nobody's cells have: the values without the gaps
        return [points[index] for index in sorted(points)]
    return [points.get(index, "") for index in range(max(points) + 1)]
