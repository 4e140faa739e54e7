"""Where an answer failed: what happened, what it means, and what can be done, as buttons."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app import words
from app.data.conversation import Failure
from app.models import quantities
from app.models.spoken import advised
from app.views import theme
from app.views.flow import FlowLayout

ACTIONS = {
    "too_long": ("read_in_segments", "remove_document", "larger_window", "other_model"),
    "too_long_model": ("remove_document", "larger_window", "other_model"),
    "no_selection": ("what_is_kept", "other_model"),
    "selection_whole": ("what_is_kept", "larger_window", "other_model"),
    "too_long_question": ("larger_window", "other_model"),
    "out_of_memory": ("smaller_window", "smaller_precision", "other_model"),
    "bad_model": ("other_model",),
    "bad_document": ("add_document",),
    "engine_died": ("ask_again",),
    "internal": ("ask_again",),
    "evict_model": ("keep_everything", "other_model"),
    "evict_sparse": ("what_is_kept", "keep_everything"),
    "evict_blocks": ("what_is_kept", "keep_everything"),
    "evict_mode": ("keep_everything", "what_is_kept"),
    "evict_pieces": ("keep_everything", "what_is_kept"),
    "evict_segments": ("keep_everything",),
    "evict_selection": ("keep_everything",),
    "evict_budget": ("what_is_kept", "keep_everything"),
    "evict_refused": ("what_is_kept", "keep_everything"),
    "evict_inactive": ("keep_everything",),
    "too_long_remote": ("remove_document", "other_model"),
    "too_long_remote_unknown": ("remove_document", "other_model"),
    **dict.fromkeys(("remote_key", "remote_key_line", "remote_key_space", "remote_key_letters"), ("servers",)),
    **dict.fromkeys(("remote_address", "remote_path", "remote_garbled", "remote_moved", "remote_model"), ("servers",)),
    **dict.fromkeys(("remote_certificate", "remote_proxy", "remote_forbidden"), ("servers", "other_model")),
    **dict.fromkeys(("remote_unreached", "remote_silent"), ("ask_again", "servers", "other_model")),
    **dict.fromkeys(("remote_coverage", "remote_refused"), ("other_model",)),
    "remote_reading": ("keep_everything", "other_model"),
    "remote_large": ("remove_document", "other_model"),
    "provider_unknown": ("servers", "other_model"),
    "provider_key_unset": ("servers",),
    "model_missing": ("other_model",),
    "model_unknown": ("other_model",),
}
"""By failure code: what the buttons ask for, the most likely first."""


def sentence(failure: Failure) -> str:
    """The failure's sentence in the person's language, its numbers in its own form."""
    amount = quantities.size if failure.code == "out_of_memory" else quantities.number
    values = {"subject": failure.subject or "?", "message": failure.message or failure.subject or "?"}
    values["said"] = failure.said
    for name, value in (("needed", failure.needed), ("available", failure.available)):
        values[name] = "?" if value is None else amount(value)
    sentences = words.PROBLEMS | words.FAILURES  # the engine's own, and why it could not be asked
    told = QCoreApplication.translate("words", sentences.get(failure.code, words.FAILURES["internal"]))
    told = told.format_map(values | {"name": failure.subject or "?"})
    return f"{told.rstrip()} {advised(failure.advice)}".rstrip()


class FailureCard(QFrame):
    action = Signal(str)

    def __init__(self, failure: Failure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "failure")
        text = QLabel(f"⚠ {sentence(failure)}", self)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setWordWrap(True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setAccessibleName(text.text())
        row = QWidget(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        row.setSizePolicy(policy)
        flow = FlowLayout(row, gap=8, line_gap=8)
        labels = self._labels()
        for name in ACTIONS.get(failure.code, ("ask_again",)):
            button = QPushButton(labels[name], row)
            button.clicked.connect(lambda _=False, name=name: self.action.emit(name))
            flow.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 11, 14, 12)
        layout.setSpacing(10)
        layout.addWidget(text)
        layout.addWidget(row)

    def _labels(self) -> dict[str, str]:
        return {
            "read_in_segments": self.tr("Read it in segments"),
            "remove_document": self.tr("Remove a document"),
            "larger_window": self.tr("Use a larger window"),
            "other_model": self.tr("Choose another model"),
            "smaller_window": self.tr("Use a smaller window"),
            "smaller_precision": self.tr("Use a smaller precision"),
            "add_document": self.tr("Add the document again"),
            "ask_again": self.tr("Ask again"),
            "keep_everything": self.tr("Keep everything"),
            "what_is_kept": self.tr("Change what is kept"),
            "servers": self.tr("Change the server"),
        }
