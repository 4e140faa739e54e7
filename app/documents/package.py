"""A zipped Office document: its parts, and which part refers to which."""

import posixpath

from lxml import etree
from msgspec import Struct

from app.documents.archive import Archive
from app.documents.errors import Unreadable
from app.documents.source import Source
from app.documents.xml import attribute, parse


class Part(Struct, frozen=True):
    """Another part that a part refers to: the last word of its type, which both editions of the format share, its
    name in the archive, and the id under which it is referred to."""

    type: str
    name: str
    id: str


class Package:
    """`kind` is the format's name, for the sentence of a refusal."""

    def __init__(self, source: Source, kind: str) -> None:
        self.archive = Archive(source.data, source.place().allowance)
        self._kind = kind

    def main(self, usual: str) -> str:
        """The name of the part that holds the document; `usual` where the package does not say."""
        return next((part.name for part in self.parts("") if part.type == "officeDocument"), usual)

    def root(self, name: str) -> etree._Element:
        """A part that there must be. Raises `Unreadable("damaged")`."""
        try:
            return parse(self.archive.read(name))
        except KeyError as error:
            raise Unreadable("damaged", self._kind) from error

    def parts(self, name: str) -> list[Part]:
        """What a part refers to inside the archive, in the order in which it is listed; name "" is the archive."""
        folder, own = posixpath.split(name)
        try:
            root = parse(self.archive.read(posixpath.join(folder, "_rels", own + ".rels")))
        except KeyError:
            return []
        found = []
        for element in root:
            target = attribute(element, "Target")
            if attribute(element, "TargetMode") == "External":
                continue
            place = posixpath.normpath(posixpath.join(folder, target)) if not target.startswith("/") else target[1:]
            if place in self.archive.names:
                kind = attribute(element, "Type").rpartition("/")[2]
                found.append(Part(kind, place, attribute(element, "Id")))
        return found
