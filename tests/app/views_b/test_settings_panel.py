"""The settings panel: only what exists, what it needs, what applying costs, and the way back."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QWidget

from app.data.settings import Settings
from app.views.settings_panel import SettingsPanel
from app.views.window_slider import marks
from tests.app.views_b import samples


@pytest.fixture
def panel(qtbot):
    ground = QWidget()
    qtbot.addWidget(ground)
    ground.resize(760, 760)
    made = SettingsPanel(ground)
    made.set_models(samples.MODELS)
    made.set_settings(Settings())
    made.set_loaded(samples.SMALL_LOADED)
    made.set_plan(samples.SMALL_PLAN)
    ground.show()
    made.open_at(QRect(0, 0, 760, 760))
    made.ground = ground
    made.changes = []
    made.changed.connect(made.changes.append)
    return made


@pytest.mark.parametrize(
    ("native", "largest", "expected"),
    [
        (8192, 8192, [512, 1024, 2048, 4096, 8192]),
        (2048, 2048, [512, 1024, 2048]),
        (40_960, 40_960, [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 40_960]),
        (1_048_576, 700_000, [8192, 16_384, 32_768, 65_536, 131_072, 262_144, 524_288, 700_000, 1_048_576]),
        (8192, 0, [512, 1024, 2048, 4096, 8192]),
    ],
)
def test_marks_are_octaves_up_to_the_models_window(native, largest, expected):
    assert marks(native, largest) == expected


def test_only_what_runs_here_is_offered(panel):
    assert panel.precision.names() == ["fp32", "bf16", "int8"]
    assert panel.precision.current() == "bf16", "auto shows what it comes to"
    panel.set_plan(samples.planned())
    assert panel.precision.names() == ["bf16", "int8"]


def test_models_on_this_computer_and_a_way_to_more(panel, qtbot):
    assert [panel.model.itemText(n) for n in range(panel.model.count())] == ["SmolLM2 135M Instruct", "More models…"]
    with qtbot.waitSignal(panel.models_asked):
        panel.model.activated.emit(1)
    assert panel.draft().model == "smollm2-135m-instruct"
    assert panel.model.currentIndex() == 0


def test_the_window_moves_in_octaves_and_its_end_means_the_largest(panel):
    slider = panel.window_slider.slider
    slider.setValue(2)
    assert panel.draft().window == 2048
    assert panel.window_note.text() == "2,048 tokens"
    slider.setValue(4)
    assert panel.draft().window is None
    assert panel.window_note.text() == "8,192 tokens · the largest"
    assert [draft.window for draft in panel.changes] == [2048, None]


def test_what_does_not_fit_is_said_and_cannot_be_applied(panel):
    panel.set_plan(samples.planned(window=1_048_576, fits=False, needed=40 * samples.GB))
    panel.window_slider.slider.setValue(panel.window_slider.slider.maximum())
    assert panel.draft().window == 1_048_576
    assert panel.forecast.needs.text() == "× Would need 40 GB; 32 GB are free"
    assert not panel.apply_button.isEnabled()
    assert panel.cost.text().startswith("This does not fit.")
    assert "does not fit in memory" in panel.window_slider.slider.accessibleDescription()


def test_apply_says_what_it_costs(panel, qtbot):
    assert panel.cost.text() == "These settings are in use."
    assert not panel.apply_button.isEnabled()
    panel.temperature.setValue(7)
    assert panel.cost.text().startswith("Apply costs nothing")
    panel.precision.button("int8").click()
    assert panel.cost.text().startswith("Apply loads the model anew (precision).")
    with qtbot.waitSignal(panel.applied) as applied:
        panel.apply_button.click()
    assert applied.args[0] == Settings(precision="int8", temperature=0.7)


def test_undo_goes_back_first_to_what_is_in_use_then_to_what_was(panel, qtbot):
    panel.temperature.setValue(5)
    panel.undo_button.click()
    assert panel.draft() == Settings()
    assert not panel.undo_button.isEnabled()
    panel.temperature.setValue(5)
    panel.apply_button.click()
    panel.set_settings(Settings(temperature=0.5))
    assert panel.before == Settings()
    with qtbot.waitSignal(panel.undone):
        panel.undo_button.click()


def test_presets_are_precision_and_window(panel):
    assert panel.presets.current() == "balanced"
    panel.presets.button("exact").click()
    assert panel.draft() == Settings(precision="fp32")
    panel.presets.button("small").click()
    assert panel.draft() == Settings(precision="int8", window=2048)
    assert panel.presets.button("small").toolTip() == "INT8 · 2,048 tokens"
    panel.temperature.setValue(3)
    assert panel.presets.current() == "small", "temperature is no part of a preset"
    panel.window_slider.slider.setValue(0)
    assert panel.presets.current() is None


def test_measured_candidates_are_named_only_for_what_is_loaded(panel):
    assert panel.writing_note.text().startswith("Writes with int8 fused. Measured here, a layer: int8 fused 0.18 ms")
    panel.precision.button("fp32").click()
    assert "Writes with" not in panel.writing_note.text()


def test_forecast_in_words_and_parts(panel):
    assert panel.forecast.needs.text() == "Will need 0.6 GB of 20 GB free"
    assert "Weights: 270 MB" in panel.forecast.bar.accessibleDescription()
    panel.set_conversation(4_000, 800.0)
    assert panel.forecast.first_word.text() == "first word ≈ 5.0 s cold"
    panel.set_plan(None)
    assert panel.forecast.needs.text() == "What this will need is not known yet."


def test_more_settings_reach_the_draft(panel, qtbot):
    panel.more_button.click()
    panel.more.max_tokens.setValue(512)
    panel.more.threads.setValue(2)
    panel.more.hub.setText("")
    qtbot.keyClicks(panel.more.hub, "https://hub.example")
    panel.more.enter_sends.click()
    assert panel.draft() == Settings(max_tokens=512, threads=2, hub="https://hub.example", enter_sends=False)
    panel.more.threads.setValue(0)
    assert panel.draft().threads is None


def test_arrows_choose_and_escape_closes(panel, qtbot):
    panel.precision.button("bf16").setFocus()
    qtbot.keyClick(panel.precision.button("bf16"), Qt.Key.Key_Right)
    assert panel.draft().precision == "int8"
    qtbot.keyClick(panel, Qt.Key.Key_Escape)
    assert panel.isHidden()
    assert panel.draft().precision == "int8", "closing drops nothing"
