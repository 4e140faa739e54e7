"""Readings kept on this computer: whether, where and how many, and the way to be rid of them."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.data.settings import Settings
from app.models import quantities
from app.views import theme
from app.views.elided import Elided
from app.views.settings_rows import Count, Note, Row, Section, set_checked
from engine.protocol import Forgotten, Listed

GB = 2**30
QUOTA_MOST = 65_536
AUTOMATIC_SHARE, AUTOMATIC_MOST = 10, 50 * GB


class SavedReadings(Section):
    forget_asked = Signal()
    """Forget all readings, in memory and on disk; the person has confirmed it."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._in_use = Settings()
        self._listed: Listed | None = None
        self._forgotten: Forgotten | None = None
        self.save = QCheckBox(self.tr("Keep readings on this computer"))
        self.save_note = Note()
        self.folder = Elided(where=Qt.TextElideMode.ElideMiddle)
        theme.set_role(self.folder, "small")
        self.choose = QPushButton(self.tr("Choose…"))
        self.choose.setAccessibleName(self.tr("Choose the folder for readings"))
        self.usual = QPushButton(self.tr("Data folder"))
        self.usual.setAccessibleName(self.tr("Keep readings in the data folder"))
        for button in (self.choose, self.usual):
            theme.set_role(button, "link")
        self.folder_note = Note()
        self.quota = Count(self.tr("Automatic"), 1, QUOTA_MOST, 1)
        self.quota.setSuffix(" GB")
        self._quota_row = Row(self.tr("Room for them"), self.quota)
        self.forget = Forget()
        self.add(self.save, self.save_note)
        self.add(self._folder_line(), self.folder, self.folder_note)
        self.add(self._quota_row)
        self.add(self.forget)
        self.save.toggled.connect(self._switch)
        self.choose.clicked.connect(self._ask_for_folder)
        self.usual.clicked.connect(lambda: self._change(readings_folder=""))
        self.quota.chosen.connect(lambda count: self._change(readings_quota=None if count is None else count * GB))
        self.forget.confirmed.connect(self.forget_asked)

    def _folder_line(self) -> QWidget:
        line = QWidget()
        layout = QHBoxLayout(line)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(QLabel(self.tr("Folder")), 1)
        layout.addWidget(self.usual)
        layout.addWidget(self.choose)
        return line

    def show_settings(self, settings: Settings, in_use: Settings) -> None:
        """`in_use`: those from before what was changed in the panel."""
        if settings.save_readings and not self._settings.save_readings:
            self.forget.ask(False)  # switched on again, also by Undo: the offer that came with switching off goes
        self._settings, self._in_use = settings, in_use
        self._show()

    def show_listed(self, listed: Listed | None) -> None:
        """What is kept by the settings in use; None: not known."""
        self._listed = listed
        self._show()

    def show_forgotten(self, forgotten: Forgotten) -> None:
        self._forgotten = forgotten
        self._show()

    def state(self) -> str:
        """The section in a few words."""
        listed = self._listed
        there = bool(listed and listed.readings)
        if not self._settings.save_readings:
            if listed and there:
                return self.tr("Not kept · {size} still there").format(size=quantities.size(listed.bytes))
            return self.tr("Not kept")
        if listed is None:
            return self.tr("Kept")
        taken, room = quantities.size(listed.bytes), quantities.size(self._quota(listed))
        return self.tr("Kept · {taken} of {room}").format(taken=taken, room=room)

    def _show(self) -> None:
        settings, listed = self._settings, self._listed
        set_checked(self.save, settings.save_readings)
        kept = self.tr("What was read once opens again in seconds, also after a restart.")
        off = self.tr(
            "From Apply on nothing is written and nothing is opened: what is read is gone when Longread closes."
        )
        self.save_note.show_text(kept if settings.save_readings else off, (kept, off))
        self.save.setAccessibleDescription(self.save_note.text())
        self.folder.show_text(self._folder())
        self.usual.setVisible(bool(settings.readings_folder))
        moved = self.tr("Readings in the folder from before stay there, and are not used.")
        changed = settings.readings_folder != self._in_use.readings_folder
        beware = self.tr("Whoever can open this folder could win your texts back from it.")
        self.folder_note.show_text(moved if changed else beware, (moved, beware))
        self.choose.setAccessibleDescription(self.folder_note.text())
        self._show_quota(settings, listed)
        self.forget.taken.show_text(self._taken(listed))
        self.forget.show_count(len(listed.readings) if listed else 0, listed.bytes if listed else 0)

    def _show_quota(self, settings: Settings, listed: Listed | None) -> None:
        amount = settings.readings_quota
        automatic = round(self._automatic(listed) / GB) if listed else None
        self.quota.set_amount(None if amount is None else round(amount / GB), automatic)
        usual = self.tr("Those unused longest make room. Automatic: a tenth of the free disk, at most 50 GB.")
        if listed is not None:
            usual = self.tr(
                "Those unused longest make room. Automatic here: {size}, a tenth of the free disk, at most 50 GB."
            ).format(size=quantities.size(self._automatic(listed)))
        self._quota_row.say(usual)

    def _quota(self, listed: Listed) -> int:
        """Bytes that the settings in the panel allow."""
        amount = self._settings.readings_quota
        return self._automatic(listed) if amount is None else amount

    def _automatic(self, listed: Listed) -> int:
        """Bytes that readings may take without a size of the person's."""
        if self._in_use.readings_quota is None:
            return listed.quota
        return min(listed.free // AUTOMATIC_SHARE, AUTOMATIC_MOST)

    def _folder(self) -> str:
        settings = self._settings
        if settings.readings_folder:
            return settings.readings_folder
        if self._listed is not None and not self._in_use.readings_folder:
            return self._listed.folder
        return self.tr("in the data folder")

    def _taken(self, listed: Listed | None) -> str:
        if listed is None:
            return self.tr("How much they take is not known yet.")
        if not listed.readings:
            if self._forgotten is not None and self._forgotten.readings:
                return self.tr("Forgotten: {n}, {size}. Nothing is kept now.").format(
                    n=self._readings(self._forgotten.readings), size=quantities.size(self._forgotten.bytes)
                )
            return self.tr("Nothing is kept now.")
        return self.tr("{n} take {size} of {room}; {free} are free.").format(
            n=self._readings(len(listed.readings)),
            size=quantities.size(listed.bytes),
            room=quantities.size(self._quota(listed)),
            free=quantities.size(listed.free),
        )

    def _readings(self, count: int) -> str:
        return self.tr("1 reading") if count == 1 else self.tr("{n} readings").format(n=quantities.number(count))

    def _switch(self, on: bool) -> None:
        self.forget.ask(not on and bool(self._listed and self._listed.readings))
        self._change(save_readings=on)

    def _ask_for_folder(self) -> None:
        asking = QFileDialog(self, self.tr("Folder for readings"), self._settings.readings_folder)
        asking.setFileMode(QFileDialog.FileMode.Directory)
        asking.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        asking.fileSelected.connect(self.take_folder)
        asking.open()

    def take_folder(self, folder: str) -> None:
        self._change(readings_folder=str(Path(folder)) if folder else "")


class Forget(QStackedWidget):
    """A button, and in its place the question whether that is meant. Esc takes the question back."""

    confirmed = Signal()

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.taken = Note("small-ink")
        self.button = QPushButton(self.tr("Forget all readings"))
        self.question = Note("small-ink")
        self.sure = QPushButton(self.tr("Forget them"))
        self.back = QPushButton(self.tr("Keep them"))
        theme.set_role(self.button, "danger")
        theme.set_role(self.sure, "danger")
        first, second = QWidget(), QWidget()
        buttons = QHBoxLayout()
        buttons.addWidget(self.sure)
        buttons.addWidget(self.back)
        buttons.addStretch(1)
        asking = QVBoxLayout(second)
        asking.setContentsMargins(0, 0, 0, 0)
        asking.addWidget(self.question)
        asking.addLayout(buttons)
        offer = QVBoxLayout(first)
        offer.setContentsMargins(0, 0, 0, 0)
        offer.addWidget(self.taken)
        offer.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        offer.addStretch(1)
        self.addWidget(first)
        self.addWidget(second)
        self.button.clicked.connect(self._ask_by_hand)
        self.back.clicked.connect(self._take_back)
        self.sure.clicked.connect(self._confirm)

    def is_asking(self) -> bool:
        return self.currentIndex() == 1

    def show_count(self, readings: int, size: int) -> None:
        """How many there are to forget, and their bytes."""
        self.button.setEnabled(readings > 0)
        self.question.show_text(
            self.tr(
                "Forget all readings, {size}, for good? Your documents and conversations stay; a document is read "
                "again when you ask about it."
            ).format(size=quantities.size(size))
        )
        self.sure.setAccessibleDescription(self.question.text())
        if not readings:
            self.setCurrentIndex(0)

    def ask(self, on: bool) -> None:
        """Show the question, or the button; the focus stays where it is."""
        self.setCurrentIndex(1 if on else 0)

    def _ask_by_hand(self) -> None:
        self.ask(True)
        self.back.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take_back(self) -> None:
        self.ask(False)
        self.button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _confirm(self) -> None:
        self.setCurrentIndex(0)
        self.confirmed.emit()

    def keyPressEvent(self, event) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_asking():
            self._take_back()
        else:
            super().keyPressEvent(event)
