"""Conversations, and the places in them that a search found, as lists."""

from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt, Signal

from app.data.conversation import Conversation, Found
from app.models.library import IdRole, Index

SnippetRole = Qt.ItemDataRole.UserRole + 10


class ConversationsModel(QAbstractListModel):
    """Titles can be edited in place; the model only says what was asked (`renamed`), its owner changes the list."""

    renamed = Signal(str, str)

    def __init__(self, parent=None):
        super().__init__(parent)
        self._conversations: list[Conversation] = []

    def set_conversations(self, conversations: list[Conversation]) -> None:
        if [c.id for c in conversations] == [c.id for c in self._conversations]:
            self._conversations = list(conversations)
            if conversations:
                self.dataChanged.emit(self.index(0), self.index(len(conversations) - 1))
            return
        self.beginResetModel()
        self._conversations = list(conversations)
        self.endResetModel()

    def row_of(self, conversation_id: str) -> int | None:
        return next((row for row, c in enumerate(self._conversations) if c.id == conversation_id), None)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._conversations)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole):
        if not index.isValid() or index.row() >= len(self._conversations):
            return None
        conversation = self._conversations[index.row()]
        title = conversation.title or self.tr("New conversation")
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return title
        if role == Qt.ItemDataRole.EditRole:
            return conversation.title
        if role == IdRole:
            return conversation.id
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.tr("{title}, with an unsent draft").format(title=title) if conversation.draft else title
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        title = " ".join(str(value).split())
        if role != Qt.ItemDataRole.EditRole or not index.isValid() or not title:
            return False
        conversation = self._conversations[index.row()]
        if title != conversation.title:
            self.renamed.emit(conversation.id, title)
        return True


class FoundModel(QAbstractListModel):
    def __init__(self, parent=None):
        super().__init__(parent)
        self._found: list[Found] = []

    def set_found(self, found: list[Found]) -> None:
        self.beginResetModel()
        self._found = list(found)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._found)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole):
        if not index.isValid() or index.row() >= len(self._found):
            return None
        found = self._found[index.row()]
        title = found.title or self.tr("New conversation")
        snippet = " ".join(found.snippet.split())
        if role == Qt.ItemDataRole.DisplayRole:
            return title
        if role == SnippetRole:
            return snippet
        if role == IdRole:
            return found.conversation
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{title}\n{snippet}"
        return None
