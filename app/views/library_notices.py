"""What the banner says of the library: of items, of matters, and of files that changed."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app import document_words
from app.data.changes import Changes
from app.data.document import Refused
from app.models import quantities
from app.models.changes import extent
from app.models.spoken import spoken
from app.views.banner import Banner

NAMED = 3
"""Documents that a sentence names; more are counted."""


class LibraryNotices(QObject):
    """Buttons are answered by `Banner.action`: undo, show_changes, attach_new_version."""

    def __init__(self, banner: Banner) -> None:
        super().__init__(banner)
        self._banner = banner

    def removed_items(self, names: Sequence[str]) -> None:
        said = self.tr("Removed from the library: {names}. The text is kept until it is deleted for good.")
        self._undoable(said.format(names=named(names)))

    def deleted(self, names: Sequence[str], freed: int) -> None:
        said = self.tr("Deleted for good: {names}.").format(names=named(names))
        if freed:
            said += " " + self.tr("{size} of readings are free again.").format(size=quantities.size(freed))
        self._banner.show_message("good", said)

    def deleted_but_readings(self, names: Sequence[str]) -> None:
        said = self.tr(
            "The text is deleted for good: {names}. What was read of it may still be on disk, since the engine could "
            "not be asked. Forget all readings in the settings once it runs again."
        )
        self._banner.show_message("warn", said.format(names=named(names)))

    def exported(self, count: int, folder: str, refused: Sequence[tuple[str, str]]) -> None:
        """`refused`: codes of `document_words.EXPORTS` and the names that go with them."""
        told = []
        if count:
            documents = quantities.documents(count)
            told.append(self.tr("{documents} exported into {folder}.").format(documents=documents, folder=folder))
        told += [spoken(document_words.EXPORTS, code, {"name": name}) for code, name in refused[:NAMED]]
        if len(refused) > NAMED:
            more = quantities.documents(len(refused) - NAMED)
            told.append(self.tr("For like reasons {documents} more were left out.").format(documents=more))
        self._banner.show_message("warn" if refused else "good", " ".join(told))

    def filled_matter(self, name: str, count: int) -> None:
        if not count:
            self._banner.show_message("info", self.tr("“{matter}” holds them already.").format(matter=name))
            return
        said = self.tr("{documents} put into “{matter}”.")
        self._undoable(said.format(documents=quantities.documents(count), matter=name))

    def emptied_matter(self, name: str, count: int) -> None:
        said = self.tr("{documents} taken out of “{matter}”. In the library they stay.")
        self._undoable(said.format(documents=quantities.documents(count), matter=name))

    def removed_matter(self, name: str) -> None:
        self._undoable(self.tr("The matter “{matter}” was deleted. Its documents stay.").format(matter=name))

    def reading_anew(self, name: str) -> None:
        self._banner.show_message("info", self.tr("Opening the new version of {name}…").format(name=name))

    def read_the_same(self, name: str) -> None:
        said = self.tr("{name} was read anew: what Longread reads of it is the same as before.")
        self._banner.show_message("good", said.format(name=name))

    def read_anew(self, name: str, changes: Changes, *, attach: bool) -> None:
        """`attach`: questions were asked about the old version."""
        said = self.tr("{name} was read anew: {changes}. Both versions are in the library.")
        buttons = [("show_changes", self.tr("Show what changed")), ("undo", self.tr("Undo"))]
        if attach:
            buttons.insert(1, ("attach_new_version", self.tr("Attach the new version")))
        self._banner.show_message("good", said.format(name=name, changes=extent(changes)), buttons)

    def no_version_before(self, name: str) -> None:
        said = self.tr("The library has no older version of {name} to compare it with.")
        self._banner.show_message("info", said.format(name=name))

    def not_read_anew(self, refused: Refused) -> None:
        values = {"name": refused.name, "detail": refused.detail, "subject": refused.name}
        said = spoken(document_words.REFUSALS, refused.code, values)
        self._banner.show_message("warn", said + " " + self.tr("The version that was read before stays."))

    def _undoable(self, text: str) -> None:
        self._banner.show_message("info", text, [("undo", self.tr("Undo"))])


def named(names: Sequence[str]) -> str:
    """The first few, and how many more."""
    more = [f"+ {quantities.number(len(names) - NAMED)}"] if len(names) > NAMED else []
    return ", ".join([*names[:NAMED], *more])
