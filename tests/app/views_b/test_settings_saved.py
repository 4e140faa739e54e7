"""Readings kept on this computer: how much they take, where they lie, and that they are forgotten only when meant."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from app.data.settings import Settings
from engine.protocol import Forgotten
from tests.app.views_b import settings_samples

GB = 2**30
EMPTY = replace(settings_samples.LISTED, readings=(), bytes=0)


@pytest.fixture
def panel(qtbot):
    made = settings_samples.shown(qtbot)
    made.folds["readings"].set_open(True)
    made.forgets = []
    made.forget_asked.connect(lambda: made.forgets.append(True))
    return made


def test_it_says_how_much_is_taken_of_how_much(panel):
    taken = panel.readings.forget.taken
    assert taken.text() == "12 readings take 1.2 GB of 11.8 GB; 118 GB are free."
    panel.readings.quota.setValue(20)
    assert taken.text().startswith("12 readings take 1.2 GB of 20 GB")
    assert panel.folds["readings"].heading.state() == "Kept · 1.2 GB of 20 GB"
    panel.readings.quota.setValue(0)
    assert panel.draft().readings_quota is None
    assert "Automatic here: 11.8 GB" in panel.readings.quota.accessibleDescription()


def test_what_automatic_is_beside_a_size_of_the_persons(panel):
    panel.set_settings(Settings(readings_quota=20 * GB))
    panel.set_readings(replace(settings_samples.LISTED, quota=20 * GB, free=900 * GB))
    assert "Automatic here: 50 GB" in panel.readings.quota.accessibleDescription()


def test_before_the_engine_was_asked_nothing_is_claimed(panel):
    panel.set_readings(None)
    assert panel.readings.forget.taken.text() == "How much they take is not known yet."
    assert panel.folds["readings"].heading.state() == "Kept"
    assert not panel.readings.forget.button.isEnabled()


def test_forgetting_is_asked_about_first(panel):
    forget = panel.readings.forget
    forget.button.click()
    assert panel.forgets == []
    assert "Forget all readings, 1.2 GB, for good?" in forget.question.text()
    assert forget.back.hasFocus(), "the harmless answer is the near one"
    forget.back.click()
    assert not forget.is_asking()
    forget.button.click()
    forget.sure.click()
    assert panel.forgets == [True]
    panel.set_forgotten(Forgotten(12, int(1.2 * GB)))
    panel.set_readings(EMPTY)
    assert forget.taken.text() == "Forgotten: 12 readings, 1.2 GB. Nothing is kept now."
    assert not forget.button.isEnabled()
    assert panel.draft() == Settings(), "forgetting is no setting"


def test_escape_takes_the_question_back_and_leaves_the_panel_open(panel, qtbot):
    forget = panel.readings.forget
    forget.button.click()
    qtbot.keyClick(forget.back, Qt.Key.Key_Escape)
    assert not forget.is_asking()
    assert panel.isVisible()
    assert forget.button.hasFocus()


def test_switching_off_says_what_that_means_and_offers_to_forget(panel):
    panel.readings.save.click()
    assert panel.draft() == Settings(save_readings=False)
    assert panel.readings.save_note.text().startswith("From Apply on nothing is written and nothing is opened")
    assert panel.readings.forget.is_asking()
    assert panel.folds["readings"].heading.state() == "Not kept · 1.2 GB still there"
    assert panel.forgets == []
    panel.undo_button.click()
    assert not panel.readings.forget.is_asking()
    assert panel.readings.save.isChecked()


def test_switching_off_where_nothing_is_kept_asks_nothing(panel):
    panel.set_readings(EMPTY)
    panel.readings.save.click()
    assert not panel.readings.forget.is_asking()
    assert panel.folds["readings"].heading.state() == "Not kept"


def test_another_folder_leaves_what_is_in_the_first(panel):
    readings = panel.readings
    assert readings.folder.whole() == "/home/a/.local/share/longread/readings"
    assert not readings.usual.isVisible()
    readings.take_folder("/mnt/large")
    assert panel.draft().readings_folder == "/mnt/large"
    assert readings.folder.whole() == "/mnt/large"
    assert readings.folder_note.text() == "Readings in the folder from before stay there, and are not used."
    readings.usual.click()
    assert panel.draft().readings_folder == ""


def test_the_switch_and_the_button_are_worked_by_keys(panel, qtbot):
    panel.readings.save.setFocus()
    qtbot.keyClick(panel.readings.save, Qt.Key.Key_Space)
    assert panel.draft().save_readings is False
    panel.readings.forget.sure.setFocus()
    qtbot.keyClick(panel.readings.forget.sure, Qt.Key.Key_Space)
    assert panel.forgets == [True]
