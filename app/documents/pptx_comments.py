"""Comments on slides, of the old kind and of the new, with their answers."""

from lxml import etree

from app.documents.package import Package, Part
from app.documents.remarks import comment
from app.documents.xml import attribute, child, every, local


class Comments:
    def __init__(self, package: Package, parts: list[Part]) -> None:
        self._package = package
        self._authors = {
            attribute(author, "id"): attribute(author, "name")
            for part in parts
            if part.type in ("commentAuthors", "authors")
            for author in package.root(part.name)
        }

    def of(self, name: str) -> list[str]:
        """The comments in one part, each as a block."""
        return [
            self._said(one, "Answer" if local(one) == "reply" else "Comment")
            for one in every(self._package.root(name), "cm", "reply")
        ]

    def _said(self, said: etree._Element, kind: str) -> str:
        old = child(said, "text")
        if old is not None:
            text = old.text or ""
        else:
            text = "\n".join("".join(t.text or "" for t in every(p, "t")) for p in every(child(said, "txBody"), "p"))
        return comment(text, self._authors.get(attribute(said, "authorId"), ""), kind=kind)
