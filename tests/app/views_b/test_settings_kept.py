"""What is kept: a policy and its share, the memory that it saves, and where it cannot be had."""

import pytest
from msgspec.structs import replace

from app.data import policies
from app.data.settings import Settings
from engine.protocol import PlannedPolicy
from tests.app.views_b import samples, settings_samples

HYBRID = Settings(model="minicpm-sala", precision="int8")


@pytest.fixture
def panel(qtbot):
    return settings_samples.shown(qtbot)


def pick(panel, policy: str) -> None:
    choice = panel.kept.policy
    choice.setCurrentIndex(choice.findData(policy))
    choice.activated.emit(choice.currentIndex())


def state(panel) -> str:
    return panel.folds["kept"].heading.state()


def test_without_a_policy_nothing_is_told_to_be_forgotten(panel):
    assert [panel.kept.policy.itemText(n) for n in range(panel.kept.policy.count())] == [
        *("Keep everything", "TriAttention", "H2O", "SnapKV", "StreamingLLM", "InfLLM-v2 blocks")
    ]
    assert not panel.kept.share.isEnabled()
    assert panel.kept.saved.text() == "Nothing is forgotten."
    assert panel.kept.warning.isHidden()
    assert state(panel) == "Everything"
    assert panel.model.kept.isEnabled()
    assert "in segments of 2,000" in panel.forecast.reading.text()


def test_a_policy_and_its_share_are_written(panel):
    pick(panel, "triattention")
    assert panel.draft() == Settings(policy="triattention", policy_keep=0.5)
    assert panel.kept.share.isEnabled()
    panel.kept.share.setValue(30)
    assert panel.draft() == Settings(policy="triattention", policy_keep=0.3)
    assert panel.kept.share_line.words.text() == "Keep 30 % of a text"
    assert panel.kept.share_line.text() == "2,458 of 8,192 tokens"
    assert state(panel) == "TriAttention · keeps 30 %"
    pick(panel, "none")
    assert panel.draft() == Settings(policy_keep=0.3), "the share is there when a policy is chosen again"
    panel.undo_button.click()
    assert panel.draft() == Settings()


def test_each_policy_says_what_it_is_good_for(panel):
    good = {
        "triattention": "long writing",
        "h2o": "summaries",
        "snapkv": "one question",
        "streaming": "without an end",
        "blocks": "long texts and answers",
    }
    for policy, words in good.items():
        pick(panel, policy)
        assert f"Good for {words}" in panel.kept.policy.accessibleDescription().replace("a chat ", "")


def test_the_saved_memory_moves_with_the_slider_and_the_window(panel):
    pick(panel, "streaming")
    panel.kept.share.setValue(10)
    assert panel.kept.saved.text() == "A full window's K/V: at most 68 MB in place of 180 MB: 112 MB less."
    panel.kept.share.setValue(100)
    assert panel.kept.saved.text() == "A full window's K/V: 180 MB all the same; only writing is faster."
    pick(panel, "snapkv")
    panel.kept.share.setValue(20)
    assert panel.kept.saved.text() == "A full window's K/V: 180 MB while it is read, then at most 45 MB: 135 MB less."
    panel.kept.share.setValue(60)
    assert "all the same" in panel.kept.saved.text()
    panel.set_plan(samples.planned(131_072, 131_072, 131_072, kv=3 * samples.GB, state=0))
    panel.kept.share.setValue(10)
    assert panel.kept.share_line.text() == "13,108 of 131,072 tokens"
    assert "then at most 312 MB: 2.7 GB less" in panel.kept.saved.text()
    panel.set_plan(None)
    assert panel.kept.saved.text() == "What this saves is not known yet."


def test_a_number_of_tokens_is_shown_and_gives_way_to_the_share(panel):
    panel.set_settings(Settings(policy="h2o", policy_rows=2048, policy_mode="auto"))
    assert panel.kept.share.value() == 25
    assert state(panel) == "H2O · keeps 2,048 tokens"
    pick(panel, "snapkv")
    assert panel.draft() == Settings(policy="snapkv", policy_rows=2048)
    panel.kept.share.setValue(40)
    assert panel.draft() == Settings(policy="snapkv", policy_keep=0.4)


def test_what_another_policy_does_not_know_is_not_asked_of_it(panel):
    scores = {"policy_mode": "union", "policy_score_window": 300, "policy_adaptive_weight": False}
    panel.set_settings(Settings(policy="triattention", policy_keep=0.2, policy_prompt="pieces", **scores))
    panel.kept.share.setValue(25)
    assert policies.asked(panel.draft()).score_window == 300
    panel.kept.share.setValue(20)
    pick(panel, "snapkv")
    assert panel.draft() == Settings(policy="snapkv", policy_keep=0.2)


def test_texts_are_read_whole_with_a_policy(panel):
    panel.set_conversation(131_072, 720.0)
    pick(panel, "h2o")
    assert "every text is read whole" in panel.kept.whole_note.text()
    assert "Nothing of it is saved" in panel.kept.whole_note.text()
    assert panel.forecast.reading.text() == "× 131,072 tokens are more than the window holds: refused."
    assert not panel.model.kept.isEnabled()
    assert "no text is read in segments" in panel.model.kept_note.text()
    assert not panel.long.row("segment").isEnabled()
    assert panel.folds["long"].heading.state().startswith("Read whole")
    pick(panel, "streaming")
    assert "also one longer than the window" in panel.kept.whole_note.text()
    assert panel.forecast.reading.text().startswith("Texts of any length are read whole")


def allowed(panel) -> list[str]:
    choice = panel.kept.policy
    return [choice.itemData(n) for n in range(choice.count()) if choice.model().item(n).isEnabled()]


def test_a_hybrid_model_forgets_blocks_and_by_no_other_policy(panel):
    panel.set_settings(HYBRID)
    panel.set_loaded(samples.LOADED)
    panel.set_plan(samples.planned())
    assert allowed(panel) == ["none", "blocks"]
    assert panel.kept.warning.isHidden()
    pick(panel, "h2o")
    assert panel.kept.warning.text().startswith("⚠ MiniCPM-SALA 9B chooses blocks of a text to look at")
    assert panel.kept.saved.text() == "As things are set, nothing is saved."
    assert state(panel) == "H2O · cannot be had as things are set"
    pick(panel, "blocks")
    assert panel.kept.warning.isHidden()
    assert panel.kept.saved.text() == "What this saves is not known yet."
    counted = PlannedPolicy(policies.asked(panel.draft()), 262_144, samples.GB * 5 // 2, samples.GB * 5 // 2)
    panel.set_plan(samples.planned(policies=("blocks",), policy=counted))
    assert panel.kept.share_line.text() == "262,144 of 524,288 tokens"
    assert panel.kept.saved.text() == "A full window's K/V: at most 2.5 GB in place of 4.1 GB: 1.6 GB less."
    panel.kept.share.setValue(20)
    assert panel.kept.saved.text() == "What this saves is not known yet.", "it was counted for another share"


def test_a_model_that_is_not_loaded_is_told_by_its_plan(panel):
    panel.set_settings(Settings(policy="h2o", policy_keep=0.5))
    panel.model.changed.emit(replace(panel.draft(), model="minicpm-sala"))
    assert panel.kept.warning.isHidden()
    panel.set_plan(samples.planned(policies=("blocks",)))
    assert panel.kept.warning.text().startswith("⚠ This model chooses blocks")


def test_a_dense_model_chooses_no_blocks(panel):
    panel.set_plan(samples.planned(policies=("triattention", "h2o", "snapkv", "streaming"), state=0))
    assert "blocks" not in allowed(panel)
    pick(panel, "blocks")
    assert panel.kept.warning.text().startswith("⚠ This model chooses no blocks")


def test_the_planner_is_believed_where_it_counted(panel):
    pick(panel, "h2o")
    counted = PlannedPolicy(policies.asked(panel.draft()), 4096, 180 * 2**20, 92 * 2**20)
    panel.set_plan(replace(samples.SMALL_PLAN, policy=counted))
    assert panel.kept.saved.text() == "A full window's K/V: 180 MB while it is read, then at most 92 MB: 88 MB less."


def test_layers_that_slide_keep_what_they_see(panel):
    panel.set_loaded(replace(settings_samples.LOADED, layers={"full": 5, "sliding": 25}))
    assert panel.kept.warning.text().startswith("25 of this model's 30 layers see only what is near")
    panel.set_loaded(replace(settings_samples.LOADED, layers={"sliding": 30}))
    assert "questions would be refused" in panel.kept.warning.text()


def test_texts_that_are_to_be_in_segments_stand_against_a_policy(panel):
    panel.long.mode.button("parallel").click()
    assert panel.kept.warning.isHidden()
    pick(panel, "triattention")
    assert panel.kept.warning.text().startswith("⚠ Every text is to be read in segments")
    panel.long.mode.button("auto").click()
    assert panel.kept.warning.isHidden()


def test_apply_says_that_texts_are_read_anew(panel):
    pick(panel, "h2o")
    assert "read anew and a part of them is forgotten" in panel.cost.text()
    panel.set_settings(panel.draft())
    pick(panel, "none")
    assert "everything is kept" in panel.cost.text()


def look_at(panel, selection: str) -> None:
    choice = panel.kept.selection
    choice.setCurrentIndex(choice.findData(selection))
    choice.activated.emit(choice.currentIndex())


def test_a_selection_is_written_and_takes_the_place_of_a_policy(panel):
    pick(panel, "h2o")
    look_at(panel, "quest")
    assert panel.draft() == Settings(policy_keep=0.5, selection="quest")
    assert state(panel) == "Everything, and a part is looked at"
    assert "nothing is forgotten" in panel.kept.selection.accessibleDescription()
    pick(panel, "h2o")
    assert panel.draft() == Settings(policy="h2o", policy_keep=0.5)
    assert panel.kept.selection.currentData() == "none"


def test_what_was_read_in_blocks_is_read_again(panel):
    look_at(panel, "blocks")
    assert "what was read stays read" in panel.cost.text()
    panel.apply_button.click()
    panel.set_settings(panel.draft())
    look_at(panel, "none")
    assert "what was read in blocks is read again" in panel.cost.text()


@pytest.mark.parametrize("selection", ["quest", "blocks"])
def test_longer_texts_are_refused_where_less_is_looked_at(panel, selection):
    look_at(panel, selection)
    assert "is read whole or refused" in panel.long.mode_note.text()
    assert panel.folds["long"].heading.state().startswith("Refused")
    assert not panel.long.row("segment").isEnabled()
    assert panel.forecast.reading.text() == "Texts of more than 8,192 tokens are refused."
    panel.set_conversation(4000, 720.0)
    assert "fit the window and are read whole" in panel.forecast.reading.text()
    panel.set_conversation(131_072, 720.0)
    assert panel.forecast.reading.text().startswith("× 131,072 tokens are more than the window holds, and what is")
    panel.long.mode.button("parallel").click()
    assert panel.forecast.reading.text().startswith("× Every text is to be read in segments")
    assert "every one is refused" in panel.long.mode_note.text()
    look_at(panel, "none")
    assert "in about 70 segments" in panel.forecast.reading.text()
    assert panel.long.row("segment").isEnabled()


def test_a_model_that_cannot_look_at_a_selection_says_so(panel):
    panel.set_settings(HYBRID)
    panel.set_loaded(samples.LOADED)
    assert panel.kept.selection_warning.isHidden()
    look_at(panel, "quest")
    assert "in a way of its own" in panel.kept.selection_warning.text()
    assert not panel.kept.selection_warning.isHidden()
