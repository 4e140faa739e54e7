"""What the controllers share: which conversation is on the screen, the settings in use, the model that is loaded."""

from PySide6.QtCore import QObject, Signal

from app.data.settings import Settings
from engine.protocol import Listed, Loaded


class State(QObject):
    conversation_changed = Signal()
    """Another conversation is on the screen."""
    conversations_changed = Signal()
    """The list of them: one more, one less, another title or order."""
    documents_changed = Signal()
    """The library, or what is attached to the conversation on the screen."""
    loaded_changed = Signal()
    settings_changed = Signal()
    readings_changed = Signal()
    """What is on the disk of texts that were read."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.conversation = ""
        self.loaded: Loaded | None = None
        self.read: frozenset[str] = frozenset()
        """Ids of the items that the engine holds in memory, read to their end."""

        self.reading_rate: float | None = None
        """Tokens a second that this machine read last, with the model that is loaded."""
        self.part_rate: float | None = None
        """Parts a second, when a question last went over every part."""
        self.readings: Listed | None = None
        """None until the engine was asked."""

    def open(self, conversation: str) -> None:
        self.conversation = conversation
        self.conversation_changed.emit()

    def set_loaded(self, loaded: Loaded | None) -> None:
        self.loaded = loaded
        self.read = frozenset()
        self.reading_rate = self.part_rate = None
        self.loaded_changed.emit()
        self.documents_changed.emit()

    def set_readings(self, readings: Listed) -> None:
        self.readings = readings
        self.readings_changed.emit()

    def set_settings(self, settings: Settings) -> None:
        self.settings = settings
        self.settings_changed.emit()
