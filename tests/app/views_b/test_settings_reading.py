"""Settings of reading and asking: each control writes what it stands for, reads it back, and says what it does."""

import msgspec
import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from app.data.settings import Settings
from engine.protocol import Note
from tests.app.views_b import samples, settings_samples


@pytest.fixture
def panel(qtbot):
    return settings_samples.shown(qtbot)


def type_in(qtbot, field, text: str) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def pick(choice, name: str) -> None:
    choice.setCurrentIndex(choice.findData(name))
    choice.activated.emit(choice.currentIndex())


CONTROLS = [
    ("reading_mode", "parallel", lambda panel: panel.long.mode.button("parallel").click()),
    ("reading_mode", "whole", lambda panel: panel.long.mode.button("whole").click()),
    ("segment", 4000, lambda panel: panel.long.segment.setValue(4000)),
    ("overlap", 0, lambda panel: panel.long.overlap.setValue(0)),
    ("overlap", 64, lambda panel: panel.long.overlap.setValue(64)),
    ("join", "reread", lambda panel: pick(panel.long.join, "reread")),
    ("keep", 3, lambda panel: panel.long.keep.setValue(3)),
    ("asked", 8, lambda panel: panel.long.asked.setValue(8)),
    ("kept_rows", 0.6, lambda panel: panel.model.kept.setValue(60)),
    ("calibrate", True, lambda panel: panel.more.calibrate.click()),
    ("kv", "int8", lambda panel: panel.more.kv.button("int8").click()),
    ("part", 500, lambda panel: panel.more.part.setValue(500)),
    ("memory_share", 0.5, lambda panel: panel.more.memory.setValue(50)),
    ("sparse_kernel", "torch", lambda panel: pick(panel.more.sparse, "torch")),
    ("linear_kernel", "native", lambda panel: pick(panel.more.linear, "native")),
    ("save_readings", False, lambda panel: panel.readings.save.click()),
    ("readings_quota", 20 * 2**30, lambda panel: panel.readings.quota.setValue(20)),
    ("readings_folder", "/mnt/readings", lambda panel: panel.readings.take_folder("/mnt/readings")),
]


@pytest.mark.parametrize(("field", "value", "act"), CONTROLS)
def test_a_control_writes_its_setting_and_nothing_else(panel, field, value, act):
    act(panel)
    assert panel.draft() == replace(Settings(), **{field: value})
    assert panel.changes == [panel.draft()]
    msgspec.convert(msgspec.to_builtins(panel.draft()), Settings)
    panel.undo_button.click()
    assert panel.draft() == Settings(), "undo restores it"


def test_what_is_set_is_shown(panel):
    panel.set_settings(
        Settings(
            reading_mode="parallel",
            segment=4000,
            overlap=0,
            join="shared",
            keep=1,
            asked=8,
            kept_rows=0.25,
            calibrate=True,
            kv="model",
            part=300,
            memory_share=0.75,
            sparse_kernel="torch",
            linear_kernel="triton",
            save_readings=False,
            readings_quota=20 * 2**30,
            readings_folder="/mnt/readings",
        )
    )
    long, more, readings = panel.long, panel.more, panel.readings
    assert long.mode.current() == "parallel"
    assert [field.text() for field in (long.segment, long.overlap, long.keep, long.asked, more.part)] == [
        "4,000 tokens", "0 tokens", "1 segment", "8 segments", "300 tokens"
    ]  # fmt: skip
    assert long.join.currentText() == "Shared positions"
    assert panel.model.kept.value() == 25
    assert (more.calibrate.isChecked(), more.kv.current()) == (True, "model")
    assert (more.memory.value(), more.memory_line.text()) == (75, "75 %")
    assert [field.currentText() for field in (more.sparse, more.linear)] == [
        "torch, anywhere",
        "Triton, on NVIDIA cards",
    ]
    assert (readings.save.isChecked(), readings.quota.text(), readings.folder.whole()) == (
        False, "20 GB", "/mnt/readings"
    )  # fmt: skip
    assert panel.changes == [], "showing asks for nothing"


def test_automatic_says_what_it_comes_to_for_the_loaded_model(panel):
    said = {name: panel.long.row(name).note.text() for name in ("segment", "overlap", "keep", "join")}
    assert said["segment"].endswith("Automatic here: 2,000.")
    assert said["overlap"].endswith("Automatic here: 128.")
    assert said["keep"].endswith("Automatic here: 2, within 0.35 nats of the first.")
    assert said["join"].endswith("Automatic here: consecutive positions.")
    assert panel.more.part.accessibleDescription().endswith("Automatic here: 500.")
    assert panel.long.origin.text() == "What is automatic was measured with this model."
    unmeasured = replace(settings_samples.CALIBRATION, measured=False)
    panel.set_loaded(replace(settings_samples.LOADED, calibration=unmeasured))
    assert "it was not measured with this one" in panel.long.origin.text()
    panel.set_loaded(None)
    assert "Automatic here" not in panel.long.row("segment").note.text()
    assert panel.folds["long"].heading.state() == "In segments"


def test_what_is_automatic_for_one_model_is_not_said_of_another(panel):
    panel.set_models([*samples.MODELS[:1], replace(samples.QWEN, path="/models/qwen")])
    panel.model.model.activated.emit(1)
    assert panel.draft().model == "qwen3-4b"
    assert "Automatic here" not in panel.long.row("segment").note.text()
    assert panel.more.kv_line.text() == ""


def test_arrows_begin_at_what_automatic_comes_to(panel, qtbot):
    segment = panel.long.segment
    assert segment.text() == "Automatic"
    qtbot.keyClick(segment, Qt.Key.Key_Down)
    assert panel.draft().segment is None
    qtbot.keyClick(segment, Qt.Key.Key_Up)
    assert panel.draft().segment == 2000
    qtbot.keyClick(segment, Qt.Key.Key_Down)
    assert panel.draft().segment == 1750
    segment.setValue(128)
    qtbot.keyClick(segment, Qt.Key.Key_Down)
    assert panel.draft().segment is None
    assert segment.text() == "Automatic"


@pytest.mark.parametrize(("typed", "segment"), [("3000", 3000), ("5", 128), ("", None), ("127", 128), ("0", None)])
def test_a_length_is_typed(panel, qtbot, typed, segment):
    panel.folds["long"].set_open(True)
    panel.long.segment.setValue(4000)
    type_in(qtbot, panel.long.segment, typed)
    assert panel.draft().segment == segment


def test_refusing_long_texts_leaves_nothing_to_choose_about_segments(panel):
    panel.long.mode.button("whole").click()
    assert not panel.long.segment.isEnabled()
    assert panel.folds["long"].heading.state() == "Refused"
    assert panel.long.mode_note.text() == "A text longer than the window is refused before anything of it is read."
    panel.long.mode.button("auto").click()
    assert panel.long.segment.isEnabled()


def test_the_forecast_moves_with_the_controls(panel):
    reading = panel.forecast.reading
    assert reading.text() == "Texts of more than 8,192 tokens are read in segments of 2,000."
    panel.set_conversation(4_000, 800.0)
    assert reading.text() == "4,000 tokens fit the window and are read whole."
    panel.set_conversation(131_072, 800.0)
    assert reading.text().splitlines() == [
        "131,072 tokens in about 70 segments, 3 GB of K/V", "An answer sees 4,000 of them at most."
    ]  # fmt: skip
    panel.more.kv.button("int8").click()
    assert "1.6 GB of K/V" in reading.text()
    assert panel.more.kv_line.text() == "12 KB a token"
    panel.long.segment.setValue(1000)
    assert "about 151 segments" in reading.text()
    panel.long.overlap.setValue(5000)
    assert "about 175 segments" in reading.text(), "more than a quarter is never repeated"
    panel.model.kept.setValue(50)
    assert reading.text().endswith("An answer sees 1,000 of them at most.")
    panel.long.mode.button("whole").click()
    assert reading.text() == "× 131,072 tokens are more than the window holds: refused."
    assert reading.property("role") == "small-warn"


@pytest.mark.parametrize(
    ("act", "cost"),
    [
        (lambda p: p.long.keep.setValue(3), "Apply costs nothing: used from the next question on, and what was read"),
        (lambda p: p.model.kept.setValue(50), "Apply costs nothing: used from the next question on, and what was read"),
        (lambda p: p.long.segment.setValue(999), "Apply costs nothing: used from the next question on, when longer"),
        (
            lambda p: p.long.mode.button("whole").click(),
            "Apply costs nothing. From then on texts longer than the window",
        ),
        (lambda p: p.long.mode.button("parallel").click(), "Apply costs nothing: used from the next question on, when"),
        (lambda p: p.readings.save.click(), "Apply costs nothing. From then on nothing that is read is written"),
        (lambda p: p.more.threads.setValue(2), "Apply loads the model anew (threads). What was saved is opened again"),
        (
            lambda p: p.more.memory.setValue(60),
            "Apply loads the model anew (memory). What was saved is opened again",
        ),
        (
            lambda p: p.stretch.extension.button("ntk").click(),
            "Apply loads the model anew (context window, stretching)",
        ),
    ],
)
def test_what_applying_costs(panel, act, cost):
    act(panel)
    assert panel.cost.text().startswith(cost)


def test_the_cost_of_what_is_saved_is_not_promised_when_nothing_is_saved(panel):
    panel.set_settings(Settings(save_readings=False))
    panel.more.threads.setValue(2)
    assert "Documents are read again at the next question." in panel.cost.text()


def can(choice) -> list[str]:
    return [choice.itemData(n) for n in range(choice.count()) if choice.model().item(n).isEnabled()]


def test_layers_that_a_model_does_not_have_cannot_be_computed_otherwise(panel):
    """The loaded one is dense, on a processor."""
    more = panel.more
    assert not more.sparse.isEnabled()
    assert more.sparse.accessibleDescription() == more.linear.accessibleDescription() == "This model has none."
    panel.set_settings(Settings(sparse_kernel="torch"))
    assert more.sparse.isEnabled(), "so that it can be taken back"
    assert more.sparse.accessibleDescription().startswith("⚠ This model cannot be loaded so")
    pick(more.sparse, "auto")
    assert not more.sparse.isEnabled()


def test_layers_of_a_hybrid_model_are_computed_by_what_its_device_has(panel):
    more, hybrid = panel.more, replace(settings_samples.LOADED, layers={"sparse": 8, "lightning": 24})
    panel.set_loaded(hybrid)
    assert can(more.sparse) == can(more.linear) == ["auto", "native", "torch"]
    panel.set_settings(Settings(linear_kernel="triton"))
    assert more.linear.accessibleDescription().startswith("⚠ This model cannot be loaded so")
    panel.set_loaded(replace(hybrid, device=samples.GPU))
    assert more.linear.accessibleDescription() == "By what they are computed."
    assert can(more.linear) == ["auto", "triton", "torch"]
    panel.set_loaded(None)
    assert can(more.linear) == ["auto", "native", "triton", "torch"]


def test_stretching_offers_windows_beyond_the_native_one_and_warns(panel):
    stretch, slider = panel.stretch, panel.model.window_slider
    assert stretch.warning.property("role") == "caption"
    stretch.extension.button("yarn").click()
    assert panel.draft() == Settings(extension="yarn", window=16_384), "the gentlest is where it begins"
    panel.set_plan(settings_samples.STRETCHED)
    assert slider.slider.maximum() == 8
    assert slider.window_tokens() == 16_384
    assert panel.model.window_line.text() == "16,384 tokens · 2 × native"
    assert stretch.warning.text() == (
        "Quality falls, most of all beyond 16,384 tokens, twice the native window. Short texts are answered worse too."
    )
    assert stretch.warning.property("role") == "small-warn"
    assert panel.folds["stretch"].heading.state() == "YaRN to 16,384 tokens · quality falls"
    assert panel.model.presets.current() is None
    slider.slider.setValue(8)
    assert panel.draft().window == 65_536
    assert slider.slider.accessibleDescription() == "65,536 tokens, does not fit in memory"
    stretch.extension.button("none").click()
    assert panel.draft() == Settings()
    assert panel.folds["stretch"].heading.state() == "Not stretched"


def test_a_smaller_window_of_the_persons_survives_the_end_of_stretching(panel):
    panel.set_settings(Settings(extension="ntk", window=4096))
    assert panel.folds["stretch"].heading.state() == "NTK · the window is not beyond the native one"
    panel.stretch.extension.button("none").click()
    assert panel.draft() == Settings(window=4096)


def test_a_model_that_cannot_be_stretched_says_why(panel):
    panel.set_settings(Settings(extension="yarn", window=16_384))
    refusal = Note("not_extended_sliding", {"method": "yarn", "native": "8192", "kind": "default"})
    panel.set_plan(replace(samples.SMALL_PLAN, notes=(refusal,)))
    assert panel.stretch.warning.text().startswith("A model whose attention slides over the text cannot be stretched")
    assert panel.folds["stretch"].heading.state() == "YaRN · this model cannot be stretched"


def test_presets_end_the_stretching(panel):
    panel.set_settings(Settings(extension="yarn", window=16_384))
    panel.model.presets.button("balanced").click()
    assert panel.draft() == Settings()
    assert panel.model.presets.current() == "balanced"


def test_calibration_warns_more_loudly_when_it_is_on(panel):
    note = panel.more.calibrate_note
    assert "destroys" in note.text()
    assert note.property("role") == "caption"
    panel.more.calibrate.click()
    assert note.property("role") == "small-warn"
    assert "calibration on" in panel.folds["more"].heading.state()


def test_choices_move_nothing_below_them(qtbot, qapp):
    panel = settings_samples.shown(qtbot, size=(760, 1300))
    panel.folds["long"].set_open(True)
    qapp.processEvents()
    mark = panel.folds["stretch"]
    before = mark.y()
    for act in (
        lambda: panel.long.mode.button("parallel").click(),
        lambda: panel.long.asked.setValue(3),
        lambda: pick(panel.long.join, "reread"),
        lambda: panel.model.kept.setValue(10),
    ):
        act()
        qapp.processEvents()
        assert mark.y() == before


def test_a_model_that_reads_every_text_whole_leaves_nothing_to_choose_about_segments(panel):
    panel.set_loaded(replace(settings_samples.LOADED, layers={"lightning": 24, "sparse": 8}))
    assert not panel.long.mode.isEnabled()
    assert not panel.long.segment.isEnabled()
    assert panel.folds["long"].heading.state() == "This model reads every text whole"
    assert "reads every text whole" in panel.long.mode_note.text()
    panel.set_loaded(settings_samples.LOADED)
    assert panel.long.segment.isEnabled()


def test_a_window_may_reach_beyond_the_native_one_unstretched(panel):
    panel.set_plan(replace(samples.SMALL_PLAN, largest=32_768, window=32_768))
    slider = panel.model.window_slider
    assert slider.window_tokens() == 32_768
    assert slider.slider.value() == slider.slider.maximum()
    assert panel.model.window_line.text() == "32,768 tokens · the largest"
