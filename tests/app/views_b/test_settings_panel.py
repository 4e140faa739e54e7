"""The settings panel: only what exists, what it needs, what applying costs, and the way back."""

import pytest
from PySide6.QtCore import Qt

from app.data.settings import Settings
from app.views.window_slider import marks
from engine.protocol import Advice
from tests.app.views_b import samples, settings_samples


@pytest.fixture
def panel(qtbot):
    return settings_samples.shown(qtbot)


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
    assert panel.model.precision.names() == ["fp32", "bf16", "int8"]
    assert panel.model.precision.current() == "bf16", "auto shows what it comes to"
    panel.set_plan(samples.planned())
    assert panel.model.precision.names() == ["bf16", "int8"]


def test_models_on_this_computer_and_a_way_to_more(panel, qtbot):
    assert [panel.model.model.itemText(n) for n in range(panel.model.model.count())] == [
        "SmolLM2 135M Instruct",
        "More models…",
    ]
    with qtbot.waitSignal(panel.models_asked):
        panel.model.model.activated.emit(1)
    assert panel.draft().model == "smollm2-135m-instruct"
    assert panel.model.model.currentIndex() == 0


def test_the_window_moves_in_octaves_and_its_end_means_the_largest(panel):
    slider = panel.model.window_slider.slider
    slider.setValue(2)
    assert panel.draft().window == 2048
    assert panel.model.window_line.text() == "2,048 tokens"
    slider.setValue(4)
    assert panel.draft().window is None
    assert panel.model.window_line.text() == "8,192 tokens · the largest"
    assert [draft.window for draft in panel.changes] == [2048, None]


@pytest.mark.parametrize(
    ("native", "largest", "expected"),
    [
        (8192, 65_536, [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]),
        (8192, 40_000, [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 40_000, 65_536]),
        (40_960, 0, [4096, 8192, 16_384, 32_768, 40_960, 81_920, 163_840, 327_680]),
    ],
)
def test_stretched_the_marks_go_to_eight_times_the_native_window(native, largest, expected):
    assert marks(native, largest, 8) == expected


def test_what_does_not_fit_is_said_and_cannot_be_applied(panel):
    panel.set_plan(samples.planned(window=1_048_576, fits=False, needed=40 * samples.GB))
    panel.model.window_slider.slider.setValue(panel.model.window_slider.slider.maximum())
    assert panel.draft().window == 1_048_576
    assert panel.forecast.needs.text() == "× Would need 40 GB; 32 GB are free"
    assert not panel.apply_button.isEnabled()
    assert panel.cost.text().startswith("This does not fit. No window and no precision")
    assert "does not fit in memory" in panel.model.window_slider.slider.accessibleDescription()


def test_apply_says_what_it_costs(panel, qtbot):
    assert panel.cost.text() == "These settings are in use."
    assert not panel.apply_button.isEnabled()
    panel.more.temperature.setValue(7)
    assert panel.cost.text().startswith("Apply costs nothing")
    panel.model.precision.button("int8").click()
    assert panel.cost.text().startswith("Apply loads the model anew (precision).")
    with qtbot.waitSignal(panel.applied) as applied:
        panel.apply_button.click()
    assert applied.args[0] == Settings(precision="int8", temperature=0.7)


def test_undo_goes_back_first_to_what_is_in_use_then_to_what_was(panel, qtbot):
    panel.more.temperature.setValue(5)
    panel.undo_button.click()
    assert panel.draft() == Settings()
    assert not panel.undo_button.isEnabled()
    panel.more.temperature.setValue(5)
    panel.apply_button.click()
    panel.set_settings(Settings(temperature=0.5))
    assert panel.before == Settings()
    with qtbot.waitSignal(panel.undone):
        panel.undo_button.click()


def test_presets_are_precision_and_window(panel):
    assert panel.model.presets.current() == "balanced"
    panel.model.presets.button("exact").click()
    assert panel.draft() == Settings(precision="fp32")
    panel.model.presets.button("small").click()
    assert panel.draft() == Settings(precision="int8", window=2048)
    assert panel.model.presets.button("small").toolTip() == "INT8 · 2,048 tokens"
    panel.more.temperature.setValue(3)
    assert panel.model.presets.current() == "small", "temperature is no part of a preset"
    panel.model.window_slider.slider.setValue(0)
    assert panel.model.presets.current() is None


def test_measured_candidates_are_named_only_for_what_is_loaded(panel):
    assert panel.model.writing_note.text().startswith(
        "Writes with int8 fused. Measured here, a layer: int8 fused 0.18 ms"
    )
    panel.model.precision.button("fp32").click()
    assert "Writes with" not in panel.model.writing_note.text()


def test_forecast_in_words_and_parts(panel):
    assert panel.forecast.needs.text() == "Will need 0.6 GB of 20 GB free"
    assert "Weights: 270 MB" in panel.forecast.bar.accessibleDescription()
    panel.set_conversation(4_000, 800.0)
    assert panel.forecast.first_word.text() == "first word ≈ 5.0 s cold"
    panel.set_plan(None)
    assert panel.forecast.needs.text() == "What this will need is not known yet."


def test_more_settings_reach_the_draft(panel, qtbot):
    panel.folds["more"].heading.click()
    panel.more.max_tokens.setValue(512)
    panel.more.threads.setValue(2)
    panel.more.hub.setText("")
    qtbot.keyClicks(panel.more.hub, "https://hub.example")
    panel.more.enter_sends.click()
    assert panel.draft() == Settings(max_tokens=512, threads=2, hub="https://hub.example", enter_sends=False)
    panel.more.threads.setValue(0)
    assert panel.draft().threads is None


def test_arrows_choose_and_escape_closes(panel, qtbot):
    panel.model.precision.button("bf16").setFocus()
    qtbot.keyClick(panel.model.precision.button("bf16"), Qt.Key.Key_Right)
    assert panel.draft().precision == "int8"
    qtbot.keyClick(panel, Qt.Key.Key_Escape)
    assert panel.isHidden()
    assert panel.draft().precision == "int8", "closing drops nothing"


def test_a_fold_opens_by_keys_and_says_how_its_settings_stand(panel, qtbot):
    heading = panel.folds["long"].heading
    assert heading.accessibleName() == "Texts longer than the window"
    assert heading.accessibleDescription() == "In segments of 2,000 tokens, answers over 2 of them"
    assert not panel.long.isVisible()
    heading.setFocus()
    qtbot.keyClick(heading, Qt.Key.Key_Return)
    assert panel.long.isVisible()
    qtbot.keyClick(heading, Qt.Key.Key_Space)
    assert not panel.long.isVisible()
    states = {name: fold.heading.state() for name, fold in panel.folds.items()}
    assert states["stretch"] == "Not stretched"
    assert states["readings"] == "Kept · 1.2 GB of 11.8 GB"
    assert states["more"] == "Temperature 0 · parts, threads, appearance"


def test_every_field_is_reached_by_tab_and_has_a_name(panel, qtbot):
    for fold in panel.folds.values():
        fold.set_open(True)
    reached, widget = [], panel.model.presets.button("exact")
    while widget not in reached:
        reached.append(widget)
        widget = widget.nextInFocusChain()
        while not (widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisibleTo(panel)):
            widget = widget.nextInFocusChain()
    fields = (
        panel.model.kept, panel.long.segment, panel.long.overlap, panel.long.asked, panel.long.keep, panel.long.join,
        panel.readings.save, panel.readings.choose, panel.readings.quota, panel.readings.forget.button,
        panel.more.temperature, panel.more.calibrate, panel.more.part, panel.more.hub,
        panel.more.memory,
    )  # fmt: skip
    for field in fields:
        assert field in reached
        assert field.accessibleName() or field.text()
    named = [panel.long.mode, panel.stretch.extension, panel.more.kv]
    for choice in named:
        assert choice.accessibleName()
        assert all(choice.button(name) in reached for name in choice.names())


@pytest.mark.parametrize("size", [(1100, 860), (500, 480), (420, 700)])
def test_it_stays_within_what_it_lies_over(qtbot, qapp, size):
    panel = settings_samples.shown(qtbot, size=size)
    for fold in panel.folds.values():
        fold.set_open(True)
    qapp.processEvents()
    assert panel.ground.rect().contains(panel.card.geometry().translated(panel.pos()))
    view = panel._scroll.viewport()
    for field in (panel.model.kept, panel.long.segment, panel.readings.quota, panel.more.kv):
        right = field.mapTo(view, field.rect().topRight()).x()
        assert right <= view.width(), "nothing is cut off at the side"


def test_what_is_unfolded_comes_into_sight(qtbot, qapp):
    panel = settings_samples.shown(qtbot, size=(500, 520))
    qapp.processEvents()
    fold = panel.folds["readings"]
    fold.heading.click()
    view = panel._scroll.viewport()
    top = fold.heading.mapTo(view, fold.heading.rect().topLeft()).y()
    assert 0 <= top <= view.height() - fold.heading.height()


def test_what_would_fit_is_said_the_least_harmful_first(panel):
    advice = (Advice("window", 131_072), Advice("int8", 524_288), Advice("int4", 1_048_576), Advice("kv", 2**21))
    panel.set_plan(samples.planned(window=1_048_576, fits=False, needed=40 * samples.GB, advice=advice))
    said = panel.cost.text()
    numbers = ("131,072", "INT8", "524,288", "INT4", "1,048,576", "2,097,152")
    places = [said.index(number) for number in numbers]
    assert places == sorted(places)
    assert panel.cost.text() == panel.apply_button.toolTip()


def test_states_stand_beside_rows_where_a_model_keeps_them(panel):
    panel.set_plan(samples.planned())
    assert panel.forecast.states.isVisibleTo(panel)
    assert panel.forecast.states.text() == "Weights 9.5 GB · K/V 4.1 GB · states 205 MB"
    panel.set_plan(samples.SMALL_PLAN)
    assert not panel.forecast.states.isVisibleTo(panel)
