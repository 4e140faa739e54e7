"""Renders the widgets to pictures, to be looked at: `python -m tests.app.views_b.gallery FOLDER [NAME …]`."""

import os
import sys
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QRect
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from app.data.matter import Matter
from app.data.model import Download
from app.views import theme
from app.views.changes_page import ChangesPage
from app.views.delete_dialog import DeleteDialog
from app.views.export_dialog import ExportDialog
from app.views.first_run import FirstRun
from app.views.instruments import Instruments
from app.views.models_dialog import ModelsDialog
from app.views.preflight import Preflight
from app.views.privacy_page import PrivacyPage
from app.views.settings_panel import SettingsPanel
from app.views.shortcuts import AboutPage, ShortcutsPage
from app.views.sidebar import Sidebar
from tests.app.views_b import gateway_gallery, samples, settings_samples


def sidebar() -> QWidget:
    made = Sidebar()
    made.set_items(samples.ITEMS)
    made.set_item_state(samples.AGREEMENT.id, 1.0)
    made.set_item_state(samples.SERVICE.id, 0.63, "reading 63 % · 4,812 tok/s · 26 s left")
    made.set_conversations(samples.CONVERSATIONS, "c1")
    made.select_item(samples.AGREEMENT.id)
    made.resize(262, 800)
    return made


def sidebar_search() -> QWidget:
    made = sidebar()
    made.search.setText("li")
    made.set_found(samples.FOUND)
    return made


def sidebar_matters() -> QWidget:
    made = sidebar()
    matters = [Matter("m1", "Smith v. Jones", (samples.AGREEMENT.id, samples.LETTER.id)), Matter("m2", "Payments")]
    made.set_items(samples.ITEMS, matters, [samples.item("Old draft.pdf")])
    made.set_originals({samples.AGREEMENT.id: "changed", samples.SERVICE.id: "missing"})
    return made


def sidebar_places() -> QWidget:
    made = sidebar_search()
    made.set_found_texts(samples.FOUND_TEXTS)
    made.set_preparing(0.4)
    return made


def changes() -> QWidget:
    return ChangesPage(samples.item("Lease (draft).pdf"), samples.item("Lease.pdf"), samples.CHANGES)


def delete() -> QWidget:
    names = [item.name for item in samples.ITEMS]
    return DeleteDialog(names, texts=1_204_113, on_disk=5 * samples.GB, matters=["Smith v. Jones"], conversations=2)


def export() -> QWidget:
    return ExportDialog(3)


def sidebar_empty() -> QWidget:
    made = Sidebar()
    made.resize(262, 400)
    return made


def instruments() -> QWidget:
    made = Instruments()
    made.set_loaded(samples.LOADED)
    made.set_engine_state("ready")
    made.set_gauges(samples.GAUGES)
    made.set_first_word(0.9)
    made.resize(1440, 62)
    return made


def instruments_loading() -> QWidget:
    made = Instruments()
    made.set_device(samples.CPU)
    made.set_engine_state("loading")
    made.resize(1440, 62)
    return made


def history() -> QWidget:
    made = instruments()
    for step in range(200):
        made.set_gauges(
            samples.Gauges(samples.MEMORY, 0, step * 1500, 524_288, 4000.0 + 900 * ((step * 7) % 11) / 11, 41.0)
        )
    made.show_history()
    made.popup.strip = made
    return made.popup


def _settings(loaded, plan, settings, height: int = 860, width: int = 760) -> QWidget:
    ground = QWidget()
    theme.set_role(ground, "sheet")
    ground.resize(width, height)
    panel = SettingsPanel(ground)
    panel.set_models(samples.MODELS)
    panel.set_settings(settings)
    panel.set_loaded(loaded)
    panel.set_plan(plan)
    panel.set_readings(settings_samples.LISTED)
    panel.set_conversation(131_072, 720.0)
    ground.show()
    panel.open_at(QRect(0, 0, width, height))
    ground.panel = panel
    return ground


def _open(made: QWidget, *names: str) -> QWidget:
    for name in names:
        made.panel.folds[name].set_open(True)
        QApplication.processEvents()
    return made


def settings() -> QWidget:
    return _settings(settings_samples.LOADED, samples.SMALL_PLAN, samples.Settings())


def settings_large() -> QWidget:
    made = _settings(samples.LOADED, samples.planned(), samples.Settings(model="minicpm-sala", precision="int8"))
    made.panel.model.window_slider.slider.setValue(6)
    return made


def settings_low() -> QWidget:
    made = _settings(settings_samples.LOADED, samples.SMALL_PLAN, samples.Settings(), 480, 500)
    return _open(made, "more")


def settings_long() -> QWidget:
    made = _settings(settings_samples.LOADED, samples.SMALL_PLAN, samples.Settings(), 1160)
    _open(made, "long")
    made.panel.long.keep.setValue(3)
    made.panel.model.kept.setValue(60)
    return made


def settings_kept() -> QWidget:
    made = _settings(settings_samples.LOADED, samples.SMALL_PLAN, samples.Settings(), 1060)
    _open(made, "kept")
    policy = made.panel.kept.policy
    policy.setCurrentIndex(policy.findData("triattention"))
    policy.activated.emit(policy.currentIndex())
    made.panel.kept.share.setValue(30)
    return made


def settings_kept_hybrid() -> QWidget:
    chosen = samples.Settings(model="minicpm-sala", precision="int8", policy="snapkv", policy_keep=0.2)
    return _open(_settings(samples.LOADED, samples.planned(), chosen, 1060), "kept")


def settings_kept_off() -> QWidget:
    return _open(_settings(settings_samples.LOADED, samples.SMALL_PLAN, samples.Settings(), 1060), "kept")


def settings_stretch() -> QWidget:
    plan = settings_samples.STRETCHED
    made = _settings(settings_samples.LOADED, samples.SMALL_PLAN, samples.Settings(), 980)
    _open(made, "stretch")
    made.panel.stretch.extension.button("yarn").click()
    made.panel.set_plan(plan)
    return made


def settings_readings() -> QWidget:
    made = _settings(settings_samples.LOADED, samples.SMALL_PLAN, samples.Settings(), 1000)
    return _open(made, "readings")


def settings_forgetting() -> QWidget:
    made = settings_readings()
    made.panel.readings.save.click()
    return made


def settings_refusing() -> QWidget:
    made = settings_long()
    made.panel.long.mode.button("whole").click()
    return made


def settings_narrow() -> QWidget:
    made = _settings(settings_samples.LOADED, samples.SMALL_PLAN, samples.Settings(), 700, 420)
    _open(made, "long")
    return made


def settings_more() -> QWidget:
    made = _settings(settings_samples.LOADED, samples.SMALL_PLAN, samples.Settings(), 1260)
    return _open(made, "more")


def preflight() -> QWidget:
    ground = QWidget()
    theme.set_role(ground, "sheet")
    ground.resize(1440, 900)
    card = Preflight(ground)
    ground.show()
    card.begin()
    for row in samples.ROWS:
        card.set_row(row)
    card.set_total(samples.TOTAL)
    card._dim.setCurrentTime(1000)
    ground.card = card
    return ground


def preflight_too_long() -> QWidget:
    made = preflight()
    made.card.set_row(samples.PreflightRow("4", "Board minutes 2019.pdf", "ready", item=samples.LETTER, tokens=51_207))
    made.card.set_total(samples.PreflightTotal(1_248_204, 1_048_576, None, None, 140.0, False))
    return made


def preflight_list() -> QWidget:
    made = preflight()
    made.card.show_left_out(2)
    return made


def first_run() -> QWidget:
    ground = QWidget()
    theme.set_role(ground, "sheet")
    ground.resize(760, 640)
    made = FirstRun(ground)
    made.set_machine(samples.CPU, samples.SALA)
    made.set_bundled(samples.SMOL)
    made.set_offer(samples.QWEN, 1240.0)
    made.setGeometry(40, 40, 680, made.heightForWidth(680))
    return ground


def models() -> QWidget:
    made = ModelsDialog()
    made.set_entries(samples.MODELS, "smollm2-135m-instruct")
    made.set_download(Download("qwen3-4b", "running", 2_400_000_000, samples.QWEN.size, 12_100_000.0, 480.0))
    return made


class Made(NamedTuple):
    host: str
    purpose: str
    when: float
    received: int
    sent: int = 0


def privacy() -> QWidget:
    made = PrivacyPage()
    made.set_connections(
        [Made("huggingface.co", "model_list", 1.8e9, 8_120), Made("huggingface.co", "model", 1.8e9, 10**9)]
    )
    made.set_kept(
        [("texts", Path("/home/a/.local/share/longread/texts")), ("logs", Path("/home/a/.local/share/longread"))]
    )
    return made


def shortcuts() -> QWidget:
    actions = {}
    for words, keys in (("&New conversation", "Ctrl+N"), ("&Open files…", "Ctrl+O"), ("Find anything", "Ctrl+K")):
        actions[words] = QAction(words)
        actions[words].setShortcut(QKeySequence(keys))
    return ShortcutsPage(actions)


def about() -> QWidget:
    return AboutPage("0.1.0")


def narrow() -> QWidget:
    made = instruments()
    made.resize(820, 62)
    return made


def full() -> QWidget:
    made = sidebar()
    made.set_items([samples.item(f"Chapter {n}.pdf") for n in range(40)])
    made.set_conversations([samples.Conversation(str(n), f"Question {n}", "2026-01-01", 0.0) for n in range(40)], "1")
    return made


PICTURES = {
    make.__name__: make
    for make in (
        sidebar, sidebar_search, sidebar_matters, sidebar_places, sidebar_empty, changes, delete, export,
        instruments, instruments_loading, history, settings, settings_large,
        settings_low, settings_long, settings_kept, settings_kept_hybrid,
        settings_kept_off, settings_stretch, settings_readings, settings_forgetting, settings_more,
        settings_refusing, settings_narrow, preflight, preflight_too_long,
        preflight_list, first_run, models, privacy, shortcuts, about,
        narrow, full,
        *gateway_gallery.PICTURES,
    )
}  # fmt: skip


def main(folder: str, names: list[str]) -> None:
    app = QApplication.instance() or QApplication([])
    Path(folder).mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        theme.apply(app, scheme)
        for name in names or PICTURES:
            widget = PICTURES[name]()
            widget.show()
            for _ in range(4):  # words that wrap give their height to what is around them, one level a turn
                app.processEvents()
            widget.grab().save(str(Path(folder) / f"{name}-{scheme}.png"))
            widget.close()
            # or each change of colours would dress all the pictures before it as well
            widget.deleteLater()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
