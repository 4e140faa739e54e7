"""The window about graphics cards."""

from PySide6.QtWidgets import QFileDialog

from app.views.runtimes_dialog import RuntimesDialog


def test_a_manifest_of_a_release_can_be_chosen(qtbot):
    dialog = RuntimesDialog()
    qtbot.addWidget(dialog)
    dialog.install_button.click()
    asking = dialog.findChild(QFileDialog)
    assert "(*manifest.json *.tar)" in asking.nameFilters()[0]
    asking.reject()
