"""The instruments: every number also in words, nothing that jumps, a history behind a click."""

import msgspec
import pytest
from PySide6.QtCore import Qt

from app.views.instruments import Instruments
from app.views.sparkline import MOST_POINTS, History
from tests.app.views_b import samples


@pytest.fixture
def strip(qtbot):
    made = Instruments()
    qtbot.addWidget(made)
    made.resize(1440, 62)
    made.show()
    return made


def gauges(strip):
    return (strip.memory, strip.window_gauge, strip.first_word, strip.reading, strip.writing)


def test_gauges_show_numbers_and_each_part_in_words(strip):
    strip.set_loaded(samples.LOADED)
    strip.set_gauges(samples.GAUGES)
    assert [g.value.text() for g in gauges(strip)] == ["21.4", "269,547", "–", "4,812 tok/s", "41 tok/s"]
    assert strip.memory.label.text() == "GPU memory"
    assert strip.memory.whole.text() == "/ 32 GB"
    told = strip.memory.toolTip()
    assert told.splitlines()[0] == "Weights: 9.9 GB"
    assert "Keys and values: 6.4 GB" in told
    assert "Free: 10.6 GB" in told
    assert [name for name, _ in strip.memory.bar.parts()] == ["weights", "kv", "state", "other"]
    assert strip.window_gauge.accessibleName() == "Window: 269,547 of 524,288 tokens used"
    assert "GPU memory 21.4 / 32 GB" in strip.accessibleDescription()


def test_a_machine_without_gpu_has_memory(strip):
    strip.set_device(samples.CPU)
    assert strip.memory.label.text() == "Memory"
    assert strip.memory.value.text() == "4"


def test_nothing_moves_when_numbers_change(strip):
    strip.set_loaded(samples.LOADED)
    before = [g.geometry() for g in gauges(strip)]
    strip.set_gauges(msgspec.structs.replace(samples.GAUGES, window_used=1, reading=2.0, writing=None))
    strip.set_first_word(754.0)
    assert [g.geometry() for g in gauges(strip)] == before
    for gauge in gauges(strip):
        assert gauge.sizeHint().width() <= gauge.width()


def test_a_narrow_window_leaves_out_the_last_gauges(strip):
    strip.set_loaded(samples.LOADED)
    strip.resize(strip.minimumSizeHint().width(), 62)
    assert [g.isVisible() for g in gauges(strip)] == [True, True, False, False, False]
    strip.resize(1440, 62)
    assert all(g.isVisible() for g in gauges(strip))
    assert strip.minimumSizeHint().width() < 560


def test_idle_rates_keep_their_last_value(strip):
    strip.set_gauges(samples.GAUGES)
    strip.set_gauges(msgspec.structs.replace(samples.GAUGES, reading=None, writing=None, busy=None))
    assert strip.reading.value.text() == "4,812 tok/s"
    assert strip.reading.value.property("role") == "reading-idle"


def test_first_word_counts_up_while_waiting(strip, qtbot):
    strip.set_first_word(None, waiting=True)
    qtbot.waitUntil(lambda: strip.first_word.value.text() not in ("–", "0.0 s"))
    assert strip.first_word.toolTip() == "waiting for the first word"
    strip.set_first_word(0.9)
    assert strip.first_word.value.text() == "0.9 s"
    assert not strip._count.isActive()


def test_states_of_the_engine_are_words(strip):
    assert strip.model.whole() == "No model loaded"
    strip.set_engine_state("restarting")
    assert strip.model_detail.whole() == "◐ starting the engine again"
    strip.set_loaded(samples.LOADED)
    strip.set_engine_state("ready")
    assert strip.model_detail.whole() == "INT8 · 24 lightning + 8 sparse layers"
    strip.set_engine_state("down")
    assert strip.model_detail.whole().endswith("× the engine stays stopped")


def test_return_opens_the_history_and_escape_closes_it(strip, qtbot):
    strip.set_gauges(samples.GAUGES)
    strip.set_first_word(0.9)
    qtbot.keyClick(strip, Qt.Key.Key_Return)
    assert strip.popup.isVisible()
    assert strip.popup._values["reading"].text() == "4,812 tok/s · most 4,812 tok/s"
    assert strip.popup._amounts["weights"].text() == "9.9 GB"
    qtbot.keyClick(strip.popup, Qt.Key.Key_Escape)
    assert not strip.popup.isVisible()


def test_a_history_stays_bounded_and_keeps_its_shape():
    history = History()
    for value in range(10 * MOST_POINTS):
        history.add(float(value))
    assert len(history.points) <= MOST_POINTS
    assert history.points == sorted(history.points)
    assert history.most == history.last == 10 * MOST_POINTS - 1
    assert history.points[0] < 20
    assert history.points[-1] > 9.8 * MOST_POINTS


def test_what_is_kept_and_forgotten_shows_with_a_policy_alone(strip):
    forgetting = msgspec.structs.replace(samples.GAUGES, rows=1_200, forgotten=2_801)
    strip.set_gauges(forgetting)
    assert strip.kept.isHidden()
    assert "forgotten" not in strip.accessibleDescription()
    strip.set_policy(True)
    assert strip.kept.isVisible()
    assert strip.kept.value.text() == "–"
    before = [g.geometry() for g in (*gauges(strip), strip.kept)]
    strip.set_gauges(forgetting)
    assert strip.kept.value.text() == "1,200 · 2,801"
    assert strip.kept.toolTip() == "1,200 tokens kept in every head, 2,801 forgotten"
    assert "Kept · forgotten 1,200 · 2,801" in strip.accessibleDescription()
    assert [g.geometry() for g in (*gauges(strip), strip.kept)] == before
    strip.set_gauges(samples.GAUGES)
    assert strip.kept.value.text() == "–", "the text in use keeps everything"
    strip.resize(strip.minimumSizeHint().width(), 62)
    assert strip.kept.isHidden()
    strip.resize(1440, 62)
    assert strip.kept.isVisible()
    strip.set_policy(False)
    assert strip.kept.isHidden()
