"""A link of an answer is opened only after its whole address was shown, since a model wrote it and it goes outside."""

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.views import theme


class LinkDialog(QDialog):
    """`agreed` carries the address. "Do not open" is the default button."""

    agreed = Signal(str)

    def __init__(self, address: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Open this link?"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        url = QUrl(address)
        # the encoded form shows letters that only look like those of a known name
        self._address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        host = url.host(QUrl.ComponentFormattingOption.FullyEncoded)
        says = self.tr("It leaves this computer: your browser will connect to {host}.").format(host=host)
        if url.scheme() == "mailto":
            says = self.tr("It will be given to your mail program.")
        about = QLabel(says, self)
        about.setTextFormat(Qt.TextFormat.PlainText)
        about.setWordWrap(True)
        field = QPlainTextEdit(self._address, self)
        field.setReadOnly(True)
        field.setFont(theme.font("code"))
        field.setTabChangesFocus(True)
        field.setAccessibleName(self.tr("The whole address"))
        field.setMinimumWidth(self.fontMetrics().averageCharWidth() * 70)
        field.setFixedHeight(self.fontMetrics().lineSpacing() * 5)
        theme.set_role(field, "field")
        opening = QPushButton(self.tr("Open"), self)
        opening.setAutoDefault(False)
        opening.clicked.connect(self._agree)
        copying = QPushButton(self.tr("Copy the address"), self)
        copying.setAutoDefault(False)
        copying.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._address))
        leaving = QPushButton(self.tr("Do not open"), self)
        leaving.setDefault(True)
        leaving.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button in (copying, opening, leaving):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(about)
        layout.addWidget(field)
        layout.addLayout(buttons)
        leaving.setFocus()

    def address(self) -> str:
        return self._address

    def _agree(self) -> None:
        self.accept()
        self.agreed.emit(self._address)
